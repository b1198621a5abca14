import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orientation } from '../../../src/core2d/outline/orientation.ts'
import { contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { type Body, createBody, X, Y } from '../../../src/core2d/shape/body.ts'
import type { Footing } from '../../../src/scene/queries/footing.ts'
import type { Climb } from '../../../src/scene/queries/gait.ts'
import { queryMove } from '../../../src/scene/queries/move.ts'
import { querySeparate } from '../../../src/scene/queries/separate.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply } from '../../../src/scene/state/scene.ts'
import { findBody, type PlaneView, presentView } from '../../../src/scene/state/view.ts'
import { finished } from '../../support/answers/finished.ts'
import { prepare } from '../../support/answers/slots.ts'
import { BOUNDED_TYPES, mixedBody } from '../../support/families/arbitraries.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { runCount, unshrunk } from '../../support/runs.ts'
import { bodies, loneOf } from '../state/scene-cases.ts'
import { CREATE, prepareShape, sceneOf } from '../state/scene-model.ts'
import {
  flatFloors,
  generatedLevel,
  isSolid,
  platformerLevels,
  platformerPresent,
  type TileLevel,
  tileBodies,
} from './tile-levels.ts'

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

interface Asked {
  climb?: Climb
  footing?: Footing
}

/** A character that climbs, steps and keeps to the ground, y up. */
function walking(maxSlope: number, stepHeight: number, snap: number | null): Asked {
  const climb = { up: [0, 1], least: Math.cos(maxSlope) }
  return { climb, footing: { ...climb, stepHeight, snap } }
}

const move = (view: PlaneView, body: Body, dx: number, dy: number, maxSlides = 16, asked: Asked = {}) => {
  const query = {
    body,
    translation: [dx, dy],
    maxSlides,
    climb: null,
    footing: null,
    ...asked,
    mostContacts: Infinity,
    accepts,
  }
  const { path, contacts, rest, ...answer } = finished(queryMove(view, query))
  return {
    ...answer,
    path: path.map(([x, y]) => ({ x, y })),
    contacts: contacts.map(({ id, point: [x, y], normal: [nx, ny] }) => ({ id, x, y, nx, ny })),
    restX: rest[0],
    restY: rest[1],
  }
}

/** Sizes in tiles: less than one, so that there is room to go. */
const WALKERS = [
  { shape: (size: number) => ({ type: 'box', width: 0.75 * size, height: 0.875 * size }), half: [0.375, 0.4375] },
  { shape: (size: number) => ({ type: 'circle', radius: 0.375 * size }), half: [0.375, 0.375] },
  {
    shape: (size: number) => ({
      type: 'capsule',
      a: { x: 0, y: -0.1 * size },
      b: { x: 0, y: 0.1 * size },
      radius: 0.3 * size,
    }),
    half: [0.3, 0.4],
  },
] as const

const measured = createContact()

/** The deepest overlap of a body with tiles around a place, found tile by tile. */
function depthAt(level: TileLevel, tiles: ReadonlyMap<string, Body>, body: Body): number {
  const column = Math.floor((body.numbers[X] - level.x) / level.size)
  const row = Math.floor((body.numbers[Y] - level.y) / level.size)
  let depth = 0
  for (let i = -2; i <= 2; i++) {
    for (let j = -2; j <= 2; j++) {
      const tile = tiles.get(`tile-${column + i + 1}-${row + j + 1}`)
      if (tile === undefined || relate(tile, body) >= 0) continue
      contact(tile, body, 0, measured)
      depth = Math.max(depth, -measured.separation)
    }
  }
  return depth
}

/** Random walks from free places; every stop is free, and every way between stops too. */
function walk(level: TileLevel, seed: number, walks: number): void {
  const { size, columns, rows } = level
  const list = tileBodies(level)
  const view = viewOf(list)
  const tiles = new Map(list.map(({ id, shape, position }) => [id, bodyAt(shape, position.x, position.y)]))
  const random = seededRandom(seed)
  const depths: number[] = []
  let done = 0
  while (done < walks) {
    const column = Math.floor(columns * random())
    const row = Math.floor(rows * random())
    if (isSolid(level, column, row)) continue
    const { shape } = WALKERS[Math.floor(WALKERS.length * random())]
    const body = bodyAt(shape(size), level.x + size * (column + 0.5), level.y + size * (row + 0.5))
    for (let step = 0; step < 10; step++, done++) {
      // Now and then along an axis or by whole tiles, as games do.
      const reach = size * 2 ** Math.floor(6 * random() - 2)
      const angle = random() < 0.3 ? (Math.PI / 4) * Math.floor(8 * random()) : 2 * Math.PI * random()
      const dx = random() < 0.3 ? Math.round(reach * Math.cos(angle)) : reach * Math.cos(angle)
      const dy = random() < 0.3 ? Math.round(reach * Math.sin(angle)) : reach * Math.sin(angle)
      const { path, start } = move(view, body, dx, dy)
      expect(start).toBe(null)
      expect(path[path.length - 1]).toEqual({ x: body.numbers[X], y: body.numbers[Y] })
      if (depthAt(level, tiles, body) > 0)
        throw new Error(`ends inside a wall at ${body.numbers[X]}, ${body.numbers[Y]}`)
      const probe = bodyAt(shape(size), 0, 0)
      for (let k = 1; k < path.length; k++) {
        const from = path[k - 1]
        const length = Math.hypot(path[k].x - from.x, path[k].y - from.y)
        const samples = Math.ceil((4 * length) / size)
        for (let s = 1; s < samples; s++) {
          probe.numbers[X] = from.x + (s / samples) * (path[k].x - from.x)
          probe.numbers[Y] = from.y + (s / samples) * (path[k].y - from.y)
          depths.push(depthAt(level, tiles, probe))
        }
      }
    }
  }
  expect(Math.max(0, ...depths.slice(0, 100_000))).toBeLessThanOrEqual(1e-9 * size)
  expect(depths.every((depth) => depth <= 1e-9 * size)).toBe(true)
}

/** Along every level floor, to its end, with and without weight: how often a walker falls short. */
function snags(level: TileLevel): { floors: number; snags: number } {
  const { size } = level
  const view = viewOf(tileBodies(level))
  const floors = flatFloors(level, 2, 3)
  let count = 0
  for (const { column, row, length } of floors) {
    for (const { shape, half } of WALKERS) {
      for (const weight of [0, 0.25, 4]) {
        for (const way of [1, -1]) {
          const first = level.x + size * (column + half[0])
          const last = level.x + size * (column + length - half[0])
          const body = bodyAt(shape(size), way > 0 ? first : last, level.y + size * (row - half[1]))
          const goal = way > 0 ? last : first
          const steps = 5
          for (let k = 1; k <= steps; k++) move(view, body, (goal - body.numbers[X]) / (steps + 1 - k), weight * size)
          if (Math.abs(body.numbers[X] - goal) > 1e-9 * size) count++
          expect(Math.abs(body.numbers[Y] - (level.y + size * (row - half[1])))).toBeLessThanOrEqual(1e-9 * size)
        }
      }
    }
  }
  return { floors: floors.length, snags: count }
}

describe('move', () => {
  it('goes through free space, stops at a wall, slides along it, and ends in a corner', () => {
    const view = viewOf([
      { id: 'floor', shape: { type: 'box', width: 10, height: 2 }, position: { x: 0, y: -1 } },
      { id: 'wall', shape: { type: 'box', width: 2, height: 10 }, position: { x: 5, y: 5 } },
    ])
    const box = { type: 'box', width: 1, height: 1 }
    const free = move(view, bodyAt(box, 0, 3), 1, -1)
    expect(free).toMatchObject({
      path: [
        { x: 0, y: 3 },
        { x: 1, y: 2 },
      ],
      contacts: [],
      status: 'completed',
    })
    const slide = move(view, bodyAt(box, 0, 1), 2, -1)
    expect(slide).toMatchObject({ status: 'completed', restX: 0 })
    expect(slide.path).toEqual([
      { x: 0, y: 1 },
      { x: 1, y: 0.5 },
      { x: 2, y: 0.5 },
    ])
    expect(slide.contacts).toMatchObject([{ id: 'floor', nx: 0, ny: 1, y: 0 }])
    const corner = move(view, bodyAt(box, 0, 1), 8, -4)
    expect(corner).toMatchObject({ status: 'blocked', restX: 0, restY: 0 })
    expect(corner.path).toEqual([
      { x: 0, y: 1 },
      { x: 1, y: 0.5 },
      { x: 3.5, y: 0.5 },
    ])
    expect(corner.contacts.map(({ id }) => id)).toEqual(expect.arrayContaining(['floor', 'wall']))
    expect(move(view, bodyAt(box, 0, 1), 8, -4, 0)).toMatchObject({ status: 'max-slides', restX: 7, restY: -3.5 })
  })

  it('tells what it meets at one place by id, in whatever order it was put', () => {
    const tile = (id: string, y: number) => ({ id, shape: { type: 'box', width: 1, height: 1 }, position: { x: 3, y } })
    const tiles = [tile('c', 0.5), tile('a', -0.5), tile('b', 1.5)]
    for (const bodies of [tiles, tiles.toReversed()]) {
      const { contacts } = move(viewOf(bodies), bodyAt({ type: 'box', width: 1, height: 4 }, 0, 0.5), 5, 0)
      expect(contacts.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    }
  })

  it('climbs no steeper than it may', () => {
    const slope = {
      type: 'polygon',
      vertices: [
        { x: 0, y: 0 },
        { x: 4, y: 0 },
        { x: 4, y: 4 },
      ],
    }
    const view = viewOf([
      { id: 'floor', shape: { type: 'box', width: 20, height: 2 }, position: { x: 0, y: -1 } },
      { id: 'slope', shape: slope, position: { x: 2, y: 0 } },
    ])
    const go = (maxSlope: number) => {
      const body = bodyAt({ type: 'circle', radius: 0.5 }, 0, 0.5)
      return move(view, body, 4, 0, 8, { climb: { up: [0, 1], least: Math.cos(maxSlope) } }).path.at(-1)!
    }
    expect(go(0.9).y).toBeGreaterThan(1)
    expect(go(0.7).y).toBeCloseTo(0.5, 12)
  })

  it.each([
    ['a box', { type: 'box', width: 1, height: 1 }],
    ['a circle', { type: 'circle', radius: 0.5 }],
    ['a capsule', { type: 'capsule', a: { x: 0, y: -0.25 }, b: { x: 0, y: 0.25 }, radius: 0.25 }],
  ] as const)('lets %s step as high as stepHeight, down with snapToGround, and rise along a wall', (_name, shape) => {
    const slab = (id: string, x: number, y: number, X: number, Y: number): SceneBody => ({
      id,
      shape: { type: 'box', width: X - x, height: Y - y },
      position: { x: (x + X) / 2, y: (y + Y) / 2 },
    })
    const stairs = [1, 2, 3, 4, 5, 6, 7].map((k) => slab(`step-${k}`, k, 0, k + 1, (4 - Math.abs(k - 4)) / 4))
    const view = viewOf([slab('floor', -20, -1, 20, 0), ...stairs])
    for (const pace of [0.125, 0.5, 1.25]) {
      const body = bodyAt(shape, -1, 0.5)
      let highest = 0
      for (let x = -1; x < 11; x += pace) {
        const { ground } = move(view, body, pace, 0, 64, walking(0.8, 0.25, 0.5))
        expect(ground, `${pace}: ${body.numbers[X]}, ${body.numbers[Y]}`).not.toBeNull()
        highest = Math.max(highest, body.numbers[Y])
      }
      expect(highest).toBeCloseTo(1.5, 12)
      expect(body.numbers[X]).toBeGreaterThan(9)
      expect(body.numbers[Y]).toBeCloseTo(0.5, 12)
    }
    const held = bodyAt(shape, -1, 0.5)
    const low = move(view, held, 12, 0, 64, walking(0.8, 0.25 * (1 - 1e-6), 0.5))
    expect(low).toMatchObject({ status: 'blocked', ground: { id: 'floor' } })
    expect(held.numbers[X]).toBeLessThan(1)
    const off = bodyAt(shape, 4.5, 1.5)
    expect(move(view, off, 3, 0, 16, walking(0.8, 0.25, null))).toMatchObject({ ground: null })
    expect([off.numbers[X], off.numbers[Y]]).toEqual([7.5, 1.5])
    const half = shape.type === 'capsule' ? 0.25 : 0.5
    const jumper = bodyAt(shape, 4 - half, 0.5)
    move(viewOf([slab('wall', 4, 0, 6, 9)]), jumper, 1, 2, 16, walking(0.7, 0.5, 0.5))
    expect([jumper.numbers[X], jumper.numbers[Y]]).toEqual([4 - half, 2.5])
  })

  it('stops a point at a line without thickness, from either side', () => {
    const chain = {
      type: 'chain',
      vertices: [
        { x: -5, y: 0 },
        { x: 5, y: 0.3 },
      ],
    }
    const view = viewOf([{ id: 'line', shape: chain }])
    for (const side of [1, -1]) {
      const body = bodyAt({ type: 'point' }, 1, 2 * side)
      for (let k = 0; k < 10; k++) move(view, body, 0.01, -side * 10)
      expect(Math.sign(orientation(-5, 0, 5, 0.3, body.numbers[X], body.numbers[Y]))).toBe(side)
      expect(body.numbers[Y] - 0.15 - 0.03 * body.numbers[X]).toBeCloseTo(0, 13)
      expect(body.numbers[X]).toBeGreaterThan(-5)
    }
  })

  it('slides along regions with what has no inside, as along boxes, also after it was let out of them', () => {
    const slab = {
      type: 'region',
      outer: [
        [0, 0],
        [4, 0],
        [4, 1],
        [0, 1],
      ].map(([x, y]) => ({ x, y })),
    }
    for (const [at, shape] of [
      [0, { type: 'point' }],
      [1e6, { type: 'point' }],
      [0, { type: 'circle', radius: 0 }],
      [0, { type: 'segment', a: { x: -0.5, y: 0 }, b: { x: 0.5, y: 0 } }],
      [0, { type: 'box', width: 1, height: 0 }],
      [0, { type: 'compound', children: [{ shape: { type: 'point' } }] }],
    ] as const) {
      const view = viewOf([{ id: 'slab', shape: slab, position: { x: at, y: at } }])
      const lies = bodyAt(shape, at + 2, at + 1)
      expect(move(view, lies, 1, -3)).toMatchObject({ start: null, contacts: [{ id: 'slab', nx: 0, ny: 1 }] })
      expect([lies.numbers[X], lies.numbers[Y]]).toEqual([at + 3, at + 1])
      const falls = bodyAt(shape, at + 1, at + 3)
      move(view, falls, 2, -8)
      expect([falls.numbers[X], falls.numbers[Y]]).toEqual([at + 3, at + 1])
      if (at !== 0) continue
      const stands = bodyAt(shape, 2, 0.75)
      expect(move(view, stands, 1, -3).start?.separated).toBe(true)
      expect([stands.numbers[X], stands.numbers[Y]]).toEqual([3, 1])
      if ('children' in shape || shape.type !== 'point') continue
      const beside = bodyAt(shape, 6, 1)
      expect(move(view, beside, -9, 0)).toMatchObject({ status: 'completed', contacts: [] })
      expect([beside.numbers[X], beside.numbers[Y]]).toEqual([-3, 1])
    }
  })

  it('goes down to the notch of a region, and where sides fall together up to a turn’s rounding', () => {
    const notched = [
      [0, 0],
      [4, 0],
      [4, 3],
      [3, 3],
      [3, 1],
      [1, 1],
      [1, 3],
      [0, 3],
    ]
    const region = { type: 'region', outer: notched.map(([x, y]) => ({ x, y })) }
    const segment = bodyAt({ type: 'segment', a: { x: 3, y: 2.5 }, b: { x: 3, y: 3 } }, 0, 0)
    move(viewOf([{ id: 'notched', shape: region }]), segment, 0, -9)
    expect([segment.numbers[X], segment.numbers[Y]]).toEqual([0, -1.5])
    const fork = [
      [0, 0],
      [3, 0],
      [3, 3],
      [2, 3],
      [2, 1],
      [1, 1],
      [1, 3],
      [0, 3],
    ]
    const body = createBody()
    prepareShape({ type: 'region', outer: fork.map(([x, y]) => ({ x, y })) }, 1.5, 8, Math.PI, body)
    move(viewOf([{ id: 'box', shape: { type: 'box', width: 1, height: 2 } }]), body, 0, -20)
    expect(body.numbers[Y]).toBeCloseTo(4, 14)
  })

  it('slips through no seam, and leaves a line that it lies on to either side, naming it', () => {
    const seam = viewOf([
      { id: 'left', shape: { type: 'aabb', min: { x: -1, y: -1 }, max: { x: 0, y: 0 } } },
      { id: 'right', shape: { type: 'aabb', min: { x: 0, y: -1 }, max: { x: 1, y: 0 } } },
    ])
    const point = bodyAt({ type: 'point' }, 0, 5)
    expect(move(seam, point, 0, -9).status).toBe('blocked')
    expect([point.numbers[X], point.numbers[Y]]).toEqual([0, 0])
    const line = viewOf([{ id: 'line', shape: { type: 'segment', a: { x: -1, y: 0 }, b: { x: 1, y: 0 } } }])
    for (const dy of [1, -1]) {
      const lies = bodyAt({ type: 'point' }, 0, 0)
      expect(move(line, lies, 0, dy)).toMatchObject({ status: 'completed', contacts: [{ id: 'line', nx: 0, ny: -dy }] })
      expect(lies.numbers[Y]).toBe(dy)
    }
    const along = bodyAt({ type: 'point' }, 0, 0)
    expect(move(line, along, 3, 0)).toMatchObject({ status: 'completed', contacts: [] })
  })

  it.each([1, 2, 3])('never enters or crosses a wall of a generated level (%i)', (seed) => {
    walk(generatedLevel(seed, seed === 2 ? 1.1 : 16), seed, runCount(1500))
  })

  it.skipIf(!platformerPresent)('never enters or crosses a wall of the platformer level', async () => {
    for (const level of await platformerLevels()) walk(level, 7, runCount(3400))
  })

  it.each([1, 2, 3])('does not snag on the floors of a generated level (%i)', (seed) => {
    const { floors, snags: count } = snags(generatedLevel(seed, seed === 2 ? 1.1 : 16))
    expect(floors).toBeGreaterThan(3)
    expect(count).toBe(0)
  })

  it.skipIf(!platformerPresent)('does not snag on the floors of the platformer level', async () => {
    const found = (await platformerLevels()).map(snags)
    expect(found.reduce((sum, { floors }) => sum + floors, 0)).toBeGreaterThan(10)
    expect(found.reduce((sum, { snags: count }) => sum + count, 0)).toBe(0)
  })

  it.each([0.3, -0.7, 1.2, 0])('does not snag on the seams of a slope at %f radians', (angle) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const along = (s: number, t: number) => ({ x: 100 + s * cos - t * sin, y: -40 + s * sin + t * cos })
    const count = 12
    const tile = { type: 'box', width: 1, height: 1 }
    const stretch = Array.from({ length: count + 1 }, (_, i) => along(i - 0.5, 0.5))
    const bottom = [along(count - 0.5, -0.5), along(-0.5, -0.5)]
    const floors: SceneBody[][] = [
      Array.from({ length: count }, (_, i) => ({ id: `t${i}`, shape: tile, position: along(i, 0), rotation: angle })),
      [{ id: 'chain', shape: { type: 'chain', vertices: stretch } }],
      [{ id: 'region', shape: { type: 'region', outer: [...stretch, ...bottom] } }],
    ]
    const walkers = [
      { shape: { type: 'circle', radius: 0.25 }, height: 0.25 },
      { shape: { type: 'box', width: 0.5, height: 0.5 }, height: 0.25 },
    ]
    for (const floor of floors) {
      const view = viewOf(floor)
      for (const { shape, height } of walkers) {
        for (const weight of [0, 0.5]) {
          const body = createBody()
          // A little above, to fall on it.
          const from = along(0, 0.5 + height + 0.125)
          prepareShape(shape, from.x, from.y, angle, body)
          move(view, body, 0.25 * sin, -0.25 * cos)
          const start = (body.numbers[X] - 100) * cos + (body.numbers[Y] + 40) * sin
          for (let k = 0; k < 5; k++) move(view, body, 2 * cos + weight * sin, 2 * sin - weight * cos)
          const [dx, dy] = [body.numbers[X] - 100, body.numbers[Y] + 40]
          expect(dx * cos + dy * sin - start).toBeCloseTo(10, 9)
          expect(dy * cos - dx * sin).toBeCloseTo(0.5 + height, 9)
        }
      }
    }
  })

  it('never ends inside a body, whatever the bodies are', () => {
    const query = fc.record({
      body: mixedBody(BOUNDED_TYPES),
      dx: fc.integer({ min: -12, max: 12 }),
      dy: fc.double({ min: -12, max: 12, noNaN: true }),
    })
    fc.assert(
      fc.property(bodies(true), fc.array(query, { minLength: 5, maxLength: 5 }), (list, queries) => {
        const view = viewOf(list)
        const lones = list.map(loneOf)
        for (const { body: wire, dx, dy } of queries) {
          const body = prepare(wire)
          const { start } = move(view, body, dx, dy)
          if (start !== null && !start.separated) continue
          expect(lones.filter((lone) => relate(lone.body, body) < 0).map(({ id }) => id)).toEqual([])
        }
      }),
      unshrunk(150),
    )
  })
})

describe('separate', () => {
  it('is null for a body that overlaps nothing', () => {
    const view = viewOf([{ id: 'a', shape: { type: 'box', width: 2, height: 2 } }])
    const body = bodyAt({ type: 'box', width: 2, height: 2 }, 2, 0)
    expect(finished(querySeparate(view, body, accepts))).toBe(null)
  })

  it('finds the way out of all tiles at once, not of each', () => {
    const tile = { type: 'box', width: 1, height: 1 }
    const row = Array.from({ length: 8 }, (_, i) => ({ id: `t${i}`, shape: tile, position: { x: i, y: 0 } }))
    const view = viewOf(row)
    const body = bodyAt(tile, 3.5, 0.75)
    const found = finished(querySeparate(view, body, accepts))
    expect(found).toEqual({
      separated: true,
      dx: 0,
      dy: 0.25,
      exact: true,
      slots: [3, 4].map((i) => findBody(view, `t${i}`)),
      ids: ['t3', 't4'],
    })
    expect(body.numbers[Y]).toBe(1)
  })

  it('goes on where the shortest way out leads into others', () => {
    const box = (id: string, x: number, y: number, width: number, height: number) => ({
      id,
      shape: { type: 'box', width, height },
      position: { x, y },
    })
    // Up is shortest, but a ceiling is there; left is blocked too.
    const view = viewOf([box('floor', 0, 0, 10, 2), box('ceiling', 0, 2.5, 10, 1), box('left', -3, 1.5, 2, 2)])
    const body = bodyAt({ type: 'box', width: 1, height: 1.5 }, 0, 1.5)
    const found = finished(querySeparate(view, body, accepts))
    expect(found?.separated).toBe(true)
    expect(found?.ids).toEqual(['ceiling', 'floor', 'left'].filter((id) => found?.ids.includes(id)))
    expect(Math.hypot(found?.dx ?? 0, found?.dy ?? 0)).toBeGreaterThan(1)
  })

  it('ends free, by no more than any way out that random tries find', () => {
    const query = fc.record({
      body: mixedBody(BOUNDED_TYPES),
      ways: fc.array(fc.tuple(fc.double({ min: 0, max: 7, noNaN: true }), fc.double({ min: 0, max: 6, noNaN: true })), {
        minLength: 30,
        maxLength: 30,
      }),
    })
    fc.assert(
      fc.property(bodies(false, BOUNDED_TYPES), query, (list, { body: wire, ways }) => {
        const view = viewOf(list)
        const lones = list.map(loneOf)
        const body = prepare(wire)
        const { numbers } = body
        const x = numbers[X]
        const y = numbers[Y]
        const isFree = () => lones.every((lone) => relate(lone.body, body) >= 0)
        const wasFree = isFree()
        const found = finished(querySeparate(view, body, accepts))
        expect(found === null).toBe(wasFree)
        if (found === null || !found.separated) return
        expect(isFree()).toBe(true)
        if (!found.exact) return
        const length = Math.hypot(found.dx, found.dy)
        for (const [angle, share] of ways) {
          const tried = (share / 6) * length * (1 - 1e-9)
          body.numbers[X] = x + tried * Math.cos(angle)
          body.numbers[Y] = y + tried * Math.sin(angle)
          expect(isFree()).toBe(false)
        }
      }),
      unshrunk(200),
    )
  })
})
