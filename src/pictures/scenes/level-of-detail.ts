/**
 * What of a scene is drawn how, so that its picture stays of a size, whatever the scene has: the largest bodies whole, smaller ones as
 * their boxes, and what is smaller than a screen shows as specks.
 *
 * Method: the sizes of all bodies in sight are counted in classes, and the class is found from which on down there are too many.
 * Cost O(bodies in sight), or O(slots) where these are very many.
 */

import { Pace, type Slices } from '../../containers/pace.ts'
import { createItemList } from '../../core2d/bvh/dynamic-tree-queries.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import { bodiesInBox, boxAt, slotLimit, type View } from '../../scene/state/view.ts'
import { boxSize, type DrawnBox } from '../marks/outline.ts'

/** Bodies that are drawn whole, and as boxes, at most. */
const MOST_WHOLE = 20_000
const MOST_BOXES = 50_000
/** Bodies smaller than this, in picture units, are specks where there are more than a few. */
const SPECK_SIZE = 2
const FEW = 500
/** Lists up to this are sorted; of longer ones the slots are marked. */
const SORTED = 20_000
/** Classes of sizes: this many to each doubling, from 2^−4 on. */
const CLASSES = 256
const PER_DOUBLING = 4
const LEAST_DOUBLING = -4

export interface DetailQuery {
  accepts: Accepts
  /** What is seen, in the world. */
  sight: DrawnBox
  /** Picture units to a length of the world. */
  scale: number
  /** Slots that are drawn whole in any case. */
  first: ReadonlySet<number>
  /** How many pictures share what one may hold. */
  pictures?: number
}

/** Slots, each list in its order. */
export interface Detail {
  whole: number[]
  boxes: number[]
  specks: number[]
  /** Those that are only counted. */
  left: number
  /** Of the bodies that are drawn whole, by slot: their size in picture units, infinite without bounds. */
  sizes: Map<number, number>
}

const box = new Float64Array(4)

export function* chooseDetail(view: View, query: DetailQuery): Slices<Detail> {
  const { accepts, sight, scale, first, pictures = 1 } = query
  const mostWhole = MOST_WHOLE / pictures
  const mostBoxes = MOST_BOXES / pictures
  const pace = new Pace()
  const seen: number[] = []
  const sizes: number[] = []
  const classes = new Uint32Array(CLASSES)
  let tiny = 0
  for (const slot of slotsInSight(view, sight)) {
    if (pace.isDue(1)) yield
    if (!accepts(slot)) continue
    const size = first.has(slot) ? Infinity : sizeAt(view, slot) * scale
    seen.push(slot)
    sizes.push(size)
    classes[classOf(size)]++
    if (size < SPECK_SIZE) tiny++
  }
  const least = tiny > FEW ? SPECK_SIZE : 0
  const floor = lastWhole(classes, mostWhole)
  const detail: Detail = { whole: [], boxes: [], specks: [], left: 0, sizes: new Map() }
  for (const [k, slot] of seen.entries()) {
    if (pace.isDue(1)) yield
    const size = sizes[k]
    if (size < least) detail.specks.push(slot)
    else if (classOf(size) >= floor && (detail.whole.length < mostWhole || first.has(slot))) {
      detail.whole.push(slot)
      detail.sizes.set(slot, size)
    } else if (detail.boxes.length < mostBoxes) detail.boxes.push(slot)
    else detail.left++
  }
  return detail
}

/** In their order. */
function* slotsInSight(view: View, { minX, minY, maxX, maxY }: DrawnBox): Generator<number> {
  const near = createItemList()
  bodiesInBox(view, minX, minY, maxX, maxY, near)
  const slots = near.items.subarray(0, near.count)
  if (near.count <= SORTED) {
    yield* slots.sort()
    return
  }
  const marked = new Uint8Array(slotLimit(view))
  for (const slot of slots) marked[slot] = 1
  for (let slot = 0; slot < marked.length; slot++) if (marked[slot] === 1) yield slot
}

/** The longer side of the body's box. */
function sizeAt(view: View, slot: number): number {
  boxAt(view, slot, box)
  return Math.max(box[2] - box[0], box[3] - box[1])
}

function classOf(size: number): number {
  if (size === Infinity) return CLASSES - 1
  const doubling = size > 0 ? Math.log2(size) : LEAST_DOUBLING
  return Math.min(CLASSES - 1, Math.max(0, Math.floor((doubling - LEAST_DOUBLING) * PER_DOUBLING)))
}

/** The class of the smallest bodies that are drawn whole. */
function lastWhole(classes: Uint32Array, most: number): number {
  let count = 0
  for (let k = CLASSES - 1; k > 0; k--) {
    count += classes[k]
    if (count >= most) return k
  }
  return 0
}

/** What a picture says it shows. `boxed`: of the bodies that were to be drawn whole, those that became boxes after all. */
export function detailText({ whole, boxes, specks, left }: Detail, boxed: number): string {
  const counts: [number, string][] = [
    [whole.length - boxed, 'drawn whole'],
    [boxes.length + boxed, 'as their boxes'],
    [specks.length, 'as specks'],
    [left, 'left out'],
  ]
  const told = counts.filter(([count], i) => count > 0 || i === 0).map(([count, how]) => `${count} ${how}`)
  return `Of ${whole.length + boxes.length + specks.length + left} bodies in sight: ${told.join(', ')}.`
}

// What of a scene is shown where somebody has said it: the bounds, or what is around a single place.

/** Of the scene, to each side of a single place. */
const AROUND = 0.125

/** `scene`: the box around the bodies, null without any. */
export function shownBounds(bounds: DrawnBox, scene: DrawnBox | null): DrawnBox {
  if (boxSize(bounds) > 0) return bounds
  const { minX: x, minY: y } = bounds
  // where there is nothing to go by, how far out it lies
  const reach = (scene === null ? 0 : AROUND * boxSize(scene)) || Math.max(Math.abs(x), Math.abs(y)) || 1
  return { minX: x - reach, minY: y - reach, maxX: x + reach, maxY: y + reach }
}
