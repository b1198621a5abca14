// The query `shape-cast`: a moving body against many bodies at rest. The core finds the time of impact with each; the whole motion is
// the unit of time.

import type { ShapeFeature3d } from '../../../schemas/feature.ts'
import type { ShapeCast3dRequest, ShapeCastRequest } from '../../../schemas/queries/shape-cast.ts'
import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Want } from '../../core/want.ts'
import {
  createTimeOfImpact as createFound2d,
  type TimeOfImpact as Found2d,
  timeOfImpact as timeOfImpact2d,
} from '../../core2d/motion/time-of-impact.ts'
import type { Body as Body2d } from '../../core2d/shape/body.ts'
import type { Motion as Motion2d } from '../../core2d/shape/motion.ts'
import {
  createTimeOfImpact as createFound3d,
  type TimeOfImpact as Found3d,
  timeOfImpact as timeOfImpact3d,
} from '../../core3d/motion/time-of-impact.ts'
import type { Body as Body3d } from '../../core3d/shape/body.ts'
import type { Motion as Motion3d } from '../../core3d/shape/motion.ts'
import { checkVector, type DecodeProblem, inRange, outOfRange, under } from '../../wire/decode-problem.ts'
import { encodeFeature, encodeVec2, finite } from '../../wire/encode.ts'
import { encodeTouched } from '../../wire/touched-feature-3d.ts'
import type { QueryLimits } from '../ask/query.ts'
import { castAtTargets, checkTargets } from './cast-at-targets.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE, type ToVector } from './geometry.ts'
import { encodeStatus } from './time-of-impact.ts'

/** Result of the core in either dimension; A is the target. */
interface Found {
  hit: boolean
  time: number
  ax: number
  ay: number
  az?: number
  bx: number
  by: number
  bz?: number
  hasNormal: boolean
  nx: number
  ny: number
  nz?: number
  startedOverlapping: boolean
  hasExit: boolean
  exitTime: number
  converged: boolean
}

interface Request<Wire> {
  body: Wire
  translation: { x: number; y: number; z?: number }
  targets: readonly Wire[]
  mode?: 'closest' | 'any' | 'all'
  ignoreSeparating?: boolean
  want?: Want
}

interface Core<Wire, Body, Motion, Asked, F, Feature> {
  decodeMotion(request: Asked, out: Motion): DecodeProblem | null
  timeOfImpact(
    a: Body,
    motionA: Motion,
    b: Body,
    motionB: Motion,
    duration: number,
    ignoreSeparating: boolean,
    want: Want,
    out: F,
  ): void
  found: F
  encodeFeature(found: F, target: Body, wire: Wire): Feature
}

function query<K extends Kinds, Asked extends Request<K['wire']>, F extends Found, Feature>(
  geometry: Geometry<K>,
  core: Core<K['wire'], K['body'], K['motion'], Asked, F, Feature>,
) {
  const { createSlot, createMotion, decodeBody, details, problems, vector } = geometry
  const { decodeMotion, timeOfImpact, found } = core
  const body = createSlot()
  const slot = createSlot()
  const motion = createMotion()
  const atRest = createMotion()
  const nearness = () => found.time
  return {
    tag: 'motion' as const,
    summary: 'What does a body hit on its way?',
    description:
      'The body moves along a translation, and turns if asked; targets stand still. Touching is hitting. Every target is checked, also those behind the answer.',
    advice: `Send fewer targets, or shapes with fewer ${details}.`,
    problems: [...problems, 'too-many-targets' as const],
    answer(request: Asked, limits: QueryLimits) {
      const { targets, translation, mode = 'closest', ignoreSeparating = false, want = 'exit' } = request
      const problem =
        checkTargets(targets, limits) ??
        decodeMotion(request, motion) ??
        under('/body', decodeBody(request.body, body, limits))
      if (problem !== null) return problem
      const { x, y, z } = translation
      const length = z === undefined ? Math.hypot(x, y) : Math.hypot(x, y, z)
      const decode = (target: K['wire']) => decodeBody(target, slot, limits)
      const meets = () => {
        timeOfImpact(slot, atRest, body, motion, 1, ignoreSeparating, want, found)
        return found.hit
      }
      const encode = (target: number) => {
        const feature = want === 'time' ? null : core.encodeFeature(found, slot, targets[target])
        return { target, ...encodeHit(found, feature, length, want, vector) }
      }
      return castAtTargets({ targets, mode, decode, meets, nearness, encode })
    },
  }
}

export const shapeCastQuery: InBoth<'shape-cast'> = {
  '2d': query(PLANE, {
    decodeMotion: decodeCastMotion,
    timeOfImpact: timeOfImpact2d,
    found: createFound2d(),
    encodeFeature: (found, target) => encodeFeature(found.featureA, target, found.partA),
  }),
  '3d': query(SPACE, {
    decodeMotion: (request: ShapeCast3dRequest, out) => decodeCastMotion3d(request, out),
    timeOfImpact: timeOfImpact3d,
    found: createFound3d(),
    encodeFeature: (found, target, { shape }): ShapeFeature3d | null => encodeCastFeature3d(found, target, shape),
  }),
}

/** Fills `out`; null when all is well. The problem has pointers into the request. */
export function decodeCastMotion(
  { translation, rotation = 0 }: Pick<ShapeCastRequest, 'translation' | 'rotation'>,
  out: Motion2d,
): DecodeProblem | null {
  const problem = checkVector(translation, '/translation')
  if (problem !== null) return problem
  if (!inRange(rotation)) return outOfRange(rotation, '/rotation', 'Angles')
  out.vx = translation.x
  out.vy = translation.y
  out.spin = rotation
  return null
}

const NO_ROTATION = { x: 0, y: 0, z: 0 }

export function decodeCastMotion3d(
  { translation, rotation = NO_ROTATION }: Pick<ShapeCast3dRequest, 'translation' | 'rotation'>,
  out: Motion3d,
): DecodeProblem | null {
  const problem = checkVector(translation, '/translation') ?? checkVector(rotation, '/rotation', 'Angles')
  if (problem !== null) return problem
  out.vx = translation.x
  out.vy = translation.y
  out.vz = translation.z
  out.wx = rotation.x
  out.wy = rotation.y
  out.wz = rotation.z
  return null
}

/** The hit of `body` in the plane: as much of it as is wanted. `length`: of the translation. */
export function encodeCast(found: Found2d, body: Body2d, length: number, want: Want) {
  const feature = want === 'time' ? null : encodeFeature(found.featureA, body, found.partA)
  return encodeHit(found, feature, length, want, encodeVec2)
}

/** The same in space. */
export function encodeCast3d(found: Found3d, body: Body3d, shape: () => Shape3d, length: number, want: Want) {
  const feature = want === 'time' ? null : encodeCastFeature3d(found, body, shape())
  return encodeHit(found, feature, length, want, SPACE.vector)
}

function encodeCastFeature3d(found: Found3d, body: Body3d, shape: Shape3d): ShapeFeature3d | null {
  if (!found.hasNormal) return null
  const { featureA: names, leafA: leaf, ax: x, ay: y, az: z } = found
  return encodeTouched({ names, leaf, x, y, z }, body, shape)
}

function encodeHit<Feature, Vector>(
  found: Found,
  feature: Feature | null,
  length: number,
  want: Want,
  vector: ToVector<Vector>,
) {
  const touch = want !== 'time'
  const { az, bz } = found
  const z = az === undefined || bz === undefined ? undefined : midway(az, bz)
  return {
    ...travelled(found.time, length),
    point: touch ? vector(midway(found.ax, found.bx), midway(found.ay, found.by), z) : null,
    normal: found.hasNormal ? vector(found.nx, found.ny, found.nz) : null,
    feature,
    startedInside: found.startedOverlapping,
    exit: found.hasExit ? travelled(found.exitTime, length) : null,
    status: encodeStatus(found.converged),
  }
}

function travelled(time: number, length: number) {
  return { distance: finite(time * length), fraction: finite(time) }
}

function midway(a: number, b: number): number {
  return a + (b - a) / 2
}
