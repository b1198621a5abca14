/**
 * When a thin part first goes into a solid outline, of two bodies that move without spin: a point, a segment or an edge that slips
 * in through a vertex, lengthwise between two edges, or off the end of an edge that it slid along, and penetrates no edge.
 *
 * Method: the times in which the part meets single edges of the outline cut the motion into stretches. All through a stretch
 * the part is touched in the same places; each piece between them is inside or outside as a whole. A piece that is inside by
 * more than rounding went in when the stretch began. So what slides along an edge stays outside.
 * Frame: the outline's own, in which the part moves. Cost: stretches · (pieces + edges met) · `pointInOutline`.
 */

import { spend } from '../../containers/budget.ts'
import { clearSide, isThinLeaf } from '../narrow-phase/holding.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  type Composite,
  createBody,
  type Part,
  REACH,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import type { Motion } from '../shape/motion.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type CompositeSweep, type LeafContact, type LeafSpan, timeTolerance } from './composite-sweep.ts'

/** A thin leaf and the solid outline that it meets edges of. */
interface Passage {
  holder: Part
  holderView: Composite
  holderMotion: Motion
  guestView: Composite
  guestMotion: Motion
  guestLeaf: number
  /** The holder is the second body. */
  swapped: boolean
  /** By their beginning. */
  spans: LeafSpan[]
}

/** Where the part is cut: by which vertex of the outline, and at what share of its length. */
interface Cut {
  vertex: number
  share: number
}

/** A piece of the part, between the same two cuts all the time: since when, and the last time at which it was not clearly inside. */
interface Piece {
  since: number
  looked: number
}

/** For the part's own ends. */
const START = -2
const END = -1

/**
 * Where a piece, and a stretch of time, is looked at: should its middle lie on an edge that rounding has kept from counting as
 * met, the other place does not. Where neither can be told from the outline, because the path runs along it so closely, the others
 * are asked until one can: near the ends of the stretch the path may be clear of it.
 */
const PROBES = [0.5, 0.375]
const MORE_PROBES = Array.from({ length: 12 }, (_, k) => [2 ** (-k - 2), 1 - 2 ** (-k - 2)]).flat()

const slot = createBody()

/** The first such entry that is not later than `limit`. `spans`: all there are, by their beginning. */
export function firstThinEntry(given: CompositeSweep, spans: readonly LeafSpan[], limit: number): LeafContact | null {
  let found: LeafContact | null = null
  for (const passage of passagesOf(given, spans, limit)) {
    const entry = entryOf(given, passage, found === null ? limit : found.time)
    if (entry !== null && (found === null || entry.time < found.time)) found = entry
  }
  return found
}

/** Those that begin not later than `limit`, with all their spans. */
function passagesOf(given: CompositeSweep, spans: readonly LeafSpan[], limit: number): Iterable<Passage> {
  const { firstView, secondView } = given.frame
  const { motionA, motionB } = given
  const passages = new Map<number, Passage>()
  const room = secondView.leafCount * firstView.partCount
  for (const span of spans) {
    spend(1)
    const { leafA, leafB, enter } = span
    const isLate = enter > limit
    const partA = firstView.leafPart[leafA]
    const partB = secondView.leafPart[leafB]
    if (isHeldBy(firstView, partA, secondView, leafB)) {
      const key = leafB * firstView.partCount + partA
      if (!isLate && !passages.has(key)) {
        const holder = { holder: firstView.parts[partA], holderView: firstView, holderMotion: motionA }
        const guest = { guestView: secondView, guestMotion: motionB, guestLeaf: leafB }
        passages.set(key, { ...holder, ...guest, swapped: false, spans: [] })
      }
      passages.get(key)?.spans.push(span)
    }
    if (isHeldBy(secondView, partB, firstView, leafA)) {
      const key = room + leafA * secondView.partCount + partB
      if (!isLate && !passages.has(key)) {
        const holder = { holder: secondView.parts[partB], holderView: secondView, holderMotion: motionB }
        const guest = { guestView: firstView, guestMotion: motionA, guestLeaf: leafA }
        passages.set(key, { ...holder, ...guest, swapped: true, spans: [] })
      }
      passages.get(key)?.spans.push(span)
    }
  }
  return passages.values()
}

function isHeldBy(holder: Composite, part: number, guest: Composite, leaf: number): boolean {
  return holder.parts[part].outline?.solid === true && isThinLeaf(guest, leaf)
}

function entryOf(given: CompositeSweep, passage: Passage, limit: number): LeafContact | null {
  const { spans } = passage
  const { duration } = given
  const events = eventsOf(spans, duration)
  const tolerance = timeTolerance(given)
  let pieces = new Map<number, Piece>()
  let active: LeafSpan[] = []
  let next = 0
  let start = events[0]
  for (let i = 0; i < events.length; i++) {
    const from = events[i]
    const to = i + 1 < events.length ? events[i + 1] : duration
    while (next < spans.length && spans[next].enter <= from) active.push(spans[next++])
    // Events closer than that are one.
    if (to - from <= tolerance) continue
    spend(active.length)
    active = active.filter(({ leave }) => leave >= to)
    if (start > limit) return null
    const kept = new Map<number, Piece>()
    if (goesIn(passage, active, from, to, pieces, kept)) {
      const { leafA, leafB } = spans[next - 1]
      return { time: start, leafA, leafB }
    }
    pieces = kept
    start = to
  }
  return null
}

/** When the spans begin and end, in order; each time once. */
function eventsOf(spans: readonly LeafSpan[], duration: number): number[] {
  const events: number[] = []
  for (const { enter, leave } of spans) events.push(enter, Math.min(leave, duration))
  spend(events.length * Math.ceil(Math.log2(events.length + 1)))
  events.sort((p, q) => p - q)
  return events.filter((time, i) => i === 0 || time !== events[i - 1])
}

/** A place of the part in the frame of the outline, and the bound on what rounding makes of it. */
interface Place {
  x: number
  y: number
  error: number
}

function placeAt({ holder, guestMotion, holderMotion }: Passage, body: Body, time: number): Place {
  const { body: pose } = holder
  const dx = body.numbers[X] - pose.numbers[X] + (body.numbers[X_LOW] - pose.numbers[X_LOW])
  const dy = body.numbers[Y] - pose.numbers[Y] + (body.numbers[Y_LOW] - pose.numbers[Y_LOW])
  const pathX = (guestMotion.vx - holderMotion.vx) * time
  const pathY = (guestMotion.vy - holderMotion.vy) * time
  const { numbers } = body
  const anchorX = numbers[ANCHOR_X]
  const anchorY = numbers[ANCHOR_Y]
  const reach = numbers[REACH]
  const size = Math.abs(dx) + Math.abs(dy) + Math.abs(pathX) + Math.abs(pathY)
  const error = 4 * SEPARATION_ERROR_RATIO * (size + Math.abs(anchorX) + Math.abs(anchorY) + reach)
  return { x: body.numbers[body.vertices] + (dx + pathX), y: body.numbers[body.vertices + 1] + (dy + pathY), error }
}

/**
 * Whether a piece of the part is inside between the two times, in which it meets the edges of `active`. A piece that has been
 * looked at is looked at again when it is twice as old: a straight path has come no more than twice as deep until then.
 * `pieces`: those before; those of now go into `kept`.
 */
function goesIn(
  passage: Passage,
  active: readonly LeafSpan[],
  from: number,
  to: number,
  pieces: ReadonlyMap<number, Piece>,
  kept: Map<number, Piece>,
): boolean {
  const body = leafBody(passage.guestView, passage.guestLeaf, slot)
  const places = PROBES.map((share) => placeAt(passage, body, from + (to - from) * share))
  const morePlaces = (k: number) => placeAt(passage, body, from + (to - from) * MORE_PROBES[k])
  if (body.count === 1) return isSomewhereInside(passage, places, morePlaces, 0, 0, 0, 0)
  const ex = body.numbers[body.vertices + 2] - body.numbers[body.vertices]
  const ey = body.numbers[body.vertices + 3] - body.numbers[body.vertices + 1]
  const length = Math.hypot(ex, ey)
  const cuts = cutsOf(passage, active, places[0], ex / length, ey / length, length)
  const width = (passage.holder.outline?.vertexCount ?? 0) + 2
  for (let i = 1; i < cuts.length; i++) {
    const { share, vertex } = cuts[i - 1]
    const along = cuts[i].share - share
    if (along * length <= places[0].error) continue
    const key = (vertex + 2) * width + (cuts[i].vertex + 2)
    const piece = pieces.get(key) ?? { since: from, looked: from }
    kept.set(key, piece)
    if (to - piece.since < 2 * (piece.looked - piece.since)) continue
    piece.looked = from + (to - from) / 2
    if (isSomewhereInside(passage, places, morePlaces, share, along, ex, ey)) return true
  }
  return false
}

/**
 * Whether the part is inside at the places, each the same share of the stretch of time and of the piece of it that begins at `share`
 * and is as long as `along`, both in lengths of the vector (ex, ey).
 */
function isSomewhereInside(
  { holder: { outline } }: Passage,
  places: readonly Place[],
  morePlaces: (k: number) => Place,
  share: number,
  along: number,
  ex: number,
  ey: number,
): boolean {
  if (outline === null) return false
  let isClear = false
  for (let k = 0; k < PROBES.length + MORE_PROBES.length; k++) {
    const isMore = k >= PROBES.length
    if (isMore && isClear) break
    const { x, y, error } = isMore ? morePlaces(k - PROBES.length) : places[k]
    const at = share + (isMore ? MORE_PROBES[k - PROBES.length] : PROBES[k]) * along
    const side = clearSide(outline, x + at * ex, y + at * ey, error)
    if (side < 0) return true
    isClear ||= side > 0
  }
  return false
}

/** Where the ends of the edges met lie on the part, which is as long as `length` along (ux, uy), in order; its own ends too. */
function cutsOf(
  { holder: { outline }, holderView, swapped }: Passage,
  active: readonly LeafSpan[],
  { x, y, error }: Place,
  ux: number,
  uy: number,
  length: number,
): Cut[] {
  const cuts: Cut[] = [
    { vertex: START, share: 0 },
    { vertex: END, share: 1 },
  ]
  if (outline === null) return cuts
  const { vertices, edgeEnd } = outline
  for (const { leafA, leafB } of active) {
    const edge = holderView.leafEdge[swapped ? leafB : leafA]
    for (const vertex of [edge, edgeEnd[edge]]) {
      const dx = vertices[2 * vertex] - x
      const dy = vertices[2 * vertex + 1] - y
      const share = (ux * dx + uy * dy) / length
      if (share > 0 && share < 1 && Math.abs(ux * dy - uy * dx) <= error) cuts.push({ vertex, share })
    }
  }
  spend(2 * cuts.length)
  return cuts.sort((p, q) => p.share - q.share || p.vertex - q.vertex)
}
