// Shapes of space of the greatest and least sizes, which `validate` takes even where queries refuse them, drawn from everywhere.
import { describe, expect, it } from 'vitest'
import { PICTURE_VIEWS } from '../../schemas/picture.ts'
import type { Shape3d } from '../../schemas/shapes3d.ts'
import { drawQuery3d } from '../../src/pictures/queries/draw-query.ts'
import { readSvg } from './svg-check.ts'

const SIZES = [Number.MAX_VALUE, 1e-160, Number.MIN_VALUE, 0]

function shapesOf(s: number, t: number): Shape3d[] {
  const [a, b, c] = [
    { x: s, y: -s, z: t },
    { x: -s, y: t, z: s },
    { x: t, y: s, z: -t },
  ]
  return [
    { type: 'point' },
    { type: 'sphere', radius: s },
    { type: 'segment', a, b },
    { type: 'capsule', a, b, radius: t },
    { type: 'triangle', a, b, c },
    { type: 'box', size: { x: s, y: t, z: s }, radius: t },
    { type: 'box', size: { x: t, y: s, z: 0 } },
    { type: 'aabb', min: a, max: b },
    ...(['x', 'y', 'z'] as const).flatMap((axis): Shape3d[] => [
      { type: 'cylinder', radius: s, height: t, axis },
      { type: 'cone', radius: s, height: t, axis },
    ]),
    { type: 'ellipsoid', radii: { x: s, y: t, z: s } },
    { type: 'hull', points: [a, b, c, { x: 0, y: 0, z: s }], radius: t },
    { type: 'halfspace', normal: a, offset: t },
  ]
}

it('draws large obstacles that move where they are hit a few times only', () => {
  const points = Array.from({ length: 2048 }, (_, k) => ({ x: Math.cos(k), y: Math.sin(k), z: k / 1024 }))
  const body = { shape: { type: 'hull', points } as const, velocity: { x: 1, y: 0, z: 0 } }
  const along = { x: 1, y: 0, z: 0 }
  const bounces = Array.from({ length: 60 }, (_, k) => ({
    time: k,
    point: along,
    normal: along,
    obstacle: 0,
    velocityBefore: along,
    velocityAfter: along,
  }))
  const answer = { bounces, end: { time: 60, position: along, velocity: along }, status: 'completed' } as const
  const ball = { shape: { type: 'sphere', radius: 1 } as const }
  const svg = drawQuery3d('trajectory', { body: ball, obstacles: [body], duration: 60 }, answer, 'iso')
  const alone = drawQuery3d(
    'trajectory',
    { body: ball, obstacles: [{ shape: body.shape }], duration: 60 },
    answer,
    'iso',
  )
  // The obstacle itself and nine ghosts.
  expect(svg.length).toBeGreaterThan(5 * alone.length)
  expect(svg.length).toBeLessThan(11 * alone.length)
})

describe.each(PICTURE_VIEWS)('%s', (view) => {
  it.each(SIZES)('draws shapes of %s with any other size', (s) => {
    for (const t of SIZES) {
      for (const shape of shapesOf(s, t)) {
        const svg = drawQuery3d('validate', { shape }, { valid: true, findings: [], truncated: false }, view)
        try {
          expect(readSvg(svg).elements.get('title')).toBe(1)
        } catch (fault) {
          throw new Error(JSON.stringify(shape), { cause: fault })
        }
      }
    }
  })
})
