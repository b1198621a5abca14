// What several rings of one path fill.

import { describe, expect, it } from 'vitest'
import type { Vec2 } from '../../../schemas/vec2.ts'
import { type FillRule, filledShapes } from '../../../src/import/svg/filled-shapes.ts'
import { bodiesOf, imported } from '../imported.ts'

const square = (x: number, y: number, size: number): Vec2[] => [
  { x, y },
  { x: x + size, y },
  { x: x + size, y: y + size },
  { x, y: y + size },
]
const back = (ring: Vec2[]): Vec2[] => [...ring].reverse()
const kinds = (rule: FillRule, ...rings: Vec2[][]): string => {
  const shapes = filledShapes(rings, rule)
  return typeof shapes === 'string' ? shapes : shapes.map(({ shape }) => shape.type).join()
}

describe('rings', () => {
  it('that cross, wound one way, fill their union', () => {
    const shapes = filledShapes([square(0, 0, 10), square(5, 5, 10), square(1, 1, 2)], 'nonzero')
    expect(shapes).toHaveLength(3)
    expect(kinds('nonzero', back(square(0, 0, 10)), back(square(5, 5, 10)))).toBe('polygon,polygon')
    // A cross: no corner of either lies in the other.
    const [wide, tall] = [square(0, 0, 4), square(0, 0, 4)].map((ring, k) =>
      ring.map(({ x, y }) => (k === 0 ? { x: 3 * x - 4, y } : { x, y: 3 * y - 4 })),
    )
    expect(kinds('nonzero', wide!, tall!)).toBe('polygon,polygon')
  })

  it('that cross otherwise are not told apart', () => {
    expect(kinds('nonzero', square(0, 0, 10), back(square(5, 5, 10)))).toMatch(/cross each other/)
    expect(kinds('evenodd', square(0, 0, 10), square(5, 5, 10))).toMatch(/cross each other/)
    const path = '<path fill-rule="evenodd" d="M0 0H10V10H0ZM5 5H15V15H5Z"/>'
    const file = imported({ 'a.svg': `<svg>${path}</svg>` }, { format: 'svg' })
    expect(file).toMatchObject({ bodies: [], skipped: [{ what: 'path', why: 'Its rings cross each other.' }] })
  })

  it('may touch', () => {
    expect(kinds('evenodd', square(0, 0, 10), square(10, 0, 10))).toBe('polygon,polygon')
    expect(kinds('evenodd', square(0, 0, 10), square(10, 10, 10))).toBe('polygon,polygon')
    const kite = [
      { x: 0, y: 0 },
      { x: 5, y: 4 },
      { x: 4, y: 5 },
    ]
    expect(kinds('evenodd', square(0, 0, 10), kite)).toBe('region')
    expect(kinds('nonzero', square(0, 0, 10), back(kite))).toBe('region')
  })

  it('too large to be told apart are said to be', () => {
    const count = 20_000
    const teeth = (offset: number) => Array.from({ length: count }, (_, k) => ({ x: k, y: offset + (k % 2) * 1e4 }))
    // one above the other, closed below and above: they do not cross, and each side of one lies in the box of the other
    const comb = (offset: number, far: number) => [...teeth(offset), { x: count - 1, y: far }, { x: 0, y: far }]
    expect(kinds('nonzero', comb(0, -1e5), comb(1, 1e5))).toMatch(/too many points/)
    // closed by a line across the teeth of the other
    expect(kinds('evenodd', teeth(0), teeth(1))).toMatch(/cross each other/)
  })

  it('may lie in each other very often', () => {
    const nested = Array.from({ length: 1000 }, (_, k) => square(k, k, 10_000 - 2 * k))
    expect(kinds('evenodd', ...nested).split(',')).toEqual(Array.from({ length: 500 }, () => 'region'))
  })
})

describe('elements', () => {
  it('of which transforms leave nothing are listed', () => {
    const svg = '<svg><g transform="scale(1 0)"><rect width="4" height="2"/><path d="M0 0h4v2z"/></g></svg>'
    const file = imported({ 'a.svg': svg }, { format: 'svg' })
    expect(file.bodies).toEqual([])
    expect(file.skipped.map(({ what }) => what)).toEqual(['rect', 'path'])
  })

  it('that are turned over lie as they did', () => {
    const svg =
      '<svg><g transform="scale(-1,1)"><rect width="4" height="2"/><rect transform="rotate(30)" width="4" height="2"/></g></svg>'
    const [plain, turned] = bodiesOf(imported({ 'a.svg': svg }, { format: 'svg' }))
    expect(plain).toMatchObject({ shape: { width: 4, height: 2 }, position: { x: -2, y: 1 } })
    expect(plain!.rotation).toBeUndefined()
    expect(turned!.rotation).toBeCloseTo(-Math.PI / 6, 12)
  })
})
