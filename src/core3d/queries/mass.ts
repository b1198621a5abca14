/**
 * Mass properties of convex bodies in their own frame: volume, area, centroid, inertia about the centroid and its principal axes.
 *
 * Method: closed forms. A hull is measured by its faces (`surface-lump.ts`), its skin piece by piece (below); points,
 * spheres, segments, capsules, triangles and boxes are hulls of their corners with a skin. The area of an ellipsoid: B. C. Carlson,
 * "Numerical computation of real or complex elliptic integrals", Numerical Algorithms 10 (1995).
 * Frame: lumps are in units of a power of two near the body's size, so that nothing over- or underflows on the way.
 */

import { spend } from '../../containers/budget.ts'
import { SMALLEST_SAFE_SQUARE } from '../../numeric/roundoff.ts'
import { cross, dot, type Vector } from '../shape/body.ts'
import { convexHull } from '../shape/convex-hull.ts'
import type { ConvexHull } from '../shape/hull-surface.ts'
import { CARLSON_SPREAD, JACOBI_COUNT, TRIFLE_RATIO } from '../tolerances.ts'
import {
  addFace,
  addPiece,
  addSquare,
  clearLump,
  createCorners,
  createLump,
  hullSurface,
  type Lump,
  type Moments,
  type Surface,
  setPiece,
  setSolidLump,
  setSurfaceLump,
  setVolume,
  surfaceArea,
  takeCorner,
  unitNear,
  vectorLength3,
} from './surface-lump.ts'

export interface Mass {
  volume: number
  /** Of the whole surface; of what is flat both sides. */
  area: number
  mass: number
  /** Of what has no volume the middle of its area, of what has no area that of its length. */
  x: number
  y: number
  z: number
  /** The symmetric matrix: xy is −∫xy dm. */
  inertia: Moments
  principal: PrincipalAxes
}

export type Axis = 0 | 1 | 2

const lump = createLump()
const piece = createLump()
const ends = createCorners()

/** Volume and area of a hull alone. Cost O(corners). */
export function hullSize(points: Float64Array, hull: ConvexHull): { volume: number; area: number } {
  const surface = hullSurface(points, hull, 0)
  const { unit } = surface
  const area = surfaceArea(surface) * unit * unit
  if (hull.dimension < 3) return { volume: 0, area }
  setVolume(surface, lump)
  return { volume: lump.weight * unit * unit * unit, area }
}

/** Where a lump stands, in which unit it counts, and its area. */
export interface LumpFrame {
  area: number
  /** The lump counts in this unit, and so does the area. */
  unit: number
  /** Where the lump counts from. */
  x: number
  y: number
  z: number
}

/** Of a hull of at least one point, with a skin. Density ≥ 0. Cost O(corners). */
export function hullMass(points: Float64Array, hull: ConvexHull, radius: number, density: number): Mass {
  const { area, unit, x, y, z } = setHullLump(points, hull, radius, lump)
  const mass = massOf(lump, area, unit, density)
  mass.x = x + lump.x * unit
  mass.y = y + lump.y * unit
  mass.z = z + lump.z * unit
  return mass
}

/** Sets `lump` to the volume of a hull with a skin; of one without a volume only its place. */
export function setHullLump(points: Float64Array, hull: ConvexHull, radius: number, lump: Lump): LumpFrame {
  if (radius > 0) {
    const coarse = withoutTrifles(points, hull, radius)
    if (coarse !== null) return setHullLump(coarse, convexHull(coarse, coarse.length / 3), radius, lump)
  }
  const surface = hullSurface(points, hull, radius)
  const { unit } = surface
  const skin = radius / unit
  const [first] = hull.dimension < 2 ? hull.vertices : surface.corners
  let area = 0
  clearLump(lump)
  if (hull.dimension === 0) area = addBall(skin, lump)
  else if (hull.dimension === 1) area = addCapsule(surface, hull, skin, lump)
  else {
    area = surfaceArea(surface)
    if (hull.dimension === 3) setSolidLump(surface, lump)
    else if (skin === 0) {
      setSurfaceLump(surface, lump)
      setPiece(lump, 0, lump.x, lump.y, lump.z)
    }
    if (skin > 0) area = addSkin(surface, hull, skin, area, lump)
  }
  return { area, unit, x: points[3 * first], y: points[3 * first + 1], z: points[3 * first + 2] }
}

/** Of a cylinder about its middle. */
export function cylinderMass(radius: number, height: number, axis: Axis, density: number): Mass {
  const { area, unit } = setCylinderLump(radius, height, axis, lump)
  return massOf(lump, area, unit, density)
}

export function setCylinderLump(radius: number, height: number, axis: Axis, lump: Lump): LumpFrame {
  const unit = unitOf(radius, height)
  const r = radius / unit
  const h = height / unit
  const volume = Math.PI * r * r * h
  setPiece(lump, volume, 0, 0, 0)
  addRound(lump, (volume * r * r) / 4, (volume * h * h) / 12, axis)
  return { area: 2 * Math.PI * r * (r + h), unit, x: 0, y: 0, z: 0 }
}

/** Of a cone about the middle of its height, its tip up the axis. */
export function coneMass(radius: number, height: number, axis: Axis, density: number): Mass {
  const { area, unit } = setConeLump(radius, height, axis, lump)
  return massOf(lump, area, unit, density)
}

export function setConeLump(radius: number, height: number, axis: Axis, lump: Lump): LumpFrame {
  const unit = unitOf(radius, height)
  const r = radius / unit
  const h = height / unit
  const volume = (Math.PI * r * r * h) / 3
  const middle = [0, 0, 0]
  if (r > 0) middle[axis] = 0 - h / 4
  setPiece(lump, volume, middle[0], middle[1], middle[2])
  addRound(lump, (volume * 3 * r * r) / 20, (volume * 3 * h * h) / 80, axis)
  return { area: Math.PI * r * (r + vectorLength3(r, h, 0)), unit, x: 0, y: 0, z: 0 }
}

/** Of an ellipsoid about its middle. */
export function ellipsoidMass(radii: readonly [number, number, number], density: number): Mass {
  const { area, unit } = setEllipsoidLump(radii, lump)
  return massOf(lump, area, unit, density)
}

export function setEllipsoidLump(radii: readonly [number, number, number], lump: Lump): LumpFrame {
  const unit = unitOf(...radii)
  const [a, b, c] = radii.map((radius) => radius / unit)
  const volume = (4 / 3) * Math.PI * a * b * c
  setPiece(lump, volume, 0, 0, 0)
  lump.xx = (volume * a * a) / 5
  lump.yy = (volume * b * b) / 5
  lump.zz = (volume * c * c) / 5
  return { area: ellipsoidArea(a, b, c), unit, x: 0, y: 0, z: 0 }
}

/**
 * The points with what is nothing beside the whole set to 0, or null where there is no such coordinate. Below a skin no answer hangs
 * on it, but the normals of faces so thin would be products that no double holds.
 */
function withoutTrifles(points: Float64Array, hull: ConvexHull, radius: number): Float64Array | null {
  const { unit } = hullSurface(points, hull, radius)
  const isTrifle = (c: number): boolean => c !== 0 && Math.abs(c / unit) < TRIFLE_RATIO
  return points.some(isTrifle) ? points.map((c) => (isTrifle(c) ? 0 : c)) : null
}

function unitOf(...lengths: readonly number[]): number {
  return unitNear(Math.max(...lengths))
}

/** The properties of a lump: its place counts from where the lump does. */
export function massOf(of: Lump, area: number, unit: number, density: number): Mass {
  const moment = (value: number): number => value * unit * density * unit * unit * unit * unit + 0
  const volume = of.weight * unit * unit * unit
  const principal = principalAxes(of)
  return {
    volume,
    area: area * unit * unit,
    mass: volume * density,
    x: of.x * unit,
    y: of.y * unit,
    z: of.z * unit,
    inertia: {
      xx: moment(of.yy + of.zz),
      yy: moment(of.xx + of.zz),
      zz: moment(of.xx + of.yy),
      xy: moment(-of.xy),
      xz: moment(-of.xz),
      yz: moment(-of.yz),
    },
    principal: {
      moments: principal.moments.map(moment) as [number, number, number],
      orientation: principal.orientation,
    },
  }
}

/** Sets the moments of what is round about an axis. */
function addRound(moments: Moments, across: number, along: number, axis: Axis): void {
  moments.xx = axis === 0 ? along : across
  moments.yy = axis === 1 ? along : across
  moments.zz = axis === 2 ? along : across
}

/** Returns its area. */
function addBall(radius: number, lump: Lump): number {
  const volume = (4 / 3) * Math.PI * radius ** 3
  setPiece(piece, volume, 0, 0, 0)
  const moment = (volume * radius * radius) / 5
  piece.xx = moment
  piece.yy = moment
  piece.zz = moment
  addPiece(lump, piece)
  return 4 * Math.PI * radius * radius
}

/** Returns its area. The lump is relative to the first end, also of a segment, which has no volume. */
function addCapsule(surface: Surface, { vertices }: ConvexHull, radius: number, lump: Lump): number {
  takeCorner(surface, vertices[1], vertices[0], [0, 0, 0], 0, ends)
  const [x, y, z] = ends.high
  const length = vectorLength3(x, y, z)
  const tube = Math.PI * radius * radius * length
  const cap = (2 / 3) * Math.PI * radius ** 3
  const far = length / 2 + (3 * radius) / 8
  const across = tube * radius * radius * 0.25 + 2 * cap * radius * radius * 0.2
  const along = (tube * length * length) / 12 + 2 * cap * (radius * radius * (1 / 5 - 9 / 64) + far * far)
  setPiece(lump, tube + 2 * cap, x / 2, y / 2, z / 2)
  lump.xx = across
  lump.yy = across
  lump.zz = across
  addSquare(lump, along - across, x / length, y / length, z / length)
  return 2 * Math.PI * radius * length + 4 * Math.PI * radius * radius
}

// Principal axes: the turn in which a tensor of inertia is diagonal.
//
// Method: C. G. J. Jacobi's rotations (1846), as in G. H. Golub, C. F. Van Loan, "Matrix Computations", section 8.5, on the second
// moments, which are never negative: so the small ones keep their digits beside large ones.
// Order: by moment of inertia, least first; equal ones in the order of the axes that they are nearest to. The largest coordinate of
// each of the first two axes is positive.

interface PrincipalAxes {
  /** Of inertia, per density and of the same unit as what they are made from. */
  moments: [number, number, number]
  /** Unit quaternion x, y, z, w, w ≥ 0: from the principal axes to the frame of the moments. */
  orientation: [number, number, number, number]
}

type Row = [number, number, number]

/** Of second moments about the centroid. */
function principalAxes({ xx, yy, zz, xy, xz, yz }: Moments): PrincipalAxes {
  const a: Row[] = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ]
  /** Its columns are the axes. */
  const v: Row[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  for (let sweep = 0; sweep < JACOBI_COUNT && (a[0][1] !== 0 || a[0][2] !== 0 || a[1][2] !== 0); sweep++) {
    rotate(a, v, 0, 1)
    rotate(a, v, 0, 2)
    rotate(a, v, 1, 2)
  }
  const inertia = [a[1][1] + a[2][2], a[0][0] + a[2][2], a[0][0] + a[1][1]]
  const order = [0, 1, 2].sort((i, j) => inertia[i] - inertia[j] || i - j)
  const first = upright(v.map((row) => row[order[0]]) as Row)
  const second = upright(v.map((row) => row[order[1]]) as Row)
  const third: Row = [
    first[1] * second[2] - first[2] * second[1],
    first[2] * second[0] - first[0] * second[2],
    first[0] * second[1] - first[1] * second[0],
  ]
  return {
    moments: order.map((k) => inertia[k]) as Row,
    orientation: quaternion(first, second, third),
  }
}

/** Turns axes p and q so that they have no product. */
function rotate(a: Row[], v: Row[], p: number, q: number): void {
  const product = a[p][q]
  // A product that changes neither counts as 0.
  if (a[p][p] + Math.abs(product) === a[p][p] && a[q][q] + Math.abs(product) === a[q][q]) {
    a[p][q] = a[q][p] = 0
    return
  }
  const slope = (a[q][q] - a[p][p]) / (2 * product)
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.sqrt(slope * slope + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  const r = 3 - p - q
  const [rp, rq] = [a[r][p], a[r][q]]
  a[p][p] -= tangent * product
  a[q][q] += tangent * product
  a[p][q] = a[q][p] = 0
  a[r][p] = a[p][r] = cosine * rp - sine * rq
  a[r][q] = a[q][r] = sine * rp + cosine * rq
  for (const row of v) {
    const [vp, vq] = [row[p], row[q]]
    row[p] = cosine * vp - sine * vq
    row[q] = sine * vp + cosine * vq
  }
}

function upright([x, y, z]: Row): Row {
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  const leading = Math.abs(x) === largest ? x : Math.abs(y) === largest ? y : z
  return leading < 0 ? [0 - x, 0 - y, 0 - z] : [x, y, z]
}

/** Of the rotation with these columns. S. W. Shepperd, "Quaternion from rotation matrix", 1978: the largest coordinate first. */
function quaternion(a: Row, b: Row, c: Row): [number, number, number, number] {
  const squares = [1 + a[0] - b[1] - c[2], 1 - a[0] + b[1] - c[2], 1 - a[0] - b[1] + c[2], 1 + a[0] + b[1] + c[2]]
  const [yz, zx, xy] = [b[2] - c[1], c[0] - a[2], a[1] - b[0]]
  const [sumYz, sumZx, sumXy] = [b[2] + c[1], c[0] + a[2], a[1] + b[0]]
  const largest = squares.indexOf(Math.max(...squares))
  const rows = [
    [squares[0], sumXy, sumZx, yz],
    [sumXy, squares[1], sumYz, zx],
    [sumZx, sumYz, squares[2], xy],
    [yz, zx, xy, squares[3]],
  ]
  const row = rows[largest]
  const length = Math.sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3])
  const sign = row[3] < 0 ? -1 : 1
  return row.map((x) => (sign * x) / length + 0) as [number, number, number, number]
}

// The area of an ellipsoid.
//
// Method: it is 4π R_G(a²b², a²c², b²c²), here over a²b² (NIST Digital Library of Mathematical Functions, 19.33.1), with R_G from R_F
// and R_D (19.21.10), and these by duplication and a series: B. C. Carlson, "Numerical computation of real or complex elliptic
// integrals", Numerical Algorithms 10 (1995).

/** Of radii ≥ 0, the greatest near 1. Those that are 0 beside it leave a disc or a needle. */
export function ellipsoidArea(...radii: readonly [number, number, number]): number {
  const [a, b, c] = radii.toSorted((p, q) => q - p)
  if (b === 0) return 0
  // The formula below wants the middle one last: then nothing cancels.
  return 4 * Math.PI * a * b * symmetricSecond(1, (c / a) ** 2, (c / b) ** 2)
}

/** R_G, z between x and y. */
function symmetricSecond(x: number, y: number, z: number): number {
  // Two sides of a disc: its rim is less than a roundoff of them.
  if (z < SMALLEST_SAFE_SQUARE) return Math.sqrt(x) / 2
  const root = y === 0 ? 0 : Math.sqrt((x * y) / z)
  return (z * symmetricFirst(x, y, z) - ((x - z) * (y - z) * symmetricDegenerate(x, y, z)) / 3 + root) / 2
}

/** R_F. */
function symmetricFirst(givenX: number, givenY: number, givenZ: number): number {
  let [x, y, z] = [givenX, givenY, givenZ]
  let mean = (x + y + z) / 3
  while (Math.max(Math.abs(x - mean), Math.abs(y - mean), Math.abs(z - mean)) > CARLSON_SPREAD * mean) {
    spend(1)
    const shift = Math.sqrt(x * y) + Math.sqrt(x * z) + Math.sqrt(y * z)
    x = (x + shift) / 4
    y = (y + shift) / 4
    z = (z + shift) / 4
    mean = (x + y + z) / 3
  }
  const p = 1 - x / mean
  const q = 1 - y / mean
  const r = -p - q
  const second = p * q - r * r
  const third = p * q * r
  return (1 - second / 10 + third / 14 + (second * second) / 24 - (3 * second * third) / 44) / Math.sqrt(mean)
}

/** R_D. */
function symmetricDegenerate(givenX: number, givenY: number, givenZ: number): number {
  let [x, y, z] = [givenX, givenY, givenZ]
  let mean = (x + y + 3 * z) / 5
  let sum = 0
  let power = 1
  while (Math.max(Math.abs(x - mean), Math.abs(y - mean), Math.abs(z - mean)) > CARLSON_SPREAD * mean) {
    spend(1)
    const shift = Math.sqrt(x * y) + Math.sqrt(x * z) + Math.sqrt(y * z)
    sum += power / (Math.sqrt(z) * (z + shift))
    power /= 4
    x = (x + shift) / 4
    y = (y + shift) / 4
    z = (z + shift) / 4
    mean = (x + y + 3 * z) / 5
  }
  const p = 1 - x / mean
  const q = 1 - y / mean
  const r = -(p + q) / 3
  const second = p * q - 6 * r * r
  const third = (3 * p * q - 8 * r * r) * r
  const fourth = 3 * (p * q - r * r) * r * r
  const fifth = p * q * r * r * r
  const series =
    1 -
    (3 * second) / 14 +
    third / 6 +
    (9 * second * second) / 88 -
    (3 * fourth) / 22 -
    (9 * second * third) / 52 +
    (3 * fifth) / 26
  return 3 * sum + (power * series) / (mean * Math.sqrt(mean))
}

// The volume, area, centroid and second moments that a skin of some radius adds to a convex hull.
//
// Method: J. Steiner's formula for parallel bodies, piece by piece, with moments: a slab on each face, a sector of a cylinder along
// each edge, a sector of a ball about each corner. The unit normals of a corner's sector fill a polygon of arcs; their first and
// second moments are integrals along these arcs, since on a unit sphere the Laplacian of a coordinate is −2 times it, and that of
// a product of two −6 times it and twice their scalar product: so ∫ n = ½ Σ θ m and ∫ n nᵀ = ⅙ (2 Ω + Σ (m Xᵀ + X mᵀ)) over arcs of
// length θ with inward normals m and ∫ n ds = X. Solid angles: F. Eriksson, "On the measure of solid angles", Mathematics Magazine 63
// (1990).
// Frame: relative to the first corner of the surface, in its unit.

const corners = createCorners()

/** Of half-edge e of the hull: unit vector along it, angle between its faces' normals, the unit vector halfway between these. */
interface Arc {
  along: Vector
  angle: number
  middle: Vector
}

/** Adds the skin of a flat or solid hull to `out`; returns the area of the whole, given that of the core's surface. */
function addSkin(surface: Surface, hull: ConvexHull, radius: number, coreArea: number, out: Lump): number {
  const { origins, twins, faces, vertices } = hull
  const faceCount = surface.starts.length - 1
  const normals: Vector[] = []
  for (let f = 0; f < faceCount; f++) normals.push(addFace(surface, f, radius, out))
  spend(8 * origins.length)
  let area = coreArea + 4 * Math.PI * radius * radius
  const arcs: Arc[] = []
  for (let e = 0; e < origins.length; e++) {
    takeEdge(surface, hull, e)
    const [x, y, z] = corners.high.subarray(3, 6)
    const length = vectorLength3(x, y, z)
    const along: Vector = [x / length, y / length, z / length]
    const normal = normals[faces[e]]
    const other = normals[faces[twins[e]]]
    const angle = Math.atan2(Math.max(0, dot(along, cross(normal, other))), dot(normal, other))
    const [sine, cosine] = [Math.sin(angle / 2), Math.cos(angle / 2)]
    const sideways = cross(along, normal)
    const middle: Vector = [
      cosine * normal[0] + sine * sideways[0],
      cosine * normal[1] + sine * sideways[1],
      cosine * normal[2] + sine * sideways[2],
    ]
    arcs.push({ along, angle, middle })
    if (twins[e] < e) continue
    area += angle * radius * length
    addEdgeSector(arcs[e], length, radius, out)
  }
  const firsts = firstEdges(hull)
  for (let k = 0; k < vertices.length; k++) addCornerSector(surface, hull, firsts[k], normals, arcs, radius, out)
  return area
}

/** Corner 0 is where a half-edge starts, seen from the first corner; corner 1 where it ends, seen from that. */
function takeEdge(surface: Surface, { origins, twins, vertices }: ConvexHull, e: number): void {
  const start = vertices[origins[e]]
  takeCorner(surface, start, surface.corners[0], [0, 0, 0], 0, corners)
  takeCorner(surface, vertices[origins[twins[e]]], start, [0, 0, 0], 1, corners)
}

function addEdgeSector({ along, angle, middle }: Arc, length: number, radius: number, out: Lump): void {
  const { high } = corners
  const volume = (angle * radius * radius * length) / 2
  // Of the centroid from the edge; a narrow sector's is at two thirds of the radius.
  const far = angle > 0 ? (4 * radius * Math.sin(angle / 2)) / (3 * angle) : (2 * radius) / 3
  const place = [0, 1, 2].map((axis) => high[axis] + high[axis + 3] / 2 + far * middle[axis])
  setPiece(piece, volume, place[0], place[1], place[2])
  addSquare(piece, (volume * length * length) / 12, along[0], along[1], along[2])
  const ratio = angle > 0 ? Math.sin(angle) / angle : 1
  const across = cross(along, middle)
  addSquare(piece, volume * ((radius * radius * (1 + ratio)) / 4 - far * far), middle[0], middle[1], middle[2])
  addSquare(piece, (volume * radius * radius * (1 - ratio)) / 4, across[0], across[1], across[2])
  addPiece(out, piece)
}

/** Of each corner a half-edge that starts there. */
function firstEdges({ origins, vertices }: ConvexHull): Int32Array {
  const firsts = new Int32Array(vertices.length)
  for (let e = 0; e < origins.length; e++) firsts[origins[e]] = e
  return firsts
}

function addCornerSector(
  surface: Surface,
  hull: ConvexHull,
  first: number,
  normals: readonly Vector[],
  arcs: readonly Arc[],
  radius: number,
  out: Lump,
): void {
  const { twins, faces, faceStarts } = hull
  /** ∫ n and ∫ n nᵀ over the unit normals, and how many there are. */
  const sum: [number, number, number] = [0, 0, 0]
  const squares = createLump()
  let angle = 0
  const { middle: start } = arcs[first]
  let e = first
  do {
    // Round the corner, counter-clockwise: over edge e, the face left of it, and on to that face's other edge.
    const { along, middle, angle: length } = arcs[e]
    const chord = 2 * Math.sin(length / 2)
    for (let axis = 0; axis < 3; axis++) sum[axis] -= (length / 2) * along[axis]
    addProduct(squares, -chord / 6, along, middle)
    const next = twins[e === faceStarts[faces[e]] ? faceStarts[faces[e] + 1] - 1 : e - 1]
    angle += solidAngle(start, normals[faces[e]], arcs[next].middle)
    if (next !== first) angle += solidAngle(start, arcs[next].middle, normals[faces[next]])
    e = next
  } while (e !== first)
  if (!(angle > 0)) return
  takeEdge(surface, hull, first)
  const { high } = corners
  const volume = (angle * radius ** 3) / 3
  const [x, y, z] = sum.map((c) => (0.75 * radius * c) / angle)
  setPiece(piece, volume, high[0] + x, high[1] + y, high[2] + z)
  const share = radius ** 5 / 5
  piece.xx = share * (squares.xx + angle / 3)
  piece.yy = share * (squares.yy + angle / 3)
  piece.zz = share * (squares.zz + angle / 3)
  piece.xy = share * squares.xy
  piece.xz = share * squares.xz
  piece.yz = share * squares.yz
  addSquare(piece, -volume, x, y, z)
  addPiece(out, piece)
}

/** Adds weight · (m nᵀ + n mᵀ). */
function addProduct(moments: Moments, weight: number, [mx, my, mz]: Vector, [nx, ny, nz]: Vector): void {
  moments.xx += 2 * weight * mx * nx
  moments.yy += 2 * weight * my * ny
  moments.zz += 2 * weight * mz * nz
  moments.xy += weight * (mx * ny + my * nx)
  moments.xz += weight * (mx * nz + mz * nx)
  moments.yz += weight * (my * nz + mz * ny)
}

/** Of the triangle of arcs between three unit vectors, positive where they turn left seen from outside. */
function solidAngle(a: Vector, b: Vector, c: Vector): number {
  return 2 * Math.atan2(dot(a, cross(b, c)), 1 + dot(a, b) + dot(b, c) + dot(c, a))
}
