// How far a box falls until a brush stops it, from planes alone: the box is shrunk to its origin and the brush grown by it instead,
// whose planes are those of the brush, those of the axes, and those along an edge of each, all moved out to what they then
// touch. A check of answers, in plain doubles.

import type { Solid } from './brush-corners.ts'
import type { Point } from './quake-map.ts'

type Vector = readonly [number, number, number]

interface Plane {
  normal: Vector
  offset: number
}

export interface Box {
  min: Point
  max: Point
}

const UNITS: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** Where the origin of the box may not be: that of a brush with these corners, grown by the box, which is about its origin. */
export function grown({ planes }: Solid, corners: readonly Point[], box: Box): Plane[] {
  const faces = planes.map(({ normal }) => normal.map(Number) as unknown as Vector)
  const edges = faces.flatMap((p, i) => faces.slice(0, i).map((q) => cross(p, q)))
  const across = edges.flatMap((edge) => UNITS.map((unit) => cross(edge, unit)))
  return [...faces, ...[...UNITS, ...across].flatMap((normal): Vector[] => [normal, opposite(normal)])]
    .filter(([x, y, z]) => x !== 0 || y !== 0 || z !== 0)
    .map((normal) => {
      const [x, y, z] = normal
      const highest = Math.max(...corners.map((corner) => x * corner.x + y * corner.y + z * corner.z))
      const reach = (n: number, min: number, max: number) => Math.max(-n * min, -n * max)
      const skin = reach(x, box.min.x, box.max.x) + reach(y, box.min.y, box.max.y) + reach(z, box.min.z, box.max.z)
      return { normal, offset: highest + skin }
    })
}

/** How far a point falls against z until it is behind all planes; Infinity when that is never so. */
export function fallOnto(planes: readonly Plane[], from: Point): number {
  let enter = 0
  let leave = Infinity
  for (const { normal, offset } of planes) {
    const [x, y, z] = normal
    const height = x * from.x + y * from.y + z * from.z - offset
    if (z > 0) enter = Math.max(enter, height / z)
    else if (z < 0) leave = Math.min(leave, height / z)
    else if (height > 0) return Infinity
  }
  return enter <= leave ? enter : Infinity
}

const cross = (v: Vector, w: Vector): Vector => [
  v[1] * w[2] - v[2] * w[1],
  v[2] * w[0] - v[0] * w[2],
  v[0] * w[1] - v[1] * w[0],
]
const opposite = ([x, y, z]: Vector): Vector => [-x, -y, -z]
