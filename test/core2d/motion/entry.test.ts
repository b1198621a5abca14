// What stops a body that moves straight, as against what it touches, slides along or leaves.

import { describe, expect, it } from 'vitest'
import { createEntry, type Entry, firstEntry } from '../../../src/core2d/motion/entry.ts'
import type { Body } from '../../../src/core2d/shape/body.ts'
import { unionOf } from '../../../src/core2d/shape/composite.ts'
import { prepare } from '../../support/answers/slots.ts'

const at = (shape: object, x = 0, y = 0, rotation = 0): Body =>
  prepare({ shape, position: { x, y }, ...(rotation !== 0 && { rotation }) } as never)

const region = (...outer: number[][]): object => ({ type: 'region', outer: outer.map(([x, y]) => ({ x, y })) })
const chain = (...vertices: number[][]): object => ({ type: 'chain', vertices: vertices.map(([x, y]) => ({ x, y })) })
const segment = (ax: number, ay: number, bx: number, by: number): object => ({
  type: 'segment',
  a: { x: ax, y: ay },
  b: { x: bx, y: by },
})
const box = (minX: number, minY: number, maxX: number, maxY: number): Body =>
  at({ type: 'aabb', min: { x: minX, y: minY }, max: { x: maxX, y: maxY } })
const compound = (...children: object[]): object => ({
  type: 'compound',
  children: children.map((shape) => ({ shape })),
})

const point = { type: 'point' }
const slab = region([0, 0], [4, 0], [4, 1], [0, 1])

function entry(a: Body, b: Body, vx: number, vy: number, isHeld = true, duration = 1): Entry {
  const out = createEntry()
  firstEntry({ a, b, motion: { vx, vy, spin: 0 }, duration, isHeld, isStrict: false }, out)
  return out
}

/** Shapes without an inside that rest on the level line through their position. */
const THIN: readonly [string, object][] = [
  ['a point', point],
  ['a circle of radius 0', { type: 'circle', radius: 0 }],
  ['a level segment', segment(-0.5, 0, 0.5, 0)],
  ['a box of height 0', { type: 'box', width: 1, height: 0 }],
  ['an upright segment', segment(0, 0, 0, 2)],
  ['a chain', chain([-0.5, 0.5], [0, 0], [0.5, 0.5])],
]

describe('firstEntry', () => {
  it.each(THIN)('stops %s that rests on a region at once, and one above when it gets there', (_, shape) => {
    for (const [scale, shift] of [
      [1, 0],
      [1, 1e6],
    ]) {
      const floor = at(slab, shift, shift)
      const resting = entry(floor, at(shape, shift + 2, shift + 1), 0, -3 * scale)
      expect(resting).toMatchObject({ isBlocked: true, time: 0, nx: 0, ny: 1 })
      const falling = entry(floor, at(shape, shift + 2, shift + 2), 0, -4 * scale)
      expect(falling).toMatchObject({ isBlocked: true, time: 0.25, nx: 0, ny: 1 })
      expect(entry(floor, at(shape, shift + 2, shift + 1), 1, 0).isBlocked).toBe(false)
      expect(entry(floor, at(shape, shift + 2, shift + 1), 1, 3).isBlocked).toBe(false)
    }
  })

  it.each([
    ['two boxes', unionOf([box(-1, -1, 0, 0), box(0, -1, 1, 0)])],
    [
      'a compound',
      at(
        compound(
          { type: 'aabb', min: { x: -1, y: -1 }, max: { x: 0, y: 0 } },
          { type: 'aabb', min: { x: 0, y: -1 }, max: { x: 1, y: 0 } },
        ),
      ),
    ],
    [
      'two regions',
      unionOf([at(region([-1, -1], [0, -1], [0, 0], [-1, 0])), at(region([0, -1], [1, -1], [1, 0], [0, 0]))]),
    ],
    [
      'a region and a half-plane',
      unionOf([
        at(region([-1, -1], [0, -1], [0, 0], [-1, 0])),
        at({ type: 'halfplane', normal: { x: -1, y: 0 }, offset: 0 }),
      ]),
    ],
    ['boxes that touch in a corner', unionOf([box(-1, -1, 0, 0), box(0, 0, 1, 1)])],
  ])('lets nothing through where %s meet', (name, obstacle) => {
    const [vx, vy] = name.includes('corner') ? [2, -2] : [0, -2]
    for (const shape of [point, segment(0, 0, -vx / 4, -vy / 4), chain([0, 0], [-vx / 4, -vy / 4])]) {
      expect(entry(obstacle, at(shape, -vx / 2, -vy / 2), vx, vy)).toMatchObject({ isBlocked: true, time: 0.5 })
    }
  })

  it('stops a point at a seam, whenever a wall behind it would stop it', () => {
    for (const depth of [0.5, 1, 2]) {
      const wall = box(-1, -4, 1, -depth)
      const falling = (obstacle: Body) => entry(obstacle, at(point, 0, 1), 0, -2, true, 2)
      expect(falling(wall)).toMatchObject({ isBlocked: true, time: (1 + depth) / 2 })
      const seam = unionOf([box(-1, -4, 0, 0), box(0, -4, 1, 0), wall])
      expect(falling(seam)).toMatchObject({ isBlocked: true, time: 0.5, y: 0 })
    }
  })

  it('lets a point through a slit that is wider than rounding, and out of a corner that it stands in', () => {
    const slit = unionOf([box(-1, -1, 0, 0), box(1e-9, -1, 1, 0)])
    expect(entry(slit, at(point, 0, 1), 0, -2).isBlocked).toBe(false)
    const corner = unionOf([box(-1, -1, 1, 0), box(-1, 0, 0, 1)])
    expect(entry(corner, at(point), 1, 1).isBlocked).toBe(false)
    expect(entry(corner, at(point), 1, -0.01)).toMatchObject({ isBlocked: true, time: 0 })
  })

  it('knows solids by their insides where sides fall together', () => {
    const square = at(region([0, 0], [1, 0], [1, 1], [0, 1]), -1, -3.5, Math.PI / 2)
    const falling = at(region([0, 0], [1, 0], [1, 0.5], [0.5, 1], [0, 1]), -2, -6)
    expect(entry(square, falling, 0, 2)).toMatchObject({ isBlocked: true, time: 0.75 })
    const notched = at(region([0, 0], [4, 0], [4, 3], [3, 3], [3, 1], [1, 1], [1, 3], [0, 3]))
    expect(entry(notched, at(segment(3, 2.5, 3, 3)), 0, -2)).toMatchObject({ isBlocked: true, time: 0.75 })
    expect(
      entry(at(region([0, 0], [1, 0], [1, 1], [0, 1])), at(region([0, 0], [1, 0], [1, 1], [0, 1]), 0, 1), 0, -1),
    ).toMatchObject({
      isBlocked: true,
      time: 0,
    })
    expect(
      entry(at(region([0, 0], [1, 0], [1, 1], [0, 1])), at(region([0, 0], [1, 0], [1, 1], [0, 1]), 1, 0), 0, -1)
        .isBlocked,
    ).toBe(false)
  })

  it('stops at lines, which may be left to either side and run along', () => {
    for (const line of [
      at(segment(-1, 0, 1, 0)),
      at(chain([-1, 0], [0, 0], [1, 0])),
      at(segment(1, 0, -1, 0), 0, 0, Math.PI),
    ]) {
      for (const [, shape] of THIN.filter(([name]) => !name.includes('upright') && name !== 'a chain')) {
        expect(entry(line, at(shape, 0, 1), 0, -2)).toMatchObject({
          isBlocked: true,
          time: expect.closeTo(0.5, 15),
          isLine: true,
          ny: 1,
        })
        expect(entry(line, at(shape), 0, -2)).toMatchObject({ isBlocked: true, time: 0 })
        for (const [vx, vy, isHeld] of [
          [0, -1, false],
          [0, 1, false],
          [1, 0, true],
        ] as const) {
          expect(entry(line, at(shape), vx, vy, isHeld).isBlocked).toBe(false)
        }
      }
    }
  })
})
