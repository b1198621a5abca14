// What is under the pointer: the first triangle that a line of sight meets, of the triangles that are drawn; and boxes of bodies.

import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Box } from '../sketch/free-place.ts'
import { type PlacedBody, positionOf, type SketchBody } from '../sketch/sketch.ts'
import {
  dot,
  inSpace,
  inverse,
  lengthOf,
  minus,
  NO_TURN,
  plus,
  times,
  toWorld,
  turnedBy,
  type Vec3,
} from '../sketch/vector.ts'
import type { Line } from './camera.ts'
import { type Geometry, geometryOf, isEndless } from './geometry.ts'

interface Bounds {
  min: Vec3
  max: Vec3
  /** Of a ball about the middle that holds all vertices. */
  middle: Vec3
  radius: number
}

const known = new WeakMap<Geometry, Bounds>()

export function boundsOf(geometry: Geometry): Bounds {
  const before = known.get(geometry)
  if (before !== undefined) return before
  const min = { x: Infinity, y: Infinity, z: Infinity }
  const max = { x: -Infinity, y: -Infinity, z: -Infinity }
  const { positions } = geometry
  for (let i = 0; i < positions.length; i += 3)
    for (const [k, axis] of (['x', 'y', 'z'] as const).entries()) {
      min[axis] = Math.min(min[axis], positions[i + k]!)
      max[axis] = Math.max(max[axis], positions[i + k]!)
    }
  const bounds = { min, max, middle: inSpace(times(plus(min, max), 1 / 2)), radius: lengthOf(minus(max, min)) / 2 }
  known.set(geometry, bounds)
  return bounds
}

/** In the world, around the body's own box; null of what has no end. */
export function boxOf(body: PlacedBody): Box | null {
  const shape = body.shape as Shape3d
  if (isEndless(shape)) return null
  const { min, max } = boundsOf(geometryOf(shape, 1))
  const corners = Array.from({ length: 8 }, (_, i) =>
    inSpace(toWorld(body, { x: i & 1 ? max.x : min.x, y: i & 2 ? max.y : min.y, z: i & 4 ? max.z : min.z })),
  )
  return boxAround(corners)
}

export function boxAround(points: readonly Vec3[]): Box | null {
  if (points.length === 0) return null
  const over = (combine: (...values: number[]) => number): Vec3 =>
    points.reduce((p, q) => ({ x: combine(p.x, q.x), y: combine(p.y, q.y), z: combine(p.z, q.z) }))
  return { min: over(Math.min), max: over(Math.max) }
}

/** How far a line may pass a vertex or an edge that is drawn without a side, in parts of the way to it. */
const THIN = 0.012

/** Parts of the direction until the line meets the geometry; Infinity where it does not. Möller and Trumbore 1997. */
function meets(geometry: Geometry, { origin, direction }: Line): number {
  const { positions, triangles, points, edges } = geometry
  const at = (index: number): Vec3 => ({
    x: positions[3 * index]!,
    y: positions[3 * index + 1]!,
    z: positions[3 * index + 2]!,
  })
  let best = Infinity
  const { x: dx, y: dy, z: dz } = direction
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [3 * triangles[k]!, 3 * triangles[k + 1]!, 3 * triangles[k + 2]!]
    const [ax, ay, az] = [positions[a]!, positions[a + 1]!, positions[a + 2]!]
    const [ux, uy, uz] = [positions[b]! - ax, positions[b + 1]! - ay, positions[b + 2]! - az]
    const [vx, vy, vz] = [positions[c]! - ax, positions[c + 1]! - ay, positions[c + 2]! - az]
    const [px, py, pz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx]
    const size = ux * px + uy * py + uz * pz
    if (size === 0) continue
    const [tx, ty, tz] = [origin.x - ax, origin.y - ay, origin.z - az]
    const s = (tx * px + ty * py + tz * pz) / size
    if (s < 0 || s > 1) continue
    const [qx, qy, qz] = [ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux]
    const t = (dx * qx + dy * qy + dz * qz) / size
    if (t < 0 || s + t > 1) continue
    const part = (vx * qx + vy * qy + vz * qz) / size
    if (part > 0 && part < best) best = part
  }
  // shapes without sides: dots, and edges by a few places of each
  const places = triangles.length > 0 ? [] : [...points.map(at), ...placesOf(edges, at)]
  for (const place of places) {
    const from = minus(place, origin)
    const part = dot(from, direction) / dot(direction, direction)
    const beside = lengthOf(minus(from, times(direction, part)))
    if (part > 0 && part < best && beside < THIN * part * lengthOf(direction)) best = part
  }
  return best
}

/** Places along each edge that can be taken hold of. */
const PLACES = 24

const placesOf = (edges: readonly number[], at: (index: number) => Vec3): Vec3[] =>
  Array.from({ length: (edges.length / 2) * PLACES }, (_, i) => {
    const edge = Math.floor(i / PLACES)
    const [p, q] = [at(edges[2 * edge]!), at(edges[2 * edge + 1]!)]
    return inSpace(plus(p, times(minus(q, p), ((i % PLACES) + 0.5) / PLACES)))
  })

function mayMeet({ middle, radius }: Bounds, { origin, direction }: Line): boolean {
  const from = minus(middle, origin)
  const along = dot(from, direction) / lengthOf(direction)
  const reach = radius + THIN * Math.max(0, along + radius)
  return along > -reach && dot(from, from) - along * along <= reach * reach
}

export interface Picked {
  id: string
  at: Vec3
}

/** The body that is seen through a place of the screen. `reach`: as half-spaces are drawn. */
export function pick(bodies: readonly SketchBody[], line: Line, reach: number): Picked | null {
  let best = Infinity
  let id: string | null = null
  for (const body of bodies) {
    const geometry = geometryOf(body.shape as Shape3d, reach)
    const back = inverse(body.orientation ?? NO_TURN)
    const local: Line = {
      origin: turnedBy(back, inSpace(minus(line.origin, positionOf(body)))),
      direction: turnedBy(back, line.direction),
    }
    if (!mayMeet(boundsOf(geometry), local)) continue
    const part = meets(geometry, local)
    if (part < best) [best, id] = [part, body.id]
  }
  return id === null ? null : { id, at: inSpace(plus(line.origin, times(line.direction, best))) }
}
