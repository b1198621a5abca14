/**
 * Mass properties: area, centroid, and moment of inertia about the centroid.
 *
 * Method: closed forms. A rounded shape is its core, a rectangle along each edge and a sector about each corner (J. Steiner's
 * formula for parallel bodies, with its moments). Parts of a composite add up, also where they overlap.
 * Frame: lumps are relative to the first part's anchor, in units of a power of two near the body's reach; so a shape far from
 * its origin is measured as precisely as one at it, and neither the least nor the largest coordinates lose digits on the way.
 */

import { binaryExponent } from '../../numeric/exact-ring.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import type { Outline } from '../outline/outline.ts'
import { type Body, COMPOSITE, type Composite } from '../shape/body.ts'
import { following, preceding } from '../shape/edge.ts'
import { curveOf, isCurved } from '../shape/kinds.ts'
import { addPiece, clearLump, createLump } from './mass-lump.ts'
import { type Rings, setRingsLump } from './mass-rings.ts'

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

/** What the parts add up to, by their dimension. */
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
  unit = 2 ** (binaryExponent(body.reach) + 1)
  let first = body
  let firstX = body.anchorX
  let firstY = body.anchorY
  if (body.kind === COMPOSITE) {
    const { parts, partCount } = body.composite as Composite
    first = parts[0].body
    firstX = anchorX(first, parts[0].outline)
    firstY = anchorY(first, parts[0].outline)
    for (let p = 0; p < partCount; p++) {
      const { body: part, outline } = parts[p]
      const x = (part.x - first.x + (part.xLow - first.xLow) + (anchorX(part, outline) - firstX)) / unit
      const y = (part.y - first.y + (part.yLow - first.yLow) + (anchorY(part, outline) - firstY)) / unit
      if (outline === null) addConvex(part, x, y)
      else addOutline(outline, x, y)
    }
  } else addConvex(body, 0, 0)
  const lump = solid.weight > 0 ? solid : lines.weight > 0 ? lines : points
  out.x = first.x + (firstX + (first.xLow + lump.x * unit))
  out.y = first.y + (firstY + (first.yLow + lump.y * unit))
  out.area = solid.weight * unit * unit
  out.mass = out.area * density
  // In this order neither a small nor a large density makes a product of the rest over- or underflow.
  out.inertia = solid.inertia * unit * density * unit * unit * unit
}

function anchorX(part: Body, outline: Outline | null): number {
  return outline === null ? part.anchorX : outline.vertices[0]
}

function anchorY(part: Body, outline: Outline | null): number {
  return outline === null ? part.anchorY : outline.vertices[1]
}

/** The anchor of the body is at (x, y). */
function addConvex(body: Body, x: number, y: number): void {
  addPiece(points, 1, x, y, 0)
  if (isCurved(body)) {
    curveOf(body).setMoments(body, unit, moments)
    addPiece(solid, moments.area, x, y, moments.inertia)
    return
  }
  const { vertices, count } = body
  const radius = body.radius / unit
  if (count === 1) {
    const area = Math.PI * radius * radius
    addPiece(solid, area, x, y, (area * radius * radius) / 2)
    return
  }
  if (count > 2) addRings(vertices, count, null, x, y)
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
  const { local, normals, vertices, count } = body
  const j = following(body, i)
  const ex = (vertices[2 * j] - vertices[2 * i]) / unit
  const ey = (vertices[2 * j + 1] - vertices[2 * i + 1]) / unit
  const length = vectorLength(ex, ey)
  const midX = x + local[2 * i] / unit + ex / 2
  const midY = y + local[2 * i + 1] / unit + ey / 2
  if (count > 2 || i === 0) addPiece(lines, length, midX, midY, 0)
  if (radius === 0) return
  const area = length * radius
  const out = radius / 2
  const inertia = (area * (length * length + radius * radius)) / 12
  addPiece(solid, area, midX + out * normals[2 * i], midY + out * normals[2 * i + 1], inertia)
}

/** The sector about vertex `i`, between the normals of its two edges. */
function addCorner(body: Body, i: number, x: number, y: number, radius: number): void {
  const { local, normals } = body
  const h = preceding(body, i)
  const nx = normals[2 * h]
  const ny = normals[2 * h + 1]
  const mx = normals[2 * i]
  const my = normals[2 * i + 1]
  const angle = Math.abs(Math.atan2(nx * my - ny * mx, nx * mx + ny * my))
  if (angle === 0) return
  const half = angle / 2
  const area = radius * radius * half
  const sine = Math.sin(half)
  // Of the centroid from the corner, along the bisector.
  const far = (2 * radius * sine) / (3 * half)
  const cosine = Math.cos(half)
  const inertia = area * ((radius * radius) / 2 - far * far)
  const cx = x + local[2 * i] / unit + far * (cosine * nx - sine * ny)
  const cy = y + local[2 * i + 1] / unit + far * (sine * nx + cosine * ny)
  addPiece(solid, area, cx, cy, inertia)
}
