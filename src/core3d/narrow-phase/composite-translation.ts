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
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { vectorLength3d } from '../../numeric/safe-range.ts'
import { acrossAxes, type Body, COMPOSITE, scaled, type Vector } from '../shape/body.ts'
import { leafBox } from '../shape/composite.ts'
import {
  EXIT_MARGIN_COUNT,
  LEAF_PAIR_STEP_COUNT,
  NEIGHBOUR_GAIN_RATIO,
  NEIGHBOUR_SINES,
  SAME_NORMAL_RATIO,
  SEPARATION_ERROR_RATIO,
} from '../tolerances.ts'
import { exitAlong, movedBody } from './composite-exit.ts'
import { isSolidLeaf } from './composite-holding.ts'
import { normalOf } from './composite-interiors.ts'
import { createNearestLeaves, leavesMeet, nearestLeaves, relateComposites } from './composite-relation.ts'
import {
  type CompositeFrame,
  createCompositeFrame,
  farthestIn,
  gapAlong,
  gapMeasure,
  leafPair,
  orderComposites,
  type Side,
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

/** Pairs of leaves whose normals are gathered, and alike normals that are kept. */
const GATHERED_COUNT = 2 ** 12
const KEPT_NORMALS = 24
/** Of them those of which sums are tried. */
const SUMMED_NORMALS = 6

/** Both ways along each axis. */
export const AXES: readonly Vector[] = [
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
  for (const { leafA, leafB } of meetingPairs(frame)) {
    const pair = leafPair(frame, leafA, leafB)
    const a = pair.swapped ? pair.second : pair.first
    const b = pair.swapped ? pair.first : pair.second
    const isTriangleA = addFace(frame.first.body, leafA, a, 1, add)
    const isTriangleB = addFace(frame.second.body, leafB, b, -1, add)
    if (isTriangleA && isTriangleB) continue
    spend(LEAF_PAIR_STEP_COUNT)
    if (!measure(pair, apart, depth) || !(depth.depth < Infinity)) continue
    const side = pair.swapped ? -1 : 1
    add(side * depth.nx, side * depth.ny, side * depth.nz)
  }
  known.sort((p, q) => q.count - p.count || (comesBefore(p.way, q.way) ? -1 : 1))
  return known.slice(0, KEPT_NORMALS).map(({ way }) => way)
}

/** Two leaves that meet, and a number that their places alone make. */
interface MeetingPair {
  leafA: number
  leafB: number
  lot: number
}

/** All pairs of leaves that meet, or of very many those that a lot has drawn: whichever of them a walk comes to first. */
function meetingPairs(frame: CompositeFrame): MeetingPair[] {
  let pairs: MeetingPair[] = []
  let most = Infinity
  let room = 2 * GATHERED_COUNT
  const draw = (): void => {
    if (pairs.length <= GATHERED_COUNT) return
    spend(pairs.length)
    pairs.sort((p, q) => p.lot - q.lot)
    most = pairs[GATHERED_COUNT - 1].lot
    pairs = pairs.filter(({ lot }) => lot <= most)
    room = 2 * pairs.length
  }
  visitLeafPairs(frame, 0, gapMeasure(frame), (leafA, leafB) => {
    const lot = lotOf(frame, leafA, leafB)
    if (lot > most) return 0
    if (!leavesMeet(frame, leafA, leafB)) return 0
    pairs.push({ leafA, leafB, lot })
    if (pairs.length > room) draw()
    return 0
  })
  draw()
  return pairs
}

const boxes = new Float64Array(12)
const words = new Uint32Array(boxes.buffer)
const boxA = boxes.subarray(0, 6)
const boxB = boxes.subarray(6, 12)

/** A number as good as random, of the boxes of two leaves (G. Fowler, L. Noll, P. Vo's hash, over words). */
function lotOf({ first, second }: CompositeFrame, leafA: number, leafB: number): number {
  setLeafBox(first, leafA, boxA)
  setLeafBox(second, leafB, boxB)
  // No negative zeros.
  for (let k = 0; k < boxes.length; k++) boxes[k] += 0
  let lot = 0x811c9dc5
  for (let i = 0; i < words.length; i++) lot = Math.imul(lot ^ words[i] ^ (lot >>> 15), 0x01000193)
  return lot >>> 0
}

function setLeafBox({ body, box }: Side, leaf: number, out: Float64Array): void {
  if (body.kind === COMPOSITE) leafBox(body, leaf, out)
  else out.set(box)
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
  tryInOrder(frame, [...normals, ...AXES], out)
  for (const way of sumsOf(normals.slice(0, SUMMED_NORMALS))) tryWay(frame, way, shorterThan(out), out)
  if (!out.found) return
  for (const sine of NEIGHBOUR_SINES) {
    for (let isBetter = true, round = 0; isBetter && round < 4; round++) {
      const { way } = out
      isBetter = false
      for (const step of acrossOf(way)) {
        isBetter = tryWay(frame, unitOf(way, step, sine), shorterThan(out), out) || isBetter
      }
    }
  }
}

/** Tries the ways with the shortest bounds first: of those that are as short the one that comes first in the list is taken. */
function tryInOrder(frame: CompositeFrame, ways: readonly Vector[], out: CompositeTranslation): void {
  const side = frame.swapped ? -1 : 1
  const ranked = ways.map((way, rank) => ({
    way,
    rank,
    most: -gapAlong(frame, side * way[0], side * way[1], side * way[2]),
  }))
  ranked.sort((p, q) => p.most - q.most || p.rank - q.rank)
  let best = Infinity
  for (const { way, rank } of ranked) {
    // Of exits that are as short as doubles tell too.
    const limit = rank < best ? nextAfter(out.length) : out.length
    if (tryWay(frame, way, limit, out)) best = rank
  }
}

/** The next double above a positive one. */
function nextAfter(length: number): number {
  return length < Infinity ? length * (1 + 2 * UNIT_ROUNDOFF) : length
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

/** What a way that belongs to no face has to be shorter than. */
function shorterThan({ found, length }: CompositeTranslation): number {
  return found ? length - NEIGHBOUR_GAIN_RATIO * length : Infinity
}

/** Takes a direction if its exit is shorter than the limit, and leaves no overlap; returns whether. */
function tryWay(frame: CompositeFrame, way: Vector, limit: number, out: CompositeTranslation): boolean {
  if (way[0] === 0 && way[1] === 0 && way[2] === 0) return false
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
