// Bodies of space in other frames: what a ray or a point meets there is what it met before, in the other frame.

import { describe, expect, it } from 'vitest'
import type { MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { bodiesMeet } from '../../src/core3d/queries/overlap.ts'
import { framingOf3d, PLAIN_FRAME_3D } from '../../src/import/body-in-frame-3d.ts'
import { createSlot, decodeBody } from '../../src/wire/body-3d.ts'

const LIMITS = { maxVertices: 1000, maxParts: 100 }
const [a, b] = [createSlot(), createSlot()]

function meets(body: MovingBody3d, point: Vec3): boolean {
  expect(decodeBody(body, a, LIMITS)).toBeNull()
  expect(decodeBody({ shape: { type: 'point' }, position: point }, b, LIMITS)).toBeNull()
  return bodiesMeet(a, b)
}

const p = (x: number, y: number, z: number): Vec3 => ({ x, y, z })
const SHAPES: Shape3d[] = [
  { type: 'sphere', radius: 1.5 },
  { type: 'segment', a: p(0, 0, 0), b: p(2, 2, 0) },
  { type: 'capsule', a: p(-1, 0, 0), b: p(1, 2, 1), radius: 0.75 },
  { type: 'triangle', a: p(0, 0, 0), b: p(2, 0, 0), c: p(0, 2, 1) },
  { type: 'box', size: p(1, 2, 4) },
  { type: 'box', size: p(1, 2, 4), radius: 0.25 },
  { type: 'cylinder', radius: 1, height: 3 },
  { type: 'cylinder', radius: 1, height: 3, axis: 'z' },
  { type: 'cone', radius: 2, height: 3 },
  { type: 'cone', radius: 2, height: 3, axis: 'x' },
  { type: 'cone', radius: 2, height: 3, axis: 'z' },
  { type: 'ellipsoid', radii: p(1, 2, 0.5) },
  { type: 'hull', points: [p(0, 0, 0), p(2, 0, 0), p(0, 2, 0), p(0, 0, 3)] },
  { type: 'halfspace', normal: p(1, 2, 3), offset: 0.5 },
  { type: 'mesh', vertices: [0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], solid: true },
  { type: 'compound', children: [
    { shape: { type: 'cone', radius: 1, height: 2, axis: 'z' }, position: p(1, 0, 1), orientation: { x: 0, y: 0.6, z: 0, w: 0.8 } },
    { shape: { type: 'aabb', min: p(-1, -2, 0), max: p(0, 0, 2) } },
  ] },
] // biome-ignore format: a table
/** On no side of a shape: what is turned is rounded. */
const POINTS = Array.from({ length: 7 ** 3 }, (_, k) =>
  p((k % 7) - 3.07, (Math.floor(k / 7) % 7) - 2.95, Math.floor(k / 49) - 3.11),
)
const inside = { y: ({ x, y, z }: Vec3) => p(x, z, -y), z: ({ x, y, z }: Vec3) => p(x, -z, y) }

describe('a body whose up axis is turned, scaled by 2 and moved', () => {
  it.each(SHAPES.map((shape) => [shape.type, shape] as const))('%s', (_, shape) => {
    const scale = 2
    const offset = p(8, -4, 16)
    for (const up of ['y', 'z'] as const) {
      const { drawn } = framingOf3d({ up, scale, offset })
      const orientation = { x: 0, y: 0.6, z: 0, w: 0.8 }
      for (const body of [
        { shape, position: p(0.5, 0, -1) },
        { shape, position: p(0, 1, 0), orientation },
      ]) {
        if ('orientation' in body && JSON.stringify(shape).includes('aabb')) continue
        const other = drawn(body)
        let met = 0
        for (const point of POINTS) {
          const expected = meets(body, point)
          if (expected) met++
          const { x, y, z } = inside[up](point)
          expect(meets(other, p(2 * x + 8, 2 * y - 4, 2 * z + 16))).toBe(expected)
        }
        expect(met).toBeLessThan(POINTS.length)
      }
    }
  })
})

it('turns velocities, and gives bodies that share a shape one shape', () => {
  const shape: Shape3d = { type: 'box', size: p(1, 2, 3) }
  const { moving } = framingOf3d({ ...PLAIN_FRAME_3D, up: 'y' })
  const first = moving({ shape, velocity: p(1, 2, 3), angularVelocity: p(4, 5, 6) })
  expect(first).toEqual({
    shape: { type: 'box', size: p(1, 3, 2) },
    velocity: p(1, 3, -2),
    angularVelocity: p(4, 6, -5),
  })
  expect(moving({ shape, position: p(1, 0, 0) }).shape).toBe(first.shape)
  expect(framingOf3d(PLAIN_FRAME_3D).moving(first)).toBe(first)
})

it('turns a height field about, whose rows cannot run backwards', () => {
  const shape: Shape3d = { type: 'heightfield', columns: 2, cellSize: { x: 1, z: 1 }, heights: [0, 1, 2, null] }
  const { moving } = framingOf3d({ ...PLAIN_FRAME_3D, up: 'z', scale: 2 })
  expect(moving({ shape })).toEqual({
    shape: { ...shape, cellSize: { x: 2, z: 2 }, heights: [0, 2, 4, null] },
    orientation: { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 },
  })
})
