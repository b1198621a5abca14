// The nearest free place: free, as near as a search over all places of a grid, and none where there is none.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { type Body, createBody, X, Y } from '../../../src/core2d/shape/body.ts'
import { type Placed, queryPlace } from '../../../src/scene/queries/place.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply } from '../../../src/scene/state/scene.ts'
import { type PlaneView, presentView } from '../../../src/scene/state/view.ts'
import { finished } from '../../support/answers/finished.ts'
import { prepare } from '../../support/answers/slots.ts'
import { BOUNDED_TYPES, mixedBody } from '../../support/families/arbitraries.ts'
import { runCount, runs, unshrunk } from '../../support/runs.ts'
import { bodies, loneOf } from '../state/scene-cases.ts'
import { CREATE, prepareShape, sceneOf } from '../state/scene-model.ts'

const accepts = () => true

function viewOf(list: readonly SceneBody[]): PlaneView {
  const scene = sceneOf([CREATE])
  apply(scene, { version: 2, at: 0, operations: list.map((body) => ({ op: 'put' as const, body })) })
  return presentView(scene)
}

function bodyAt(shape: object, x: number, y: number): Body {
  const body = createBody()
  prepareShape(shape, x, y, 0, body)
  return body
}

const place = (view: PlaneView, body: Body, maxDistance: number): Placed =>
  finished(queryPlace(view, { body, maxDistance, accepts }))

interface Rect {
  /** Half integers, so that corners are whole. */
  x: number
  y: number
  width: number
  height: number
}

const rect = (most: number): fc.Arbitrary<Rect> =>
  fc.record({
    x: fc.integer({ min: -12, max: 12 }),
    y: fc.integer({ min: -12, max: 12 }),
    width: fc.integer({ min: 1, max: most }).map((half) => 2 * half),
    height: fc.integer({ min: 1, max: most }).map((half) => 2 * half),
  })

const sceneBodies = (rects: readonly Rect[]): SceneBody[] =>
  rects.map(({ x, y, width, height }, k) => ({
    id: `r${k}`,
    shape: { type: 'box', width, height },
    position: { x, y },
  }))

const overlaps = (a: Rect, b: Rect): boolean =>
  2 * Math.abs(a.x - b.x) < a.width + b.width && 2 * Math.abs(a.y - b.y) < a.height + b.height

/** By looking at every whole place within reach. */
function nearestOnGrid(rects: readonly Rect[], own: Rect, reach: number): number {
  let least = Infinity
  for (let dx = -reach; dx <= reach; dx++) {
    for (let dy = -reach; dy <= reach; dy++) {
      const length = Math.hypot(dx, dy)
      if (length > reach || length >= least) continue
      const moved = { ...own, x: own.x + dx, y: own.y + dy }
      if (!rects.some((other) => overlaps(other, moved))) least = length
    }
  }
  return least
}

describe('place', () => {
  it('leaves a body where it is that overlaps nothing', () => {
    const view = viewOf(sceneBodies([{ x: 0, y: 0, width: 2, height: 2 }]))
    const body = bodyAt({ type: 'box', width: 2, height: 2 }, 2, 0)
    expect(place(view, body, 0)).toEqual({ found: true, distance: 0, exact: true })
    expect([body.numbers[X], body.numbers[Y]]).toEqual([2, 0])
  })

  it('is what a search of all whole places finds', () => {
    let moved = 0
    let none = 0
    fc.assert(
      fc.property(
        fc.array(rect(4), { minLength: 1, maxLength: 24 }),
        rect(3),
        fc.integer({ min: 1, max: 9 }),
        (rects, own, reach) => {
          const view = viewOf(sceneBodies(rects))
          const body = bodyAt({ type: 'box', width: own.width, height: own.height }, own.x, own.y)
          const found = place(view, body, reach)
          const least = nearestOnGrid(rects, own, reach)
          expect(found.exact).toBe(true)
          expect(found.found ? found.distance : Infinity).toBe(least)
          const stands = { ...own, x: body.numbers[X], y: body.numbers[Y] }
          if (found.found) expect(rects.some((other) => overlaps(other, stands))).toBe(false)
          else expect([body.numbers[X], body.numbers[Y]]).toEqual([own.x, own.y])
          if (least === Infinity) none++
          else if (least > 0) moved++
        },
      ),
      runs(2000),
    )
    expect(moved).toBeGreaterThan(runCount(400))
    expect(none).toBeGreaterThan(runCount(50))
  })

  it('finds the gap that a body fits into exactly, and its end where it is too narrow by a last digit', () => {
    const walls = (right: number): PlaneView =>
      viewOf([
        { id: 'left', shape: { type: 'box', width: 10, height: 2 }, position: { x: -5, y: 0 } },
        { id: 'right', shape: { type: 'box', width: 10, height: 2 }, position: { x: right, y: 0 } },
      ])
    const box = { type: 'box', width: 1, height: 1 }
    const fitting = bodyAt(box, 0, 0)
    expect(place(walls(6), fitting, 9)).toEqual({ found: true, distance: 0.5, exact: true })
    expect([fitting.numbers[X], fitting.numbers[Y]]).toEqual([0.5, 0])
    const narrow = bodyAt(box, 0, 0)
    const found = place(walls(6 - 2 ** -50), narrow, 9)
    expect(found.found).toBe(true)
    expect(found.distance).toBeCloseTo(1.5, 9)
    expect(place(walls(6 - 2 ** -50), bodyAt(box, 0, 0), 1.25).found).toBe(false)
  })

  it('looks no farther than it is told', () => {
    const view = viewOf(sceneBodies([{ x: 0, y: 0, width: 20, height: 20 }]))
    const box = { type: 'box', width: 2, height: 2 }
    expect(place(view, bodyAt(box, 3, 0), 8)).toEqual({ found: true, distance: 8, exact: true })
    expect(place(view, bodyAt(box, 3, 0), 7.999)).toEqual({ found: false, distance: 0, exact: true })
  })

  it('finds none in a half-plane and its complement', () => {
    const plane = (id: string, x: number): SceneBody => ({
      id,
      shape: { type: 'halfplane', normal: { x, y: 0 }, offset: 0 },
    })
    const view = viewOf([plane('a', 1), plane('b', -1)])
    expect(place(view, bodyAt({ type: 'circle', radius: 1 }, 5, 5), Infinity).found).toBe(false)
  })

  it('gets out of the middle of ten thousand tiles', () => {
    const tiles = Array.from({ length: 10_000 }, (_, k) => ({
      x: 2 * (k % 100),
      y: 2 * Math.floor(k / 100),
      width: 2,
      height: 2,
    }))
    const view = viewOf(sceneBodies(tiles))
    const body = bodyAt({ type: 'box', width: 2, height: 2 }, 60, 101)
    expect(place(view, body, Infinity)).toEqual({ found: true, distance: 62, exact: true })
    expect([body.numbers[X], body.numbers[Y]]).toEqual([-2, 101])
  })

  it('of any shapes is free, and no random try finds a nearer one', () => {
    const tries = fc.array(
      fc.tuple(fc.double({ min: 0, max: 7, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      { minLength: 30, maxLength: 30 },
    )
    fc.assert(
      fc.property(bodies(false, BOUNDED_TYPES), mixedBody(BOUNDED_TYPES), tries, (list, wire, ways) => {
        const view = viewOf(list)
        const lones = list.map(loneOf)
        const body = prepare(wire)
        const { numbers } = body
        const x = numbers[X]
        const y = numbers[Y]
        const isFree = () => lones.every((lone) => relate(lone.body, body) >= 0)
        const found = place(view, body, Infinity)
        if (!found.found) return
        expect(isFree()).toBe(true)
        expect(found.distance).toBe(Math.hypot(body.numbers[X] - x, body.numbers[Y] - y))
        if (!found.exact) return
        for (const [angle, share] of ways) {
          const length = share * found.distance * (1 - 1e-9)
          body.numbers[X] = x + length * Math.cos(angle)
          body.numbers[Y] = y + length * Math.sin(angle)
          expect(isFree() && length > 0).toBe(false)
        }
      }),
      unshrunk(200),
    )
  })
})
