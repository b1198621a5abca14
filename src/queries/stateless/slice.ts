// The query `slice`: the cut of a plane through a body, its rings joined to regions of the plane.

import { type Slice3dRequest, type Slice3dResponse, USUAL_TOLERANCE_RATIO } from '../../../schemas/queries/slice.ts'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { type FilledRegion, filledRegions } from '../../core2d/outline/filled-regions.ts'
import type { Vector } from '../../core3d/shape/body.ts'
import { CuttingPlane } from '../../core3d/slice/cutting-plane.ts'
import { type Slice, type SolidCut, slice } from '../../core3d/slice/slice.ts'
import {
  checkVector,
  type DecodeProblem,
  inRange,
  outOfRange,
  problemAt,
  problemOf,
  under,
} from '../../wire/decode-problem.ts'
import { encodeVec2, encodeVec3, finite } from '../../wire/encode.ts'
import { QUERY_3D_PROBLEMS } from '../../wire/problem-lists.ts'
import type { Query3dOf, QueryLimits } from '../ask/query.ts'
import { SPACE } from './geometry.ts'

export const sliceQuery: Query3dOf<'slice'> = {
  tag: 'shapes',
  summary: 'What does a plane cut out of this body?',
  description:
    'Gives the cut as bodies of the plane, which queries of the plane take as they are, and the frame that they lie in. On which side of the plane a vertex lies is decided exactly, and outlines are chained by the edges that are cut, so holes, parts that touch, and planes through vertices and along faces come out right; only the places of cuts are rounded, once, and nothing crosses anew after that.',
  advice: 'Ask about shapes with fewer triangles.',
  problems: [...QUERY_3D_PROBLEMS, 'direction-zero', 'shape-unbounded', 'answer-out-of-range'],
  answer: answerSlice,
}

const slot = SPACE.createSlot()

function answerSlice(
  { body, plane: { normal, offset }, tolerance }: Slice3dRequest,
  limits: QueryLimits,
): Slice3dResponse | DecodeProblem {
  const problem = under('/body', SPACE.decodeBody(body, slot, limits)) ?? checkVector(normal, '/plane/normal')
  if (problem !== null) return problem
  if (normal.x === 0 && normal.y === 0 && normal.z === 0) {
    return problemAt('/plane/normal', 'direction-zero', 'The normal of a plane must not be 0.')
  }
  if (!inRange(offset)) return outOfRange(offset, '/plane/offset')
  if (tolerance !== undefined && !inRange(tolerance)) return outOfRange(tolerance, '/tolerance')
  const plane = new CuttingPlane([normal.x, normal.y, normal.z], offset)
  const found = slice(slot, plane, { tolerance: tolerance ?? null, ratio: USUAL_TOLERANCE_RATIO })
  if (found === null)
    return problemAt(
      '/body/shape',
      'shape-unbounded',
      'A half-space has no end, and so its cut is no region: send a body that has bounds.',
    )
  if (!isInRange(found)) {
    const detail = 'The cut reaches beyond the largest coordinate that can be sent: use a larger unit of length.'
    return problemOf('answer-out-of-range', detail)
  }
  const { origin, x, y, normal: unit } = plane
  const vector = (along: Vector) => encodeVec3(...along)
  return {
    frame: { origin: vector(origin), x: vector(x), y: vector(y), normal: vector(unit) },
    bodies: [...joined(found.solids).map(regionBody), ...found.rounds.map(roundBody), ...found.chains.map(chainBody)],
    error: finite(found.error),
  }
}

/** Whether queries of the plane take the numbers of the cut. */
function isInRange({ solids, chains, rounds }: Slice): boolean {
  const isNear = (value: unknown) => typeof value !== 'number' || inRange(value)
  return (
    solids.every(({ rings }) => rings.every((ring) => ring.every(isNear))) &&
    chains.every(({ points }) => points.every(isNear)) &&
    rounds.every((cut) => Object.values(cut).flat(2).every(isNear))
  )
}

/** All that the rings of one solid or another wind around. */
function joined(solids: readonly SolidCut[]): FilledRegion[] {
  if (solids.length === 1) return filled(solids[0].rings)
  // Rings of a mesh may wind around a point either way and any number of times: its regions do so once.
  const rings: ArrayLike<number>[] = []
  for (const solid of solids) {
    if (solid.isConvex) rings.push(...solid.rings)
    else for (const { outer, holes } of filled(solid.rings)) rings.push(outer, ...holes)
  }
  return filled(rings)
}

function filled(rings: readonly ArrayLike<number>[]): FilledRegion[] {
  const starts = [0]
  for (const ring of rings) starts.push(starts[starts.length - 1] + ring.length / 2)
  const points = new Float64Array(2 * starts[rings.length])
  spend(points.length)
  rings.forEach((ring, i) => {
    points.set(ring, 2 * starts[i])
  })
  return filledRegions(points, starts, 'nonzero', false)
}

function regionBody({ outer, holes }: FilledRegion): Body2d {
  const shape = { type: 'region' as const, outer: encodePoints(outer) }
  return { shape: holes.length === 0 ? shape : { ...shape, holes: holes.map(encodePoints) } }
}

function roundBody(cut: Slice['rounds'][number]): Body2d {
  switch (cut.kind) {
    case 'circle':
      return { shape: { type: 'circle', radius: finite(cut.radius) }, position: encodeVec2(...cut.center) }
    case 'ellipse': {
      const { radii, center, turn } = cut
      const [rx, ry] = radii
      return { shape: { type: 'ellipse', rx, ry }, position: encodeVec2(...center), rotation: finite(turn) }
    }
    case 'capsule': {
      const [a, b] = cut.ends
      return { shape: { type: 'capsule', a: encodeVec2(...a), b: encodeVec2(...b), radius: finite(cut.radius) } }
    }
  }
}

function chainBody({ points, isLoop }: Slice['chains'][number]): Body2d {
  const shape = { type: 'chain' as const, vertices: encodePoints(points) }
  return { shape: isLoop ? { ...shape, loop: true } : shape }
}

function encodePoints(points: ArrayLike<number>): Vec2[] {
  spend(points.length)
  return Array.from({ length: points.length / 2 }, (_, i) => encodeVec2(points[2 * i], points[2 * i + 1]))
}
