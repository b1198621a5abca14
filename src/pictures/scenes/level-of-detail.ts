/**
 * Levels of detail keep the size of a picture bounded for any scene: the largest bodies are drawn whole, smaller ones as boxes, and
 * bodies too small to be visible as specks.
 *
 * Method: a histogram of the sizes of all visible bodies gives the size below which there are too many.
 * Cost O(visible bodies), or O(slots) if there are very many.
 */

import { Pace, type Slices } from '../../containers/budget.ts'
import { createItemList } from '../../containers/item-list.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import { bodiesInBox, boxAt, type PlaneView, slotLimit } from '../../scene/state/view.ts'
import { boxSize, type DrawnBox } from '../outline.ts'

/** Maximum number of bodies drawn whole, and as boxes. */
const MOST_WHOLE = 20_000
const MOST_BOXES = 50_000
/** Bodies smaller than this, in picture units, are specks if there are more than a few. */
const SPECK_SIZE = 2
const FEW = 500
/** Lists up to this length are sorted; longer ones are ordered by marking slots. */
const SORTED = 20_000
/** Classes of sizes: this many to each doubling, from 2^−4 on. */
const CLASSES = 256
const PER_DOUBLING = 4
const LEAST_DOUBLING = -4

interface DetailQuery {
  accepts: Accepts
  /** The visible part of the world. */
  sight: DrawnBox
  /** Picture units to a length of the world. */
  scale: number
  /** Slots that are drawn whole in any case. */
  first: ReadonlySet<number>
  /** Number of pictures that share the limits. */
  pictures?: number
}

/** Slots, each list in ascending order. */
export interface Detail {
  whole: number[]
  boxes: number[]
  specks: number[]
  /** Those that are only counted. */
  left: number
  /** Sizes of the bodies that are drawn whole, by slot, in picture units; infinite without bounds. */
  sizes: Map<number, number>
}

const box = new Float64Array(4)

export function* chooseDetail(view: PlaneView, query: DetailQuery): Slices<Detail> {
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

/** Slots in ascending order. */
function* slotsInSight(view: PlaneView, { minX, minY, maxX, maxY }: DrawnBox): Generator<number> {
  const near = createItemList()
  bodiesInBox(view, Float64Array.of(minX, minY, maxX, maxY), near)
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
function sizeAt(view: PlaneView, slot: number): number {
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

/** The caption of a picture. `boxed`: number of bodies that were to be drawn whole but became boxes. */
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

/** Part of the scene to show on each side of a single point. */
const AROUND = 0.125

/** The bounds of a request, widened around a single point. `scene`: box of the bodies, null without any. */
export function shownBounds(bounds: DrawnBox, scene: DrawnBox | null): DrawnBox {
  if (boxSize(bounds) > 0) return bounds
  const { minX: x, minY: y } = bounds
  // without a scene: the distance from the origin
  const reach = (scene === null ? 0 : AROUND * boxSize(scene)) || Math.max(Math.abs(x), Math.abs(y)) || 1
  return { minX: x - reach, minY: y - reach, maxX: x + reach, maxY: y + reach }
}
