/**
 * Sweep and prune: the ends of all boxes along one axis are kept sorted, and a sweep over them keeps a list of the boxes that
 * it is in the midst of. A box is tested against that list where it begins.
 *
 * Method: C. Ericson, "Real-Time Collision Detection", 7.5; D. Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies"
 * (1992), 2. The axis is the one along which the centres vary most. The order is kept from call to call and repaired by
 * insertion, so that a second call with slightly changed boxes is near linear; where too much has changed it is sorted anew
 * by merging.
 * Boxes as in `brute-force.ts`.
 */

import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/kept-entries.ts'
import { addPair, type PairList, spendBoxTests } from '../../containers/pair-list.ts'
import { sortingSteps } from '../../containers/sorting-steps.ts'

export interface Sweep {
  count: number
  /** 0 for x, 1 for y. */
  axis: number
  /** From low to high: 2·box for the low end of a box, 2·box + 1 for its high end; at one place low ends come first. */
  ends: Int32Array
  /** Where they lie on the axis. */
  places: Float64Array
  /** How many ends the last repair moved past another; −1 when it sorted anew. */
  shifts: number
}

/** The other axis must vary this many times as much before it is taken instead: changing costs a sort. */
const AXIS_CHANGE_COUNT = 2
/** Shifts by insertion, for each end, after which sorting anew is cheaper. */
const SHIFTS_PER_END_COUNT = 8
/** Stretches of this length are sorted by insertion before they are merged. */
const RUN_COUNT = 16

/** Scratch of merging, and the active list of a sweep: boxes, their extents on the other axis, where each box is in it. */
let spareEnds: Int32Array = new Int32Array(0)
let sparePlaces: Float64Array = new Float64Array(0)
let active = new Int32Array(0)
let activeLow = new Float64Array(0)
let activeHigh = new Float64Array(0)
let position = new Int32Array(0)

export function createSweep(): Sweep {
  return { count: 0, axis: 0, ends: new Int32Array(16), places: new Float64Array(16), shifts: 0 }
}

/** Takes over `count` boxes, which may have changed in place and in number, and sorts their ends. */
export function updateSweep(sweep: Sweep, boxes: Float64Array, count: number): void {
  const isNew = sweep.count === 0
  spend(4 * count)
  setCount(sweep, count)
  const varianceX = variance(boxes, count, 0)
  const varianceY = variance(boxes, count, 1)
  if (isNew) sweep.axis = varianceX >= varianceY ? 0 : 1
  else if (sweep.axis === 0 && varianceY > AXIS_CHANGE_COUNT * varianceX) sweep.axis = 1
  else if (sweep.axis === 1 && varianceX > AXIS_CHANGE_COUNT * varianceY) sweep.axis = 0
  const { axis, ends, places } = sweep
  for (let k = 0; k < 2 * count; k++) {
    const end = ends[k]
    places[k] = boxes[4 * (end >> 1) + 2 * (end & 1) + axis]
  }
  const allowed = isNew ? 0 : SHIFTS_PER_END_COUNT * 2 * count
  sweep.shifts = insertionSort(ends, places, 0, 2 * count, allowed)
  spend(sweep.shifts < 0 ? 4 * sortingSteps(2 * count) : sweep.shifts)
  if (sweep.shifts < 0) mergeSort(ends, places, 2 * count)
}

function setCount(sweep: Sweep, count: number): void {
  const before = sweep.count
  if (sweep.ends.length < 2 * count) {
    const capacity = 2 ** Math.ceil(Math.log2(2 * count))
    const ends = new Int32Array(capacity)
    ends.set(sweep.ends.subarray(0, 2 * before))
    sweep.ends = ends
    sweep.places = new Float64Array(capacity)
  }
  const { ends } = sweep
  for (let end = 2 * before; end < 2 * count; end++) ends[end] = end
  if (count < before) {
    let kept = 0
    for (let k = 0; k < 2 * before; k++) if (ends[k] < 2 * count) ends[kept++] = ends[k]
  }
  sweep.count = count
}

/** Of the centres along an axis, in units of the widest spread; unbounded boxes have no centre. */
function variance(boxes: Float64Array, count: number, axis: number): number {
  let known = 0
  let mean = 0
  let sum = 0
  for (let i = 0; i < count; i++) {
    const centre = 0.5 * boxes[4 * i + axis] + 0.5 * boxes[4 * i + 2 + axis]
    if (!Number.isFinite(centre)) continue
    // Welford's running sums
    known++
    const step = centre - mean
    mean += step / known
    sum += step * (centre - mean)
  }
  return sum
}

function isBefore(place: number, end: number, otherPlace: number, otherEnd: number): boolean {
  return place < otherPlace || (place === otherPlace && (end & 1) < (otherEnd & 1))
}

/** Number of shifts, or −1 when more than `allowed` were needed: the ends are then the same, in some order. */
function insertionSort(ends: Int32Array, places: Float64Array, from: number, to: number, allowed: number): number {
  let shifts = 0
  for (let k = from + 1; k < to; k++) {
    const end = ends[k]
    const place = places[k]
    let at = k
    while (at > from && isBefore(place, end, places[at - 1], ends[at - 1])) {
      ends[at] = ends[at - 1]
      places[at] = places[at - 1]
      at--
    }
    ends[at] = end
    places[at] = place
    shifts += k - at
    if (shifts > allowed) return -1
  }
  return shifts
}

function mergeSort(ends: Int32Array, places: Float64Array, length: number): void {
  if (spareEnds.length < length) {
    spareEnds = new Int32Array(ends.length)
    sparePlaces = new Float64Array(ends.length)
  }
  for (let from = 0; from < length; from += RUN_COUNT) {
    insertionSort(ends, places, from, Math.min(from + RUN_COUNT, length), Infinity)
  }
  let sortedEnds: Int32Array = ends
  let sortedPlaces = places
  let nextEnds: Int32Array = spareEnds
  let nextPlaces: Float64Array = sparePlaces
  for (let run = RUN_COUNT; run < length; run *= 2) {
    for (let from = 0; from < length; from += 2 * run) {
      const middle = Math.min(from + run, length)
      const to = Math.min(from + 2 * run, length)
      let i = from
      let j = middle
      for (let k = from; k < to; k++) {
        const second =
          i === middle || (j < to && isBefore(sortedPlaces[j], sortedEnds[j], sortedPlaces[i], sortedEnds[i]))
        const taken = second ? j++ : i++
        nextEnds[k] = sortedEnds[taken]
        nextPlaces[k] = sortedPlaces[taken]
      }
    }
    const doneEnds = sortedEnds
    const donePlaces = sortedPlaces
    sortedEnds = nextEnds
    sortedPlaces = nextPlaces
    nextEnds = doneEnds
    nextPlaces = donePlaces
  }
  if (sortedEnds !== ends) {
    ends.set(sortedEnds.subarray(0, length))
    places.set(sortedPlaces.subarray(0, length))
  }
  if (spareEnds.length > KEPT_ENTRIES) {
    spareEnds = new Int32Array(0)
    sparePlaces = new Float64Array(0)
  }
}

/** Adds the pairs that meet, in the order of the sweep; false when the list was full, or its budget spent, before the end. */
export function sweepPairs(sweep: Sweep, boxes: Float64Array, count: number, out: PairList): boolean {
  updateSweep(sweep, boxes, count)
  try {
    return sweepEnds(sweep, boxes, count, out)
  } finally {
    if (position.length > KEPT_ENTRIES) {
      position = new Int32Array(0)
      active = new Int32Array(0)
      activeLow = new Float64Array(0)
      activeHigh = new Float64Array(0)
    }
  }
}

function sweepEnds(sweep: Sweep, boxes: Float64Array, count: number, out: PairList): boolean {
  if (position.length < count) {
    position = new Int32Array(count)
    active = new Int32Array(count)
    activeLow = new Float64Array(count)
    activeHigh = new Float64Array(count)
  }
  const { ends } = sweep
  const other = 1 - sweep.axis
  let activeCount = 0
  for (let k = 0; k < 2 * count; k++) {
    const box = ends[k] >> 1
    if ((ends[k] & 1) === 1) {
      const gap = position[box]
      activeCount--
      active[gap] = active[activeCount]
      activeLow[gap] = activeLow[activeCount]
      activeHigh[gap] = activeHigh[activeCount]
      position[active[gap]] = gap
      continue
    }
    const low = boxes[4 * box + other]
    const high = boxes[4 * box + 2 + other]
    out.boxTests += activeCount
    spendBoxTests(activeCount)
    if (out.boxTests > out.budget) return false
    for (let a = 0; a < activeCount; a++) {
      if (activeLow[a] <= high && low <= activeHigh[a] && !addPair(out, box, active[a])) return false
    }
    position[box] = activeCount
    active[activeCount] = box
    activeLow[activeCount] = low
    activeHigh[activeCount] = high
    activeCount++
  }
  return true
}

/** What is wrong with a sweep over these boxes, for tests; null when nothing is. */
export function validateSweep(
  { count, axis, ends, places }: Sweep,
  boxes: Float64Array,
  boxCount: number,
): string | null {
  if (count !== boxCount) return `${count} boxes instead of ${boxCount}`
  const seen = new Uint8Array(2 * count)
  for (let k = 0; k < 2 * count; k++) {
    const end = ends[k]
    if (end < 0 || end >= 2 * count) return `end ${end} of no box`
    if (seen[end] === 1) return `end ${end} twice`
    seen[end] = 1
    if (places[k] !== boxes[4 * (end >> 1) + 2 * (end & 1) + axis]) return `end ${end} is out of date`
    if (k > 0 && isBefore(places[k], end, places[k - 1], ends[k - 1])) return `end ${end} is out of order`
  }
  return null
}
