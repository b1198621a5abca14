// Where bodies come to rest: touching what they land on, above nothing that they could have fallen on sooner, turned as asked.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { X, Y } from '../../../src/core2d/shape/body.ts'
import { type DropQuery, queryDrop } from '../../../src/scene/queries/drop.ts'
import { PLANE_FALLING } from '../../../src/scene/queries/falling-2d.ts'
import type { Plane } from '../../../src/scene/state/geometry.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply } from '../../../src/scene/state/scene.ts'
import { type PlaneView, presentView } from '../../../src/scene/state/view.ts'
import { finished } from '../../support/answers/finished.ts'
import { prepare } from '../../support/answers/slots.ts'
import { BOUNDED_TYPES, mixedBody } from '../../support/families/arbitraries.ts'
import { isLongRun, runCount, runs, unshrunk } from '../../support/runs.ts'
import { bodies, loneOf } from '../state/scene-cases.ts'
import { CREATE, sceneOf } from '../state/scene-model.ts'

const accepts = () => true
const describeOwn = () => {
  throw new Error('nothing is asked elsewhere')
}

function viewOf(list: readonly SceneBody[]): PlaneView {
  const scene = sceneOf([CREATE])
  apply(scene, { version: 2, at: 0, operations: list.map((body) => ({ op: 'put' as const, body })) })
  return presentView(scene)
}

interface Wire {
  shape: object
  position?: { x: number; y: number }
  rotation?: number
}

interface Given extends Partial<DropQuery<Plane, number>> {
  ux?: number
  uy?: number
}

function drop(view: PlaneView, wire: Wire, { ux = 0, uy = -1, ...given }: Given = {}) {
  const { rotation = 0 } = wire
  const found = finished(
    queryDrop(view, PLANE_FALLING, {
      way: [ux, uy],
      maxDistance: Infinity,
      align: null,
      accepts,
      *turned(turn) {
        yield
        const sum = rotation + turn
        return { body: prepare({ ...wire, rotation: Math.abs(sum) < 1e-15 ? 0 : sum } as never), describe: describeOwn }
      },
      ...given,
    }),
  )
  const [x, y] = found.position
  const [nx, ny] = found.contact?.normal ?? []
  return { ...found, x, y, contact: found.contact === null ? null : { ...found.contact, nx, ny } }
}

const FLOOR: SceneBody = { id: 'floor', shape: { type: 'box', width: 100, height: 2 }, position: { x: 0, y: -1 } }
const box = { type: 'box', width: 2, height: 1 }

describe('drop', () => {
  it('lands in whole numbers, touching', () => {
    const found = drop(viewOf([FLOOR]), { shape: box, position: { x: 3, y: 17 } })
    expect(found).toMatchObject({
      status: 'landed',
      x: 3,
      y: 0.5,
      distance: 16.5,
      turn: 0,
      contact: { id: 'floor', nx: 0, ny: 1 },
    })
  })

  it('slides along a wall that it touches, and rests at once where it stands on something', () => {
    const wall: SceneBody = { id: 'wall', shape: { type: 'box', width: 2, height: 40 }, position: { x: 5, y: 10 } }
    const view = viewOf([FLOOR, wall])
    expect(drop(view, { shape: box, position: { x: 3, y: 17 } })).toMatchObject({ y: 0.5, contact: { id: 'floor' } })
    expect(drop(view, { shape: box, position: { x: 0, y: 0.5 } })).toMatchObject({ status: 'landed', distance: 0 })
  })

  it('lands on the body with the least id where it comes to several at once', () => {
    for (const ids of ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']) {
      const pillars = [...ids].map(
        (id, k): SceneBody => ({ id, shape: { type: 'box', width: 1, height: 4 }, position: { x: 4 * k, y: -2 } }),
      )
      const plank = { shape: { type: 'box', width: 12, height: 1 }, position: { x: 4, y: 9 } }
      expect(drop(viewOf(pillars), plank)).toMatchObject({ status: 'landed', y: 0.5, contact: { id: 'a' } })
      const higher: SceneBody = { id: 'd', shape: { type: 'point' }, position: { x: 4, y: 1 } }
      expect(drop(viewOf([...pillars, higher]), plank)).toMatchObject({
        status: 'landed',
        y: 1.5,
        contact: { id: 'd' },
      })
    }
  })

  const region = (...outer: number[][]) => ({ type: 'region', outer: outer.map(([x, y]) => ({ x, y })) })
  const slab = region([0, 0], [4, 0], [4, 1], [0, 1])

  it('rests at once on a region, whatever has no inside, and lands touching it', () => {
    for (const [at, floor, turn] of [
      [0, slab, 0],
      [1e6, slab, 0],
      [0, { type: 'compound', children: [{ shape: slab }] }, 0],
      [0, region([-4, -1], [0, -1], [0, 0], [-4, 0]), -Math.PI],
    ] as const) {
      const view = viewOf([{ id: 'slab', shape: floor, position: { x: at, y: at }, rotation: turn }])
      for (const shape of [
        { type: 'point' },
        { type: 'circle', radius: 0 },
        { type: 'segment', a: { x: -0.5, y: 0 }, b: { x: 0.5, y: 0 } },
        { type: 'box', width: 1, height: 0 },
        {
          type: 'chain',
          vertices: [
            { x: -0.5, y: 0 },
            { x: 0, y: 0 },
            { x: 0.5, y: 1 },
          ],
        },
        region([0, 0], [1, 0], [1, 1], [0, 1]),
      ]) {
        for (const height of [0, 4, 1.75]) {
          const found = drop(view, { shape, position: { x: at + 2, y: at + 1 + height } })
          expect(found).toMatchObject({ status: 'landed', x: at + 2 })
          if (turn === 0) expect(found.start).toBe(null)
          // a turn by π leaves the top of the floor where it rounds to
          expect(Math.abs(found.y - at - 1)).toBeLessThanOrEqual(turn === 0 ? 0 : 2 ** -50)
          expect(Math.abs(found.distance - height)).toBeLessThanOrEqual(turn === 0 ? 0 : 2 ** -50)
        }
      }
    }
  })

  it('lands where a cast says, where sides fall together up to a turn’s rounding', () => {
    const square = region([0, 0], [1, 0], [1, 1], [0, 1])
    const turned = viewOf([{ id: 'a', shape: square, position: { x: -1, y: -3.5 }, rotation: Math.PI / 2 }])
    const house = region([0, 0], [1, 0], [1, 0.5], [0.5, 1], [0, 1])
    expect(drop(turned, { shape: house, position: { x: -2, y: -6 } }, { uy: 1 }).distance).toBeCloseTo(1.5, 14)
    const fork = region([0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3])
    const view = viewOf([{ id: 'box', shape: { type: 'box', width: 1, height: 2 } }])
    expect(drop(view, { shape: fork, position: { x: 1.5, y: 8 }, rotation: Math.PI }).distance).toBeCloseTo(4, 14)
    const notched = region([0, 0], [4, 0], [4, 3], [3, 3], [3, 1], [1, 1], [1, 3], [0, 3])
    const segment = { type: 'segment', a: { x: 3, y: 2.5 }, b: { x: 3, y: 3 } }
    expect(drop(viewOf([{ id: 'notched', shape: notched }]), { shape: segment })).toMatchObject({
      distance: 1.5,
      y: -1.5,
    })
  })

  it('falls through no seam: of bodies, of parts, of corners that touch', () => {
    const left = { type: 'aabb', min: { x: -1, y: -1 }, max: { x: 0, y: 0 } }
    const right = { type: 'aabb', min: { x: 0, y: -1 }, max: { x: 1, y: 0 } }
    const views = [
      viewOf([
        { id: 'a', shape: left },
        { id: 'b', shape: right },
      ]),
      viewOf([{ id: 'a', shape: { type: 'compound', children: [{ shape: left }, { shape: right }] } }]),
      viewOf([
        { id: 'a', shape: region([-1, -1], [0, -1], [0, 0], [-1, 0]) },
        { id: 'b', shape: right },
      ]),
    ]
    for (const view of views) {
      for (const shape of [{ type: 'point' }, { type: 'segment', a: { x: 0, y: 0 }, b: { x: 0, y: 3 } }]) {
        expect(drop(view, { shape, position: { x: 0, y: 5 } })).toMatchObject({ status: 'landed', y: 0, distance: 5 })
      }
      // beside it there is room
      expect(drop(view, { shape: { type: 'point' }, position: { x: 1, y: 5 } }).status).toBe('nothing-below')
    }
  })

  it('rests on a line at once, unless it falls along it', () => {
    const line: SceneBody = {
      id: 'line',
      shape: {
        type: 'chain',
        vertices: [
          { x: -1, y: 0 },
          { x: 0, y: 0 },
          { x: 1, y: 0.5 },
        ],
      },
    }
    const view = viewOf([line])
    const point = { shape: { type: 'point' }, position: { x: -0.5, y: 0 } }
    for (const uy of [1, -1])
      expect(drop(view, point, { uy })).toMatchObject({
        status: 'landed',
        distance: 0,
        contact: { id: 'line', ny: -uy },
      })
    expect(drop(view, { ...point, position: { x: 0.5, y: 0.25 } })).toMatchObject({ status: 'landed', distance: 0 })
    expect(drop(view, point, { ux: -1, uy: 0 }).status).toBe('nothing-below')
  })

  it('is let out of what rounding has put it in, and says so', () => {
    const view = viewOf([FLOOR, { id: 'crate', shape: { type: 'box', width: 2, height: 2 }, position: { x: 0, y: 0 } }])
    const small = { type: 'box', width: 0.4, height: 0.4 }
    const found = drop(view, { shape: small, position: { x: 0, y: 1.2 } })
    expect(found).toMatchObject({
      status: 'landed',
      contact: { id: 'crate' },
      start: { separated: true, ids: ['crate'] },
    })
    expect(found.y - 1.2).toBe(2 ** -52)
    expect(drop(view, { shape: small, position: { x: 0, y: 1.2 - 2 ** -40 } }).status).toBe('started-overlapping')
  })

  it('says that there is nothing below, within maxDistance or at all, or that it stood in something', () => {
    const view = viewOf([FLOOR])
    const high = { shape: box, position: { x: 0, y: 17 } }
    expect(drop(view, high, { maxDistance: 16.5 }).status).toBe('landed')
    expect(drop(view, high, { maxDistance: 16.499 }).status).toBe('nothing-below')
    expect(drop(view, high, { uy: 1 }).status).toBe('nothing-below')
    expect(drop(view, { shape: box, position: { x: 0, y: 0.25 } }).status).toBe('started-overlapping')
    expect(drop(viewOf([]), high).status).toBe('nothing-below')
  })

  it('lands on a half-plane however far away that is', () => {
    const plane: SceneBody = { id: 'p', shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: -1e90 } }
    expect(drop(viewOf([plane]), { shape: box }).y).toBeCloseTo(-1e90, -80)
    expect(drop(viewOf([plane]), { shape: box }).status).toBe('landed')
  })

  it('falls as far as rounding allows onto a pebble in a wide scene', () => {
    const view = viewOf([
      { id: 'far', shape: { type: 'point' }, position: { x: 1e12, y: -1e12 } },
      { id: 'pebble', shape: { type: 'circle', radius: 1e-3 } },
    ])
    const found = drop(view, { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 5 } })
    expect(found.contact?.id).toBe('pebble')
    expect(found.y).toBeCloseTo(1.001, 14)
  })

  it.each([
    ['a tilted box to the floor', { shape: box, position: { x: 0, y: 9 }, rotation: 0.25 }, -0.25],
    ['one that rolls on', { shape: box, position: { x: 0, y: 9 }, rotation: 1.25 }, Math.PI / 2 - 1.25],
    [
      'a triangle',
      {
        shape: {
          type: 'polygon',
          vertices: [
            { x: 0, y: 0 },
            { x: 2, y: 0 },
            { x: 0, y: 2 },
          ],
        },
        position: { x: 0, y: 9 },
        rotation: -0.125,
      },
      0.125,
    ],
    [
      'a capsule',
      {
        shape: { type: 'capsule', a: { x: -1, y: 0 }, b: { x: 1, y: 0 }, radius: 0.5 },
        position: { x: 0, y: 9 },
        rotation: 0.5,
      },
      -0.5,
    ],
    ['an ellipse', { shape: { type: 'ellipse', rx: 3, ry: 1 }, position: { x: 0, y: 9 }, rotation: 0.5 }, -0.5],
    ['a circle', { shape: { type: 'circle', radius: 1 }, position: { x: 0, y: 9 } }, 0],
  ])('turns by the least turn onto a face: %s', (_, wire, turn) => {
    const found = drop(viewOf([FLOOR]), wire as Wire, { align: 'face' })
    expect(found.turn).toBeCloseTo(turn, 12)
    expect(found).toMatchObject({ status: 'landed', aligned: true })
  })

  it('stands a table on both its legs', () => {
    const leg = (x: number) => ({ shape: { type: 'box', width: 0.5, height: 2 }, position: { x, y: -1 } })
    const table = {
      type: 'compound',
      children: [{ shape: { type: 'box', width: 4, height: 0.5 } }, leg(-1.5), leg(1.5)],
    }
    const found = drop(viewOf([FLOOR]), { shape: table, position: { x: 0, y: 9 }, rotation: 0.3 }, { align: 'face' })
    expect(found.turn).toBeCloseTo(-0.3, 12)
    expect(found.y).toBeCloseTo(2, 12)
  })

  it('turns up to the normal of a slope', () => {
    const slope: SceneBody = { id: 'slope', shape: { type: 'halfplane', normal: { x: -1, y: 1 }, offset: 0 } }
    const found = drop(viewOf([slope]), { shape: box, position: { x: 0, y: 9 }, rotation: 0 }, { align: 'normal' })
    expect(found.turn).toBeCloseTo(Math.PI / 4, 12)
    expect(found.aligned).toBe(true)
  })

  it('is not turned where there is no room', () => {
    const side = (id: string, x: number): SceneBody => ({
      id,
      shape: { type: 'box', width: 2, height: 40 },
      position: { x, y: 20 },
    })
    const view = viewOf([FLOOR, side('l', -2), side('r', 2)])
    const stick = {
      shape: { type: 'box', width: 6, height: 0.5 },
      position: { x: 0, y: 20 },
      rotation: Math.PI / 2 - 0.01,
    }
    expect(drop(view, stick, { align: 'normal' })).toMatchObject({ status: 'landed', aligned: true, turn: 0 })
    const found = drop(view, { ...stick, rotation: 1.45 }, { align: 'face' })
    expect(found.status).toBe('landed')
    expect(Math.abs(found.turn)).toBeLessThan(0.2)
  })

  it('of any shapes: free, one step from something, and nothing in the way before', () => {
    const direction = fc.double({ min: 0, max: 6.3, noNaN: true })
    let landed = 0
    fc.assert(
      fc.property(bodies(false, BOUNDED_TYPES), mixedBody(BOUNDED_TYPES), direction, (list, wire, angle) => {
        const view = viewOf(list)
        const lones = list.map(loneOf)
        const [ux, uy] = [Math.cos(angle), Math.sin(angle)]
        const body = prepare(wire)
        const { numbers } = body
        const x = numbers[X]
        const y = numbers[Y]
        const found = drop(view, wire as Wire, { ux, uy })
        const at = (share: number) => {
          body.numbers[X] = x + share * ux
          body.numbers[Y] = y + share * uy
        }
        const meets = () => lones.some((lone) => relate(lone.body, body) < 0)
        if (found.status === 'started-overlapping') return
        if (found.status === 'nothing-below') {
          for (let step = 0; step < 60; step++) {
            at(step)
            expect(meets()).toBe(false)
          }
          return
        }
        landed++
        for (let step = 0; step < 40; step++) {
          at((found.distance * step) / 40)
          expect(meets() && found.distance > 1e-9).toBe(false)
        }
        body.numbers[X] = found.x
        body.numbers[Y] = found.y
        expect(meets()).toBe(false)
      }),
      unshrunk(300),
    )
    if (isLongRun) expect(landed).toBeGreaterThan(runCount(30))
  })

  it('lands where the highest of many boxes is', () => {
    const whole = (most: number) => fc.integer({ min: -most, max: most })
    const rects = fc.array(fc.record({ x: whole(9), y: whole(40), half: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(rects, whole(9), (list, x) => {
        const view = viewOf(
          list.map(({ half, ...position }, k) => ({
            id: `${k}`,
            shape: { type: 'box', width: 2 * half, height: 2 * half },
            position,
          })),
        )
        const below = list.filter((rect) => Math.abs(rect.x - x) < rect.half + 1)
        const found = drop(view, { shape: { type: 'box', width: 2, height: 2 }, position: { x, y: 100 } })
        if (below.length === 0) expect(found.status).toBe('nothing-below')
        else expect(found.y).toBe(1 + Math.max(...below.map(({ y, half }) => y + half)))
      }),
      runs(500),
    )
  })
})
