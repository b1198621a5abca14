// The query `ray-cast`: a ray against many bodies.

import type { ShapeFeature3d } from '../../../schemas/feature.ts'
import type { RayDefinition, RayDefinition3d } from '../../../schemas/queries/ray-cast.ts'
import {
  createRay as createRay2d,
  createRayHit as createRayHit2d,
  type Ray as Ray2d,
  type RayHit as RayHit2d,
  rayCast as rayCast2d,
} from '../../core2d/ray/ray-cast.ts'
import { setDirection as setDirection2d } from '../../core2d/ray/ray-line.ts'
import type { Body as Body2d } from '../../core2d/shape/body.ts'
import {
  createRay as createRay3d,
  createRayHit as createRayHit3d,
  featureVertices,
  type RayHit as RayHit3d,
  rayCast as rayCast3d,
} from '../../core3d/ray/ray-cast.ts'
import { type Ray as Ray3d, setDirection as setDirection3d } from '../../core3d/ray/ray-line.ts'
import type { Body as Body3d } from '../../core3d/shape/body.ts'
import { checkVector, type DecodeProblem, isZeroVector, problemAt, under } from '../../wire/decode-problem.ts'
import { encodeFeature, encodeVec2, finite } from '../../wire/encode.ts'
import { encodeLeafFeature } from '../../wire/leaf-feature-3d.ts'
import type { QueryLimits } from '../ask/query.ts'
import { castAtTargets, checkTargets } from './cast-at-targets.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE, type ToVector } from './geometry.ts'

/** Result of the core in either dimension. */
interface Found {
  distance: number
  fraction: number
  x: number
  y: number
  z?: number
  hasNormal: boolean
  nx: number
  ny: number
  nz?: number
  startedInside: boolean
  hasExit: boolean
  exitDistance: number
  exitX: number
  exitY: number
  exitZ?: number
  exitNx: number
  exitNy: number
  exitNz?: number
}

type StartInside = 'hit' | 'ignore' | 'exit'

interface Request<Wire, RayWire> {
  ray: RayWire
  targets: readonly Wire[]
  mode?: 'closest' | 'any' | 'all'
  startInside?: StartInside
}

interface Core<Body, RayWire, Ray, F, Feature> {
  ray: Ray
  decodeRay(wire: RayWire, out: Ray): DecodeProblem | null
  rayCast(ray: Ray, target: Body, startInside: StartInside, out: F): boolean
  found: F
  encodeFeature(found: F, target: Body): Feature
  /** Where rays hit that only graze a target. */
  grazing: string
}

function query<K extends Kinds, RayWire, Ray, F extends Found, Feature>(
  geometry: Geometry<K>,
  core: Core<K['body'], RayWire, Ray, F, Feature>,
) {
  const { createSlot, decodeBody, details, problems, vector } = geometry
  const { ray, decodeRay, rayCast, found } = core
  const slot = createSlot()
  const nearness = () => found.distance
  const encode = (target: number) => encodeHit({ target }, found, core.encodeFeature(found, slot), vector)
  return {
    tag: 'rays' as const,
    summary: 'What does a ray hit?',
    description: `Targets are closed sets: a ray ${core.grazing} hits. Every target is checked, also those behind the answer.`,
    advice: `Send fewer targets, or targets with fewer ${details}.`,
    problems: [...problems, 'too-many-targets' as const, 'ray-direction-zero' as const],
    answer(request: Request<K['wire'], RayWire>, limits: QueryLimits) {
      const { targets, mode = 'closest', startInside = 'hit' } = request
      const problem = checkTargets(targets, limits) ?? under('/ray', decodeRay(request.ray, ray))
      if (problem !== null) return problem
      const decode = (target: K['wire']) => decodeBody(target, slot, limits)
      const meets = () => rayCast(ray, slot, startInside, found)
      return castAtTargets({ targets, mode, decode, meets, nearness, encode })
    },
  }
}

export const rayCastQuery: InBoth<'ray-cast'> = {
  '2d': query(PLANE, {
    ray: createRay2d(),
    decodeRay,
    rayCast: rayCast2d,
    found: createRayHit2d(),
    encodeFeature: (found, target) => encodeFeature(found.feature, target, found.part),
    grazing: 'through a vertex or along an edge',
  }),
  '3d': query(SPACE, {
    ray: createRay3d(),
    decodeRay: decodeRay3d,
    rayCast: rayCast3d,
    found: createRayHit3d(),
    encodeFeature: encodeRayFeature3d,
    grazing: 'through a vertex, along an edge or within a face',
  }),
}

/** The problem of a ray, with pointers relative to it, or null. */
function checkRay({ origin, direction }: RayDefinition | RayDefinition3d): DecodeProblem | null {
  const problem = checkVector(origin, '/origin')
  if (problem !== null || !isZeroVector(direction)) return problem
  return problemAt('/direction', 'ray-direction-zero', 'The direction of a ray must not be the zero vector.')
}

/**
 * Fills `out`; null when all is well. The direction may have any length that a double can have: it is scaled by a power of two before
 * anything is decided. A maxDistance that no coordinate can reach is as good as none.
 */
export function decodeRay(wire: RayDefinition, out: Ray2d): DecodeProblem | null {
  const problem = checkRay(wire)
  if (problem !== null) return problem
  const { origin, direction, maxDistance = Infinity } = wire
  out.ox = origin.x
  out.oy = origin.y
  setDirection2d(out, direction.x, direction.y)
  out.maxDistance = maxDistance
  return null
}

/** Fills `out`, in space; null when all is well. */
export function decodeRay3d(wire: RayDefinition3d, out: Ray3d): DecodeProblem | null {
  const problem = checkRay(wire)
  if (problem !== null) return problem
  const { origin, direction, maxDistance = Infinity } = wire
  out.ox = origin.x
  out.oy = origin.y
  out.oz = origin.z
  setDirection3d(out, direction.x, direction.y, direction.z)
  out.maxDistance = maxDistance
  return null
}

/** The hit of a ray of the plane. `name`: the field that tells which `body` was hit. */
export function encodeRayHit<Name extends object>(name: Name, hit: RayHit2d, body: Body2d) {
  return encodeHit(name, hit, encodeFeature(hit.feature, body, hit.part), encodeVec2)
}

/** The hit of a ray in space. */
export function encodeRayHit3d<Name extends object>(name: Name, hit: RayHit3d, body: Body3d) {
  return encodeHit(name, hit, encodeRayFeature3d(hit, body), SPACE.vector)
}

function encodeRayFeature3d(hit: RayHit3d, body: Body3d): ShapeFeature3d | null {
  const { feature: kind, leaf } = hit
  return kind === null ? null : encodeLeafFeature({ kind, vertices: featureVertices(body, hit) }, body, leaf, hit)
}

/** Adds the fields one by one: copying them from another object takes longer than the ray. */
function encodeHit<Name extends object, Feature, Vector>(
  name: Name,
  hit: Found,
  feature: Feature,
  vector: ToVector<Vector>,
) {
  const out = name as Name & Hit<Feature, Vector>
  out.distance = finite(hit.distance)
  out.fraction = finite(hit.fraction)
  out.point = vector(hit.x, hit.y, hit.z)
  out.normal = hit.hasNormal ? vector(hit.nx, hit.ny, hit.nz) : null
  out.feature = feature
  out.startedInside = hit.startedInside
  out.exit = hit.hasExit ? encodeExit(hit, vector) : null
  return out
}

interface Hit<Feature, Vector> {
  distance: number
  fraction: number
  point: Vector
  normal: Vector | null
  feature: Feature
  startedInside: boolean
  exit: { distance: number; point: Vector; normal: Vector } | null
}

function encodeExit<Vector>(hit: Found, vector: ToVector<Vector>) {
  return {
    distance: finite(hit.exitDistance),
    point: vector(hit.exitX, hit.exitY, hit.exitZ),
    normal: vector(hit.exitNx, hit.exitNy, hit.exitNz),
  }
}
