// The query `pairs`: which of many bodies meet.
//
// Method: every body is decoded once, for its problems and its box. The broad phase finds the pairs whose boxes meet, and each of them is
// decided in order. Heavy bodies are kept; light ones are decoded again when a pair needs them, which holds less memory.

import { spend } from '../../containers/budget.ts'
import { createPairList, type PairList } from '../../containers/pair-list.ts'
import {
  type BroadPhaseMethod,
  type BroadPhaseResult,
  broadPhase as broadPhase2d,
} from '../../core2d/broad-phase/broad-phase.ts'
import {
  addBodyBox as addBodyBox2d,
  createBodyBoxes as createBodyBoxes2d,
  exactBoxesMeet as exactBoxesMeet2d,
} from '../../core2d/queries/body-boxes.ts'
import { bodiesMeet as bodiesMeet2d } from '../../core2d/queries/overlap.ts'
import { COMPOSITE } from '../../core2d/shape/body.ts'
import { broadPhase as broadPhase3d } from '../../core3d/broad-phase/broad-phase.ts'
import {
  addBodyBox as addBodyBox3d,
  createBodyBoxes as createBodyBoxes3d,
  exactBoxesMeet as exactBoxesMeet3d,
} from '../../core3d/queries/bounds.ts'
import { bodiesMeet as bodiesMeet3d } from '../../core3d/queries/overlap.ts'
import { COMPOSITE as COMPOSITE_3D } from '../../core3d/shape/body.ts'
import { checkLength, type DecodeProblem, under } from '../../wire/decode-problem.ts'
import type { QueryLimits } from '../ask/query.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

interface Request<Wire> {
  bodies: readonly Wire[]
  method?: BroadPhaseMethod | 'auto'
  cellSize?: number
  phase?: 'broad' | 'narrow'
}

/** The boxes of a request, as the broad phase takes them. */
interface Boxes {
  boxes: Float64Array
}

interface Core<Body, B extends Boxes> {
  isHeavy(body: Body): boolean
  /** Light bodies that are held at a time. */
  shelfSize: number
  createBodyBoxes(count: number): B
  addBodyBox(boxes: B, body: Body): void
  exactBoxesMeet(boxes: B, i: number, j: number): boolean
  broadPhase(
    boxes: Float64Array,
    count: number,
    method: BroadPhaseMethod | 'auto',
    cellSize: number,
    out: PairList,
  ): BroadPhaseResult
  bodiesMeet(a: Body, b: Body): boolean
}

/** Bodies with more points are heavy. */
const LIGHT_POINTS = 64

/** Points that the two bodies of a pair may have on average, over as many pairs as are looked at. */
const POINTS_PER_PAIR = 128

function query<K extends Kinds, B extends Boxes>(geometry: Geometry<K>, core: Core<K['body'], B>) {
  return {
    tag: 'many' as const,
    summary: 'Which of many bodies meet?',
    description:
      'Bodies are closed sets: touching counts. Bodies near each other are found by their axis-aligned boxes, then each such pair is decided as overlap does. The pairs and their order do not depend on the method.',
    advice: 'Send fewer bodies.',
    problems: [...geometry.problems, 'too-many-bodies' as const],
    answer(request: Request<K['wire']>, limits: QueryLimits) {
      const { bodies, method = 'auto', cellSize = 0, phase = 'narrow' } = request
      const tooLong = checkLength('bodies', bodies, 'too-many-bodies', limits.maxBodies)
      if (tooLong !== null) return tooLong
      const actual = bodies.length
      const shelf = createShelf(geometry, core, bodies, limits)
      const boxes = core.createBodyBoxes(actual)
      const problem = fillShelf(shelf, boxes)
      if (problem !== null) return problem
      const near = createPairList(limits.maxPairs)
      const { method: used, reason, truncated } = core.broadPhase(boxes.boxes, actual, method, cellSize, near)
      const stats = { method: used, reason, boxTests: near.boxTests, narrowTests: 0 }
      if (phase === 'broad') return { pairs: boxPairs(boxes, near, core.exactBoxesMeet), stats, truncated }
      const pairs: number[][] = []
      stats.narrowTests = addMeetingPairs(shelf, near, POINTS_PER_PAIR * limits.maxPairs, pairs)
      return { pairs, stats, truncated: truncated || stats.narrowTests < near.count }
    },
  }
}

export const pairsQuery: InBoth<'pairs'> = {
  '2d': query(PLANE, {
    isHeavy: ({ kind, count }) => kind === COMPOSITE || count > LIGHT_POINTS,
    shelfSize: 2 ** 14,
    createBodyBoxes: createBodyBoxes2d,
    addBodyBox: addBodyBox2d,
    exactBoxesMeet: exactBoxesMeet2d,
    broadPhase: broadPhase2d,
    bodiesMeet: bodiesMeet2d,
  }),
  '3d': query(SPACE, {
    isHeavy: ({ kind, count }) => kind === COMPOSITE_3D || count > LIGHT_POINTS,
    shelfSize: 2 ** 13,
    createBodyBoxes: createBodyBoxes3d,
    addBodyBox: addBodyBox3d,
    exactBoxesMeet: exactBoxesMeet3d,
    broadPhase: broadPhase3d,
    bodiesMeet: bodiesMeet3d,
  }),
}

/** The bodies of a request. */
interface Shelf<K extends Kinds, B extends Boxes> {
  core: Core<K['body'], B>
  geometry: Geometry<K>
  bodies: readonly K['wire'][]
  limits: QueryLimits
  heavy: Map<number, K['body']>
  /** Cost of each body. */
  sizes: Int32Array
  /** Slot k holds a light body whose index is k modulo their number: `owners[k]`. */
  slots: K['body'][]
  owners: Int32Array
}

function createShelf<K extends Kinds, B extends Boxes>(
  geometry: Geometry<K>,
  core: Core<K['body'], B>,
  bodies: readonly K['wire'][],
  limits: QueryLimits,
): Shelf<K, B> {
  const owners = new Int32Array(Math.min(bodies.length, core.shelfSize)).fill(-1)
  const sizes = new Int32Array(bodies.length)
  return { core, geometry, bodies, limits, heavy: new Map(), sizes, slots: [], owners }
}

/** Decodes every body once, for its problems and its box. */
function fillShelf<K extends Kinds, B extends Boxes>(
  { core, geometry: { createBody, decodeBody, points }, bodies, limits, heavy, sizes }: Shelf<K, B>,
  boxes: B,
): DecodeProblem | null {
  const { isHeavy, addBodyBox } = core
  let slot = createBody()
  for (let i = 0; i < bodies.length; i++) {
    const problem = decodeBody(bodies[i], slot, limits)
    if (problem !== null) return under(`/bodies/${i}`, problem)
    addBodyBox(boxes, slot)
    sizes[i] = points(slot)
    if (isHeavy(slot)) {
      heavy.set(i, slot)
      slot = createBody()
    }
    spend(sizes[i])
  }
  return null
}

/** Body `index`, until the next body with the same slot is taken. */
function take<K extends Kinds, B extends Boxes>(
  { geometry, bodies, limits, heavy, slots, owners }: Shelf<K, B>,
  index: number,
): K['body'] {
  const kept = heavy.get(index)
  if (kept !== undefined) return kept
  const at = index % owners.length
  slots[at] ??= geometry.createBody()
  if (owners[at] !== index) {
    geometry.decodeBody(bodies[index], slots[at], limits)
    owners[at] = index
  }
  return slots[at]
}

function boxPairs<B>(boxes: B, near: PairList, meet: (boxes: B, i: number, j: number) => boolean): number[][] {
  const pairs: number[][] = []
  spend(near.count)
  for (let k = 0; k < near.count; k++) {
    const i = near.first[k]
    const j = near.second[k]
    if (meet(boxes, i, j)) pairs.push([i, j])
  }
  return pairs
}

/** Adds the pairs that meet. Returns how many pairs were tested: all, or as many as have `most` points between them. */
function addMeetingPairs<K extends Kinds, B extends Boxes>(
  shelf: Shelf<K, B>,
  near: PairList,
  most: number,
  pairs: number[][],
): number {
  const { core, geometry, bodies, limits, heavy, sizes } = shelf
  const { bodiesMeet } = core
  // the first body of a run of pairs has a slot of its own, so that none of the second ones takes its place
  const own = geometry.createBody()
  let first = own
  let spent = 0
  for (let k = 0; k < near.count; k++) {
    const i = near.first[k]
    const j = near.second[k]
    const size = sizes[i] + sizes[j]
    spent += size
    if (spent > most) return k
    spend(size)
    if (k === 0 || near.first[k - 1] !== i) {
      first = heavy.get(i) ?? own
      if (first === own) geometry.decodeBody(bodies[i], own, limits)
    }
    if (bodiesMeet(first, take(shelf, j))) pairs.push([i, j])
  }
  return near.count
}
