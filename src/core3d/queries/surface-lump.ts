/**
 * Volume, centroid and second moments of the solid inside a closed surface, and area, centroid and moments of the surface itself.
 *
 * Method: signed tetrahedra from a common point over the triangles, after the divergence theorem; first from a corner for volume
 * and centroid (of a convex surface none of them is negative, so that nothing cancels), then from the centroid for the moments. Sums
 * keep their rounding errors. Moments of a simplex: that of its corners and their sum.
 * Frame: relative to the first corner, in the surface's unit.
 */

import { spend } from '../../containers/budget.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import { productError, sumError } from '../../numeric/expansion.ts'
import { vectorLength } from '../../numeric/safe-range.ts'
import type { ConvexHull } from '../shape/hull-surface.ts'

// Lumps in space: weight, centroid and second moments about it, of pieces and of their sum.
//
// Method: as `core2d/queries/mass.ts`, one piece at a time by the parallel axis theorem: no large terms cancel.
// Frame: any, the same for all pieces of a lump.

/** ∫ (p − c)(p − c)ᵀ over what is meant, c its centroid: a symmetric matrix. */
export interface Moments {
  xx: number
  yy: number
  zz: number
  xy: number
  xz: number
  yz: number
}

export interface Lump extends Moments {
  weight: number
  x: number
  y: number
  z: number
}

export function createLump(): Lump {
  return { weight: 0, x: 0, y: 0, z: 0, xx: 0, yy: 0, zz: 0, xy: 0, xz: 0, yz: 0 }
}

export function clearLump(lump: Lump): void {
  lump.weight = 0
  lump.x = 0
  lump.y = 0
  lump.z = 0
  clearMoments(lump)
}

function clearMoments(moments: Moments): void {
  moments.xx = 0
  moments.yy = 0
  moments.zz = 0
  moments.xy = 0
  moments.xz = 0
  moments.yz = 0
}

/** Adds weight · v vᵀ. */
export function addSquare(moments: Moments, weight: number, x: number, y: number, z: number): void {
  moments.xx += weight * x * x
  moments.yy += weight * y * y
  moments.zz += weight * z * z
  moments.xy += weight * x * y
  moments.xz += weight * x * z
  moments.yz += weight * y * z
}

/** Adds a piece, its moments about its own centroid. One without weight changes nothing. */
export function addPiece(lump: Lump, piece: Lump): void {
  if (!(piece.weight > 0)) return
  const sum = lump.weight + piece.weight
  const share = piece.weight / sum
  const dx = piece.x - lump.x
  const dy = piece.y - lump.y
  const dz = piece.z - lump.z
  lump.xx += piece.xx
  lump.yy += piece.yy
  lump.zz += piece.zz
  lump.xy += piece.xy
  lump.xz += piece.xz
  lump.yz += piece.yz
  addSquare(lump, lump.weight * share, dx, dy, dz)
  lump.x += share * dx
  lump.y += share * dy
  lump.z += share * dz
  lump.weight = sum
}

/** Sets a piece without extent of its own. */
export function setPiece(piece: Lump, weight: number, x: number, y: number, z: number): void {
  piece.weight = weight
  piece.x = x
  piece.y = y
  piece.z = z
  clearMoments(piece)
}

type Eye = readonly [number, number, number]

const ORIGIN: Eye = [0, 0, 0]
const corners = createCorners()
const span = new Float64Array(2)
const cross = new Float64Array(6)
const piece = createLump()

/** Sums without loss: volume (six times) and first moments (24 times), then what was cut off each. */
const sums = new Float64Array(8)

function addTo(place: number, value: number, low: number): void {
  const sum = sums[place] + value
  sums[place + 4] += sumError(sums[place], value, sum) + low
  sums[place] = sum
}

/** Calls `visit` for each triangle of the surface with the places of its corners in `surface.corners`. */
function eachTriangle({ starts }: Surface, visit: (a: number, b: number, c: number) => void): void {
  for (let f = 0; f + 1 < starts.length; f++) {
    spend(2 * (starts[f + 1] - starts[f]))
    for (let k = starts[f] + 2; k < starts[f + 1]; k++) visit(starts[f], k - 1, k)
  }
}

function takeTriangle(surface: Surface, a: number, b: number, c: number, eye: Eye): void {
  const { corners: of } = surface
  takeCorner(surface, of[a], of[0], eye, 0, corners)
  takeCorner(surface, of[b], of[0], eye, 1, corners)
  takeCorner(surface, of[c], of[0], eye, 2, corners)
}

/** Sets the weight of `out` to the volume, in cubic units, and its place to the centroid; not its moments. */
export function setVolume(surface: Surface, out: Lump): void {
  clearLump(out)
  sums.fill(0)
  const { high } = corners
  eachTriangle(surface, (a, b, c) => {
    takeTriangle(surface, a, b, c, ORIGIN)
    spanCorners(corners, span)
    addTo(0, span[0], span[1])
    for (let axis = 0; axis < 3; axis++) {
      const sum = high[axis] + high[axis + 3] + high[axis + 6]
      addTo(axis + 1, span[0] * sum, span[1] * sum)
    }
  })
  const volume = sums[0] + sums[4]
  if (!(volume > 0)) return
  out.weight = volume / 6
  out.x = (sums[1] + sums[5]) / volume / 4
  out.y = (sums[2] + sums[6]) / volume / 4
  out.z = (sums[3] + sums[7]) / volume / 4
}

/** Sets `out` to the volume, its centroid and its second moments. */
export function setSolidLump(surface: Surface, out: Lump): void {
  setVolume(surface, out)
  if (out.weight === 0) return
  const eye: Eye = [out.x, out.y, out.z]
  const { high } = corners
  eachTriangle(surface, (a, b, c) => {
    takeTriangle(surface, a, b, c, eye)
    spanCorners(corners, span)
    const share = (span[0] + span[1]) / 120
    for (let k = 0; k < 9; k += 3) addSquare(out, share, high[k], high[k + 1], high[k + 2])
    addSquare(out, share, high[0] + high[3] + high[6], high[1] + high[4] + high[7], high[2] + high[5] + high[8])
  })
}

/** The area of the surface, in square units. */
export function surfaceArea(surface: Surface): number {
  let area = 0
  for (let f = 0; f + 1 < surface.starts.length; f++) {
    setVectorArea(surface, f)
    area += vectorLength3(vectorArea[0], vectorArea[1], vectorArea[2]) / 2
  }
  return area
}

/** Twice the area of a face, along its outward normal. */
const vectorArea = new Float64Array(3)

function setVectorArea(surface: Surface, f: number): void {
  const { corners: of, starts } = surface
  const first = starts[f]
  spend(2 * (starts[f + 1] - first))
  vectorArea.fill(0)
  takeCorner(surface, of[first + 1], of[first], ORIGIN, 2, corners)
  const { high, low } = corners
  for (let k = first + 2; k < starts[f + 1]; k++) {
    high.copyWithin(3, 6, 9)
    low.copyWithin(3, 6, 9)
    takeCorner(surface, of[k], of[first], ORIGIN, 2, corners)
    crossCorners(corners, cross)
    for (let axis = 0; axis < 3; axis++) vectorArea[axis] += cross[axis] + cross[axis + 3]
  }
}

/** The area of the surface, in square units, its centroid and its moments. */
export function setSurfaceLump(surface: Surface, out: Lump): void {
  clearLump(out)
  const faceCount = surface.starts.length - 1
  for (let f = 0; f < faceCount; f++) addFace(surface, f, 0, out)
}

/**
 * Adds face f with its area as weight, or, with a thickness in units, the slab on its outside, with its volume. Returns the outward
 * unit normal.
 */
export function addFace(surface: Surface, f: number, thickness: number, out: Lump): [number, number, number] {
  const { corners: of, starts } = surface
  const first = starts[f]
  const size = starts[f + 1] - first
  spend(2 * size)
  setVectorArea(surface, f)
  takeCorner(surface, of[first], of[0], ORIGIN, 0, corners)
  const [ax, ay, az] = corners.high
  const [nx, ny, nz] = vectorArea
  const length = vectorLength3(nx, ny, nz)
  const normal: [number, number, number] = length > 0 ? [nx / length, ny / length, nz / length] : [0, 0, 0]
  const half = thickness / 2
  for (let k = first + 2; k < first + size; k++) {
    takeCorner(surface, of[k - 1], of[first], ORIGIN, 1, corners)
    takeCorner(surface, of[k], of[first], ORIGIN, 2, corners)
    crossCorners(corners, cross)
    const area = vectorLength3(cross[0] + cross[3], cross[1] + cross[4], cross[2] + cross[5]) / 2
    const weight = thickness === 0 ? area : area * thickness
    const { high } = corners
    const [ux, uy, uz] = [high[3], high[4], high[5]]
    const [vx, vy, vz] = [high[6], high[7], high[8]]
    const [gx, gy, gz] = [(ux + vx) / 3, (uy + vy) / 3, (uz + vz) / 3]
    setPiece(piece, weight, ax + gx + half * normal[0], ay + gy + half * normal[1], az + gz + half * normal[2])
    addSquare(piece, weight / 12, gx, gy, gz)
    addSquare(piece, weight / 12, ux - gx, uy - gy, uz - gz)
    addSquare(piece, weight / 12, vx - gx, vy - gy, vz - gz)
    addSquare(piece, (weight * thickness * thickness) / 12, normal[0], normal[1], normal[2])
    addPiece(out, piece)
  }
  return normal
}

/** √(x² + y² + z²) for coordinates near 1 and far below it. */
export function vectorLength3(x: number, y: number, z: number): number {
  return vectorLength(vectorLength(x, y), z)
}

// A closed surface of planar faces, and what the corners of its triangles span, to twice the digits of a double.
//
// Method: each face is a fan of triangles from its first corner. Differences keep what rounding cuts off, and so do products and
// sums of them (`numeric/expansion.ts`): neither distance from the origin nor thinness costs digits.
// Frame: relative to a corner, in units of a power of two near the largest coordinate.

export interface Surface {
  /** x0, y0, z0, x1, … */
  points: Float64Array
  /** Face by face its corners, counter-clockwise from outside, as indices of the points. */
  corners: Int32Array
  /** The corners of face f are starts[f] … starts[f + 1] − 1. */
  starts: Int32Array
  /** A power of two. */
  unit: number
}

/** Of a hull and a skin about it. Its unit is of the size of the largest coordinate, or of the skin. */
export function hullSurface(
  points: Float64Array,
  { vertices, origins, faceStarts }: ConvexHull,
  radius: number,
): Surface {
  spend(vertices.length + origins.length)
  return {
    points,
    corners: origins.map((k) => vertices[k]),
    starts: faceStarts,
    unit: unitOf(points, vertices, radius),
  }
}

function unitOf(points: Float64Array, vertices: Int32Array, radius: number): number {
  let largest = radius
  for (let k = 0; k < vertices.length; k++) {
    const i = 3 * vertices[k]
    largest = Math.max(largest, Math.abs(points[i]), Math.abs(points[i + 1]), Math.abs(points[i + 2]))
  }
  return unitNear(largest)
}

/** A power of two near a size; 1 for 0. */
export function unitNear(size: number): number {
  return size === 0 ? 1 : 2 ** binaryExponent(size)
}

/** Three corners of a triangle from a common point: each coordinate is high + low. */
interface Corners {
  high: Float64Array
  low: Float64Array
}

export function createCorners(): Corners {
  return { high: new Float64Array(9), low: new Float64Array(9) }
}

/** Puts point i, seen from point `from` and then from (x, y, z), in the place 0, 1 or 2. */
export function takeCorner(
  { points, unit }: Surface,
  i: number,
  from: number,
  eye: readonly [number, number, number],
  place: number,
  out: Corners,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const value = points[3 * i + axis] / unit
    const origin = points[3 * from + axis] / unit
    const difference = value - origin
    const high = difference - eye[axis]
    out.high[3 * place + axis] = high
    out.low[3 * place + axis] = sumError(value, -origin, difference) + sumError(difference, -eye[axis], high)
  }
}

/** Sets `out` to the cross product of corners 1 and 2: three highs, three lows. */
function crossCorners({ high, low }: Corners, out: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    const i = axis === 2 ? 0 : axis + 1
    const j = axis === 0 ? 2 : axis - 1
    const left = high[3 + i] * high[6 + j]
    const right = high[3 + j] * high[6 + i]
    const leftLow = productError(high[3 + i], high[6 + j], left) + (high[3 + i] * low[6 + j] + low[3 + i] * high[6 + j])
    const rightLow =
      productError(high[3 + j], high[6 + i], right) + (high[3 + j] * low[6 + i] + low[3 + j] * high[6 + i])
    const difference = left - right
    out[axis] = difference
    out[axis + 3] = sumError(left, -right, difference) + (leftLow - rightLow)
  }
}

/** Six times the signed volume of the tetrahedron of the common point and the corners: out[0] + out[1]. */
function spanCorners(corners: Corners, out: Float64Array): void {
  crossCorners(corners, cross)
  let sum = 0
  let rest = 0
  for (let axis = 0; axis < 3; axis++) {
    const a = corners.high[axis]
    const product = a * cross[axis]
    rest += productError(a, cross[axis], product) + (a * cross[axis + 3] + corners.low[axis] * cross[axis])
    const next = sum + product
    rest += sumError(sum, product, next)
    sum = next
  }
  out[0] = sum
  out[1] = rest
}
