/**
 * The parts of two bodies as containment sees them: exact coordinates on one grid of integers, and rounded ones with a bound on
 * their error.
 *
 * Frame: exact coordinates are the world's, in units of 2^unitExponent; rounded ones are counted from the first body's position.
 */

import { spend } from '../../containers/budget.ts'
import { sortingSteps } from '../../containers/sorting.ts'
import {
  binaryExponent,
  createInputRange,
  type InputRange,
  includeInput,
  integerOf,
  unitExponentOf,
} from '../../numeric/exact-ring.ts'
import { SMALLEST_SAFE_DETERMINANT } from '../../numeric/roundoff.ts'
import { type BoxTree, buildBoxTree, createBoxTree } from '../broad-phase/box-tree.ts'
import type { Outline } from '../outline/outline.ts'
import {
  type Body,
  CIRCLE,
  COMPOSITE,
  COS,
  type Composite,
  ELLIPSE,
  following,
  HALFPLANE,
  isCored,
  NORMAL_X,
  NORMAL_Y,
  OFFSET,
  RADIUS,
  RX,
  RY,
  SIN,
  verticesOf,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { createComposite, viewAsComposite } from '../shape/composite.ts'
import { includeBody, includePosition } from '../shape/exact-points.ts'
import { kindOf } from '../shape/kinds.ts'
import { SEPARATION_ERROR_RATIO } from '../tolerances.ts'

/** min x, min y, max x, max y; widened by what rounding may have cut off. */
export type Box = [number, number, number, number]

export interface ExactPoint {
  x: bigint
  y: bigint
}

/** A body's direction as integers: (x, y)/unit. Of an ellipse its axis, of a half-plane its normal, whose length does not count. */
interface ExactDirection extends ExactPoint {
  unit: bigint
}

export interface PlacedPart {
  /** A convex body; of an outline, its pose. */
  body: Body
  outline: Outline | null
  /** Whether it has an inside. */
  thick: boolean
  /** Core points: those of the body or of the outline. */
  vertices: Float64Array
  /** Rounded position, and the bound on the error of rounded points and of heights over them. */
  x: number
  y: number
  error: number
  box: Box
  /** Exact position. */
  exactX: bigint
  exactY: bigint
  radius: bigint
  direction: ExactDirection
}

export interface PlacedBody {
  view: Composite
  parts: PlacedPart[]
  /** The solid outlines among them, and a tree over their boxes. */
  regions: PlacedPart[]
  regionTree: BoxTree
  /** Shift of the boxes of its tree, and its error. */
  shiftX: number
  shiftY: number
  slack: number
  box: Box
}

/** The grid on which all coordinates of a pair are integers. */
export interface Grid {
  unitExponent: number
  /** Units in a length of 1; 0 or infinite where that is no double. */
  scale: number
  /** How many times as many steps as usual its numbers take, because they are long. */
  weight: number
  originX: number
  originY: number
}

/** Coordinates on a grid have as many bits as a rule, or fewer; products take the square of it. */
const USUAL_BITS = 512

/** Steps of a predicate on integers. */
const EXACT_STEPS = 16

/** Counts the steps of so many predicates on the grid. */
export function spendExact(grid: Grid, count: number): void {
  spend(EXACT_STEPS * count * grid.weight)
}

/** The grid of a pair, with its origin at A. Cost O(points). */
export function gridOf(a: Body, b: Body): Grid {
  const range = createInputRange()
  includeInput(range, a.numbers[X])
  includeInput(range, a.numbers[Y])
  include(range, a)
  include(range, b)
  const unitExponent = unitExponentOf(range)
  const bits = range.largest === 0 ? 0 : binaryExponent(range.largest) - unitExponent
  const weight = 1 + (bits / USUAL_BITS) ** 2
  return { unitExponent, scale: 2 ** -unitExponent, weight, originX: a.numbers[X], originY: a.numbers[Y] }
}

function include(range: InputRange, body: Body): void {
  if (body.kind !== COMPOSITE) {
    spend(1 + (body.count >> 2))
    includeBody(range, body)
    for (const value of kindOf(body).lengths(body)) includeInput(range, value)
    return
  }
  const { parts, partCount } = body.composite as Composite
  for (let p = 0; p < partCount; p++) {
    const { body: part, outline } = parts[p]
    if (outline === null) include(range, part)
    else {
      includePosition(range, part)
      spend(1 + (outline.vertexCount >> 2))
      for (let i = 0; i < 2 * outline.vertexCount; i++) includeInput(range, outline.vertices[i])
    }
  }
}

export function toGrid(grid: Grid, value: number): bigint {
  // A product with a power of two rounds nothing unless it over- or underflows.
  const units = value * grid.scale
  return Math.abs(units) >= 1 && units < Infinity && units > -Infinity
    ? BigInt(units)
    : integerOf(value, grid.unitExponent)
}

/** Cost O(points). */
export function placeBody(body: Body, grid: Grid): PlacedBody {
  const view = viewAsComposite(body, createComposite())
  const parts: PlacedPart[] = []
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (let p = 0; p < view.partCount; p++) {
    const part = placePart(view.parts[p].body, view.parts[p].outline, grid)
    parts.push(part)
    joinBox(box, part.box)
  }
  const regions = parts.filter(({ outline }) => outline?.solid === true)
  const shiftX = body.numbers[X] - grid.originX
  const shiftY = body.numbers[Y] - grid.originY
  return {
    view,
    parts,
    regions,
    regionTree: treeOver(regions),
    shiftX,
    shiftY,
    slack: SEPARATION_ERROR_RATIO * (Math.abs(shiftX) + Math.abs(shiftY)),
    box,
  }
}

function treeOver(parts: readonly PlacedPart[]): BoxTree {
  const tree = createBoxTree()
  const boxes = new Float64Array(4 * parts.length)
  spend(sortingSteps(parts.length))
  parts.forEach(({ box }, i) => {
    boxes.set(box, 4 * i)
  })
  buildBoxTree(tree, boxes, parts.length)
  return tree
}

function placePart(body: Body, outline: Outline | null, grid: Grid): PlacedPart {
  const x = body.numbers[X] - grid.originX + body.numbers[X_LOW]
  const y = body.numbers[Y] - grid.originY + body.numbers[Y_LOW]
  const vertices = outline === null ? verticesOf(body) : outline.vertices
  const part: PlacedPart = {
    body,
    outline,
    thick: false,
    vertices,
    x,
    y,
    error: 0,
    box: [-Infinity, -Infinity, Infinity, Infinity],
    exactX: toGrid(grid, body.numbers[X]) + toGrid(grid, body.numbers[X_LOW]),
    exactY: toGrid(grid, body.numbers[Y]) + toGrid(grid, body.numbers[Y_LOW]),
    radius: outline === null ? toGrid(grid, body.numbers[RADIUS]) : 0n,
    direction: directionOf(body, outline),
  }
  part.thick = outline === null ? hasInside(part) : outline.solid
  setBox(part)
  return part
}

function directionOf({ kind, numbers }: Body, outline: Outline | null): ExactDirection {
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const normalX = numbers[NORMAL_X]
  const normalY = numbers[NORMAL_Y]
  if (outline !== null || isCored({ kind })) return NO_DIRECTION
  const x = kind === ELLIPSE ? cos : normalX
  const y = kind === ELLIPSE ? sin : normalY
  const range = createInputRange()
  for (const value of [x, y, 1]) includeInput(range, value)
  const unitExponent = unitExponentOf(range)
  return { x: integerOf(x, unitExponent), y: integerOf(y, unitExponent), unit: integerOf(1, unitExponent) }
}

const NO_DIRECTION: ExactDirection = { x: 0n, y: 0n, unit: 1n }

/** Turning may have rounded a sliver to a segment, or turned it inside out: that is its edges alone. */
function hasInside(part: PlacedPart): boolean {
  const { count, vertices, numbers } = part.body
  const radius = numbers[RADIUS]
  if (!isCored(part.body) || radius > 0) return true
  if (count < 3) return false
  let area = 0
  let size = 0
  for (let i = 1; i + 1 < count; i++) {
    const px = numbers[vertices + 2 * i] - numbers[vertices]
    const py = numbers[vertices + 2 * i + 1] - numbers[vertices + 1]
    const qx = numbers[vertices + 2 * i + 2] - numbers[vertices]
    const qy = numbers[vertices + 2 * i + 3] - numbers[vertices + 1]
    area += px * qy - py * qx
    size += Math.abs(px * qy) + Math.abs(py * qx)
  }
  const doubt = SEPARATION_ERROR_RATIO * count * size + SMALLEST_SAFE_DETERMINANT
  return area > doubt || exactArea(part.body) > 0n
}

/** Twice the area enclosed, on a grid of its own. */
function exactArea({ vertices, count, numbers }: Body): bigint {
  const range = createInputRange()
  spend(count)
  for (let i = 0; i < 2 * count; i++) includeInput(range, numbers[vertices + i])
  const unit = unitExponentOf(range)
  let area = 0n
  for (let i = 0; i < count; i++) {
    const j = i + 1 === count ? 0 : i + 1
    const x = integerOf(numbers[vertices + 2 * i], unit)
    const y = integerOf(numbers[vertices + 2 * i + 1], unit)
    area += x * integerOf(numbers[vertices + 2 * j + 1], unit) - y * integerOf(numbers[vertices + 2 * j], unit)
  }
  return area
}

function setBox(part: PlacedPart): void {
  const { body, outline, x, y, box, vertices } = part
  const place = Math.abs(x) + Math.abs(y)
  if (outline === null && body.kind === HALFPLANE) {
    part.error = errorOf(place + Math.abs(body.numbers[OFFSET]))
    return
  }
  const ellipse = outline === null && body.kind === ELLIPSE
  const halfX = ellipse
    ? Math.hypot(body.numbers[RX] * body.numbers[COS], body.numbers[RY] * body.numbers[SIN])
    : outline === null
      ? body.numbers[RADIUS]
      : 0
  const halfY = ellipse
    ? Math.hypot(body.numbers[RX] * body.numbers[SIN], body.numbers[RY] * body.numbers[COS])
    : outline === null
      ? body.numbers[RADIUS]
      : 0
  const count = outline === null ? body.count : outline.vertexCount
  let minX = ellipse ? 0 : Infinity
  let minY = minX
  let maxX = -minX
  let maxY = -minX
  spend(1 + (count >> 3))
  for (let i = 0; i < count; i++) {
    minX = Math.min(minX, vertices[2 * i])
    maxX = Math.max(maxX, vertices[2 * i])
    minY = Math.min(minY, vertices[2 * i + 1])
    maxY = Math.max(maxY, vertices[2 * i + 1])
  }
  const size = Math.max(Math.abs(minX), Math.abs(maxX)) + Math.max(Math.abs(minY), Math.abs(maxY)) + halfX + halfY
  part.error = errorOf(place + size)
  box[0] = x + minX - halfX - part.error
  box[1] = y + minY - halfY - part.error
  box[2] = x + maxX + halfX + part.error
  box[3] = y + maxY + halfY + part.error
}

/** Of lengths up to this; also where it is below the normal doubles. */
function errorOf(size: number): number {
  return SEPARATION_ERROR_RATIO * size + 64 * Number.MIN_VALUE
}

function joinBox(box: Box, other: Box): void {
  box[0] = Math.min(box[0], other[0])
  box[1] = Math.min(box[1], other[1])
  box[2] = Math.max(box[2], other[2])
  box[3] = Math.max(box[3], other[3])
}

export function pieceBoxesMeet(a: Box, b: Box): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

export function commonBox(a: Box, b: Box): Box {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]
}

/** The box of edge (i, j), or of vertex i with j = i, with `reach` around it. */
export function edgeBox(part: PlacedPart, i: number, j: number, reach: number): Box {
  const { vertices, x, y, error } = part
  const around = reach + error
  const ix = x + vertices[2 * i]
  const iy = y + vertices[2 * i + 1]
  const jx = x + vertices[2 * j]
  const jy = y + vertices[2 * j + 1]
  return [Math.min(ix, jx) - around, Math.min(iy, jy) - around, Math.max(ix, jx) + around, Math.max(iy, jy) + around]
}

/** Exact core point. */
export function exactVertex(part: PlacedPart, i: number, grid: Grid): ExactPoint {
  return {
    x: part.exactX + toGrid(grid, part.vertices[2 * i]),
    y: part.exactY + toGrid(grid, part.vertices[2 * i + 1]),
  }
}

/** How many edges the part has: of a convex body those of its core, of a segment one, of a point none. */
export function edgeCountOf({ body, outline }: PlacedPart): number {
  if (outline !== null) return outline.edgeCount
  return body.kind === CIRCLE || body.count < 2 ? 0 : body.count
}

/** The vertex at which an edge ends. */
export function endOf({ body, outline }: PlacedPart, edge: number): number {
  return outline === null ? following(body, edge) : outline.edgeEnd[edge]
}
