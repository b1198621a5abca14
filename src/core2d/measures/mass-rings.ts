/**
 * Area, centroid and moment of inertia of what closed rings enclose.
 *
 * Method: signed triangles from a common point over the edges, after Green's theorem; first from a vertex for area and
 * centroid, then from the centroid for the inertia, so that nothing large cancels however far away or slender the rings are.
 * Differences and determinants keep their rounding errors (`numeric/expansion.ts`).
 * Frame: relative to vertex 0, in units of `unit` (a power of two, which keeps squares and cubes from over- and underflowing).
 */
import { spend } from '../../containers/budget.ts'
import { productError, sumError } from '../../numeric/expansion.ts'
import type { Lump } from './mass-lump.ts'

/** Vertices x0, y0, …; edge i runs from vertex i to end[i], or to the next one around a single ring where `end` is null. */
export interface Rings {
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
export function setRingsLump(rings: Rings, out: Lump): void {
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

/** What the last `difference` or `moment` cut off. */
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
