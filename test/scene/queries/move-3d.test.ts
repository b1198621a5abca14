// Characters in space: what they slide along, what holds them, and what they step onto.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { relate } from '../../../src/core3d/queries/overlap.ts'
import { createRay, createRayHit, rayCast } from '../../../src/core3d/ray/ray-cast.ts'
import { setDirection } from '../../../src/core3d/ray/ray-line.ts'
import { COMPOSITE, createBody, POSITION } from '../../../src/core3d/shape/body.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'
import type { Found } from '../../support/answers/scene-answers.ts'
import { GRID, UNIFORM } from '../../support/families/arbitraries.ts'
import { orientation, SHAPE_TYPES_3D, shapeOf3d, vec3 } from '../../support/families/arbitrary-shapes-3d.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { runCount, seed, unshrunk } from '../../support/runs.ts'
import {
  boxBetween,
  CAPSULE,
  CHARACTERS,
  CUBE,
  CYLINDER,
  characterAt,
  move,
  type Triple,
  viewOf,
  walking,
} from './space-walks.ts'

const floor = boxBetween('floor', [-20, -1, -20], [20, 0, 20])
const east = boxBetween('east', [4, 0, -20], [6, 20, 20])
const north = boxBetween('north', [-20, 0, 4], [20, 20, 6])

const bodyOf = ({ shape, position = { x: 0, y: 0, z: 0 }, orientation: turn }: Found) => {
  const body = createBody()
  const { x, y, z, w } = turn ?? { x: 0, y: 0, z: 0, w: 1 }
  prepareShape[3](shape, [position.x, position.y, position.z, x, y, z, w], 0, body)
  return body
}

/** The ids of the bodies that a character at a place overlaps, each found by itself. */
function insideOf(list: readonly SceneBody[], shape: object, [x, y, z]: Triple, turn?: Found): string[] {
  const own = bodyOf({ shape, position: { x, y, z }, orientation: turn })
  return list.filter((body) => relate(bodyOf(body), own) < 0).map(({ id }) => id)
}

describe.each(CHARACTERS)('%s', (_name, shape, half) => {
  it('falls onto the floor, slides along a wall, and stops in a corner of two and of three planes', () => {
    const view = viewOf([floor, east, north])
    const fall = move(view, characterAt(shape, [0, 3.1, 0]), [0, -5, 0])
    expect(fall).toMatchObject({ status: 'blocked', end: [0, 0.5, 0], rest: [0, 0, 0] })
    expect(fall.contacts.map(({ id, normal }) => [id, normal])).toEqual([['floor', [0, 1, 0]]])
    const along = move(view, characterAt(shape, [0, 0.5, 0]), [8, -1, 1])
    expect(along.status).toBe('completed')
    expect(along.end).toEqual([4 - half, 0.5, 1])
    expect(along.contacts.map(({ id }) => id)).toEqual(['floor', 'east'])
    const corner = move(view, characterAt(shape, [0, 0.5, 0]), [8, -1, 8])
    expect(corner).toMatchObject({ status: 'blocked', end: [4 - half, 0.5, 4 - half] })
    expect(corner.contacts.map(({ id }) => id)).toEqual(expect.arrayContaining(['floor', 'east', 'north']))
    const stopped = move(view, characterAt(shape, [0, 0.5, 0]), [8, 0, 1], { maxSlides: 0 })
    expect(stopped).toMatchObject({ status: 'max-slides', end: [4 - half, 0.5, (4 - half) / 8] })
  })

  it('goes along the crease of two slopes as far as it is asked, and neither up nor aside', () => {
    // two slabs that meet in a valley along z, each turned by an eighth about it
    const [s, c] = [Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)]
    const slab = (id: string, side: 1 | -1) => ({
      id,
      shape: { type: 'box', size: { x: 40, y: 2, z: 80 } },
      position: { x: side * Math.SQRT1_2 * 19, y: Math.SQRT1_2 * 19 - Math.SQRT2, z: 0 },
      orientation: { x: 0, y: 0, z: side * s, w: c },
    })
    const list = [slab('left', -1), slab('right', 1)] as SceneBody[]
    const view = viewOf(list)
    const character = characterAt(shape, [0, 6, -30])
    const { end: start } = move(view, character, [0.25, -12, 0])
    let at = start
    for (let k = 1; k <= 20; k++) {
      at = move(view, character, [k % 3 === 0 ? 0 : k % 2 === 0 ? 0.125 : -0.25, -0.5, 2]).end
      expect(insideOf(list, shape, at)).toEqual([])
      expect(Math.abs(at[0] - start[0])).toBeLessThan(1e-9)
      expect(Math.abs(at[1] - start[1])).toBeLessThan(1e-9)
      expect(at[2]).toBeCloseTo(start[2] + 2 * k, 8)
    }
  })

  it('steps onto what is as high as stepHeight, and no higher', () => {
    const random = seededRandom(seed())
    for (let run = 0; run < runCount(100); run++) {
      const height = random() < 0.3 ? 0.25 : 0.05 + 0.4 * random()
      const view = viewOf([floor, boxBetween('step', [2, 0, -5], [12, height, 5])])
      const far = [8, 1, 0.125, 0.03125][Math.floor(4 * random())]
      for (const [given, climbs] of [
        [height, true],
        [height * (1 + 1e-6), true],
        [height * (1 - 1e-6), false],
      ] as const) {
        const character = characterAt(shape, [2 - half - 0.5 * random() * far, 0.5, 0])
        let last = move(view, character, [0, 0, 0])
        for (let way = 0; way < 2; way += far) last = move(view, character, [far, 0, 0], walking(0.2, given, given))
        const note = `${height} by ${given} in steps of ${far}: ${last.end}`
        expect(last.end[1], note).toBeCloseTo(climbs ? height + 0.5 : 0.5, 9)
        expect(last.ground?.id, note).toBe(climbs ? 'step' : 'floor')
        if (!climbs) expect(last.end[0], note).toBeLessThan(2)
      }
    }
  })

  it('walks up and down stairs on the ground, in paces of any length, and without snapToGround off them', () => {
    const step = (k: number) => boxBetween(`step-${k}`, [k, 0, -5], [k + 1, (4 - Math.abs(k - 4)) / 4, 5])
    const list = [floor, ...[1, 2, 3, 4, 5, 6, 7].map(step)]
    const view = viewOf(list)
    for (const pace of [0.11, 0.5, 1.3, 12]) {
      const character = characterAt(shape, [-1, 0.5, 0])
      let highest = 0
      for (let x = -1; x < 11; x += pace) {
        const { end, ground } = move(view, character, [pace, 0, 0], { ...walking(0.8, 0.25, 0.5), maxSlides: 64 })
        expect(insideOf(list, shape, end)).toEqual([])
        if (pace < 12) expect(ground, `${pace}: ${end}`).not.toBeNull()
        highest = Math.max(highest, end[1])
      }
      expect(character.body.numbers[POSITION]).toBeGreaterThan(9)
      if (pace < 12) expect(character.body.numbers[POSITION + 1], `pace ${pace}`).toBeCloseTo(0.5, 9)
      expect(highest).toBeCloseTo(1.5, 9)
    }
    const { end, ground } = move(view, characterAt(shape, [4.5, 1.5, 0]), [3, 0, 0], walking(0.8, 0.25, null))
    expect(end).toEqual([7.5, 1.5, 0])
    expect(ground).toBeNull()
  })

  it('climbs no steeper than it may, slides down what is steeper, and rises along a wall', () => {
    const slope = {
      id: 'slope',
      shape: {
        type: 'hull',
        points: [
          [0, 0, -5],
          [8, 0, -5],
          [8, 8, -5],
          [0, 0, 5],
          [8, 0, 5],
          [8, 8, 5],
        ].map(([x, y, z]) => ({ x, y, z })),
      },
      position: { x: 2, y: 0, z: 0 },
    } as SceneBody
    const view = viewOf([floor, slope])
    const up = (maxSlope: number) =>
      move(view, characterAt(shape, [0, 0.5, 0]), [5, 0, 1], walking(maxSlope, 0, null)).end
    expect(up(0.9)[1]).toBeGreaterThan(1)
    const [x, y, z] = up(0.7)
    expect([x < 2, y]).toEqual([true, expect.closeTo(0.5, 12)])
    expect(z).toBeCloseTo(1, 9)
    const down = move(view, characterAt(shape, [6, 6, 0]), [0, -3, 0], walking(0.7, 0, null)).end
    expect(down[0]).toBeLessThan(5.5)
    const wall = viewOf([floor, east])
    const jump = move(wall, characterAt(shape, [4 - half, 0.5, 0]), [1, 2, 0], walking(0.7, 0.5, 0.5))
    expect(jump.end).toEqual([4 - half, 2.5, expect.closeTo(0, 12)])
  })
})

/** A level square from (−8, 0, −8) to (8, 0, 8) of one kind or another. */
const FLOORS: Record<string, (random: () => number) => SceneBody[]> = {
  'boxes of all sizes': (random) => {
    const list: SceneBody[] = []
    const split = (x: number, z: number, X: number, Z: number): void => {
      const width = X - x
      const depth = Z - z
      if (Math.max(width, depth) < 1 || (Math.max(width, depth) < 6 && random() < 0.3)) {
        list.push(boxBetween(`tile-${list.length}`, [x, -1 - random(), z], [X, 0, Z]))
        // the top is what the box makes of it
        const { shape, position } = list[list.length - 1] as Found
        position.y = -shape.size.y / 2
        return
      }
      const share = 0.3 + 0.4 * random()
      if (width > depth) {
        split(x, z, x + share * width, Z)
        split(x + share * width, z, X, Z)
      } else {
        split(x, z, X, z + share * depth)
        split(x, z + share * depth, X, Z)
      }
    }
    split(-8, -8, 8, 8)
    return list
  },
  'a mesh with T-joints': (random) => {
    const vertices: number[] = []
    const triangles: number[] = []
    // fans over strips that share no corners with their neighbours
    for (let row = 0; row < 8; row++) {
      const count = 1 + Math.floor(6 * random())
      for (let k = 0; k < count; k++) {
        const at = vertices.length / 3
        const [x, X] = [-8 + (16 * k) / count, -8 + (16 * (k + 1)) / count]
        const z = -8 + 2 * row
        vertices.push(x, 0, z, X, 0, z, X, 0, z + 2, x, 0, z + 2)
        triangles.push(at, at + 2, at + 1, at, at + 3, at + 2)
      }
    }
    return [{ id: 'mesh', shape: { type: 'mesh', vertices, triangles } } as unknown as SceneBody]
  },
  'a height field': () => [
    {
      id: 'field',
      shape: { type: 'heightfield', columns: 17, cellSize: { x: 1, z: 1 }, heights: new Array(17 * 17).fill(0) },
      position: { x: -8, y: 0, z: -8 },
    } as unknown as SceneBody,
  ],
}

const ray = createRay()
const hit = createRayHit()

/** Length of a ray to the first of the bodies; `most` if it meets none. */
function rayLength(list: readonly SceneBody[], [x, y, z]: Triple, [dx, dy, dz]: Triple, most: number): number {
  let least = most
  for (const body of list) {
    ray.ox = x
    ray.oy = y
    ray.oz = z
    setDirection(ray, dx, dy, dz)
    ray.maxDistance = most
    if (rayCast(ray, bodyOf(body), 'hit', hit)) least = Math.min(least, hit.distance)
  }
  return least
}

describe.each(Object.entries(FLOORS))('a floor of %s', (_name, make) => {
  it.each(CHARACTERS)('does not hold %s: it ends where a ray along the floor does', (_which, shape, half) => {
    const random = seededRandom(seed() + 1)
    for (let run = 0; run < runCount(60); run++) {
      const list = make(random)
      const angle = random() < 0.4 ? (Math.PI / 2) * Math.floor(4 * random()) : 2 * Math.PI * random()
      const way: Triple = [Math.round(Math.cos(angle) * 1e6) / 1e6, 0, Math.round(Math.sin(angle) * 1e6) / 1e6]
      // a post in the way of some, as wide as the floor across the way
      const post = {
        id: 'post',
        shape: { type: 'box', size: { x: 1, y: 4, z: 40 } },
        position: { x: 6 * way[0], y: 2, z: 6 * way[2] },
        orientation: { x: 0, y: -Math.sin(angle / 2), z: 0, w: Math.cos(angle / 2) },
      } as unknown as SceneBody
      const all = run % 2 === 0 ? [...list, post] : list
      const view = viewOf(all)
      const character = characterAt(shape, [0, 0.5, 0])
      const most = 7
      const weight = [0, 0.25, 4][run % 3]
      let passed = 0
      for (let k = 0; k < 4; k++) {
        const { end, contacts } = move(view, character, [(most / 4) * way[0], -weight, (most / 4) * way[2]])
        passed = Math.hypot(end[0], end[2])
        expect(Math.abs(end[1] - 0.5), JSON.stringify({ way, end, contacts })).toBeLessThan(1e-9)
      }
      const clear = rayLength(all, [0, 0.5, 0], way, 100)
      const wanted = Math.min(most, clear - (shape === CUBE ? supportOf(way, half) : half))
      expect(passed, JSON.stringify({ run, way, list: all })).toBeCloseTo(wanted, 5)
    }
  })
})

/** How far a cube reaches along a way. */
function supportOf([x, , z]: Triple, half: number): number {
  return half * (Math.abs(x) + Math.abs(z))
}

describe('move in space', () => {
  const convex = fc.oneof(
    ...SHAPE_TYPES_3D.filter((type) => type !== 'halfspace').flatMap((type) => [
      shapeOf3d(type, GRID),
      shapeOf3d(type, UNIFORM),
    ]),
  )
  const field = fc
    .array(fc.constantFrom(0, 1, 0.5, -1), { minLength: 12, maxLength: 12 })
    .map((heights) => ({ type: 'heightfield', columns: 4, cellSize: { x: 1, z: 1.5 }, heights }))
  const compound = fc
    .array(fc.record({ shape: convex, position: vec3(GRID) }), { minLength: 1, maxLength: 3 })
    .map((children) => ({ type: 'compound', children }))
  const shapes = fc.oneof(
    { weight: 6, arbitrary: convex },
    { weight: 1, arbitrary: field },
    { weight: 1, arbitrary: compound },
  )
  const placed = fc
    .record({ shape: shapes, position: vec3(GRID), orientation })
    .map(({ orientation: turn, ...rest }) =>
      JSON.stringify(rest).includes('aabb') ? rest : { ...rest, orientation: turn },
    ) as fc.Arbitrary<Found>
  const upright = fc.record({
    maxSlope: fc.constantFrom(0.3, 0.8, 2),
    stepHeight: fc.constantFrom(0, 0.5),
    snap: fc.constantFrom(null, 0, 0.5),
  })

  it('never ends inside a body, nor passes through one, nor goes farther than it is asked', () => {
    const measured = createContact()
    let met = 0
    fc.assert(
      fc.property(
        fc.array(placed, { minLength: 1, maxLength: 8 }),
        placed,
        fc.array(vec3(fc.boolean() ? GRID : UNIFORM), { minLength: 1, maxLength: 4 }),
        fc.option(upright),
        (bodies, own, ways, steps) => {
          const list = bodies.map((body, k) => ({ id: `body-${k}`, ...body })) as SceneBody[]
          const view = viewOf(list)
          const { x, y, z } = own.position
          let at: Triple = [x, y, z]
          for (const { x: dx, y: dy, z: dz } of ways) {
            const asked = steps === null ? {} : walking(steps.maxSlope, steps.stepHeight, steps.snap)
            const here = characterAt(own.shape, at, own.orientation)
            const { start, path, end, contacts } = move(view, here, [dx, dy, dz], asked)
            const note = JSON.stringify({ list, own, at, way: [dx, dy, dz], steps, path })
            if (start !== null && !start.separated) break
            met += contacts.length
            expect(insideOf(list, own.shape, end, own.orientation), note).toEqual([])
            const [from] = path.slice(start === null ? 0 : 1) as [Triple]
            const first = from ?? path[0]
            const size = 1e-9 * (1 + Math.hypot(...end) + Math.hypot(dx, dy, dz))
            const gone = Math.hypot(...end.map((value, k) => value - first[k]))
            const most = Math.hypot(dx, dy, dz) + (steps === null ? 0 : 2 * steps.stepHeight + (steps.snap ?? 0))
            expect(gone, note).toBeLessThanOrEqual(most + size)
            for (let leg = start === null ? 1 : 2; leg < path.length; leg++) {
              for (const share of [0.25, 0.5, 0.75]) {
                const place = path[leg - 1].map(
                  (value, k) => value + share * (path[leg][k] - value),
                ) as unknown as Triple
                const probe = characterAt(own.shape, place, own.orientation).body
                for (const body of list) {
                  const other = bodyOf(body)
                  if (relate(other, probe) >= 0) continue
                  contact(other, probe, measured)
                  // how deep bodies of many parts are is only known from above
                  if (other.kind === COMPOSITE || probe.kind === COMPOSITE) continue
                  expect(-measured.separation, note).toBeLessThanOrEqual(size)
                }
              }
            }
            at = end
          }
        },
      ),
      unshrunk(1000),
    )
    expect(met).toBeGreaterThan(runCount(200))
  })

  it('does not tunnel, however fast and thin', () => {
    const plate = boxBetween('plate', [1, -5, -5], [1 + 2 ** -30, 5, 5])
    const view = viewOf([plate])
    for (const shape of [
      CUBE,
      CAPSULE,
      CYLINDER,
      { type: 'point' },
      { type: 'segment', a: { x: 0, y: -1, z: 0 }, b: { x: 0, y: 1, z: 0 } },
    ]) {
      for (const far of [2, 1e6, 1e12]) {
        const { end, contacts } = move(view, characterAt(shape, [0, 0, 0]), [far, 0, 0])
        expect(end[0]).toBeLessThanOrEqual(1)
        expect(contacts.map(({ id }) => id)).toEqual(['plate'])
      }
    }
    const sheet = {
      id: 'sheet',
      shape: { type: 'triangle', a: { x: 1, y: -9, z: -9 }, b: { x: 1, y: 9, z: -9 }, c: { x: 1, y: 0, z: 9 } },
    } as unknown as SceneBody
    for (const shape of [
      { type: 'point' },
      { type: 'triangle', a: { x: 0, y: 0, z: 0 }, b: { x: 0, y: 1, z: 0 }, c: { x: 0, y: 0, z: 1 } },
    ]) {
      const character = characterAt(shape, [0, 0, 0])
      for (let k = 0; k < 5; k++) {
        const { end } = move(viewOf([sheet]), character, [3, 0.25, 0])
        expect(end[0]).toBeLessThan(1)
        expect(end[0]).toBeCloseTo(1, 9)
      }
    }
  })
})
