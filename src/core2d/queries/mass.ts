/**
 * Mass properties: area, centroid, and moment of inertia about the centroid.
 *
 * Method: closed forms. A rounded shape is its core, a rectangle along each edge and a sector about each corner (J. Steiner's
 * formula for parallel bodies, with its moments). Parts of a composite add up, also where they overlap.
 * Frame: lumps are relative to the first part's anchor, in units of a power of two near the body's reach; so a shape far from
 * its origin is measured as precisely as one at it, and neither the least nor the largest coordinates lose digits on the way.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import { productError, sumError } from '../../numeric/expansion.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import type { Outline } from '../outline/outline.ts'
import {
  ANCHOR_X,
  ANCHOR_Y,
  type Body,
  COMPOSITE,
  type Composite,
  following,
  isCurved,
  LOCAL,
  preceding,
  RADIUS,
  REACH,
  verticesOf,
  X,
  X_LOW,
  Y,
  Y_LOW,
} from '../shape/body.ts'
import { curveOf } from '../shape/kinds.ts'

export interface Mass {
  area: number
  mass: number
  /** World; of what has no area the mean of its lines, of what has no length the mean of its points. */
  x: number
  y: number
  inertia: number
}

export function createMass(): Mass {
  return { area: 0, mass: 0, x: 0, y: 0, inertia: 0 }
}

/** Sums over the parts, by their dimension. */
const solid = createLump()
const lines = createLump()
const points = createLump()
const core = createLump()
const moments = { area: 0, inertia: 0 }
const NONE = new Float64Array(0)
const rings: Rings = { vertices: NONE, count: 0, end: null, unit: 1 }

/** Power of two near the reach of the body. */
let unit = 1

/**
 * Fills `out` for a body without half-planes and a density ≥ 0 (mass per area). Numbers that exceed the largest double come
 * out infinite. Cost O(points).
 */
export function mass(body: Body, density: number, out: Mass): void {
  for (const lump of [solid, lines, points]) clearLump(lump)
  unit = 2 ** (binaryExponent(body.numbers[REACH]) + 1)
  let first = body
  let firstX = body.numbers[ANCHOR_X]
  let firstY = body.numbers[ANCHOR_Y]
  if (body.kind === COMPOSITE) {
    const { parts, partCount } = body.composite as Composite
    first = parts[0].body
    firstX = anchorX(first, parts[0].outline)
    firstY = anchorY(first, parts[0].outline)
    for (let p = 0; p < partCount; p++) {
      const { body: part, outline } = parts[p]
      const x =
        (part.numbers[X] -
          first.numbers[X] +
          (part.numbers[X_LOW] - first.numbers[X_LOW]) +
          (anchorX(part, outline) - firstX)) /
        unit
      const y =
        (part.numbers[Y] -
          first.numbers[Y] +
          (part.numbers[Y_LOW] - first.numbers[Y_LOW]) +
          (anchorY(part, outline) - firstY)) /
        unit
      if (outline === null) addConvex(part, x, y)
      else addOutline(outline, x, y)
    }
  } else addConvex(body, 0, 0)
  const lump = solid.weight > 0 ? solid : lines.weight > 0 ? lines : points
  out.x = first.numbers[X] + (firstX + (first.numbers[X_LOW] + lump.x * unit))
  out.y = first.numbers[Y] + (firstY + (first.numbers[Y_LOW] + lump.y * unit))
  out.area = solid.weight * unit * unit
  out.mass = out.area * density
  // In this order neither a small nor a large density makes a product of the rest over- or underflow.
  out.inertia = solid.inertia * unit * density * unit * unit * unit
}

function anchorX(part: Body, outline: Outline | null): number {
  return outline === null ? part.numbers[ANCHOR_X] : outline.vertices[0]
}

function anchorY(part: Body, outline: Outline | null): number {
  return outline === null ? part.numbers[ANCHOR_Y] : outline.vertices[1]
}

/** The anchor of the body is at (x, y). */
function addConvex(body: Body, x: number, y: number): void {
  addPiece(points, 1, x, y, 0)
  if (isCurved(body)) {
    curveOf(body).setMoments(body, unit, moments)
    addPiece(solid, moments.area, x, y, moments.inertia)
    return
  }
  const { count } = body
  const radius = body.numbers[RADIUS] / unit
  if (count === 1) {
    const area = Math.PI * radius * radius
    addPiece(solid, area, x, y, (area * radius * radius) / 2)
    return
  }
  if (count > 2) addRings(verticesOf(body), count, null, x, y)
  for (let i = 0; i < count; i++) {
    addEdge(body, i, x, y, radius)
    if (radius > 0) addCorner(body, i, x, y, radius)
  }
}

function addOutline({ vertices, edgeCount, edgeEnd, solid: isSolid }: Outline, x: number, y: number): void {
  addPiece(points, 1, x, y, 0)
  if (isSolid) addRings(vertices, edgeCount, edgeEnd, x, y)
  for (let i = 0; i < edgeCount; i++) {
    const j = edgeEnd[i]
    const ax = (vertices[2 * i] - vertices[0]) / unit
    const ay = (vertices[2 * i + 1] - vertices[1]) / unit
    const bx = (vertices[2 * j] - vertices[0]) / unit
    const by = (vertices[2 * j + 1] - vertices[1]) / unit
    addPiece(lines, vectorLength(bx - ax, by - ay), x + (ax + bx) / 2, y + (ay + by) / 2, 0)
  }
}

function addRings(vertices: Float64Array, count: number, end: Int32Array | null, x: number, y: number): void {
  rings.vertices = vertices
  rings.count = count
  rings.end = end
  rings.unit = unit
  setRingsLump(rings, core)
  rings.vertices = NONE
  rings.end = null
  addPiece(solid, core.weight, x + core.x, y + core.y, core.inertia)
}

/** Edge `i` and, with a skin, the rectangle along it. The two sides of a segment are one line. */
function addEdge(body: Body, i: number, x: number, y: number, radius: number): void {
  const { normals, vertices, count, numbers } = body
  const j = following(body, i)
  const ex = (numbers[vertices + 2 * j] - numbers[vertices + 2 * i]) / unit
  const ey = (numbers[vertices + 2 * j + 1] - numbers[vertices + 2 * i + 1]) / unit
  const length = vectorLength(ex, ey)
  const midX = x + numbers[LOCAL + 2 * i] / unit + ex / 2
  const midY = y + numbers[LOCAL + 2 * i + 1] / unit + ey / 2
  if (count > 2 || i === 0) addPiece(lines, length, midX, midY, 0)
  if (radius === 0) return
  const area = length * radius
  const out = radius / 2
  const inertia = (area * (length * length + radius * radius)) / 12
  addPiece(solid, area, midX + out * numbers[normals + 2 * i], midY + out * numbers[normals + 2 * i + 1], inertia)
}

/** The sector about vertex `i`, between the normals of its two edges. */
function addCorner(body: Body, i: number, x: number, y: number, radius: number): void {
  const { normals, numbers } = body
  const h = preceding(body, i)
  const nx = numbers[normals + 2 * h]
  const ny = numbers[normals + 2 * h + 1]
  const mx = numbers[normals + 2 * i]
  const my = numbers[normals + 2 * i + 1]
  const angle = Math.abs(Math.atan2(nx * my - ny * mx, nx * mx + ny * my))
  if (angle === 0) return
  const half = angle / 2
  const area = radius * radius * half
  const sine = Math.sin(half)
  // Of the centroid from the corner, along the bisector.
  const far = (2 * radius * sine) / (3 * half)
  const cosine = Math.cos(half)
  const inertia = area * ((radius * radius) / 2 - far * far)
  const cx = x + numbers[LOCAL + 2 * i] / unit + far * (cosine * nx - sine * ny)
  const cy = y + numbers[LOCAL + 2 * i + 1] / unit + far * (sine * nx + cosine * ny)
  addPiece(solid, area, cx, cy, inertia)
}

// Area, centroid and moment of inertia of what closed rings enclose.
//
// Method: signed triangles from a common point over the edges, after Green's theorem; first from a vertex for area and
// centroid, then from the centroid for the inertia, so that nothing large cancels however far away or slender the rings are.
// Differences and determinants keep their rounding errors (`numeric/expansion.ts`).
// Frame: relative to vertex 0, in units of `unit` (a power of two, which keeps squares and cubes from over- and underflowing).

/** Vertices x0, y0, …; edge i runs from vertex i to end[i], or to the next one around a single ring where `end` is null. */
interface Rings {
  vertices: Float64Array
  count: number
  end: Int32Array | null
  unit: number
}

/** The ends of an edge from the common point, each coordinate as a sum of two doubles. */
let px = 0
let py = 0
let qx = 0
let qy = 0
let pxLow = 0
let pyLow = 0
let qxLow = 0
let qyLow = 0

/** Twice the signed area of the triangle of the common point and the edge, as a sum of two doubles. */
let turn = 0
let turnLow = 0

/** Fills `out` for rings with the outside to the right of their edges; its weight is the area, 0 where that underflows. */
function setRingsLump(rings: Rings, out: Lump): void {
  const { count } = rings
  spend(2 * count)
  let area = 0
  let areaLow = 0
  let mx = 0
  let mxLow = 0
  let my = 0
  let myLow = 0
  for (let i = 0; i < count; i++) {
    takeEdge(rings, i, 0, 0)
    const sum = area + turn
    areaLow += sumError(area, turn, sum) + turnLow
    area = sum
    const momentX = moment(px, pxLow, qx, qxLow)
    const sumX = mx + momentX
    mxLow += sumError(mx, momentX, sumX) + low
    mx = sumX
    const momentY = moment(py, pyLow, qy, qyLow)
    const sumY = my + momentY
    myLow += sumError(my, momentY, sumY) + low
    my = sumY
  }
  const doubled = Math.max(0, area + areaLow)
  out.weight = doubled / 2
  out.x = doubled > 0 ? (mx + mxLow) / doubled / 3 : 0
  out.y = doubled > 0 ? (my + myLow) / doubled / 3 : 0
  let inertia = 0
  for (let i = 0; i < count; i++) {
    takeEdge(rings, i, out.x, out.y)
    inertia += (turn + turnLow) * (px * px + px * qx + qx * qx + py * py + py * qy + qy * qy)
  }
  out.inertia = Math.max(0, inertia / 12)
}

/** Sets the variables above for edge `i`, seen from (cx, cy). */
function takeEdge({ vertices, count, end, unit }: Rings, i: number, cx: number, cy: number): void {
  const j = end !== null ? end[i] : i + 1 === count ? 0 : i + 1
  const originX = vertices[0]
  const originY = vertices[1]
  px = difference(vertices[2 * i], originX, unit, cx)
  pxLow = low
  py = difference(vertices[2 * i + 1], originY, unit, cy)
  pyLow = low
  qx = difference(vertices[2 * j], originX, unit, cx)
  qxLow = low
  qy = difference(vertices[2 * j + 1], originY, unit, cy)
  qyLow = low
  const left = px * qy
  const right = py * qx
  turn = left - right
  turnLow =
    sumError(left, -right, turn) +
    (productError(px, qy, left) - productError(py, qx, right)) +
    (px * qyLow + pxLow * qy - (py * qxLow + pyLow * qx))
}

/** Rounding error of the last `difference` or `moment`. */
let low = 0

/** turn · (p + q), each a sum of two doubles. */
function moment(p: number, pLow: number, q: number, qLow: number): number {
  const sum = p + q
  const product = turn * sum
  low = productError(turn, sum, product) + turn * (sumError(p, q, sum) + pLow + qLow) + turnLow * sum
  return product
}

/** (value − origin) / unit − c. */
function difference(value: number, origin: number, unit: number, c: number): number {
  const from = value - origin
  const scaled = from / unit
  const result = scaled - c
  low = sumError(value, -origin, from) / unit + sumError(scaled, -c, result)
  return result
}

// Lumps: weight, centroid and moment of inertia about the centroid, of pieces and of what they add up to.
//
// Method: pieces are joined by the parallel axis theorem one at a time, as B. P. Welford ("Note on a method for calculating
// corrected sums of squares and products", Technometrics 4, 1962) updates a variance: no large terms cancel.
// Frame: any, the same for all pieces of a lump.

interface Lump {
  weight: number
  x: number
  y: number
  inertia: number
}

function createLump(): Lump {
  return { weight: 0, x: 0, y: 0, inertia: 0 }
}

function clearLump(lump: Lump): void {
  lump.weight = 0
  lump.x = 0
  lump.y = 0
  lump.inertia = 0
}

/** Adds a piece; `inertia` is about the piece's own centroid (x, y). One without weight changes nothing. */
function addPiece(lump: Lump, weight: number, x: number, y: number, inertia: number): void {
  if (!(weight > 0)) return
  const sum = lump.weight + weight
  const share = weight / sum
  const dx = x - lump.x
  const dy = y - lump.y
  lump.inertia += inertia + lump.weight * share * (dx * dx + dy * dy)
  lump.x += share * dx
  lump.y += share * dy
  lump.weight = sum
}

// The area of an outline, and of convex rings, to nearly the last bit wherever they lie.
//
// Method: as for masses, relative to a vertex and without losing rounding errors. Areas are in square units of a power
// of two, so that they neither over- nor underflow on the way.

const found = createLump()
const NO_VERTICES = new Float64Array(0)
const areaRings: Rings = { vertices: NO_VERTICES, count: 0, end: null, unit: 1 }

/** A power of two near the size of an outline. */
export function areaScale({ vertices, vertexCount }: Outline): number {
  let size = 0
  spend(vertexCount)
  for (let i = 2; i < 2 * vertexCount; i += 2) {
    size = Math.max(size, Math.abs(vertices[i] - vertices[0]), Math.abs(vertices[i + 1] - vertices[1]))
  }
  return 2 ** binaryExponent(size)
}

/** Area that a solid outline encloses, in square units. */
export function outlineArea({ vertices, edgeCount, edgeEnd }: Outline, unit: number): number {
  return areaOf(vertices, edgeCount, edgeEnd, unit)
}

/** The sum over counter-clockwise rings x0, y0, …, in square units. */
export function ringsArea(all: readonly Float64Array[], unit: number): number {
  let sum = 0
  for (const ring of all) sum += areaOf(ring, ring.length / 2, null, unit)
  return sum
}

function areaOf(vertices: Float64Array, count: number, end: Int32Array | null, unit: number): number {
  areaRings.vertices = vertices
  areaRings.count = count
  areaRings.end = end
  areaRings.unit = unit
  setRingsLump(areaRings, found)
  areaRings.vertices = NO_VERTICES
  areaRings.end = null
  return found.weight
}
