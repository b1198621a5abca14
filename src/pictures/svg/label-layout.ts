/**
 * Where labels stand: each at the first of some places around what it speaks of that covers the least of the rest.
 *
 * Greedy, in the order of the labels, after the point-feature labelling of J. Christensen, J. Marks and S. Shieber, "An
 * empirical study of algorithms for point-feature label placement", ACM TOG 14 (1995), section 4.1. Frame: picture units.
 */
import type { Vec2 } from '../../../schemas/vector.ts'
import { labelWidth } from './text-lines.ts'

export interface LabelBox {
  /** Centre. */
  x: number
  y: number
  width: number
  height: number
}

export interface LabelWish {
  at: Vec2
  text: string
  size: number
  /** Unit vector, where it would rather stand. */
  toward?: Vec2 | undefined
  /** Stands on its place if that is free: names of shapes. */
  centred?: boolean
  /** Left out where it would cover another label. */
  optional?: boolean
}

/** Things not to be covered: small discs along lines, and points. */
export interface Ink {
  x: number
  y: number
  weight: number
}

const DIRECTIONS = 16
const GAPS = [8, 20, 34]
const TURN = 2 * Math.PI
/** Costs: of covering a label, per piece of ink, of standing far away or on the wrong side, of leaving the plot. */
const COVERS_LABEL = 60
const FARTHER = 1.5
const WRONG_SIDE = 5
const LEAVES_PLOT = 500

/** The boxes of the labels, in their order; null of those that are left out. `width`, `height`: of the plot, whose centre is the origin. */
export function placeLabels(wishes: readonly LabelWish[], inks: readonly Ink[], width: number, height: number) {
  const cells = cellsOf(inks)
  const placed: LabelBox[] = []
  return wishes.map((wish): LabelBox | null => {
    let best: LabelBox | null = null
    let least = Infinity
    for (const { box, cost } of candidates(wish)) {
      if (cost >= least) continue
      const total = cost + costOf(box, cells, placed, width, height)
      if (total >= least) continue
      least = total
      best = box
    }
    if (wish.optional === true && covers(best as LabelBox, placed)) return null
    placed.push(best as LabelBox)
    return best
  })
}

function covers(box: LabelBox, placed: readonly LabelBox[]): boolean {
  return placed.some((other) => areOver(box, other))
}

function areOver(p: LabelBox, q: LabelBox): boolean {
  return Math.abs(p.x - q.x) * 2 < p.width + q.width && Math.abs(p.y - q.y) * 2 < p.height + q.height
}

/** The ink of each cell of a lattice, so that a label looks only at what is near it. */
type InkCells = ReadonlyMap<number, readonly Ink[]>

const CELL = 32
const CELLS_ACROSS = 4096

function cellsOf(inks: readonly Ink[]): InkCells {
  const cells = new Map<number, Ink[]>()
  for (const ink of inks) {
    const key = keyOf(cellOf(ink.x), cellOf(ink.y))
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [ink])
    else cell.push(ink)
  }
  return cells
}

function cellOf(value: number): number {
  return Math.floor(value / CELL)
}

function keyOf(i: number, j: number): number {
  return i * CELLS_ACROSS + j
}

function candidates({ at, text, size, toward, centred }: LabelWish): { box: LabelBox; cost: number }[] {
  const width = labelWidth(text, size)
  const height = size * 1.1
  const list: { box: LabelBox; cost: number }[] = []
  if (centred === true) list.push({ box: { ...at, width, height }, cost: 0 })
  const start = toward === undefined ? -Math.PI / 4 : Math.atan2(toward.y, toward.x)
  GAPS.forEach((gap, ring) => {
    for (let i = 0; i < DIRECTIONS; i++) {
      // To either side of the wished direction in turn.
      const angle = start + (i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2) * (TURN / DIRECTIONS)
      const cos = Math.cos(angle)
      const sin = Math.sin(angle)
      const x = at.x + cos * (gap + width / 2)
      const y = at.y + sin * (gap + height / 2)
      const strays = toward === undefined ? (0.3 * i) / DIRECTIONS : (WRONG_SIDE * i) / DIRECTIONS
      list.push({ box: { x, y, width, height }, cost: FARTHER * (ring + (centred === true ? 1 : 0)) + strays })
    }
  })
  return list
}

function costOf(box: LabelBox, cells: InkCells, placed: readonly LabelBox[], width: number, height: number) {
  let cost = 0
  const left = box.x - box.width / 2
  const right = box.x + box.width / 2
  const top = box.y - box.height / 2
  const bottom = box.y + box.height / 2
  if (left < -width / 2 || right > width / 2 || top < -height / 2 || bottom > height / 2) cost += LEAVES_PLOT
  for (const other of placed) if (areOver(box, other)) cost += COVERS_LABEL
  for (let i = cellOf(left - 2); i <= cellOf(right + 2); i++) {
    for (let j = cellOf(top - 1); j <= cellOf(bottom + 1); j++) {
      for (const { x, y, weight } of cells.get(keyOf(i, j)) ?? []) {
        if (x > left - 2 && x < right + 2 && y > top - 1 && y < bottom + 1) cost += weight
      }
    }
  }
  return cost
}
