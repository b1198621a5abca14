/**
 * The bodies of a scene that are nearest to a probe, by exact distance.
 *
 * Method: best first, in rings. The bodies whose boxes lie within a distance that should hold as many as are asked for are
 * measured, nearest boxes first, until no box is nearer than the last of the nearest; when they are not enough, or may not be
 * the nearest, the distance grows. Bodies measured once are not measured again.
 */
import type { Body } from '../core2d/body.ts'
import { createDistance, type Distance, distance } from '../core2d/distance.ts'
import { createItemList, type ItemList } from '../core2d/dynamic-tree-queries.ts'
import { measureBody } from './boxes.ts'
import type { Accepts } from './filter.ts'
import { Pace, type Slices } from './pace.ts'
import { bodyWeight } from './prepared.ts'
import { compareIds } from './ranking.ts'
import { DISTANCE_SLACK_RATIO } from './slack.ts'
import { bodiesInBox, bodyAt, boxAt, idAt, reachOf, type View } from './view.ts'

export interface NearestQuery {
  /** Must stay as it is until the end. */
  probe: Body
  /** How many, at most. */
  count: number
  /** How far, at most; may be infinite. */
  maxDistance: number
  accepts: Accepts
}

export interface NearBody {
  slot: number
  id: string
  /** From the probe, A, to the body, B. */
  distance: Distance
}

const box = new Float64Array(4)

/** By distance, then by id. */
export function* queryNearest(view: View, query: NearestQuery): Slices<NearBody[]> {
  const { probe, count, maxDistance, accepts } = query
  measureBody(probe, box, 0)
  const from = Float64Array.from(box)
  const farthest = Math.min(maxDistance, spanOf(view, from))
  const slack = DISTANCE_SLACK_RATIO * (reachOf(view) + Math.abs(probe.x) + Math.abs(probe.y))
  const pace = new Pace()
  const seen = new Set<number>()
  const near: NearBody[] = []
  const listed = createItemList()
  let radius = Math.min(firstRadius(view, count), farthest)
  for (;;) {
    ring(view, from, radius + slack, listed)
    const waiting: { slot: number; gap: number }[] = []
    for (let k = 0; k < listed.count; k++) {
      const slot = listed.items[k]
      if (seen.has(slot) || !accepts(slot)) continue
      boxAt(view, slot, box)
      waiting.push({ slot, gap: gapOf(from, box) })
    }
    waiting.sort((a, b) => a.gap - b.gap)
    for (const { slot, gap } of waiting) {
      if (gap - slack > lastOf(near, count, maxDistance)) break
      seen.add(slot)
      const body = bodyAt(view, slot)
      const found = createDistance()
      distance(probe, body, found)
      if (found.distance <= maxDistance) insert(near, { slot, id: idAt(view, slot), distance: found }, count)
      if (pace.isDue(bodyWeight(probe) + bodyWeight(body))) yield
    }
    const last = lastOf(near, count, farthest)
    if (radius >= last) return near
    // Where enough are found, those that may be nearer lie within the last one's distance.
    radius = near.length >= count ? last : wider(radius, farthest)
  }
}

const GROWTH_FACTOR = 2

function wider(radius: number, farthest: number): number {
  return radius > 0 && farthest < Infinity ? Math.min(GROWTH_FACTOR * radius, farthest) : farthest
}

/** A distance that holds every bounded body. */
function spanOf(view: View, from: Float64Array): number {
  const reach = reachOf(view)
  let far = 0
  for (const side of from) far = Math.max(far, Math.abs(side))
  return 4 * (reach + far)
}

/** One that should hold `count` bodies, were they spread evenly. */
function firstRadius(view: View, count: number): number {
  return reachOf(view) * Math.sqrt(Math.max(1, count) / Math.max(1, view.table.count))
}

function ring(view: View, from: Float64Array, radius: number, out: ItemList): void {
  bodiesInBox(view, from[0] - radius, from[1] - radius, from[2] + radius, from[3] + radius, out)
}

/** Distance of two boxes, a few roundoffs off. */
function gapOf(a: Float64Array, b: Float64Array): number {
  const dx = Math.max(a[0] - b[2], b[0] - a[2], 0)
  const dy = Math.max(a[1] - b[3], b[1] - a[3], 0)
  return Math.hypot(dx, dy)
}

/** Of the last body of a full list; `otherwise` while there is room. */
function lastOf(near: readonly NearBody[], count: number, otherwise: number): number {
  return near.length >= count ? (count === 0 ? -Infinity : near[count - 1].distance.distance) : otherwise
}

function insert(near: NearBody[], body: NearBody, count: number): void {
  let low = 0
  let high = near.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(near[middle], body)) low = middle + 1
    else high = middle
  }
  near.splice(low, 0, body)
  if (near.length > count) near.pop()
}

function isBefore(a: NearBody, b: NearBody): boolean {
  const apart = a.distance.distance - b.distance.distance
  return apart < 0 || (apart === 0 && compareIds(a.id, b.id) < 0)
}
