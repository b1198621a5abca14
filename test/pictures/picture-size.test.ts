import { describe, expect, it } from 'vitest'
import { PICTURE_LIMITS, pictureSize } from '../../src/pictures/shape-parts.ts'

const circle = { shape: { type: 'circle', radius: 1 } }
const triangle = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
]

describe('pictureSize', () => {
  it.each([
    ['a pair', { a: circle, b: { shape: { type: 'polygon', vertices: triangle } } }, 2, 7],
    ['a ray and its targets', { ray: {}, targets: [circle, circle, circle] }, 3, 12],
    ['a trajectory', { body: circle, obstacles: [circle] }, 2, 8],
    ['bodies', { bodies: [{ shape: { type: 'point' } }, circle] }, 2, 5],
    ['two lists', { a: [circle], b: [circle, circle] }, 3, 12],
    ['points', { points: triangle }, 0, 3],
    ['a region', { region: { type: 'region', outer: triangle, holes: [triangle, triangle] } }, 1, 9],
    [
      'compounds in compounds',
      { shape: { type: 'compound', children: [circle, { shape: { type: 'compound', children: [circle, circle] } }] } },
      3,
      12,
    ],
  ])('counts %s', (_what, request, shapes, vertices) => {
    expect(pictureSize(request)).toEqual({ shapes, vertices })
  })

  it('has limits that a page of shapes stays within', () => {
    const bodies = Array.from({ length: PICTURE_LIMITS.shapes + 1 }, () => circle)
    expect(pictureSize({ bodies }).shapes).toBeGreaterThan(PICTURE_LIMITS.shapes)
    expect(pictureSize({ bodies: bodies.slice(1) }).shapes).toBe(PICTURE_LIMITS.shapes)
  })
})
