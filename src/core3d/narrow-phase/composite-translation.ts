/**
 * The way that parts two bodies of which at least one is composite: the shortest that is found, and that is seen to part them.
 *
 * Method: directions to try are the normals of the leaves that meet, gathered where they are alike, sums of two of them, the axes of the world, and
 * then the neighbours of the best one. Along each the exit is exact (`composite-exit.ts`), and the least one is kept that leaves no
 * overlap once it is rounded, as the relation of the moved bodies tells. That is an upper bound of the least translation, not always
 * that itself.
 * Frame: world; the way is that of the second body of the frame. Directions are looked at in an order that no tree decides.
 */

import { spend } from '../../containers/budget.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { acrossAxes, type Body, COMPOSITE, type Vector } from '../shape/body.ts'
import {
  EXIT_MARGIN_COUNT,
  LEAF_PAIR_STEP_COUNT,
  NEIGHBOUR_GAIN_RATIO,
  NEIGHBOUR_SINES,
  SAME_NORMAL_RATIO,
  SEPARATION_ERROR_RATIO,
} from '../tolerances.ts'
import { exitAlong, movedBody, scaled } from './composite-exit.ts'
import { isSolidLeaf } from './composite-holding.ts'
import { normalOf } from './composite-interiors.ts'
import { createNearestLeaves, nearestLeaves, relateComposites } from './composite-relation.ts'
import {
  type CompositeFrame,
  createCompositeFrame,
  END,
  farthestIn,
  gapMeasure,
  leafPair,
  orderComposites,
  visitLeafPairs,
} from './composite-walk.ts'
import { createDepth } from './depth.ts'
import { createSeparation } from './pair-frame.ts'
import { measure } from './separate.ts'

export interface CompositeTranslation {
  /** Whether any direction was found to part them. */
  found: boolean
  /** Unit vector and length of the way of the second body. */
  way: Vector
  length: number
}

/** Leaf pairs whose normals are gathered, and alike normals that are kept. */
const GATHERED_COUNT = 2 ** 12
const KEPT_NORMALS = 24
/** Of them those of which sums are tried. */
const SUMMED_NORMALS = 6

const AXES: readonly Vector[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
]

const apart = createSeparation()
const depth = createDepth()

/** A direction and how many leaf pairs have it. */
interface Normal {
  way: Vector
  count: number
}

/** Those of the leaves that meet, as ways of the second body out of the first, the most frequent first. */
export function meetingNormals(frame: CompositeFrame): Vector[] {
  const known: Normal[] = []
  let gathered = 0
  const add = (x: number, y: number, z: number): void => {
    if (x === 0 && y === 0 && z === 0) return
    const alike = known.find(({ way }) => 1 - (way[0] * x + way[1] * y + way[2] * z) <= SAME_NORMAL_RATIO)
    spend(known.length >> 2)
    if (alike === undefined) known.push({ way: [x + 0, y + 0, z + 0], count: 1 })
    else {
      alike.count++
      // Which of those that rounding has made differ does not depend on which came first.
      if (comesBefore([x, y, z], alike.way)) alike.way = [x + 0, y + 0, z + 0]
    }
  }
  visitLeafPairs(frame, 0, gapMeasure(frame), (leafA, leafB) => {
    spend(LEAF_PAIR_STEP_COUNT)
    const pair = leafPair(frame, leafA, leafB)
    if (!measure(pair, apart, depth)) return 0
    const a = pair.swapped ? pair.second : pair.first
    const b = pair.swapped ? pair.first : pair.second
    const isTriangleA = addFace(frame.first.body, leafA, a, 1, add)
    const isTriangleB = addFace(frame.second.body, leafB, b, -1, add)
    if ((!isTriangleA || !isTriangleB) && depth.depth < Infinity) {
      const side = pair.swapped ? -1 : 1
      add(side * depth.nx, side * depth.ny, side * depth.nz)
    }
    return ++gathered > GATHERED_COUNT ? END : 0
  })
  known.sort((p, q) => q.count - p.count || (comesBefore(p.way, q.way) ? -1 : 1))
  return known.slice(0, KEPT_NORMALS).map(({ way }) => way)
}

/** Adds the normals of a leaf that is a triangle of a mesh, along which the second body leaves it; returns whether it is one. */
function addFace(
  body: Body,
  leaf: number,
  triangle: Body,
  side: 1 | -1,
  add: (x: number, y: number, z: number) => void,
): boolean {
  if (body.kind !== COMPOSITE || triangle.count !== 3) return false
  const [x, y, z] = normalOf(triangle)
  add(side * x, side * y, side * z)
  if (!isSolidLeaf(body, leaf)) add(-side * x, -side * y, -side * z)
  return true
}

function comesBefore(p: Vector, q: Vector): boolean {
  const k = [0, 1, 2].find((i) => p[i] !== q[i])
  return k !== undefined && p[k] < q[k]
}

/** Sets the shortest way that is found, of a pair that overlaps. */
export function partComposites(frame: CompositeFrame, out: CompositeTranslation): void {
  out.found = false
  out.length = Infinity
  out.way = [0, 0, 0]
  const meeting = meetingNormals(frame)
  const normals = meeting.length > 0 ? meeting : nearestWays(frame)
  for (const way of [...normals, ...AXES]) tryWay(frame, way, out, 0)
  for (const way of sumsOf(normals.slice(0, SUMMED_NORMALS))) tryWay(frame, way, out, NEIGHBOUR_GAIN_RATIO)
  if (!out.found) return
  for (const sine of NEIGHBOUR_SINES) {
    for (let isBetter = true, round = 0; isBetter && round < 4; round++) {
      const { way } = out
      isBetter = false
      for (const step of acrossOf(way)) {
        isBetter = tryWay(frame, unitOf(way, step, sine), out, NEIGHBOUR_GAIN_RATIO) || isBetter
      }
    }
  }
}

const nearest = createNearestLeaves()

/** Of bodies of which one lies in the other without touching its surface: to the nearest place of that, and the other way. */
function nearestWays(frame: CompositeFrame): Vector[] {
  nearestLeaves(frame, nearest)
  const { separation, swapped } = nearest
  const [x, y, z] = separation.normal
  const side = swapped ? 1 : -1
  const out: Vector = [side * x + 0, side * y + 0, side * z + 0]
  return [out, scaled(out, -1)]
}

function sumsOf(normals: readonly Vector[]): Vector[] {
  const sums: Vector[] = []
  for (let i = 0; i < normals.length; i++) {
    for (let j = i + 1; j < normals.length; j++) {
      const sum = unitOf(normals[i], normals[j], 1)
      if (sum[0] !== 0 || sum[1] !== 0 || sum[2] !== 0) sums.push(sum)
    }
  }
  return sums
}

/** The unit vector along p + share · q; 0 0 0 where that is as good as none. */
function unitOf(p: Vector, q: Vector, share: number): Vector {
  const x = p[0] + share * q[0]
  const y = p[1] + share * q[1]
  const z = p[2] + share * q[2]
  const length = vectorLength3d(x, y, z)
  return length > SAME_NORMAL_RATIO ? [x / length, y / length, z / length] : [0, 0, 0]
}

/** Four directions across one. */
function acrossOf(way: Vector): Vector[] {
  const [u, v] = acrossAxes(way)
  return [u, v, scaled(u, -1), scaled(v, -1)]
}

/** Takes a direction if its exit is shorter than what was found by more than that share of it, and leaves no overlap; returns whether. */
function tryWay(frame: CompositeFrame, way: Vector, out: CompositeTranslation, gain: number): boolean {
  if (way[0] === 0 && way[1] === 0 && way[2] === 0) return false
  const limit = out.found ? out.length - gain * out.length : Infinity
  for (const countsTouching of [false, true]) {
    const exit = exitAlong(frame, way, limit, countsTouching)
    if (!(exit < limit)) return false
    const length = verified(frame, way, exit, limit)
    if (length === Infinity) continue
    out.found = true
    out.way = way
    out.length = length
    return true
  }
  return false
}

const moved = createCompositeFrame()

/** The way, or a little more of it, after which the bodies do not overlap; Infinity where they still do. */
function verified(frame: CompositeFrame, way: Vector, exit: number, limit: number): number {
  const { first, second, dx, dy, dz } = frame
  const size = exit + Math.abs(dx) + Math.abs(dy) + Math.abs(dz) + farthestIn(first.box) + farthestIn(second.box)
  const margin = SEPARATION_ERROR_RATIO * Math.min(size, Number.MAX_VALUE)
  for (const count of EXIT_MARGIN_COUNT) {
    const length = exit + count * margin
    if (!(length < limit)) return Infinity
    orderMoved(frame, way, length, moved)
    if (relateComposites(moved) >= 0) return length
  }
  return Infinity
}

/** Sets the pair as it lies once the caller's B has gone so far, which is the way of the second body or its opposite. */
function orderMoved(
  { first, second, swapped }: CompositeFrame,
  way: Vector,
  length: number,
  out: CompositeFrame,
): void {
  if (swapped) orderComposites(second.body, movedBody(first.body, scaled(way, -length)), out)
  else orderSecondMoved({ first, second }, way, length, out)
}

/** Sets the pair as it lies once the second body has gone so far, whichever of them the caller calls B. */
export function orderSecondMoved(
  { first, second }: Pick<CompositeFrame, 'first' | 'second'>,
  way: Vector,
  length: number,
  out: CompositeFrame,
): void {
  orderComposites(first.body, movedBody(second.body, scaled(way, length)), out)
}

/** A way along which bodies that only touch part at once: the most frequent normal that does; 0 0 0 where there is none. */
export function partingWay(frame: CompositeFrame): Vector {
  const normals = meetingNormals(frame)
  for (const way of normals) if (exitAlong(frame, way, 0, false) === 0) return way
  return normals[0] ?? [0, 0, 0]
}
