// The query `pairs`. Many bodies, and the pairs of them that meet.

import type { PairsRequest, PairsResponse } from '../../../schemas/queries/pairs.ts'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import { spend } from '../../containers/budget.ts'
import { createPairList, type PairList } from '../../containers/pair-list.ts'
import { broadPhase } from '../../core2d/broad-phase/broad-phase.ts'
import { addBodyBox, type BodyBoxes, createBodyBoxes, exactBoxesMeet } from '../../core2d/measures/body-boxes.ts'
import { bodiesMeet } from '../../core2d/pair-queries/overlap.ts'
import { type Body, COMPOSITE, createBody } from '../../core2d/shape/body.ts'
import { decodeBody, type ShapeLimits } from '../../wire/bodies/body.ts'
import { type DecodeProblem, problemAt, under } from '../../wire/problems/decode-problem.ts'
import { QUERY_PROBLEMS } from '../../wire/problems/problem-lists.ts'
import type { QueryOf } from '../ask/query.ts'
import { bodyPoints } from './body-points.ts'

export const pairsQuery: QueryOf<'pairs'> = {
  tag: 'many',
  summary: 'Which of many bodies meet?',
  description:
    'Bodies are closed sets: touching counts. Bodies near each other are found by their axis-aligned boxes, then each such pair is decided as overlap does. The pairs and their order do not depend on the method.',
  advice: 'Send fewer bodies.',
  problems: [...QUERY_PROBLEMS, 'too-many-bodies'],
  answer: findPairs,
}

export interface PairLimits extends ShapeLimits {
  maxBodies: number
  maxPairs: number
}

/** Bodies with more points or leaves are decoded once; lighter ones again when a pair needs them, to hold less memory. */
const LIGHT_POINTS = 64

/** Light bodies that are held at a time. */
const SHELF_SIZE = 2 ** 14

/** Points that the two bodies of a pair may have on average, over as many pairs as are looked at. */
const POINTS_PER_PAIR = 128

/** The bodies of a request. */
interface Shelf {
  bodies: readonly Body2d[]
  limits: ShapeLimits
  heavy: Map<number, Body>
  /** Points or leaves of each. */
  sizes: Int32Array
  /** Slot k holds a body whose index is k modulo their number: `owners[k]`. */
  slots: Body[]
  owners: Int32Array
}

/** The pairs as the answer lists them, or the first problem, with pointers into the request. */
export function findPairs(request: PairsRequest, limits: PairLimits): PairsResponse | DecodeProblem {
  const { bodies, method = 'auto', cellSize = 0, phase = 'narrow' } = request
  const { maxBodies: limit } = limits
  const actual = bodies.length
  if (actual > limit) {
    const detail = `bodies must have at most ${limit} items, got ${actual}.`
    return problemAt('/bodies', 'too-many-bodies', detail, { limit, actual })
  }
  const shelf = createShelf(bodies, limits)
  const boxes = createBodyBoxes(actual)
  const problem = fillShelf(shelf, boxes)
  if (problem !== null) return problem
  const near = createPairList(limits.maxPairs)
  const { method: used, reason, truncated } = broadPhase(boxes.boxes, actual, method, cellSize, near)
  const stats = { method: used, reason, boxTests: near.boxTests, narrowTests: 0 }
  if (phase === 'broad') return { pairs: boxPairs(boxes, near), stats, truncated }
  const pairs: number[][] = []
  stats.narrowTests = addMeetingPairs(shelf, near, POINTS_PER_PAIR * limits.maxPairs, pairs)
  return { pairs, stats, truncated: truncated || stats.narrowTests < near.count }
}

function createShelf(bodies: readonly Body2d[], limits: ShapeLimits): Shelf {
  const size = Math.min(bodies.length, SHELF_SIZE)
  const owners = new Int32Array(size).fill(-1)
  return { bodies, limits, heavy: new Map(), sizes: new Int32Array(bodies.length), slots: [], owners }
}

/** Decodes every body once, for its problems and its box. */
function fillShelf({ bodies, limits, heavy, sizes }: Shelf, boxes: BodyBoxes): DecodeProblem | null {
  let slot = createBody()
  for (let i = 0; i < bodies.length; i++) {
    const problem = decodeBody(bodies[i], slot, limits)
    if (problem !== null) return under(`/bodies/${i}`, problem)
    addBodyBox(boxes, slot)
    sizes[i] = bodyPoints(slot)
    if (slot.kind === COMPOSITE || slot.count > LIGHT_POINTS) {
      heavy.set(i, slot)
      slot = createBody()
    }
    spend(sizes[i])
  }
  return null
}

/** Body `index`, until the next body with the same slot is taken. */
function take({ bodies, limits, heavy, slots, owners }: Shelf, index: number): Body {
  const kept = heavy.get(index)
  if (kept !== undefined) return kept
  const at = index % owners.length
  slots[at] ??= createBody()
  if (owners[at] !== index) {
    decodeBody(bodies[index], slots[at], limits)
    owners[at] = index
  }
  return slots[at]
}

function boxPairs(boxes: BodyBoxes, near: PairList): number[][] {
  const pairs: number[][] = []
  spend(near.count)
  for (let k = 0; k < near.count; k++) {
    const i = near.first[k]
    const j = near.second[k]
    if (exactBoxesMeet(boxes, i, j)) pairs.push([i, j])
  }
  return pairs
}

/** How many pairs were tested: all, or as many as have `points` between them. */
function addMeetingPairs(shelf: Shelf, near: PairList, points: number, pairs: number[][]): number {
  const { bodies, limits, heavy, sizes } = shelf
  // The first body of a run of pairs has a slot of its own, so that none of the second ones takes its place.
  const own = createBody()
  let first = own
  let spent = 0
  for (let k = 0; k < near.count; k++) {
    const i = near.first[k]
    const j = near.second[k]
    const size = sizes[i] + sizes[j]
    spent += size
    if (spent > points) return k
    spend(size)
    if (k === 0 || near.first[k - 1] !== i) {
      first = heavy.get(i) ?? own
      if (first === own) decodeBody(bodies[i], own, limits)
    }
    if (bodiesMeet(first, take(shelf, j))) pairs.push([i, j])
  }
  return near.count
}
