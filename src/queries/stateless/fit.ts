// The query `fit`: the least shape of a kind that encloses a body or points.

import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Body3d, Shape3d } from '../../../schemas/shapes3d.ts'
import { spend } from '../../containers/budget.ts'
import { type Enclosure as Enclosure2d, setPoints as setPoints2d } from '../../core2d/fit/enclosure.ts'
import { fit as fit2d } from '../../core2d/fit/fit.ts'
import { type Enclosure as Enclosure3d, setPoints as setPoints3d } from '../../core3d/fit/enclosure.ts'
import { fit as fit3d } from '../../core3d/fit/fit.ts'
import { checkOneOf } from '../../wire/decode-probe.ts'
import {
  checkLength,
  checkVector,
  type DecodeProblem,
  MAX_COORDINATE,
  problemAt,
  problemOf,
  under,
} from '../../wire/decode-problem.ts'
import { encodeQuaternion, encodeVec2, encodeVec3, finite } from '../../wire/encode.ts'
import type { QueryLimits } from '../ask/query.ts'
import { type Geometry, type InBoth, type Kinds, PLANE, SPACE } from './geometry.ts'

/** A fit of the core in either dimension. */
interface Found<Enclosure> {
  enclosure: Enclosure
  measure: number
  lower: number
}

interface Request<K extends Kinds, Shape, Least> {
  body?: K['wire']
  points?: readonly K['vector'][]
  shape: Shape
  least?: Least
}

interface Core<K extends Kinds, Shape, Least, Enclosure> {
  /** Makes the body one of points, given as coordinates. */
  setPoints(coordinates: Float64Array, body: K['body']): void
  fit(body: K['body'], shape: Shape, least: Least): Found<Enclosure> | null
  encode(enclosure: Enclosure): K['wire']
  /** What is least where the request does not say. */
  usual: Least
  description: string
}

function query<K extends Kinds, Shape, Least, Enclosure>(
  { createSlot, createBody, decodeBody, details, problems }: Geometry<K>,
  { setPoints, fit, encode, usual, description }: Core<K, Shape, Least, Enclosure>,
) {
  const slot = createSlot()
  return {
    tag: 'shapes' as const,
    summary: 'Which box, circle, sphere, capsule or cylinder is the least that encloses it?',
    description,
    advice: `Ask about shapes with fewer ${details}, or send fewer points.`,
    problems: [...problems, 'shape-unbounded' as const, 'answer-out-of-range' as const],
    answer(request: Request<K, Shape, Least>, limits: QueryLimits) {
      const { body, points = [] } = request
      // Points may be very many: they get a body of their own, which nobody keeps.
      const guest = body === undefined ? createBody() : slot
      const problem =
        checkOneOf(request, ['body', 'points']) ??
        (body === undefined
          ? decodePoints(points, limits, (coordinates) => setPoints(coordinates, guest))
          : under('/body', decodeBody(body, guest, limits)))
      if (problem !== null) return problem
      const found = fit(guest, request.shape, request.least ?? usual)
      if (found === null) return problemAt('/body/shape', 'shape-unbounded', 'Nothing encloses what has no end.')
      if (!isInRange(found.enclosure as object)) return tooLarge()
      return { body: encode(found.enclosure), measure: finite(found.measure), lower: finite(found.lower) }
    },
  }
}

function decodePoints(
  points: readonly { x: number; y: number; z?: number }[],
  { maxVertices: limit }: QueryLimits,
  take: (coordinates: Float64Array) => void,
): DecodeProblem | null {
  const tooLong = checkLength('points', points, 'too-many-vertices', limit)
  if (tooLong !== null) return tooLong
  const { length: actual } = points
  spend(2 * actual)
  const size = points[0].z === undefined ? 2 : 3
  const coordinates = new Float64Array(size * actual)
  for (let i = 0; i < actual; i++) {
    const { x, y, z } = points[i]
    const problem = checkVector(points[i], `/points/${i}`)
    if (problem !== null) return problem
    coordinates[size * i] = x
    coordinates[size * i + 1] = y
    if (z !== undefined) coordinates[size * i + 2] = z
  }
  take(coordinates)
  return null
}

/** Whether the numbers of the answer may be sent back. */
function isInRange(enclosure: object): boolean {
  return Object.values(enclosure)
    .flat()
    .every((value) => typeof value !== 'number' || Math.abs(value) <= MAX_COORDINATE)
}

function tooLarge(): DecodeProblem {
  const detail = 'The least shape exceeds the largest coordinate that can be sent: use a larger unit of length.'
  return problemOf('answer-out-of-range', detail)
}

export const fitQuery: InBoth<'fit'> = {
  '2d': query(PLANE, {
    setPoints: setPoints2d,
    fit: fit2d,
    encode: encode2d,
    usual: 'area',
    description:
      'Bodies are enclosed by their convex hulls. The answer is rounded outward until the exact test of containment says that it holds the body. Circles and boxes are the least ones, capsules near them.',
  }),
  '3d': query(SPACE, {
    setPoints: setPoints3d,
    fit: fit3d,
    encode: encodeBody3d,
    usual: 'volume',
    description:
      'The answer is rounded outward until the test of containment says that it holds the body. Spheres are the least ones, boxes, capsules and cylinders near them: boxes are never larger than the one along the axes.',
  }),
}

function encode2d(enclosure: Enclosure2d): Body2d {
  if (enclosure.kind === 'aabb') {
    const { minX, minY, maxX, maxY } = enclosure
    return { shape: { type: 'aabb', min: encodeVec2(minX, minY), max: encodeVec2(maxX, maxY) } }
  }
  const position = encodeVec2(enclosure.x, enclosure.y)
  switch (enclosure.kind) {
    case 'circle':
      return { shape: { type: 'circle', radius: finite(enclosure.radius) }, position }
    case 'box': {
      const { turn, width, height } = enclosure
      const shape: Shape2d = { type: 'box', width: finite(width), height: finite(height) }
      return turn === 0 ? { shape, position } : { shape, position, rotation: finite(turn) }
    }
    case 'capsule': {
      const { ax, ay, bx, by, radius } = enclosure
      return {
        shape: { type: 'capsule', a: encodeVec2(ax, ay), b: encodeVec2(bx, by), radius: finite(radius) },
        position,
      }
    }
  }
}

export function encodeBody3d(enclosure: Enclosure3d): Body3d {
  if (enclosure.kind === 'aabb') {
    return { shape: { type: 'aabb', min: encodeVec3(...enclosure.min), max: encodeVec3(...enclosure.max) } }
  }
  const position = encodeVec3(...enclosure.position)
  const shape = shapeOf(enclosure)
  if (!('orientation' in enclosure) || enclosure.orientation === null) return { shape, position }
  return { shape, position, orientation: encodeQuaternion(enclosure.orientation) }
}

function shapeOf(enclosure: Exclude<Enclosure3d, { kind: 'aabb' }>): Shape3d {
  switch (enclosure.kind) {
    case 'box':
      return { type: 'box', size: encodeVec3(...enclosure.size) }
    case 'sphere':
      return { type: 'sphere', radius: finite(enclosure.radius) }
    case 'capsule':
      return {
        type: 'capsule',
        a: encodeVec3(...enclosure.a),
        b: encodeVec3(...enclosure.b),
        radius: finite(enclosure.radius),
      }
    case 'cylinder': {
      const { radius, height, axis } = enclosure
      return { type: 'cylinder', radius: finite(radius), height: finite(height), axis }
    }
  }
}
