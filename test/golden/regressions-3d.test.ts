// Inputs in space that broke other libraries: as reported, swapped, moved by 1e6, scaled by 1/1024 and 1024, with the axes taken round.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Contact3dResponse } from '../../schemas/queries/contact.ts'
import type { Distance3dResponse } from '../../schemas/queries/distance.ts'
import type { Hull3dResponse } from '../../schemas/queries/hull.ts'
import type { Overlap3dResponse } from '../../schemas/queries/overlap.ts'
import type { TimeOfImpact3dResponse } from '../../schemas/queries/time-of-impact.ts'
import type { Body3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { CAST_ROWS_3D, HULL_ROWS_3D, PAIR_ROWS_3D, type PairRow3d, v } from './regressions-3d.ts'

let client: Client
beforeAll(async () => {
  client = await startClient({}, '3d')
})
afterAll(() => client.close())

async function ask<T>(query: string, request: object): Promise<T> {
  const { status, body } = await client.post(query, request)
  expect({ status, problem: status === 200 ? null : body }).toEqual({ status: 200, problem: null })
  return body as T
}

interface Variant {
  scale: number
  shift: number
  /** How often x becomes y. */
  turns: 0 | 1
  swapped: boolean
}

const PLAIN: Variant = { scale: 1, shift: 0, turns: 0, swapped: false }
const VARIANTS: [string, Variant][] = [
  ['as reported', PLAIN],
  ['swapped', { ...PLAIN, swapped: true }],
  ['moved by 1e6', { ...PLAIN, shift: 1e6 }],
  ['scaled by 1/1024', { ...PLAIN, scale: 1 / 1024 }],
  ['scaled by 1024', { ...PLAIN, scale: 1024 }],
  ['with the axes taken round', { ...PLAIN, turns: 1 }],
]

const turned = ({ turns }: Variant, { x, y, z }: Vec3): Vec3 => (turns === 1 ? v(z, x, y) : v(x, y, z))

function vary(variant: Variant, { shape, position = v(0, 0, 0), orientation }: Body3d): Body3d {
  const { scale, shift, turns } = variant
  const length = (p: Vec3): Vec3 => {
    const { x, y, z } = turned(variant, p)
    return v(x * scale, y * scale, z * scale)
  }
  const place = length(position)
  return {
    shape: varyShape(shape, length, scale, turns),
    position: v(place.x + shift, place.y + shift, place.z + shift),
    ...(orientation === undefined ? {} : { orientation: { ...turned(variant, orientation), w: orientation.w } }),
  }
}

function varyShape(shape: Shape3d, length: (p: Vec3) => Vec3, scale: number, turns: number): Shape3d {
  const next = { x: 'y', y: 'z', z: 'x' } as const
  switch (shape.type) {
    case 'sphere':
      return { ...shape, radius: shape.radius * scale }
    case 'capsule':
      return { ...shape, a: length(shape.a), b: length(shape.b), radius: shape.radius * scale }
    case 'box':
      return { ...shape, size: length(shape.size) }
    case 'hull':
      return { ...shape, points: shape.points.map(length) }
    case 'cylinder':
    case 'cone': {
      const axis = shape.axis ?? 'y'
      const { radius, height } = shape
      return { ...shape, radius: radius * scale, height: height * scale, axis: turns === 1 ? next[axis] : axis }
    }
    default:
      throw new Error(`no ${shape.type} here`)
  }
}

const apart = (p: Vec3, q: Vec3): number => Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z)

/** What rounding of the places, of a turn and of the answer may come to. */
function toleranceOf({ scale, shift }: Variant, { a, b }: PairRow3d): number {
  const size = JSON.stringify([a, b])
    .match(/-?\d+(\.\d+)?(e[-+]?\d+)?/g)!
    .reduce((largest, text) => Math.max(largest, Math.abs(Number(text))), 0)
  return 1e-15 * (16 * size * scale + shift)
}

async function checkPair(row: PairRow3d, variant: Variant): Promise<void> {
  const [a, b] = [vary(variant, row.a), vary(variant, row.b)]
  const pair = variant.swapped ? { a: b, b: a } : { a, b }
  const tolerance = toleranceOf(variant, row)
  const { relation, overlap } = await ask<Overlap3dResponse>('overlap', pair)
  // Moved so far, the places themselves are rounded.
  if (row.relation !== null && variant.shift === 0) expect(relation).toBe(row.relation)
  expect(overlap).toBe(relation !== 'separated')

  const distance = await ask<Distance3dResponse>('distance', pair)
  const separation = row.separation * variant.scale
  expect(Math.abs(distance.distance - Math.max(0, separation))).toBeLessThanOrEqual(tolerance)
  expect(distance.distance === 0).toBe(overlap)
  expect(Math.abs(apart(distance.pointA, distance.pointB) - distance.distance)).toBeLessThanOrEqual(tolerance)

  const contact = await ask<Contact3dResponse>('contact', { ...pair, maxDistance: 2 * tolerance })
  const measured = contact.separation as number
  expect(contact.touching).toBe(overlap)
  expect(Math.abs(measured - separation)).toBeLessThanOrEqual(tolerance)
  const normal = contact.normal as Vec3
  expect(Math.abs(Math.hypot(normal.x, normal.y, normal.z) - 1)).toBeLessThanOrEqual(1e-12)
  if (row.normals !== undefined) {
    const toB = variant.swapped ? v(-normal.x, -normal.y, -normal.z) : normal
    const nearest = Math.min(...row.normals.map((wanted) => apart(toB, turned(variant, wanted))))
    expect(nearest).toBeLessThanOrEqual(1e-6)
  }
  for (const point of contact.points)
    expect(Math.abs(point.separation)).toBeLessThanOrEqual(Math.abs(measured) + tolerance)
  if (overlap) expect(contact.points.length).toBeGreaterThan(0)
}

describe.each(VARIANTS)('%s', (_name, variant) => {
  it.each(PAIR_ROWS_3D.map((row) => [row.name, row] as const))('%s', async (_row, row) => {
    await checkPair(row, variant)
  })

  it.each(CAST_ROWS_3D.map((row) => [row.name, row] as const))('%s', async (_row, { a, b, velocity, time, normal }) => {
    const { scale, swapped } = variant
    const speed = turned(variant, velocity)
    const moving = { ...vary(variant, b), velocity: v(speed.x * scale, speed.y * scale, speed.z * scale) }
    const still = vary(variant, a)
    const pair = swapped ? { a: moving, b: still } : { a: still, b: moving }
    const found = await ask<TimeOfImpact3dResponse>('time-of-impact', { ...pair, duration: 200 })
    expect(found).toMatchObject({ hit: true, status: 'converged' })
    expect(Math.abs((found.time as number) - time)).toBeLessThanOrEqual(variant.shift === 0 ? 1e-13 : 1e-9)
    const way = found.normal as Vec3
    expect(apart(swapped ? v(-way.x, -way.y, -way.z) : way, turned(variant, normal))).toBeLessThanOrEqual(1e-12)
  })
})

it.each(HULL_ROWS_3D)('$name', async ({ points, vertices, faces, volume }) => {
  const hull = await ask<Hull3dResponse>('hull', { points })
  expect(hull.vertices).toHaveLength(vertices)
  expect(hull.faces).toHaveLength(faces)
  expect(hull.volume).toBe(volume)
})
