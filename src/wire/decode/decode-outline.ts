/**
 * Wire chain or region → core outline, or the problem with the place it lies at (relative to the shape).
 *
 * Vertices and edges are counted over all rings of a region, outer first, in answers and in the sentences here; pointers
 * lead to the ring and the index in it.
 */

import type { ChainShape, RegionShape } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { KEPT_ENTRIES } from '../../containers/kept-entries.ts'
import { type Outline, setChain } from '../../core2d/outline/outline.ts'
import { setRegion } from '../../core2d/outline/region.ts'
import { createOutlineFault } from '../../core2d/outline/ring-check.ts'
import type { Part } from '../../core2d/shape/body.ts'
import { type DecodeProblem, inRange, problemAt, vectorOutOfRange } from '../problems/decode-problem.ts'
import { tooManyVertices } from './decode-convex.ts'
import { describeCrossing } from './ring-fault.ts'
import type { ShapeLimits } from './shape-limits.ts'
import { shownPoint } from './shown-point.ts'

type OutlinePart = Part & { outline: Outline }

let points = new Float64Array(2048)
const ringStarts: number[] = []
const fault = createOutlineFault()

/** Fills the outline of `part`, whose pose is set; null when all is well. */
export function decodeOutline(
  shape: ChainShape | RegionShape,
  part: OutlinePart,
  limits: ShapeLimits,
): DecodeProblem | null {
  try {
    return shape.type === 'chain' ? decodeChain(shape, part, limits.maxVertices) : decodeRegion(shape, part, limits)
  } finally {
    if (points.length > 2 * KEPT_ENTRIES) points = new Float64Array(2048)
  }
}

function decodeChain(
  { vertices, loop = false }: ChainShape,
  { outline, body: { cos, sin } }: OutlinePart,
  maxVertices: number,
): DecodeProblem | null {
  const count = vertices.length
  if (count > maxVertices) return tooManyVertices('A chain', '/vertices', maxVertices, count)
  reservePoints(count)
  const problem = readPoints(vertices, 0, '/vertices')
  if (problem === null) setChain(outline, points, count, loop, cos, sin)
  return problem
}

function decodeRegion(
  { outer, holes = [] }: RegionShape,
  { outline, body: { cos, sin } }: OutlinePart,
  { maxVertices, isPlain, asDrawn }: ShapeLimits,
): DecodeProblem | null {
  let count = outer.length
  for (const hole of holes) count += hole.length
  if (count > maxVertices) return tooManyVertices('A region', '/outer', maxVertices, count)
  reservePoints(count)
  ringStarts.length = 0
  let start = 0
  for (let ring = 0; ring <= holes.length; ring++) {
    const vertices = ring === 0 ? outer : holes[ring - 1]
    ringStarts.push(start)
    const problem = readPoints(vertices, start, ringPointer(ring))
    if (problem !== null) return problem
    start += vertices.length
  }
  ringStarts.push(start)
  return setRegion(outline, points, ringStarts, cos, sin, fault, isPlain, asDrawn) ? null : describeFault()
}

function reservePoints(count: number): void {
  if (points.length < 2 * count) points = new Float64Array(2 ** Math.ceil(Math.log2(2 * count)))
}

function readPoints(vertices: readonly Vec2[], start: number, pointer: string): DecodeProblem | null {
  spend(vertices.length)
  for (let i = 0; i < vertices.length; i++) {
    const { x, y } = vertices[i]
    if (!inRange(x) || !inRange(y)) return vectorOutOfRange(vertices[i], `${pointer}/${i}`)
    points[2 * (start + i)] = x
    points[2 * (start + i) + 1] = y
  }
  return null
}

/** `ring` 0 is the outer one. */
export function ringPointer(ring: number): string {
  return ring === 0 ? '/outer' : `/holes/${ring - 1}`
}

function describeFault(): DecodeProblem {
  const { kind, ringA, ringB } = fault
  const place = shownPoint(fault)
  switch (kind) {
    case 'hole-outside':
      return misplaced(ringA, `Hole ${ringA - 1} lies outside the outer ring at its vertex ${place}.`)
    case 'hole-nested':
      return misplaced(ringA, `Hole ${ringA - 1} lies inside hole ${ringB - 1} at its vertex ${place}.`)
  }
  return { ok: false, code: 'region-self-intersecting', ...describeCrossing(fault, ringPointer, ringStarts) }
}

function misplaced(ring: number, detail: string): DecodeProblem {
  return problemAt(ringPointer(ring), 'region-hole-misplaced', detail)
}
