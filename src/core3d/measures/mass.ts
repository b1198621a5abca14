/**
 * Mass properties of convex bodies in their own frame: volume, area, centroid, inertia about the centroid and its principal axes.
 *
 * Method: closed forms. A hull is measured by its faces (`surface-lump.ts`), its skin piece by piece (`rounded-hull.ts`); points,
 * spheres, segments, capsules, triangles and boxes are hulls of their corners with a skin. The area of an ellipsoid: B. C. Carlson,
 * "Numerical computation of real or complex elliptic integrals", Numerical Algorithms 10 (1995).
 * Frame: lumps are in units of a power of two near the body's size, so that nothing over- or underflows on the way.
 */

import { binaryExponent } from '../../numeric/exact-ring.ts'
import { convexHull } from '../points/convex-hull.ts'
import type { ConvexHull } from '../points/hull-surface.ts'
import { TRIFLE_RATIO } from '../tolerances.ts'
import { ellipsoidArea } from './ellipsoid-area.ts'
import { addPiece, addSquare, clearLump, createLump, type Lump, type Moments, setPiece } from './lump.ts'
import { type PrincipalAxes, principalAxes } from './principal-axes.ts'
import { addSkin } from './rounded-hull.ts'
import { createCorners, hullSurface, type Surface, takeCorner } from './surface-corners.ts'
import { setSolidLump, setSurfaceLump, setVolume, surfaceArea, vectorLength3 } from './surface-lump.ts'

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

/** Of a hull of at least one point, with a skin. Density ≥ 0. Cost O(corners). */
export function hullMass(points: Float64Array, hull: ConvexHull, radius: number, density: number): Mass {
  if (radius > 0) {
    const coarse = withoutTrifles(points, hull, radius)
    if (coarse !== null) return hullMass(coarse, convexHull(coarse, coarse.length / 3), radius, density)
  }
  const surface = hullSurface(points, hull, radius)
  const { unit } = surface
  const skin = radius / unit
  const [first] = hull.dimension < 2 ? hull.vertices : surface.corners
  let area = 0
  clearLump(lump)
  if (hull.dimension === 0) area = addBall(skin)
  else if (hull.dimension === 1) area = addCapsule(surface, hull, skin)
  else {
    area = surfaceArea(surface)
    if (hull.dimension === 3) setSolidLump(surface, lump)
    else if (skin === 0) {
      setSurfaceLump(surface, lump)
      setPiece(lump, 0, lump.x, lump.y, lump.z)
    }
    if (skin > 0) area = addSkin(surface, hull, skin, area, lump)
  }
  const mass = massOf(lump, area, unit, density)
  mass.x = points[3 * first] + lump.x * unit
  mass.y = points[3 * first + 1] + lump.y * unit
  mass.z = points[3 * first + 2] + lump.z * unit
  return mass
}

/** Of a cylinder about its middle. */
export function cylinderMass(radius: number, height: number, axis: Axis, density: number): Mass {
  const unit = unitOf(radius, height)
  const r = radius / unit
  const h = height / unit
  const volume = Math.PI * r * r * h
  setPiece(lump, volume, 0, 0, 0)
  addRound(lump, (volume * r * r) / 4, (volume * h * h) / 12, axis)
  return massOf(lump, 2 * Math.PI * r * (r + h), unit, density)
}

/** Of a cone about the middle of its height, its tip up the axis. */
export function coneMass(radius: number, height: number, axis: Axis, density: number): Mass {
  const unit = unitOf(radius, height)
  const r = radius / unit
  const h = height / unit
  const volume = (Math.PI * r * r * h) / 3
  const middle = [0, 0, 0]
  if (r > 0) middle[axis] = 0 - h / 4
  setPiece(lump, volume, middle[0], middle[1], middle[2])
  addRound(lump, (volume * 3 * r * r) / 20, (volume * 3 * h * h) / 80, axis)
  return massOf(lump, Math.PI * r * (r + vectorLength3(r, h, 0)), unit, density)
}

/** Of an ellipsoid about its middle. */
export function ellipsoidMass(radii: readonly [number, number, number], density: number): Mass {
  const unit = unitOf(...radii)
  const [a, b, c] = radii.map((radius) => radius / unit)
  const volume = (4 / 3) * Math.PI * a * b * c
  setPiece(lump, volume, 0, 0, 0)
  lump.xx = (volume * a * a) / 5
  lump.yy = (volume * b * b) / 5
  lump.zz = (volume * c * c) / 5
  return massOf(lump, ellipsoidArea(a, b, c), unit, density)
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
  const largest = Math.max(...lengths)
  return largest === 0 ? 1 : 2 ** binaryExponent(largest)
}

function massOf(of: Lump, area: number, unit: number, density: number): Mass {
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
function addBall(radius: number): number {
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
function addCapsule(surface: Surface, { vertices }: ConvexHull, radius: number): number {
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
