// The inputs of the broad-phase bench: seeded, and the same for every library. Boxes of sides between 0.5 and 1.5 cover a
// quarter of the plane, as in a game, or two and a half times the plane, so that each box meets ten others.

import { type Between, seeded } from '../measuring/random-body.ts'

export const SIZES = [1_000, 10_000, 100_000, 1_000_000] as const
/** Queries and rays of a field; a pass asks `PASS_COUNT` of them, the next pass the following ones. */
export const QUERY_COUNT = 4096
export const PASS_COUNT = 256
/** Boxes that a query should meet. */
const HIT_COUNT = 10
const SPARSE_COVER = 0.25
const DENSE_COVER = 2.5
/** Share of the boxes that move. */
const MOVING_SHARE = 0.05
/** How far one goes in a step; it turns round after so many. */
const STEP_LENGTH = 0.05
const STEP_COUNT = 20
/** How much wider boxes are kept by trees that have such a margin, so that small moves change nothing. */
export const MARGIN = 0.1
/** Rays end after so long; most hit something after a few units. */
export const RAY_LENGTH = 16

export interface Field {
  count: number
  /** Min x, min y, max x, max y of each box. */
  boxes: Float64Array
  /** Boxes where each meets about ten others. */
  dense: Float64Array
  /** Boxes that meet about ten boxes each. */
  queries: Float64Array
  /** Origin and unit direction of each ray; it begins outside all boxes. */
  rays: Float64Array
  /** Which boxes move, and how far each goes in a step. */
  movers: Int32Array
  steps: Float64Array
  /** Other places for the same boxes, anywhere in the field. */
  jumps: Float64Array
}

export function makeField(count: number): Field {
  const between = seeded(count)
  const boxes = scatter(between, count, SPARSE_COVER, 1)
  const width = Math.sqrt(count / SPARSE_COVER)
  const dense = scatter(between, count, DENSE_COVER, 1)
  const queries = scatter(
    between,
    QUERY_COUNT,
    (SPARSE_COVER * QUERY_COUNT) / count,
    Math.sqrt(HIT_COUNT / SPARSE_COVER) - 1,
  )
  const movers = Int32Array.from({ length: count * MOVING_SHARE }, (_, k) =>
    Math.floor((k + between(0, 1)) / MOVING_SHARE),
  )
  const steps = Float64Array.from(movers, () => between(-Math.PI, Math.PI))
  return {
    count,
    boxes,
    dense,
    queries,
    rays: scatterRays(between, boxes, width),
    movers,
    steps: new Float64Array(2 * movers.length).map(
      (_, k) => STEP_LENGTH * (k % 2 === 0 ? Math.cos(steps[k >> 1]!) : Math.sin(steps[k >> 1]!)),
    ),
    jumps: new Float64Array(2 * movers.length).map((_, k) => between(0, width) - boxes[4 * movers[k >> 1]! + (k % 2)]!),
  }
}

/** Boxes of sides around `size` that would cover the plane so many times if the size were 1. */
function scatter(between: Between, count: number, cover: number, size: number): Float64Array {
  const width = Math.sqrt(count / cover)
  const boxes = new Float64Array(4 * count)
  for (let at = 0; at < 4 * count; at += 4) {
    boxes[at] = between(0, width)
    boxes[at + 1] = between(0, width)
    boxes[at + 2] = boxes[at]! + size * between(0.5, 1.5)
    boxes[at + 3] = boxes[at + 1]! + size * between(0.5, 1.5)
  }
  return boxes
}

/** Libraries do not agree on rays that begin in a box. */
function scatterRays(between: Between, boxes: Float64Array, width: number): Float64Array {
  const tried = Float64Array.from({ length: 4 * QUERY_COUNT }, () => between(0, width))
  const taken = new Uint8Array(2 * QUERY_COUNT)
  const cells = new Map<number, number[]>()
  const cellOf = (x: number, y: number) => Math.floor(x / 4) * 2 ** 20 + Math.floor(y / 4)
  for (let k = 0; k < 2 * QUERY_COUNT; k++) {
    const cell = cellOf(tried[2 * k]!, tried[2 * k + 1]!)
    cells.set(cell, [...(cells.get(cell) ?? []), k])
  }
  for (let at = 0; at < boxes.length; at += 4) {
    for (const x of [boxes[at]!, boxes[at + 2]!]) {
      for (const y of [boxes[at + 1]!, boxes[at + 3]!]) {
        for (const k of cells.get(cellOf(x, y)) ?? []) {
          const px = tried[2 * k]!
          const py = tried[2 * k + 1]!
          if (px >= boxes[at]! && px <= boxes[at + 2]! && py >= boxes[at + 1]! && py <= boxes[at + 3]!) taken[k] = 1
        }
      }
    }
  }
  const rays = new Float64Array(4 * QUERY_COUNT)
  for (let k = 0, r = 0; r < QUERY_COUNT; k++) {
    if (taken[k] === 1) continue
    const angle = between(-Math.PI, Math.PI)
    rays.set([tried[2 * k]!, tried[2 * k + 1]!, Math.cos(angle), Math.sin(angle)], 4 * r++)
  }
  return rays
}

/** Boxes of the movers, one behind the other, after 0, 1, … passes, over and over: of small steps there and back, or of jumps. */
export function placesOf({ boxes, movers, steps, jumps }: Field, isFar: boolean): Float64Array[] {
  const by = isFar ? jumps : steps
  const place = (times: number) =>
    new Float64Array(4 * movers.length).map((_, side) => {
      const k = side >> 2
      return boxes[4 * movers[k]! + (side & 3)]! + times * by[2 * k + (side & 1)]!
    })
  const there = Array.from({ length: (isFar ? 1 : STEP_COUNT) + 1 }, (_, times) => place(times))
  return [...there, ...there.slice(1, -1).reverse()]
}

/** A pass of small steps after which the movers are farthest from where they were, and one after which they are back. */
export const FAR_PASS = STEP_COUNT - 1
export const HOME_PASS = 2 * STEP_COUNT - 1

/** Where a ray first meets a box, or Infinity beyond `limit`. Written out, so that libraries that leave it to the caller share it. */
export function slab(boxes: Float64Array, box: number, rays: Float64Array, ray: number, limit: number): number {
  const at = 4 * box
  const from = 4 * ray
  const x = rays[from]!
  const y = rays[from + 1]!
  const dx = rays[from + 2]!
  const dy = rays[from + 3]!
  const left = (boxes[at]! - x) / dx
  const right = (boxes[at + 2]! - x) / dx
  const low = (boxes[at + 1]! - y) / dy
  const high = (boxes[at + 3]! - y) / dy
  const enter = Math.max(Math.min(left, right), Math.min(low, high), 0)
  const leave = Math.min(Math.max(left, right), Math.max(low, high), limit)
  return enter <= leave ? enter : Number.POSITIVE_INFINITY
}
