/**
 * The area of an outline, and of convex rings, to nearly the last bit wherever they lie.
 *
 * Method: that of `mass-rings.ts`, relative to a vertex and without losing rounding errors. Areas are in square units of a power
 * of two, so that they neither over- nor underflow on the way.
 */
import { spend } from '../../containers/budget.ts'
import { binaryExponent } from '../../numeric/exact-ring.ts'
import type { Outline } from '../outline/outline.ts'
import { createLump } from './mass-lump.ts'
import { type Rings, setRingsLump } from './mass-rings.ts'

const found = createLump()
const NONE = new Float64Array(0)
const rings: Rings = { vertices: NONE, count: 0, end: null, unit: 1 }

/** A power of two near the size of an outline. */
export function areaScale({ vertices, vertexCount }: Outline): number {
  let size = 0
  spend(vertexCount)
  for (let i = 2; i < 2 * vertexCount; i += 2) {
    size = Math.max(size, Math.abs(vertices[i] - vertices[0]), Math.abs(vertices[i + 1] - vertices[1]))
  }
  return 2 ** binaryExponent(size)
}

/** What a solid outline encloses, in square units. */
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
  rings.vertices = vertices
  rings.count = count
  rings.end = end
  rings.unit = unit
  setRingsLump(rings, found)
  rings.vertices = NONE
  rings.end = null
  return found.weight
}
