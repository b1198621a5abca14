// Shapes of space of the greatest and least sizes, which `validate` takes even where queries refuse them, drawn from everywhere.
import { describe, expect, it } from 'vitest'
import { PICTURE_VIEWS } from '../../schemas/picture.ts'
import type { Shape3d } from '../../schemas/shapes3d/shape.ts'
import { drawQuery3d } from '../../src/pictures/draw-query3d.ts'
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
