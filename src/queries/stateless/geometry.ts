// The two dimensions as records that every query takes: bodies, slots, decoders, vectors and words.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type { Query3dOp, QueryOp } from '../../../schemas/queries/exchanges.ts'
import type { Body2d, MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { Body3d, MovingBody3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import {
  COMPOSITE,
  type Composite,
  type Body as CoreBody2d,
  createBody as createBody2d,
  isCurved,
} from '../../core2d/shape/body.ts'
import { createMotion as createMotion2d, type Motion as Motion2d } from '../../core2d/shape/motion.ts'
import {
  COMPOSITE as COMPOSITE_3D,
  type Composite as Composite3d,
  type Body as CoreBody3d,
  createBody as createBody3d,
  HALFSPACE,
  POINTS,
} from '../../core3d/shape/body.ts'
import { createMotion as createMotion3d, type Motion as Motion3d } from '../../core3d/shape/motion.ts'
import { createSlot, decodeBody as decodeBody2d, decodeMovingBody as decodeMovingBody2d } from '../../wire/body.ts'
import {
  createSlot as createSlot3d,
  decodeBody as decodeBody3d,
  decodeMovingBody as decodeMovingBody3d,
} from '../../wire/body-3d.ts'
import { type DecodeProblem, under } from '../../wire/decode-problem.ts'
import { encodeVec2, encodeVec3 } from '../../wire/encode.ts'
import { QUERY_3D_PROBLEMS, QUERY_PROBLEMS } from '../../wire/problem-lists.ts'
import type { Query3dOf, QueryLimits, QueryOf } from '../ask/query.ts'

/** A query of the plane and of space. */
export interface InBoth<Op extends QueryOp & Query3dOp> {
  readonly '2d': QueryOf<Op>
  readonly '3d': Query3dOf<Op>
}

/** The types of one dimension: bodies of requests, at rest and moving, bodies and motions of the core, vectors of answers. */
export interface Kinds {
  wire: { shape: { type: string } }
  moving: { shape: { type: string } }
  body: object
  motion: object
  vector: { x: number; y: number; z?: number }
}

export interface Geometry<K extends Kinds> {
  /** The problems of every query about bodies. */
  readonly problems: readonly ProblemCode[]
  /** Of which advice says that a shape should have fewer. */
  readonly details: string
  /** A body for a module to keep; its content is valid until the request is answered. */
  createSlot(): K['body']
  /** A body for a request alone. */
  createBody(): K['body']
  createMotion(): K['motion']
  decodeBody(wire: K['wire'], slot: K['body'], limits: QueryLimits): DecodeProblem | null
  decodeMovingBody(wire: K['moving'], slot: K['body'], motion: K['motion'], limits: QueryLimits): DecodeProblem | null
  vector(x: number, y: number, z?: number): K['vector']
  /** Size of a body where the time depends on many: its points, or its leaves. */
  points(body: K['body']): number
  /** Slots that all queries about a pair share: nothing pauses between decoding and encoding. */
  readonly a: K['body']
  readonly b: K['body']
  readonly motionA: K['motion']
  readonly motionB: K['motion']
}

/** Size of an ellipse, an ellipsoid or another curved shape, in points. */
const CURVE_POINTS = 128

interface Plane {
  wire: Body2d
  moving: MovingBody2d
  body: CoreBody2d
  motion: Motion2d
  vector: Vec2
}

export const PLANE: Geometry<Plane> = {
  problems: QUERY_PROBLEMS,
  details: 'vertices or parts',
  createSlot,
  createBody: createBody2d,
  createMotion: createMotion2d,
  decodeBody: decodeBody2d,
  decodeMovingBody: decodeMovingBody2d,
  vector: encodeVec2,
  points(body) {
    const { kind, composite, count } = body
    if (kind === COMPOSITE) return (composite as Composite).leafCount
    return isCurved(body) ? CURVE_POINTS : Math.max(1, count)
  },
  a: createSlot(),
  b: createSlot(),
  motionA: createMotion2d(),
  motionB: createMotion2d(),
}

interface Space {
  wire: Body3d
  moving: MovingBody3d
  body: CoreBody3d
  motion: Motion3d
  vector: Vec3
}

export const SPACE: Geometry<Space> = {
  problems: QUERY_3D_PROBLEMS,
  details: 'points, triangles or parts',
  createSlot: createSlot3d,
  createBody: createBody3d,
  createMotion: createMotion3d,
  decodeBody: decodeBody3d,
  decodeMovingBody: decodeMovingBody3d,
  vector: encodeVec3 as Geometry<Space>['vector'],
  points({ kind, count, composite }) {
    if (kind === HALFSPACE) return 1
    if (kind === COMPOSITE_3D) return (composite as Composite3d).leafCount
    return kind === POINTS ? count : CURVE_POINTS
  },
  a: createSlot3d(),
  b: createSlot3d(),
  motionA: createMotion3d(),
  motionB: createMotion3d(),
}

/** Fills `a` and `b` of the geometry, or gives the first problem, with pointers into the request. */
export function decodePair<K extends Kinds>(
  { decodeBody, a, b }: Geometry<K>,
  request: { a: K['wire']; b: K['wire'] },
  limits: QueryLimits,
): DecodeProblem | null {
  return under('/a', decodeBody(request.a, a, limits)) ?? under('/b', decodeBody(request.b, b, limits))
}

/** Fills the motions too. */
export function decodeMovingPair<K extends Kinds>(
  { decodeMovingBody, a, b, motionA, motionB }: Geometry<K>,
  request: { a: K['moving']; b: K['moving'] },
  limits: QueryLimits,
): DecodeProblem | null {
  return (
    under('/a', decodeMovingBody(request.a, a, motionA, limits)) ??
    under('/b', decodeMovingBody(request.b, b, motionB, limits))
  )
}

/** Writes a vector of answers from its coordinates. */
export type ToVector<Vector> = (x: number, y: number, z?: number) => Vector
