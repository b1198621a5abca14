// The query `mass`: what a shape weighs, where its centre of mass is, and its inertia.

import type { Mass3dRequest, Mass3dResponse, MassRequest, MassResponse } from '../../../schemas/queries/mass.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import { spend } from '../../containers/budget.ts'
import { createMass, mass } from '../../core2d/queries/mass.ts'
import { compositeMass } from '../../core3d/queries/composite-mass.ts'
import { type Axis, coneMass, cylinderMass, ellipsoidMass, hullMass, type Mass } from '../../core3d/queries/mass.ts'
import { type Body as Body3d, COMPOSITE, RADIUS, VERTICES } from '../../core3d/shape/body.ts'
import { convexHull } from '../../core3d/shape/convex-hull.ts'
import { decodeBody as decodeBody2d } from '../../wire/body.ts'
import { AXES_3D } from '../../wire/body-3d.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt } from '../../wire/decode-problem.ts'
import { encodeQuaternion, encodeVec2, encodeVec3 } from '../../wire/encode.ts'
import type { QueryLimits } from '../ask/query.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

const DEFAULT_DENSITY = 1

function query<K extends Kinds, Request extends { density?: number }, Answer>(
  { details, problems }: Geometry<K>,
  description: string,
  weigh: (request: Request, density: number, limits: QueryLimits) => Answer | DecodeProblem,
) {
  return {
    tag: 'shapes' as const,
    summary: 'What does a shape weigh, where is its centre, and how hard is it to turn?',
    description: `In closed form for every shape, rounded ones ${description}`,
    advice: `Ask about shapes with fewer ${details}.`,
    problems: [...problems, 'shape-unbounded' as const, 'answer-out-of-range' as const],
    answer(request: Request, limits: QueryLimits): Answer | DecodeProblem {
      const { density = DEFAULT_DENSITY } = request
      return inRange(density) ? weigh(request, density, limits) : outOfRange(density, '/density', 'Densities')
    },
  }
}

export const massQuery: InBoth<'mass'> = {
  '2d': query(
    PLANE,
    'and regions with holes included. A compound weighs what its children weigh together: what two of them cover counts twice.',
    weigh2d,
  ),
  '3d': query(
    SPACE,
    'and solid meshes included: volume, area, centroid, and the matrix of inertia about it, also by its principal axes. A compound weighs what its children weigh together: what two of them cover counts twice. What is flat, and a mesh without an inside, has an area on both sides and no mass.',
    weigh3d,
  ),
}

function tooHeavy(): DecodeProblem {
  const detail = 'Mass or inertia of the shape exceed the largest double: use a larger unit of length or of mass.'
  return problemAt('/shape', 'answer-out-of-range', detail)
}

const slot2d = PLANE.createSlot()
const found2d = createMass()

function weigh2d({ shape }: MassRequest, density: number, limits: QueryLimits): MassResponse | DecodeProblem {
  const problem = decodeBody2d({ shape }, slot2d, { ...limits, asDrawn: true })
  if (problem !== null) return problem
  const pointer = endlessIn(shape, '/shape')
  if (pointer !== null) return endless('halfplane', pointer)
  mass(slot2d, density, found2d)
  const { area, inertia } = found2d
  if (!Number.isFinite(inertia) || !Number.isFinite(found2d.mass)) return tooHeavy()
  return { area, mass: found2d.mass, centroid: encodeVec2(found2d.x, found2d.y), inertia }
}

const slot3d = SPACE.createSlot()

function weigh3d({ shape }: Mass3dRequest, density: number, limits: QueryLimits): Mass3dResponse | DecodeProblem {
  const problem = SPACE.decodeBody({ shape }, slot3d, limits)
  if (problem !== null) return problem
  const pointer = endlessIn(shape, '/shape')
  if (pointer !== null) return endless('halfspace', pointer)
  const found = slot3d.kind === COMPOSITE ? compositeMass(slot3d, density) : massOf(shape, slot3d, density)
  if (found === null) return endless('halfspace', '/shape')
  const { inertia, principal } = found
  const numbers = [found.volume, found.mass, ...Object.values(inertia), ...principal.moments]
  if (!numbers.every(Number.isFinite)) return tooHeavy()
  return {
    volume: found.volume,
    area: found.area,
    mass: found.mass,
    centroid: encodeVec3(found.x, found.y, found.z),
    inertia,
    principal: { moments: encodeVec3(...principal.moments), orientation: encodeQuaternion(principal.orientation) },
  }
}

function endless(type: 'halfplane' | 'halfspace', pointer: string): DecodeProblem {
  const size = type === 'halfplane' ? 'area' : 'volume'
  return problemAt(`${pointer}/type`, 'shape-unbounded', `A ${type} has no end, and so neither ${size} nor mass.`)
}

/** The pointer to the first half-plane or half-space, or null. */
function endlessIn(shape: Shape2d | Shape3d, pointer: string): string | null {
  spend(1)
  if (shape.type === 'halfplane' || shape.type === 'halfspace') return pointer
  if (shape.type !== 'compound') return null
  for (let i = 0; i < shape.children.length; i++) {
    const inChild = endlessIn(shape.children[i].shape, `${pointer}/children/${i}/shape`)
    if (inChild !== null) return inChild
  }
  return null
}

/** Of a convex shape with an end. `body`: the shape, which is not moved, so that its core points are those of the shape. */
function massOf(shape: Shape3d, { numbers, count }: Body3d, density: number): Mass {
  switch (shape.type) {
    case 'cylinder':
      return cylinderMass(shape.radius, shape.height, axisOf(shape), density)
    case 'cone':
      return coneMass(shape.radius, shape.height, axisOf(shape), density)
    case 'ellipsoid':
      return ellipsoidMass([shape.radii.x, shape.radii.y, shape.radii.z], density)
    default: {
      const corners = numbers.subarray(VERTICES, VERTICES + 3 * count)
      return hullMass(corners, convexHull(corners, count), numbers[RADIUS], density)
    }
  }
}

function axisOf({ axis = 'y' }: { axis?: 'x' | 'y' | 'z' }): Axis {
  return AXES_3D.indexOf(axis) as Axis
}
