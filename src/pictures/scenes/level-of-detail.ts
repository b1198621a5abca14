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
import { bodiesInBox, boxAt, hasBody, slotLimit, type View } from '../../scene/state/view.ts'
import { boxSize, type DrawnBox } from '../outline.ts'
import { type Outlook, seenBox } from './outlook.ts'

/** Maximum number of bodies drawn whole, and as boxes. */
const MOST_WHOLE = 20_000
const MOST_BOXES = 50_000
/** In space, where each has edges inside its outline too. */
const MOST_WHOLE_OF_SPACE = 5000
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
  outlook: Outlook
  /** The visible part, relative to the picture's origin. */
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

const box = new Float64Array(6)

export function* chooseDetail(view: View, query: DetailQuery): Slices<Detail> {
  const { accepts, outlook, sight, scale, first, pictures = 1 } = query
  const mostWhole = (outlook.dimension === 2 ? MOST_WHOLE : MOST_WHOLE_OF_SPACE) / pictures
  const mostBoxes = MOST_BOXES / pictures
  const pace = new Pace()
  const seen: number[] = []
  const sizes: number[] = []
  const classes = new Uint32Array(CLASSES)
  let tiny = 0
  for (const slot of slotsInSight(view, outlook, sight)) {
    if (pace.isDue(1)) yield
    if (!accepts(slot) || !isInSight(view, slot, outlook, sight)) continue
    const size = first.has(slot) ? Infinity : sizeAt(view, slot, outlook) * scale
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

/** Slots in ascending order, of space all of them. */
function* slotsInSight(view: View, outlook: Outlook, sight: DrawnBox): Generator<number> {
  if (outlook.dimension === 3) {
    for (let slot = 0; slot < slotLimit(view); slot++) if (hasBody(view, slot)) yield slot
    return
  }
  const { x, y } = outlook.origin
  const near = createItemList()
  bodiesInBox(view, Float64Array.of(sight.minX + x, sight.minY + y, sight.maxX + x, sight.maxY + y), near)
  const slots = near.items.subarray(0, near.count)
  if (near.count <= SORTED) {
    yield* slots.sort()
    return
  }
  const marked = new Uint8Array(slotLimit(view))
  for (const slot of slots) marked[slot] = 1
  for (let slot = 0; slot < marked.length; slot++) if (marked[slot] === 1) yield slot
}

/** Whether the image of a box meets what is visible; what has no bounds always does. */
function isInSight(view: View, slot: number, outlook: Outlook, sight: DrawnBox): boolean {
  if (outlook.dimension === 2) return true
  boxAt(view, slot, box)
  if (!box.every(Number.isFinite)) return true
  const { minX, minY, maxX, maxY } = seenBox(outlook, box)
  return minX <= sight.maxX && maxX >= sight.minX && minY <= sight.maxY && maxY >= sight.minY
}

/** The longer side of the image of the body's box; infinite without bounds. */
function sizeAt(view: View, slot: number, outlook: Outlook): number {
  boxAt(view, slot, box)
  if (outlook.dimension === 2) return Math.max(box[2] - box[0], box[3] - box[1])
  return box.every(Number.isFinite) ? boxSize(seenBox(outlook, box)) : Infinity
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
