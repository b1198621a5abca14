// Regions that touch themselves, case by case: what goes through the point where they do, and the shortest way out of them.

import { describe, expect, it } from 'vitest'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { contactAnswer, overlapAnswer } from '../../support/answers/answers.ts'
import { impactAnswer } from '../../support/answers/impact-answers.ts'
import { rayAnswer } from '../../support/answers/ray-answers.ts'

const points = (...numbers: number[]): Vec2[] =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }))

const region = (outer: number[], ...holes: number[][]): Body2d => ({
  shape: { type: 'region', outer: points(...outer), holes: holes.map((hole) => points(...hole)) },
})
const SQUARE = [0, 0, 10, 0, 10, 10, 0, 10]
const box = (x0: number, y0: number, x1: number, y1: number): Body2d => ({
  shape: { type: 'aabb', min: { x: x0, y: y0 }, max: { x: x1, y: y1 } },
})
const segment = (ax: number, ay: number, bx: number, by: number): Body2d => ({
  shape: { type: 'segment', a: { x: ax, y: ay }, b: { x: bx, y: by } },
})

/** A pinched outer ring, drawn in several ways. */
const PINCHED = {
  'over the vertex': region([0, 0, 10, 0, 10, 10, 5, 0, 0, 10]),
  'with a vertex on either edge': region([0, 0, 5, 0, 10, 0, 10, 10, 5, 0, 0, 10]),
  backwards: region([0, 10, 5, 0, 10, 10, 10, 0, 0, 0]),
  'triangle after triangle': region([5, 0, 0, 10, 0, 0, 5, 0, 10, 0, 10, 10]),
}

/** A hole that touches the outer ring, drawn in several ways. */
const HOLED = {
  'within an edge': region(SQUARE, [5, 0, 8, 4, 2, 4]),
  'in a vertex': region([0, 0, 5, 0, 10, 0, 10, 10, 0, 10], [5, 0, 8, 4, 2, 4]),
  'the other way round': region(SQUARE, [2, 4, 8, 4, 5, 0]),
  'as a part of the outer ring': region([0, 0, 5, 0, 2, 4, 8, 4, 5, 0, 10, 0, 10, 10, 0, 10]),
}

describe.each(Object.entries(PINCHED))('a pinched ring %s', (_name, pinched) => {
  it('leaves a box by the shortest way', () => {
    const { translation, separation, exact } = contactAnswer({ a: box(0, -9, 10, 1), b: pinched })
    expect({ ...translation, separation, exact }).toEqual({ x: 0, y: 1, separation: -1, exact: true })
    const swapped = contactAnswer({ a: pinched, b: box(0, -9, 10, 1) })
    expect(swapped.translation).toEqual({ x: 0, y: -1 })
  })

  it('is left by a box that one of its wedges holds', () => {
    const { separation, exact } = contactAnswer({ a: pinched, b: box(1, 1, 2, 2) })
    expect([separation, exact]).toEqual([-2, true])
  })
})

/** Through (5, 0), up into the hole. */
const THIN: [string, Shape2d, Vec2?][] = [
  ['a segment', segment(5, -3, 5, 3).shape],
  ['a slanting segment', segment(4, -2, 6, 2).shape],
  ['a box of no width', { type: 'box', width: 0, height: 6 }, { x: 5, y: 0 }],
  ['a capsule of radius 0', { type: 'capsule', a: { x: 5, y: -3 }, b: { x: 5, y: 3 }, radius: 0 }],
  ['a flat polygon', { type: 'polygon', vertices: points(5, -3, 5, 1, 5, 3) }],
  ['a flat region', { type: 'region', outer: points(5, -3, 5, 1, 5, 3) }],
  ['a chain over the point', { type: 'chain', vertices: points(5, -3, 5, 0, 5.5, 3) }],
  ['a chain through the point', { type: 'chain', vertices: points(4, -3, 5, -3, 5, 3) }],
  ['a compound of a segment', { type: 'compound', children: [segment(5, -3, 5, 3)] }],
]

describe.each(Object.entries(HOLED))('a hole that touches the outer ring %s', (_name, holed) => {
  it.each(THIN)('is touched by %s through the point', (_thin, shape, position = { x: 0, y: 0 }) => {
    const b: Body2d = { shape, position }
    expect(overlapAnswer({ a: holed, b }).relation + 0).toBe(0)
    expect(overlapAnswer({ a: b, b: holed }).relation + 0).toBe(0)
    const { separation, translation } = contactAnswer({ a: holed, b })
    expect([separation, translation.x, translation.y].map((each) => each + 0)).toEqual([0, 0, 0])
  })

  it('is overlapped by what goes through beside the point, and left through it', () => {
    for (const x of [4.75, 5.25]) {
      const { relation, translation, exact } = contactAnswer({ a: holed, b: segment(x, -3, x, 3) })
      expect([relation, translation.x, translation.y + 0, exact]).toEqual([-1, 5 - x, 0, true])
    }
    // What has a width does not fit through.
    expect(contactAnswer({ a: holed, b: box(4.75, -3, 5.25, 3) }).separation).toBe(-3)
  })

  it('is overlapped by what enters a wedge', () => {
    for (const thin of [segment(5, -3, 1, 5), segment(5, 0, 4, 1), segment(4, 0.5, 6, 0.5)]) {
      expect(overlapAnswer({ a: holed, b: thin }).relation).toBe(-1)
    }
    expect(overlapAnswer({ a: holed, b: segment(0, 0, 10, 0) }).relation + 0).toBe(0)
  })

  it('lets through what moves along the slot, and nothing else', () => {
    const mover = (x: number): Body2d => segment(x, -3, x, -1)
    const through = impactAnswer({ a: holed, b: { ...mover(5), velocity: { x: 0, y: 1 } }, duration: 10 })
    expect([through?.time, through?.exitTime]).toEqual([1, 3])
    const beside = impactAnswer({ a: holed, b: { ...mover(4.75), velocity: { x: 0, y: 1 } }, duration: 10 })
    expect([beside?.time, beside?.startedOverlapping]).toEqual([1, false])
    const within: Body2d = segment(5, -1, 5, 1)
    const started = impactAnswer({ a: holed, b: { ...within, velocity: { x: 0, y: 1 } }, duration: 10 })
    expect([started?.time, started?.normal === null || started?.startedOverlapping]).toEqual([0, true])
  })

  it('is grazed by a ray through the point', () => {
    const ray = { origin: { x: 5, y: -2 }, direction: { x: 0, y: 1 } }
    const hit = rayAnswer(ray, holed)
    expect([hit?.distance, hit?.point, hit?.exit?.distance]).toEqual([2, { x: 5, y: 0 }, 2])
  })
})

describe('other ways to touch', () => {
  const between = region(SQUARE, [1, 1, 5, 5, 1, 9], [5, 3, 9, 5, 5, 7])

  it('a hole that touches another one within an edge', () => {
    expect(overlapAnswer({ a: between, b: segment(4, 5, 6, 5) }).relation + 0).toBe(0)
    expect(overlapAnswer({ a: between, b: segment(4, 5.5, 6, 5.5) }).relation).toBe(-1)
    // Into the holes, through the point.
    expect(contactAnswer({ a: between, b: segment(4, 5.25, 6, 5.25) }).translation).toEqual({ x: 0, y: -0.25 })
    expect(contactAnswer({ a: between, b: segment(4, 4.75, 6, 4.75) }).translation).toEqual({ x: 0, y: 0.25 })
  })

  it('pieces of which only one is held', () => {
    // Two triangles that meet in (5, 5), one of them within the notch of a region that it does not cross.
    const bow = region([3, 4, 5, 5, 3, 6, 7, 6, 5, 5, 7, 4])
    const ring = region([-9, -9, 5, -9, 5, 5, 5, 19, -9, 19])
    expect(overlapAnswer({ a: bow, b: ring }).relation).toBe(-1)
    expect(contactAnswer({ a: bow, b: ring }).separation).toBeLessThan(0)
  })

  it('many passages through one point', () => {
    const petals = Array.from({ length: 12 }, (_, k) => {
      const at = (angle: number) => [Math.round(64 * Math.cos(angle)), Math.round(64 * Math.sin(angle))]
      const middle = (2 * Math.PI * k) / 12
      return [0, 0, ...at(middle - 0.1), ...at(middle + 0.1)]
    }).flat()
    const rosette = region(petals)
    expect(overlapAnswer({ a: rosette, b: segment(-8, -2, 8, 2) }).relation + 0).toBe(0)
    expect(contactAnswer({ a: rosette, b: segment(-8, -1, 8, 3) }).separation).toBeGreaterThan(-1)
    expect(overlapAnswer({ a: rosette, b: segment(-8, 0, 8, 0) }).relation).toBe(-1)
  })
})

describe('the shortest translation', () => {
  it('lies along an edge that a flat body comes to at a small angle', () => {
    for (const tip of [points(5.5, 1.125), points(6, 1)]) {
      const holed: Body2d = { shape: { type: 'region', outer: points(0, 0, 6, 0, 6, 6, 0, 6), holes: [] } }
      const a = { shape: { ...holed.shape, holes: [[...points(5, 2), ...tip, ...points(2, 2)]] } } as Body2d
      const b: Body2d = { shape: { type: 'box', width: 2, height: 0 }, position: { x: 2.5, y: 3.5 } }
      const { translation } = contactAnswer({ a, b })
      expect(translation.x).toBeCloseTo(0.5, 12)
      expect(translation.y).toBe(-1.5)
    }
  })

  it('does not hang on a vertex that rounding leaves beside a straight edge', () => {
    const rotation = 2.8773127351316217
    const b: Body2d = { shape: { type: 'box', width: 1, height: 1 }, position: { x: -2.5, y: 1 }, rotation }
    const hole = [4, 0, 2, 4, 6, 6]
    for (const outer of [
      [0, 0, 6, 0, 6, 6, 0, 6],
      [0, 0, 3, 0, 6, 0, 6, 6, 0, 6],
    ]) {
      const { separation } = contactAnswer({ a: { ...region(outer, hole), rotation }, b })
      expect(separation).toBeCloseTo(-0.1877547908421756, 12)
    }
  })
})
