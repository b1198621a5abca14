// The query `time-of-impact`: when two moving bodies first touch.

import type { Want } from '../../core/want.ts'
import {
  createTimeOfImpact as createFound2d,
  timeOfImpact as timeOfImpact2d,
} from '../../core2d/motion/time-of-impact.ts'
import {
  createTimeOfImpact as createFound3d,
  timeOfImpact as timeOfImpact3d,
} from '../../core3d/motion/time-of-impact.ts'
import { checkDuration } from '../../wire/body.ts'
import { finite } from '../../wire/encode.ts'
import type { QueryLimits } from '../ask/query.ts'
import { decodeMovingPair, type Geometry, type InBoth, type Kinds, PLANE, SPACE, type ToVector } from './geometry.ts'

/** Result of the core in either dimension. */
interface Found {
  hit: boolean
  time: number
  hasNormal: boolean
  nx: number
  ny: number
  nz?: number
  ax: number
  ay: number
  az?: number
  bx: number
  by: number
  bz?: number
  hasExit: boolean
  exitTime: number
  startedOverlapping: boolean
  converged: boolean
}

interface Request<Moving> {
  a: Moving
  b: Moving
  duration: number
  ignoreSeparating?: boolean
  want?: Want
}

function query<K extends Kinds, F extends Found>(
  geometry: Geometry<K>,
  timeOfImpact: (
    a: K['body'],
    motionA: K['motion'],
    b: K['body'],
    motionB: K['motion'],
    duration: number,
    ignoreSeparating: boolean,
    want: Want,
    out: F,
  ) => void,
  found: F,
) {
  const { a, b, motionA, motionB, vector } = geometry
  return {
    tag: 'motion' as const,
    summary: 'When do two moving bodies first touch?',
    description:
      'Gives the first time from 0 to duration at which the bodies touch, both moving and turning at constant speed, and the first later time at which they part. However fast or thin the bodies are, an impact is not missed.',
    advice: `Ask about shapes with fewer ${geometry.details}.`,
    problems: geometry.problems,
    answer(request: Request<K['moving']>, limits: QueryLimits) {
      const { duration, ignoreSeparating = false, want = 'exit' } = request
      const problem = checkDuration(duration) ?? decodeMovingPair(geometry, request, limits)
      if (problem !== null) return problem
      timeOfImpact(a, motionA, b, motionB, duration, ignoreSeparating, want, found)
      return encodeTimeOfImpact(found, duration, want, vector)
    },
  }
}

export const timeOfImpactQuery: InBoth<'time-of-impact'> = {
  '2d': query(PLANE, timeOfImpact2d, createFound2d()),
  '3d': query(SPACE, timeOfImpact3d, createFound3d()),
}

function encodeTimeOfImpact<Vector>(found: Found, duration: number, want: Want, vector: ToVector<Vector>) {
  if (found.hit) return { hit: true, ...encodeImpact(found, duration, want, vector) }
  return {
    hit: false,
    time: null,
    fraction: null,
    normal: null,
    pointA: null,
    pointB: null,
    exitTime: null,
    startedOverlapping: found.startedOverlapping,
    status: encodeStatus(found.converged),
  }
}

/** The impact of two bodies that do meet: as much of it as is wanted. */
export function encodeImpact<Vector>(found: Found, duration: number, want: Want, vector: ToVector<Vector>) {
  const touch = want !== 'time'
  return {
    time: finite(found.time),
    fraction: duration === 0 ? 0 : finite(found.time / duration),
    normal: found.hasNormal ? vector(found.nx, found.ny, found.nz) : null,
    pointA: touch ? vector(found.ax, found.ay, found.az) : null,
    pointB: touch ? vector(found.bx, found.by, found.bz) : null,
    exitTime: found.hasExit ? finite(found.exitTime) : null,
    startedOverlapping: found.startedOverlapping,
    status: encodeStatus(found.converged),
  }
}

/** Whether the search for a time ended by its tolerance. */
export function encodeStatus(converged: boolean): 'converged' | 'iteration-limit' {
  return converged ? 'converged' : 'iteration-limit'
}
