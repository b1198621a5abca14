/**
 * Refines a minimum translation that was found with polygons around the ellipses.
 *
 * Method: at a free translation every pair of leaves nearby has a gap and a normal, and any translation that keeps to its side
 * of that normal is free of the pair. The shortest translation under these linear constraints is free again and no longer;
 * repeated, that is sequential linear programming on the true shapes. Held in a corner it converges as fast as Newton's
 * method. On a single smooth side the direction converges by a constant ratio only, and two turns in a row tell where to
 * (A. C. Aitken's extrapolation, "On Bernoulli's numerical solution of algebraic equations", 1926). A step that rounding has
 * led into A is not taken.
 * Frame: the translation is in world axes.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import { separate } from '../narrow-phase/dispatch.ts'
import { type CompositeFrame, edgesApart, visitLeafPairs } from '../narrow-phase/leaf-pairs.ts'
import { createSeparation } from '../narrow-phase/separation.ts'
import { type Body, type Composite, createBody, ELLIPSE, isCurved, REACH, X, Y } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import { moveBy } from '../shape/position.ts'
import {
  ELLIPSE_ERROR_RATIO,
  ELLIPSE_SIDE_COUNT,
  FEW_CONSTRAINT_COUNT,
  LEAF_PAIR_STEP_COUNT,
  REFINEMENT_COUNT,
  REFINEMENT_WORK_COUNT,
  SEPARATION_ERROR_RATIO,
} from '../tolerances.ts'
import { isHeld, type Search } from './forbidden.ts'
import { createPathPoint } from './paths.ts'

const leafSlotA = createBody()
const leafSlotB = createBody()
const moved = createBody()
const separation = createSeparation()

/** Normal and least height of every constraint n·t ≥ height. */
const constraints: number[] = []

/** Where those constraints are that the shortest translation is looked for under, and that translation. */
const active: number[] = []
const shortest = { tx: 0, ty: 0 }

type Step = Pick<Translation, 'tx' | 'ty' | 'length' | 'nx' | 'ny'>

/** The translation of the round before. */
const before: Step = { tx: 0, ty: 0, length: 0, nx: 0, ny: 0 }

/** Leaves a translation that parts the pair if the one given does. The work is added to `scene.refinement`, and bounded by it. */
export function refineTranslation(frame: CompositeFrame, scene: Search, out: Translation): void {
  const window = 4 * polygonExcess(frame)
  let lastTurn = 0
  for (let round = 0; round < REFINEMENT_COUNT && scene.refinement < REFINEMENT_WORK_COUNT; round++) {
    scene.refinement += collect(frame, out, window)
    keepTranslation(out, before)
    takeShortest(out, window / 2)
    if (!isParted(frame, scene, out.tx, out.ty)) {
      keepTranslation(before, out)
      break
    }
    if (before.length - out.length <= out.error) break
    const turn = before.nx * out.ny - before.ny * out.nx
    const ratio = lastTurn === 0 ? 0 : turn / lastTurn
    const jumps = ratio > 0 && ratio < 1
    lastTurn = jumps ? 0 : turn
    if (jumps) jump(frame, scene, out, (turn * ratio) / (1 - ratio))
  }
}

export function keepTranslation(from: Step, to: Step): void {
  to.tx = from.tx
  to.ty = from.ty
  to.length = from.length
  to.nx = from.nx
  to.ny = from.ny
}

/** Turns the translation at its length by `angle`, unless that leads into A. */
function jump(frame: CompositeFrame, scene: Search, out: Translation, angle: number): void {
  const { length, nx, ny } = out
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const x = nx * cos - ny * sin
  const y = nx * sin + ny * cos
  if (!isParted(frame, scene, length * x, length * y)) return
  out.nx = x
  out.ny = y
  out.tx = length * x
  out.ty = length * y
}

/** How far the polygons reach beyond the curves. */
export function polygonExcess({ firstView, secondView }: CompositeFrame): number {
  const half = Math.PI / ELLIPSE_SIDE_COUNT
  const ofEllipses = (1 / Math.cos(half) - 1) * (largestReach(firstView, true) + largestReach(secondView, true))
  // Between two tangents of which nothing else is known: a corner stands over the chord by half of it times the tangent at most.
  return ofEllipses + Math.tan(half) * (largestReach(firstView, false) + largestReach(secondView, false))
}

/** Of the ellipses, or of all other curves. */
function largestReach({ parts, partCount }: Composite, ofEllipses: boolean): number {
  let largest = 0
  for (let p = 0; p < partCount; p++) {
    const { body, outline } = parts[p]
    if (outline !== null || !isCurved(body) || (body.kind === ELLIPSE) !== ofEllipses) continue
    largest = Math.max(largest, body.numbers[REACH])
  }
  return largest
}

/** Constraints of all pairs of leaves that are nearer than `window` at B + t; returns how many pairs it has looked at. */
function collect(frame: CompositeFrame, { tx, ty, error }: Translation, window: number): number {
  const { first, second, firstView, secondView, firstTree, secondTree } = frame
  let pairs = 0
  constraints.length = 0
  const dx = second.numbers[X] - first.numbers[X] + tx
  const dy = second.numbers[Y] - first.numbers[Y] + ty
  visitLeafPairs(firstTree, secondTree, dx, dy, window, (leafA, leafB) => {
    pairs++
    spend(LEAF_PAIR_STEP_COUNT)
    const bodyB = moveBy(leafBody(secondView, leafB, leafSlotB), tx, ty, moved)
    const bodyA = leafBody(firstView, leafA, leafSlotA)
    const { swapped } = separate(bodyA, bodyB, separation)
    const { value, nx, ny } = separation
    if (value <= window && (nx !== 0 || ny !== 0)) {
      const touching = Math.abs(value) <= 4 * error
      const x = swapped ? -nx : nx
      const y = swapped ? -ny : ny
      // Rounding may have put what touches a region's edge on its inner side.
      const inward =
        touching && (facesInward(firstView, leafA, bodyA, x, y) || facesInward(secondView, leafB, bodyB, -x, -y))
      const side = inward ? -1 : 1
      constraints.push(side * x, side * y, side * (x * tx + y * ty - value))
    }
    return window
  })
  return pairs
}

/** Whether (x, y), the way out of a leaf, leads into the region of which it is an edge. */
function facesInward(
  { parts, leafPart }: Composite,
  leaf: number,
  { normals, numbers }: Body,
  x: number,
  y: number,
): boolean {
  return parts[leafPart[leaf]].outline?.solid === true && numbers[normals] * x + numbers[normals + 1] * y < 0
}

/**
 * Replaces the translation by the shortest one that meets the constraints, if there is one, by a step of `reach` at most. Where
 * there are many, it is looked for among few, to which the one that it misses most is added until it misses none: the
 * shortest one under some constraints is no longer than that under all.
 */
function takeShortest(out: Translation, reach: number): void {
  const slack = out.error
  shortest.tx = 0
  shortest.ty = 0
  active.length = 0
  if (constraints.length <= 3 * FEW_CONSTRAINT_COUNT) {
    for (let k = 0; k < constraints.length; k += 3) active.push(k)
    takeShortestOfActive(out)
  } else {
    for (let missed = mostMissed(0, 0, slack); missed >= 0; missed = mostMissed(shortest.tx, shortest.ty, slack)) {
      if (active.length === FEW_CONSTRAINT_COUNT) return
      active.push(missed)
      takeShortestOfActive(out)
      if (shortest.tx === out.tx && shortest.ty === out.ty) return
    }
  }
  const stepX = shortest.tx - out.tx
  const stepY = shortest.ty - out.ty
  const step = vectorLength(stepX, stepY)
  const share = step > reach ? reach / step : 1
  out.tx += share * stepX
  out.ty += share * stepY
  out.length = vectorLength(out.tx, out.ty)
  if (step === 0 || !(out.length > slack)) return
  out.nx = out.tx / out.length
  out.ny = out.ty / out.length
}

/** Sets `shortest` to the shortest translation that meets the active constraints, or to the given one. O(n³) at worst. */
function takeShortestOfActive({ tx, ty, length: given, error: slack }: Translation): void {
  shortest.tx = tx
  shortest.ty = ty
  let least = given
  if (meetsActive(0, 0, slack)) {
    shortest.tx = 0
    shortest.ty = 0
    least = 0
  }
  for (let first = 0; first < active.length; first++) {
    const i = active[first]
    const nx = constraints[i]
    const ny = constraints[i + 1]
    const height = constraints[i + 2]
    spend(active.length)
    for (let second = first; second < active.length; second++) {
      let x = height * nx
      let y = height * ny
      if (second > first) {
        const j = active[second]
        const mx = constraints[j]
        const my = constraints[j + 1]
        const turn = nx * my - ny * mx
        if (turn === 0) continue
        x = (height * my - constraints[j + 2] * ny) / turn
        y = (constraints[j + 2] * nx - height * mx) / turn
      } else if (height < 0) continue
      const length = vectorLength(x, y)
      if (length >= least || !meetsActive(x, y, slack)) continue
      least = length
      shortest.tx = x
      shortest.ty = y
    }
  }
}

function meetsActive(x: number, y: number, slack: number): boolean {
  for (const i of active) {
    if (constraints[i] * x + constraints[i + 1] * y < constraints[i + 2] - slack) return false
  }
  return true
}

/** Where the constraint is that (x, y) misses by most, −1 when it meets all. */
function mostMissed(x: number, y: number, slack: number): number {
  let most = slack
  let found = -1
  spend(constraints.length >>> 2)
  for (let i = 0; i < constraints.length; i += 3) {
    const miss = constraints[i + 2] - constraints[i] * x - constraints[i + 1] * y
    if (!(miss > most)) continue
    most = miss
    found = i
  }
  return found
}

// Whether a translation really parts the pair, judged by the true shapes: the search knows ellipses only as polygons, and a
// refined translation or a bound must not be handed out unchecked.
// Frame: translations of the ordered pair's second body, in world axes.

const testedSlotA = createBody()
const testedSlotB = createBody()
const testedBody = createBody()
const testedSeparation = createSeparation()
const testedPoint = createPathPoint()

/** How far leaves may enter each other at the translation without more than rounding in it. */
function depthLimit({ a, b, tolerance }: Search): number {
  const curved = a.curveCount + b.curveCount > 0
  return curved ? tolerance * (ELLIPSE_ERROR_RATIO / SEPARATION_ERROR_RATIO) : 4 * tolerance
}

/** Whether B + t is clear of A up to rounding: no two leaves enter each other, and no outline holds a part. */
export function isParted(frame: CompositeFrame, scene: Search, tx: number, ty: number): boolean {
  const { first, second, firstView, secondView, firstTree, secondTree } = frame
  const limit = depthLimit(scene)
  let free = true
  visitLeafPairs(
    firstTree,
    secondTree,
    second.numbers[X] - first.numbers[X] + tx,
    second.numbers[Y] - first.numbers[Y] + ty,
    0,
    (leafA, leafB) => {
      if (edgesApart(firstView, leafA, secondView, leafB, 0, tx, ty)) return 0
      spend(LEAF_PAIR_STEP_COUNT)
      const bodyB = moveBy(leafBody(secondView, leafB, testedSlotB), tx, ty, testedBody)
      separate(leafBody(firstView, leafA, testedSlotA), bodyB, testedSeparation)
      free = testedSeparation.value >= -limit
      return free ? 0 : -1
    },
  )
  testedPoint.x = tx
  testedPoint.y = ty
  return free && !isHeld(scene, testedPoint)
}

/** The shortest translation that a search has found. */
export interface Translation {
  /** False when no translation separates the pair (half-planes). */
  found: boolean
  tx: number
  ty: number
  length: number
  /** Unit vector along the translation; where that vanishes, one that points out of A. */
  nx: number
  ny: number
  /** False where the translation is only the best bound found. */
  exact: boolean
  /** Whether ellipses take part. */
  curved: boolean
  /** Bound on the rounding error of distances of the pair. */
  error: number
}

export function createTranslation(): Translation {
  return { found: false, tx: 0, ty: 0, length: 0, nx: 0, ny: 0, exact: true, curved: false, error: 0 }
}
