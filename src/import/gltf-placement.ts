/**
 * Where a node of glTF stands: a position and an orientation, which a body can have, and what is left of its transform, which its shape takes.
 *
 * Transforms of a node and its ancestors are kept as translation, rotation and scale as long as that is what they are together: a rotation
 * below unequal scales shears. A matrix is taken apart where its columns are at right angles, as those that programs write for the three
 * are, to a few last digits of single floats. What cannot be taken apart is a matrix that the shape takes, in a body that is not turned.
 */

import type { Quaternion, Vec3 } from '../../schemas/vector.ts'
import { IDENTITY, type Matrix, matrixOf, product } from './meshes/gltf-nodes.ts'
import { type Fields, numbers } from './meshes/json-fields.ts'
import { malformed } from './meshes/mesh-data.ts'

interface Rigid {
  readonly position: Vec3
  readonly orientation: Quaternion
  readonly scale: Vec3
}

export interface Placement {
  readonly matrix: Matrix
  /** Null where it shears. */
  readonly rigid: Rigid | null
}

const NO_TURN: Quaternion = { x: 0, y: 0, z: 0, w: 1 }
const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 }
const ONE: Vec3 = { x: 1, y: 1, z: 1 }

export const ROOT: Placement = { matrix: IDENTITY, rigid: { position: ORIGIN, orientation: NO_TURN, scale: ONE } }

/**
 * How far from right angles, as the cosine, the columns of a matrix may be that is taken apart: some roundoffs of the single floats that most
 * programs compute with. Vertices move by as little, as a part of their distance from the node.
 */
const ORTHOGONAL_RATIO = 1e-6

/** Of a node below another. */
export function placedBelow(parent: Placement, node: Fields, where: string): Placement {
  return below(parent, matrixOf(node, where), node.matrix === undefined ? rigidOf(node, where) : undefined)
}

/** Of an instance that a translation, a rotation and a scale place below a node. */
export function instanceBelow(parent: Placement, instance: Fields, where: string): Placement {
  return below(parent, matrixOf(instance, where), rigidOf(instance, where))
}

function below(parent: Placement, own: Matrix, given?: Rigid): Placement {
  const matrix = product(parent.matrix, own)
  const local = given ?? takenApart(own)
  const rigid = parent.rigid !== null && local !== null ? combined(parent.rigid, local) : null
  return { matrix, rigid: rigid ?? takenApart(matrix) }
}

function rigidOf({ translation, rotation, scale }: Fields, where: string): Rigid {
  const vector = (value: unknown, name: string, absent: Vec3): Vec3 => {
    if (value === undefined) return absent
    const [x, y, z] = numbers(value, 3, `${where}/${name}`)
    return { x, y, z }
  }
  let orientation = NO_TURN
  if (rotation !== undefined) {
    const [x, y, z, w] = numbers(rotation, 4, `${where}/rotation`)
    const unit = unitOf({ x, y, z, w })
    if (unit === null) throw malformed(`${where}/rotation`, 'A rotation must not be four zeros.')
    orientation = unit
  }
  return { position: vector(translation, 'translation', ORIGIN), orientation, scale: vector(scale, 'scale', ONE) }
}

/** How far the length of a turn of length 1 is off by rounding. */
const UNIT_ERROR = 4 * Number.EPSILON

/** As it is where its length is 1 but for rounding; null of zeros. */
export function unitOf(q: Quaternion): Quaternion | null {
  if (q.x === 0 && q.y === 0 && q.z === 0) return q.w === 0 ? null : NO_TURN
  const length = Math.hypot(q.x, q.y, q.z, q.w)
  if (length === 0 || !Number.isFinite(length)) return null
  return Math.abs(length - 1) <= UNIT_ERROR ? q : { x: q.x / length, y: q.y / length, z: q.z / length, w: q.w / length }
}

/** Null where the rotation below the scale shears. */
function combined(parent: Rigid, local: Rigid): Rigid | null {
  const { x, y, z } = parent.scale
  if (!(x === y && y === z) && !isNoTurn(local.orientation)) return null
  const moved = turnedBy(parent.orientation, times(parent.scale, local.position))
  const { position } = parent
  return {
    position: { x: position.x + moved.x, y: position.y + moved.y, z: position.z + moved.z },
    orientation: unitOf(turnAfter(parent.orientation, local.orientation)) ?? NO_TURN,
    scale: times(parent.scale, local.scale),
  }
}

export function isNoTurn({ x, y, z }: Quaternion): boolean {
  return x === 0 && y === 0 && z === 0
}

export function times(a: Vec3, b: Vec3): Vec3 {
  return { x: a.x * b.x, y: a.y * b.y, z: a.z * b.z }
}

/** The turn by b, then by a. */
function turnAfter(a: Quaternion, b: Quaternion): Quaternion {
  if (isNoTurn(a)) return b
  if (isNoTurn(b)) return a
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  }
}

export function turnedBy(q: Quaternion, v: Vec3): Vec3 {
  if (isNoTurn(q)) return v
  const cross = { x: q.y * v.z - q.z * v.y, y: q.z * v.x - q.x * v.z, z: q.x * v.y - q.y * v.x }
  return {
    x: v.x + 2 * (q.w * cross.x + q.y * cross.z - q.z * cross.y),
    y: v.y + 2 * (q.w * cross.y + q.z * cross.x - q.x * cross.z),
    z: v.z + 2 * (q.w * cross.z + q.x * cross.y - q.y * cross.x),
  }
}

/** Null where it shears, or flattens. */
function takenApart([a, b, c, , d, e, f, , g, h, i, , x, y, z]: Matrix): Rigid | null {
  const [p, q, r] = [Math.hypot(a, b, c), Math.hypot(d, e, f), Math.hypot(g, h, i)]
  if (!(p * q * r > 0) || !Number.isFinite(p * q * r)) return null
  const isSquare = (dot: number, most: number) => Math.abs(dot) <= ORTHOGONAL_RATIO * most
  if (!isSquare(a * d + b * e + c * f, p * q) || !isSquare(a * g + b * h + c * i, p * r)) return null
  if (!isSquare(d * g + e * h + f * i, q * r)) return null
  const isMirrored = a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e) < 0
  const s = isMirrored ? -p : p
  const orientation = turnOf([a / s, b / s, c / s, d / q, e / q, f / q, g / r, h / r, i / r])
  return { position: { x, y, z }, orientation, scale: { x: s, y: q, z: r } }
}

/** Of a matrix of rotation, column by column. Method: S. W. Shepperd, "Quaternion from rotation matrix", 1978: by the greatest component. */
function turnOf([a, b, c, d, e, f, g, h, i]: readonly number[]): Quaternion {
  const trace = a + e + i
  const choice = Math.max(trace, a, e, i)
  const raw =
    choice === trace
      ? { x: f - h, y: g - c, z: b - d, w: 1 + trace }
      : choice === a
        ? { x: 1 + a - e - i, y: b + d, z: g + c, w: f - h }
        : choice === e
          ? { x: b + d, y: 1 + e - a - i, z: f + h, w: g - c }
          : { x: g + c, y: f + h, z: 1 + i - a - e, w: b - d }
  return unitOf(raw) ?? NO_TURN
}

/** Where the body of the node stands. */
export function poseOf({ matrix, rigid }: Placement): { position: Vec3; orientation?: Quaternion } {
  if (rigid === null) return { position: { x: matrix[12], y: matrix[13], z: matrix[14] } }
  const { position, orientation } = rigid
  return isNoTurn(orientation) ? { position } : { position, orientation }
}

/** What of the transform the pose does not have. */
export function bakedOf({ matrix, rigid }: Placement): Matrix {
  if (rigid === null) return [...matrix.slice(0, 12), 0, 0, 0, 1]
  const { x, y, z } = rigid.scale
  return x === 1 && y === 1 && z === 1 ? IDENTITY : [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]
}
