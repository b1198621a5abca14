/**
 * Volume, centroid and second moments of what a closed surface encloses; the same of the surface itself.
 *
 * Method: signed tetrahedra from a common point over the triangles, after the divergence theorem; first from a corner for volume
 * and centroid (of a convex surface none of them is negative, so that nothing cancels), then from the centroid for the moments. Sums
 * keep their rounding errors. Moments of a simplex: that of its corners and their sum.
 * Frame: relative to the first corner, in the surface's unit.
 */

import { spend } from '../../containers/budget.ts'
import { sumError } from '../../numeric/expansion.ts'
import { vectorLength } from '../../numeric/vector-length.ts'
import { addPiece, addSquare, clearLump, createLump, type Lump, setPiece } from './lump.ts'
import { createCorners, crossCorners, type Surface, spanCorners, takeCorner } from './surface-corners.ts'

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

/** The same with its moments. */
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
