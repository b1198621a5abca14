/**
 * Refines a minimum translation that was found with polygons around the ellipses.
 *
 * Method: at a free translation every pair of leaves nearby has a gap and a normal, and any translation that keeps to its side
 * of that normal is free of the pair. The shortest translation under these linear constraints is free again and no longer;
 * repeated, that is Newton's method (sequential linear programming) on the true shapes.
 * Frame: the translation is in world axes.
 */
import { createBody, ELLIPSE, edgeLength } from './body.ts'
import { type Composite, leafBody } from './composite.ts'
import { type CompositeFrame, leafSlotA, leafSlotB, visitLeafPairs } from './composite-pair.ts'
import type { Translation } from './minimum-translation.ts'
import { moveBody } from './minimum-translation-pose.ts'
import { separate } from './pair.ts'
import { createSeparation } from './separation.ts'
import { ELLIPSE_SIDE_COUNT, REFINEMENT_COUNT } from './tolerances.ts'

const moved = createBody()
const separation = createSeparation()

/** Normal and least height of every constraint n·t ≥ height. */
const constraints: number[] = []

export function refineTranslation(frame: CompositeFrame, out: Translation): void {
  const { firstView, secondView } = frame
  // The polygons reach this far beyond the ellipses.
  const window =
    4 * (1 / Math.cos(Math.PI / ELLIPSE_SIDE_COUNT) - 1) * (largestAxis(firstView) + largestAxis(secondView))
  for (let round = 0; round < REFINEMENT_COUNT; round++) {
    collect(frame, out, window)
    const before = out.length
    takeShortest(out, window / 2)
    if (before - out.length <= out.error) break
  }
}

function largestAxis({ parts, partCount }: Composite): number {
  let largest = 0
  for (let p = 0; p < partCount; p++) {
    const { body, outline } = parts[p]
    if (outline === null && body.kind === ELLIPSE) largest = Math.max(largest, body.rx, body.ry)
  }
  return largest
}

/** Constraints of all pairs of leaves that are nearer than `window` at B + t. */
function collect(frame: CompositeFrame, { tx, ty }: Translation, window: number): void {
  const { first, second, firstView, secondView } = frame
  constraints.length = 0
  const dx = second.x - first.x + tx
  const dy = second.y - first.y + ty
  visitLeafPairs(firstView.tree, secondView.tree, dx, dy, window, (leafA, leafB) => {
    const bodyB = moveBody(leafBody(secondView, leafB, leafSlotB), tx, ty, moved)
    const { swapped } = separate(leafBody(firstView, leafA, leafSlotA), bodyB, separation)
    const { value, nx, ny } = separation
    if (value <= window && (nx !== 0 || ny !== 0)) {
      const side = swapped ? -1 : 1
      constraints.push(side * nx, side * ny, side * (nx * tx + ny * ty) - value)
    }
    return window
  })
}

/** Replaces the translation by the shortest one that meets the constraints, if there is one, by a step of `reach` at most. */
function takeShortest(out: Translation, reach: number): void {
  let bestX = out.tx
  let bestY = out.ty
  let least = out.length
  const slack = out.error
  if (meetsAll(0, 0, slack)) {
    bestX = 0
    bestY = 0
    least = 0
  }
  for (let i = 0; i < constraints.length; i += 3) {
    const nx = constraints[i]
    const ny = constraints[i + 1]
    const height = constraints[i + 2]
    for (let j = i; j < constraints.length; j += 3) {
      let x = height * nx
      let y = height * ny
      if (j > i) {
        const mx = constraints[j]
        const my = constraints[j + 1]
        const turn = nx * my - ny * mx
        if (turn === 0) continue
        x = (height * my - constraints[j + 2] * ny) / turn
        y = (constraints[j + 2] * nx - height * mx) / turn
      } else if (height < 0) continue
      const length = edgeLength(x, y)
      if (length >= least || !meetsAll(x, y, slack)) continue
      least = length
      bestX = x
      bestY = y
    }
  }
  const stepX = bestX - out.tx
  const stepY = bestY - out.ty
  const step = edgeLength(stepX, stepY)
  const share = step > reach ? reach / step : 1
  out.tx += share * stepX
  out.ty += share * stepY
  out.length = edgeLength(out.tx, out.ty)
  if (step === 0 || !(out.length > slack)) return
  out.nx = out.tx / out.length
  out.ny = out.ty / out.length
}

function meetsAll(x: number, y: number, slack: number): boolean {
  for (let i = 0; i < constraints.length; i += 3) {
    if (constraints[i] * x + constraints[i + 1] * y < constraints[i + 2] - slack) return false
  }
  return true
}
