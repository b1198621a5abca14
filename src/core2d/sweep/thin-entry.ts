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
import { isClearlyInside } from '../composite/clearly-inside.ts'
import { isThinLeaf } from '../composite/thin-leaf.ts'
import { type Body, type Composite, createBody, type Part } from '../shape/body.ts'
import { leafBody } from '../shape/composite.ts'
import type { Motion } from '../shape/motion.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'
import { type CompositeSweep, type LeafContact, type LeafSpan, timeTolerance } from './sweep-composite.ts'

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

/**
 * Where a piece, and a stretch of time, is looked at: should its middle lie on an edge that rounding has kept from counting as
 * met, the other place does not.
 */
const PROBES = [0.5, 0.375]

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
    if (goesIn(passage, active, from, to)) {
      const { leafA, leafB } = spans[next - 1]
      return { time: start, leafA, leafB }
    }
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

/** Whether a piece of the part is inside between the two times, in which it meets the edges of `active`. */
function goesIn(passage: Passage, active: readonly LeafSpan[], from: number, to: number): boolean {
  const body = leafBody(passage.guestView, passage.guestLeaf, slot)
  return PROBES.some((share) => isPartlyInside(passage, body, active, from + (to - from) * share))
}

function isPartlyInside(passage: Passage, body: Body, active: readonly LeafSpan[], time: number): boolean {
  const { holder, guestMotion, holderMotion } = passage
  const { body: pose } = holder
  const dx = body.x - pose.x + (body.xLow - pose.xLow)
  const dy = body.y - pose.y + (body.yLow - pose.yLow)
  const pathX = (guestMotion.vx - holderMotion.vx) * time
  const pathY = (guestMotion.vy - holderMotion.vy) * time
  const x = body.vertices[0] + (dx + pathX)
  const y = body.vertices[1] + (dy + pathY)
  const { anchorX, anchorY, reach } = body
  const size = Math.abs(dx) + Math.abs(dy) + Math.abs(pathX) + Math.abs(pathY)
  const error = 4 * SEPARATION_ERROR_RATIO * (size + Math.abs(anchorX) + Math.abs(anchorY) + reach)
  if (body.count === 1) return isInside(passage, x, y, error)
  const ex = body.vertices[2] - body.vertices[0]
  const ey = body.vertices[3] - body.vertices[1]
  const cuts = cutsOf(passage, active, x, y, ex, ey, error)
  const least = error / Math.hypot(ex, ey)
  for (let i = 1; i < cuts.length; i++) {
    const length = cuts[i] - cuts[i - 1]
    if (length <= least) continue
    for (const share of PROBES) {
      const at = cuts[i - 1] + share * length
      if (isInside(passage, x + at * ex, y + at * ey, error)) return true
    }
  }
  return false
}

function isInside({ holder: { outline } }: Passage, x: number, y: number, error: number): boolean {
  return outline !== null && isClearlyInside(outline, x, y, error)
}

/** Where the ends of the edges met lie on the segment from (x, y) to (x + ex, y + ey): shares of its length in order, 0 and 1 too. */
function cutsOf(
  { holder: { outline }, holderView, swapped }: Passage,
  active: readonly LeafSpan[],
  x: number,
  y: number,
  ex: number,
  ey: number,
  error: number,
): number[] {
  const cuts = [0, 1]
  if (outline === null) return cuts
  const { vertices, edgeEnd } = outline
  const length = Math.hypot(ex, ey)
  const ux = ex / length
  const uy = ey / length
  for (const { leafA, leafB } of active) {
    const edge = holderView.leafEdge[swapped ? leafB : leafA]
    for (const vertex of [edge, edgeEnd[edge]]) {
      const dx = vertices[2 * vertex] - x
      const dy = vertices[2 * vertex + 1] - y
      const share = (ux * dx + uy * dy) / length
      if (share > 0 && share < 1 && Math.abs(ux * dy - uy * dx) <= error) cuts.push(share)
    }
  }
  spend(cuts.length * Math.ceil(Math.log2(cuts.length)))
  return cuts.sort((p, q) => p - q)
}
