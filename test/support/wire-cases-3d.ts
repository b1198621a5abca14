/** The exact cases of ../shared/cases3d as the wire has them. */

import type { Body3d, MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Quaternion, Vec3 } from '../../schemas/vector.ts'

type Four = readonly [number, number, number, number]

export function vectorOf([x, y, z]: readonly number[]): Vec3 {
  return { x, y, z }
}

/** Every list of three numbers becomes a vector, and lists of such lists of vectors; those of a mesh become flat, children bodies. */
export function shapeOfCase(shape: object): Shape3d {
  const { type } = shape as { type: string }
  const fields = Object.entries(shape).map(([name, value]) => {
    if (type === 'mesh') return [name, Array.isArray(value) ? value.flat() : value]
    return [name, type === 'compound' && name === 'children' ? value.map(bodyOfCase) : wireValue(value)]
  })
  return Object.fromEntries(fields) as Shape3d
}

function wireValue(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return Array.isArray(value[0]) ? value.map((point) => vectorOf(point)) : vectorOf(value)
}

interface CaseBody {
  shape: object
  position?: readonly number[]
  orientation?: Four | undefined
  velocity?: readonly number[]
  angularVelocity?: readonly number[]
}

export function bodyOfCase({ shape, position, orientation }: CaseBody): Body3d {
  const body: Body3d = { shape: shapeOfCase(shape) }
  if (position !== undefined) body.position = vectorOf(position)
  if (orientation !== undefined) body.orientation = quaternionOf(orientation)
  return body
}

export function movingBodyOfCase(body: CaseBody): MovingBody3d {
  const moving: MovingBody3d = bodyOfCase(body)
  if (body.velocity !== undefined) moving.velocity = vectorOf(body.velocity)
  if (body.angularVelocity !== undefined) moving.angularVelocity = vectorOf(body.angularVelocity)
  return moving
}

function quaternionOf([x, y, z, w]: Four): Quaternion {
  return { x, y, z, w }
}
