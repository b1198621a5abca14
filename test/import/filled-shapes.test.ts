// What several rings of one path fill.

import { describe, expect, it } from 'vitest'
import type { Vec2 } from '../../schemas/vector.ts'
import type { FillRule } from '../../src/core2d/outline/noded-edges.ts'
import { filledShapes } from '../../src/import/svg-element.ts'
import { bodiesOf, imported } from './imported.ts'

const square = (x: number, y: number, size: number): Vec2[] => [
  { x, y },
  { x: x + size, y },
  { x: x + size, y: y + size },
  { x, y: y + size },
]
const back = (ring: Vec2[]): Vec2[] => [...ring].reverse()
const filled = (rings: Vec2[][], rule: FillRule, repair = true) => {
  const found = filledShapes(rings, rule, repair)
  return typeof found === 'string' ? { parts: [], repaired: found } : found
}
const kinds = (rule: FillRule, ...rings: Vec2[][]): string =>
  filled(rings, rule)
    .parts.map(({ shape }) => shape.type)
    .join()

describe('rings', () => {
  it('that cross fill what the rule says, and are listed', () => {
    const both = [square(0, 0, 10), square(5, 5, 10)]
    const union = filled([...both, square(1, 1, 2)], 'nonzero')
    expect(union.parts).toMatchObject([{ shape: { type: 'region', outer: { length: 8 } } }])
    expect(union.repaired).toMatch(
      /cross or overlap, as at \(\d+, \d+\)\. What the rule nonzero fills is taken: one outline/,
    )
    expect(kinds('evenodd', ...both)).toBe('region,region')
    // Wound against each other, both are filled but what they share.
    expect(kinds('nonzero', square(0, 0, 10), back(square(5, 5, 10)))).toBe('region,region')
    const cross = filled(
      [square(0, 0, 4), square(0, 0, 4)].map((ring, k) =>
        ring.map(({ x, y }) => (k === 0 ? { x: 3 * x - 4, y } : { x, y: 3 * y - 4 })),
      ),
      'nonzero',
    )
    expect(cross.parts).toMatchObject([{ shape: { type: 'region', outer: { length: 12 } } }])
  })

  it('that cross are left out, and the place told, where repair is off', () => {
    const path = '<path fill-rule="evenodd" d="M0 0H10V10H0ZM5 5H15V15H5Z"/>'
    const file = imported({ 'a.svg': `<svg>${path}</svg>` }, { format: 'svg', repair: false })
    expect(file).toMatchObject({
      bodies: [],
      repaired: [],
      skipped: [{ what: 'path', why: expect.stringMatching(/cross or overlap, as at/) }],
    })
  })

  it('that nothing is filled of are listed', () => {
    const twice = filled([square(0, 0, 10), square(0, 0, 10)], 'evenodd')
    expect(twice).toMatchObject({ parts: [], repaired: expect.stringMatching(/the rule evenodd fills nothing of it/) })
  })

  it('may touch', () => {
    expect(kinds('evenodd', square(0, 0, 10), square(10, 0, 10))).toBe('polygon')
    expect(kinds('evenodd', square(0, 0, 10), square(10, 10, 10))).toBe('polygon,polygon')
    const kite = [
      { x: 0, y: 0 },
      { x: 5, y: 4 },
      { x: 4, y: 5 },
    ]
    expect(kinds('evenodd', square(0, 0, 10), kite)).toBe('region')
    expect(kinds('nonzero', square(0, 0, 10), back(kite))).toBe('region')
  })

  it('of very many points are told apart', () => {
    const count = 20_000
    const teeth = (offset: number) => Array.from({ length: count }, (_, k) => ({ x: k, y: offset + (k % 2) * 1e4 }))
    // one above the other, closed below and above: they do not cross, and each side of one lies in the box of the other
    const comb = (offset: number, far: number) => [...teeth(offset), { x: count - 1, y: far }, { x: 0, y: far }]
    expect(kinds('nonzero', comb(0, -1e5), comb(1, 1e5))).toBe('region,region')
  })

  it('that cross too often to be repaired are listed', () => {
    const count = 1601
    const star = Array.from({ length: count }, (_, k) => {
      const angle = (Math.PI * k * (count - 1)) / count
      return { x: 1000 * Math.cos(angle), y: 1000 * Math.sin(angle) }
    })
    expect(filled([star], 'nonzero')).toMatchObject({
      parts: [],
      repaired: expect.stringMatching(/too many crossings/),
    })
  })

  it('may lie in each other very often', () => {
    const nested = Array.from({ length: 1000 }, (_, k) => square(k, k, 10_000 - 2 * k))
    expect(kinds('evenodd', ...nested).split(',')).toEqual(Array.from({ length: 500 }, () => 'region'))
  })
})

describe('elements', () => {
  const taken = (inside: string) =>
    imported({ 'a.svg': `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>` }, { format: 'svg' })

  it('that cross themselves are filled by their own rule, where they stand, and listed', () => {
    const star = 'M0 -10 5.9 8.1 -9.5 -3.1 9.5 -3.1 -5.9 8.1Z'
    const file = taken(
      `<path id="n" transform="translate(100 50)" d="${star}"/><path id="e" fill-rule="evenodd" d="${star}"/><polygon id="p" points="0,0 2,2 2,0 0,2"/>`,
    )
    const [all, points, tie] = bodiesOf(file)
    expect(all).toMatchObject({ position: { x: 100, y: 50 }, shape: { type: 'region', outer: { length: 10 } } })
    expect(points!.shape.children.map(({ shape }: { shape: { type: string } }) => shape.type)).toEqual(
      Array(5).fill('polygon'),
    )
    expect(tie!.shape.children).toHaveLength(2)
    expect(file.skipped).toEqual([])
    expect(file.repaired.map(({ where, what }) => `${where} ${what}`)).toEqual([
      '<path> n path',
      '<path> e path',
      '<polygon> p polygon',
    ])
    expect(file.repaired[0]!.why).toMatch(
      /crosses itself, as at \(\d+\.?\d*, \d+\.?\d*\)\. What the rule nonzero fills/,
    )
  })

  it('come back from holes without area that cross other holes', () => {
    const [body] = bodiesOf(taken('<path fill-rule="evenodd" d="M0 0H9V9H0ZM1 1V4H4V1ZM2 2L8 8L5 5Z"/>'))
    expect(body!.shape).toMatchObject({ type: 'region', outer: { length: 4 }, holes: { length: 1 } })
  })

  it('that show themselves by <use>, at any remove, are listed and drawn once', () => {
    const rect = '<rect width="1" height="1"/>'
    for (const inside of [
      `<g id="a">${rect}<use href="#a"/></g>`,
      `<g id="a">${rect}<g><use xlink:href="#a"/></g></g>`,
      `<symbol id="a">${rect}<use href="#a"/></symbol><use href="#a"/>`,
      `<defs><g id="b"><use href="#a"/></g></defs><g id="a">${rect}<use href="#b"/></g>`,
    ]) {
      const { bodies, skipped } = taken(inside)
      expect([bodies.length, skipped.map(({ what }) => what)]).toEqual([1, ['use']])
      expect(skipped[0]!.why).toMatch(/which it is part of/)
    }
    expect(
      taken(`<defs><g id="a">${rect}</g></defs><use href="#a"/><g><use href="#a"/><use href="#a"/></g>`),
    ).toMatchObject({
      bodies: { length: 3 },
      skipped: [],
    })
  })

  it('of another namespace are left out, whether they have a prefix or not', () => {
    const rect = '<rect width="1" height="1"/>'
    expect(taken(`<rect xmlns="http://example.org/x" width="1" height="1"/>${rect}`).bodies).toHaveLength(1)
    expect(taken(`<g xmlns="http://example.org/x">${rect}</g>`).bodies).toHaveLength(0)
    expect(taken(`<x:rect xmlns:x="http://example.org/x" width="1" height="1"/>`).bodies).toHaveLength(0)
    expect(taken(`<g xmlns="http://example.org/x"/><g>${rect}</g>`).bodies).toHaveLength(1)
    expect(taken(`<g xmlns="http://www.w3.org/2000/svg">${rect}</g>`).bodies).toHaveLength(1)
    const plain = imported({ 'a.svg': `<svg>${rect}</svg>` }, { format: 'svg' })
    expect(plain.bodies).toHaveLength(1)
  })

  it('have the other radius where one is negative, and none where both are', () => {
    const radius = (attributes: string) => bodiesOf(taken(`<rect width="10" height="8" ${attributes}/>`))[0]!.shape
    for (const attributes of ['rx="-1" ry="2"', 'rx="2" ry="-1"', 'ry="2"', 'style="rx:-3px;ry:2"']) {
      expect(radius(attributes)).toMatchObject({ type: 'box', radius: 2, width: 6, height: 4 })
    }
    expect(radius('rx="-1" ry="-1"')).toEqual({ type: 'box', width: 10, height: 8 })
    expect(bodiesOf(taken('<ellipse rx="-1" ry="2"/>'))[0]!.shape).toEqual({ type: 'circle', radius: 2 })
  })

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

describe('outlines of other formats that cross', () => {
  const bowTie = [
    [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ],
  ]
  const geoJson = JSON.stringify({
    type: 'GeometryCollection',
    geometries: [
      { type: 'Polygon', coordinates: bowTie },
      {
        type: 'Polygon',
        coordinates: [
          [
            [5, 5],
            [6, 5],
            [6, 6],
            [5, 5],
          ],
        ],
      },
    ],
  })

  it('are repaired where that is asked for, and else left out', () => {
    const plain = imported({ 'a.geojson': geoJson }, { format: 'geojson' })
    expect([plain.bodies.length, plain.skipped.length, plain.repaired]).toEqual([0, 1, []])
    const mended = imported({ 'a.geojson': geoJson }, { format: 'geojson', repair: true })
    expect(mended).toMatchObject({
      skipped: [],
      repaired: [{ where: 'map:0', why: expect.stringMatching(/cross at \(1, 1\)/) }],
    })
    expect(bodiesOf(mended)[0]!.shape.children).toHaveLength(3)
    const alone = JSON.stringify({
      type: 'Polygon',
      coordinates: [
        ...bowTie,
        [
          [0.5, 1],
          [0.2, 1],
          [0.2, 1.1],
          [0.5, 1],
        ],
      ],
    })
    expect(bodiesOf(imported({ 'a.geojson': alone }, { format: 'geojson', repair: true }))[0]!.shape).toMatchObject({
      type: 'compound',
      children: [{ shape: { type: 'region', holes: { length: 1 } } }, { shape: { type: 'polygon' } }],
    })
  })
})
