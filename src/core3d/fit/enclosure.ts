/**
 * Bodies in space that enclose another one: boxes, spheres, capsules and cylinders, as the numbers that an answer has, grown until they
 * hold it for certain.
 *
 * Method: as in the plane: the shape that was found is placed as whoever reads the answer places it, and asked by the test of
 * containment (`queries/containment.ts`); while it does not hold the body, it is grown (`core/growth.ts`). The test is exact for
 * core points in boxes, spheres and capsules. Where it decides to within the error of heights, the enclosure is grown by that much more.
 * Frame: world.
 */

import { spend } from '../../containers/budget.ts'
import { grownToHold } from '../../core/growth.ts'
import { UNIT_ROUNDOFF } from '../../numeric/roundoff.ts'
import { contains } from '../queries/containment.ts'
import { type Body, createBody, POINTS, reservePoints, setPose, VERTICES, type Vector } from '../shape/body.ts'
import { type AxisName, finishPoints, setAabb, setBox, setCapsule, setCylinder, setSphere } from '../shape/shapes.ts'

/** x, y, z, w of a unit quaternion; null for no turn. */
export type Orientation = readonly [number, number, number, number] | null

export type Enclosure =
  | { kind: 'aabb'; min: Vector; max: Vector }
  | { kind: 'box'; position: Vector; orientation: Orientation; size: Vector }
  | { kind: 'sphere'; position: Vector; radius: number }
  /** The ends of its core are counted from the position, which is that of the body. */
  | { kind: 'capsule'; position: Vector; a: Vector; b: Vector; radius: number }
  | { kind: 'cylinder'; position: Vector; orientation: Orientation; axis: AxisName; radius: number; height: number }

const ORIGIN: Vector = [0, 0, 0]
const slot = createBody()

/** Makes `slot` the enclosure as an answer describes it. */
export function setEnclosure(slot: Body, enclosure: Enclosure): void {
  const position = enclosure.kind === 'aabb' ? ORIGIN : enclosure.position
  const orientation = 'orientation' in enclosure ? (enclosure.orientation ?? undefined) : undefined
  setPose(slot, { position, orientation })
  switch (enclosure.kind) {
    case 'aabb':
      setAabb(slot, enclosure.min, enclosure.max)
      return
    case 'box':
      setBox(slot, enclosure.size, 0)
      return
    case 'sphere':
      setSphere(slot, enclosure.radius)
      return
    case 'capsule':
      setCapsule(slot, enclosure.a, enclosure.b, enclosure.radius)
      return
    case 'cylinder':
      setCylinder(slot, enclosure.radius, enclosure.height, enclosure.axis)
  }
}

/** Makes a body of at least one point x0, y0, z0, x1, … Cost O(n). */
export function setPoints(coordinates: Float64Array, body: Body): void {
  const count = coordinates.length / 3
  setPose(body, { position: ORIGIN })
  spend(count)
  reservePoints(body, count)
  body.numbers.set(coordinates, VERTICES)
  finishPoints(body, 0)
}

/** The enclosure itself, or grown as little as it takes; `unit`: a length of which the roundoff is the first growth. */
export function grown(enclosure: Enclosure, guests: readonly Body[], unit: number): Enclosure {
  const held = grownToHold(enclosure, unit, {
    holds(candidate) {
      setEnclosure(slot, candidate)
      return guests.every((guest) => contains(slot, guest))
    },
    padded: paddedAll,
    waysToGrow,
  })
  const margin = unit * guests.reduce((most, guest) => Math.max(most, marginOf(enclosure, guest)), 0)
  return margin === 0 ? held : paddedAll(held, margin)
}

/** By which part of the unit the test of containment may be too lenient. */
function marginOf(enclosure: Enclosure, guest: Body): number {
  const isBent = guest.kind !== POINTS
  const isExact = enclosure.kind === 'cylinder' ? enclosure.orientation === null && !isBent : !isBent
  if (isExact) return 0
  const isPlain = isBent && guest.aligned && (!('orientation' in enclosure) || enclosure.orientation === null)
  return isPlain ? 0 : 1024 * UNIT_ROUNDOFF
}

/** A box may have to grow along one side only. */
function waysToGrow(enclosure: Enclosure, pad: number): Enclosure[] {
  const all = paddedAll(enclosure, pad)
  if (enclosure.kind !== 'box') return [all]
  return [padded(enclosure, [pad, 0, 0]), padded(enclosure, [0, pad, 0]), padded(enclosure, [0, 0, pad]), all]
}

function paddedAll(enclosure: Enclosure, pad: number): Enclosure {
  return padded(enclosure, [pad, pad, pad])
}

function padded(enclosure: Enclosure, pads: Vector): Enclosure {
  const sum = (vector: Vector, scale: number): Vector => [
    vector[0] + scale * pads[0],
    vector[1] + scale * pads[1],
    vector[2] + scale * pads[2],
  ]
  switch (enclosure.kind) {
    case 'aabb':
      return { ...enclosure, min: sum(enclosure.min, -1), max: sum(enclosure.max, 1) }
    case 'box':
      return { ...enclosure, size: sum(enclosure.size, 2) }
    case 'cylinder':
      return { ...enclosure, radius: enclosure.radius + pads[0], height: enclosure.height + 2 * pads[0] }
    default:
      return { ...enclosure, radius: enclosure.radius + pads[0] }
  }
}

export function volumeOf(enclosure: Enclosure): number {
  switch (enclosure.kind) {
    case 'aabb':
    case 'box': {
      const [a, b, c] = sidesOf(enclosure)
      return a * b * c
    }
    case 'sphere':
      return (4 / 3) * Math.PI * enclosure.radius ** 3
    case 'capsule':
      return Math.PI * enclosure.radius ** 2 * ((4 / 3) * enclosure.radius + coreLength(enclosure))
    case 'cylinder':
      return Math.PI * enclosure.radius ** 2 * enclosure.height
  }
}

export function surfaceOf(enclosure: Enclosure): number {
  switch (enclosure.kind) {
    case 'aabb':
    case 'box': {
      const [a, b, c] = sidesOf(enclosure)
      return 2 * (a * b + b * c + c * a)
    }
    case 'sphere':
      return 4 * Math.PI * enclosure.radius ** 2
    case 'capsule':
      return 2 * Math.PI * enclosure.radius * (2 * enclosure.radius + coreLength(enclosure))
    case 'cylinder':
      return 2 * Math.PI * enclosure.radius * (enclosure.radius + enclosure.height)
  }
}

function sidesOf(enclosure: Enclosure & { kind: 'aabb' | 'box' }): Vector {
  if (enclosure.kind === 'box') return enclosure.size
  const { min, max } = enclosure
  return [max[0] - min[0], max[1] - min[1], max[2] - min[2]]
}

function coreLength({ a, b }: Enclosure & { kind: 'capsule' }): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2])
}
