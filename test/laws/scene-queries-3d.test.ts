// What a scene of space answers is what the stateless queries answer about the same bodies, to the last bit.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MovingBody3d } from '../../schemas/shapes3d.ts'
import { keepPairsOfFew } from '../../src/scene/queries/near-pairs.ts'
import type { SceneBody } from '../../src/scene/state/operation.ts'
import { apply, createScene } from '../../src/scene/state/scene.ts'
import { presentView, type View } from '../../src/scene/state/view.ts'
import { prepareShape } from '../../src/wire/scene-body.ts'
import { anyFilter, TAGS } from '../scene/state/scene-cases.ts'
import {
  asked,
  checkCast,
  checkImpacts,
  checkNearest,
  checkOverlap,
  checkRays,
  checkTrajectory,
  type Found,
  passing,
  sameText,
  stateless as statelessOf,
  still as stillOf,
  subject,
  viewOf as viewOfScene,
} from '../support/answers/scene-answers.ts'
import { GRID, UNIFORM } from '../support/families/arbitraries.ts'
import { orientation, SHAPE_TYPES_3D, shapeOf3d, vec3 } from '../support/families/arbitrary-shapes-3d.ts'
import { runCount, unshrunk } from '../support/runs.ts'

const stateless = (op: string, request: object): Found => statelessOf(3, op, request)
const still = (body: SceneBody) => stillOf<MovingBody3d>(body)

function spaceScene() {
  const scene = createScene(prepareShape)
  const create = { op: 'create' as const, sceneId: 'attic', name: null, dimension: 3 as const, margin: 0.5, at: 0 }
  apply(scene, { version: 1, at: 0, operations: [create] })
  return scene
}

const viewOf = (list: readonly SceneBody[]): View => viewOfScene(spaceScene(), list)

const tetrahedron = (size: number, solid: boolean) => ({
  type: 'mesh',
  vertices: [0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
  groups: [5, 6, 7, 8],
  solid,
})
const meshes = fc.oneof(
  fc
    .record({ size: fc.constantFrom(1, 2, 3.5), solid: fc.boolean() })
    .map(({ size, solid }) => tetrahedron(size, solid)),
  fc
    .array(fc.constantFrom(0, 1, 0.5, -1, null), { minLength: 12, maxLength: 12 })
    // three that are neighbours
    .map((heights) => [0, 0, heights[2], heights[3], 1, heights[5] ?? 0, ...heights.slice(6)])
    .map((heights) => ({ type: 'heightfield', columns: 4, cellSize: { x: 1, z: 1.5 }, heights })),
)
const convex = fc.oneof(
  ...SHAPE_TYPES_3D.filter((type) => type !== 'halfspace').flatMap((type) => [
    shapeOf3d(type, GRID),
    shapeOf3d(type, UNIFORM),
  ]),
)
const halfspace = shapeOf3d('halfspace', GRID).filter(({ normal: { x, y, z } }: Found) => x !== 0 || y !== 0 || z !== 0)
const child = fc.record({ shape: fc.oneof(convex, meshes), position: vec3(GRID) }, { requiredKeys: ['shape'] })
const compound = fc.record({
  type: fc.constant('compound'),
  children: fc.array(child, { minLength: 1, maxLength: 3 }),
})
const bounded = fc.oneof(
  { weight: 6, arbitrary: convex },
  { weight: 2, arbitrary: meshes },
  { weight: 1, arbitrary: compound },
)
const shape = fc.oneof({ weight: 9, arbitrary: bounded }, { weight: 1, arbitrary: halfspace })
const vector = fc.oneof(vec3(GRID), vec3(UNIFORM))
const placed = (shapes: fc.Arbitrary<Found>) =>
  fc
    .record({ shape: shapes, position: vector, orientation }, { requiredKeys: ['shape'] })
    // aabbs take no turn, alone or in compounds
    .map(({ orientation: turn, ...rest }) =>
      turn === undefined || JSON.stringify(rest).includes('aabb') ? rest : { ...rest, orientation: turn },
    ) as fc.Arbitrary<MovingBody3d>
const marked = fc.record({ tags: fc.subarray(TAGS), sensor: fc.boolean(), velocity: vec3(GRID) }, { requiredKeys: [] })
const someBodies = fc
  .array(fc.tuple(placed(shape), marked), { minLength: 1, maxLength: 10 })
  .map((list) => list.map(([body, marks], i) => ({ id: `body-${(7 * i) % 16}`, ...body, ...marks }) as SceneBody))

const want = fc.constantFrom('time', 'contact', 'exit')
const filter = fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: anyFilter })
/** A body of its own, or the n-th of the scene. */
const about = fc.oneof({ weight: 3, arbitrary: placed(shape) }, { weight: 1, arbitrary: fc.nat(20) })
const many = <Query>(query: fc.Arbitrary<Query>, count: number) =>
  fc.array(query, { minLength: count, maxLength: count })
const COMPOSITE_TYPES = ['compound', 'heightfield', 'mesh']
const isSomewhere = ({ x, y, z }: { x: number; y: number; z: number }) => x !== 0 || y !== 0 || z !== 0

describe('a scene of space answers as the stateless queries do', () => {
  it('overlap, and contact: 2,000', () => {
    const query = fc.record({ given: about, filter, contacts: fc.boolean() })
    fc.assert(
      fc.property(someBodies, many(query, 20), (list, asks) => {
        const view = viewOf(list)
        for (const { given, filter: passes, contacts } of asks) {
          checkOverlap(view, list, subject(list, given), passes, contacts)
        }
      }),
      unshrunk(100),
    )
  })

  it('overlap of points, boxes and bodies elsewhere: 1,000', () => {
    const query = fc.record({ point: vector, other: vector, n: fc.nat(20), turn: orientation })
    fc.assert(
      fc.property(someBodies, many(query, 10), (list, asks) => {
        const view = viewOf(list)
        for (const { point, other, n, turn } of asks) {
          const corners = ['x', 'y', 'z'].map((axis) => [point, other].map((v: Found) => v[axis]).sort((p, q) => p - q))
          const [[x, x1], [y, y1], [z, z1]] = corners
          const aabb = { min: { x, y, z }, max: { x: x1, y: y1, z: z1 } }
          const own = list[n % list.length]
          const pose = { position: point, ...(!JSON.stringify(own).includes('aabb') && { orientation: turn }) }
          for (const [request, a, self] of [
            [{ point }, { shape: { type: 'point' }, position: point }, undefined],
            [{ aabb }, { shape: { type: 'aabb', ...aabb } }, undefined],
            [{ bodyId: own.id, pose }, { ...still(own), ...pose }, own.id],
          ] as const) {
            const expected = passing(list, {}, self).flatMap((body) => {
              const { overlap, relation } = stateless('overlap', { a, b: still(body) })
              return overlap ? [{ id: body.id, relation }] : []
            })
            sameText(asked(view, 'overlap', request).bodies, expected)
          }
        }
      }),
      unshrunk(100),
    )
  })

  it('ray-cast: 2,500', () => {
    const ray = fc.record({
      origin: vector,
      direction: vector.filter(isSomewhere),
      maxDistance: fc.constantFrom(1e300, 4, 0),
    })
    const options = fc.record({
      mode: fc.constantFrom('closest', 'all'),
      startInside: fc.constantFrom('hit', 'ignore', 'exit'),
      filter,
    })
    fc.assert(
      fc.property(someBodies, many(ray, 25), options, (list, rays, { filter: passes, ...how }) =>
        checkRays(viewOf(list), list, rays, how, passes),
      ),
      unshrunk(100),
    )
  })

  it('shape-cast: 1,000', () => {
    const query = fc.record({
      given: fc.oneof({ weight: 3, arbitrary: placed(bounded) }, { weight: 1, arbitrary: fc.nat(20) }),
      translation: vector,
      rotation: fc.constantFrom(undefined, undefined, undefined, { x: 0, y: 1.5, z: 0 }, { x: 1, y: -0.5, z: 2 }),
      ignoreSeparating: fc.boolean(),
      want,
      mode: fc.constantFrom('closest', 'all'),
      filter,
    })
    fc.assert(
      fc.property(someBodies, many(query, 10), (list, asks) => {
        const view = viewOf(list)
        for (const { given, filter: passes, rotation, ...rest } of asks) {
          const cast = { ...rest, ...(rotation !== undefined && { rotation }) }
          checkCast(view, list, subject(list, given), cast, passes)
        }
      }),
      unshrunk(100),
    )
  })

  it('nearest, and distance: 2,000', () => {
    const query = fc.record({ given: about, count: fc.integer({ min: 1, max: 16 }), filter })
    fc.assert(
      fc.property(someBodies, many(query, 20), (list, asks) => {
        const view = viewOf(list)
        for (const { given, count, filter: passes } of asks) {
          checkNearest(view, list, subject(list, given), count, passes)
        }
      }),
      unshrunk(100),
    )
  })

  it('line-of-sight, and rays that end at the target: 1,000', () => {
    const target = fc.oneof(
      vector.map((point) => ({ point, n: -1 })),
      fc.nat(20).map((n) => ({ point: { x: 0, y: 0, z: 0 }, n })),
    )
    const query = fc.record({ eye: vector, targets: many(target, 3), filter })
    fc.assert(
      fc.property(someBodies, many(query, 10), (list, asks) => {
        const view = viewOf(list)
        for (const { eye, targets, filter: passes } of asks) {
          const wire = targets.map(({ point, n }) => (n < 0 ? { point } : { bodyId: list[n % list.length].id }))
          const found = asked(view, 'line-of-sight', { point: eye, targets: wire, filter: passes })
          for (const [i, { point, n }] of targets.entries()) {
            const own = n < 0 ? null : list[n % list.length]
            const at = own === null ? point : (own.position ?? { x: 0, y: 0, z: 0 })
            const direction = { x: at.x - eye.x, y: at.y - eye.y, z: (at.z ?? 0) - eye.z }
            if (!isSomewhere(direction)) continue
            const ray = { origin: eye, direction, maxDistance: Math.hypot(direction.x, direction.y, direction.z) }
            const cast = (bodies: SceneBody[]) =>
              stateless('ray-cast', { ray, targets: bodies.map(still), mode: 'all' }).hits
            const [met] = own === null ? [] : cast([own])
            const distance = met?.distance ?? ray.maxDistance
            const others = passing(list, passes, own?.id)
            const occluders = cast(others)
              .filter((hit: Found) => hit.distance < distance)
              .map((hit: Found) => ({ id: others[hit.target].id, distance: hit.distance, point: hit.point }))
            const visible = distance === 0 || occluders.length === 0
            const sight = { visible, distance, point: met?.point ?? at, occluders: visible ? [] : occluders }
            sameText(found.sights[i], { ...sight, truncated: false })
          }
        }
      }),
      unshrunk(100),
    )
  })
})

describe('pairs, impacts and cells of a scene of space', () => {
  it('pairs, by every method, and contacts: 600', () => {
    const method = fc.constantFrom('auto', 'brute-force', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree')
    fc.assert(
      fc.property(someBodies, filter, method, fc.boolean(), (list, passes, how, contacts) => {
        const listed = passing(list, passes)
        const expected = stateless('pairs', { bodies: listed.map(still) }).pairs.map(([i, j]: number[]) => {
          const [a, b] = [listed[i], listed[j]]
          const contact = contacts && { contact: stateless('contact', { a: still(a), b: still(b) }) }
          return { a: a.id, b: b.id, ...contact }
        })
        sameText(asked(viewOf(list), 'pairs', { filter: passes, method: how, contacts }).pairs, expected)
      }),
      unshrunk(600),
    )
  })

  it('pairs that are kept while they are asked for, as bodies come, go and move: 100', () => {
    keepPairsOfFew(true)
    try {
      fc.assert(
        fc.property(fc.array(someBodies, { minLength: 4, maxLength: 4 }), (lists) => {
          const scene = spaceScene()
          const bodies = new Map<string, SceneBody>()
          for (const [k, list] of lists.entries()) {
            const removed = k === 0 ? [] : [...bodies.keys()].slice(0, 1)
            for (const id of removed) bodies.delete(id)
            for (const body of list) bodies.set(body.id, body)
            const operations = [
              ...removed.map((id) => ({ op: 'remove' as const, id })),
              ...list.map((body) => ({ op: 'put' as const, body })),
            ]
            apply(scene, { version: 2 + k, at: 0, operations })
            const all = passing([...bodies.values()], {})
            const expected = stateless('pairs', { bodies: all.map(still) }).pairs.map(([i, j]: number[]) => {
              return { a: all[i].id, b: all[j].id }
            })
            sameText(asked(presentView(scene), 'pairs', {}).pairs, expected)
          }
        }),
        unshrunk(100),
      )
    } finally {
      keepPairsOfFew(false)
    }
  })

  it('time-of-impact: 300', () => {
    const options = fc.record({ duration: fc.constantFrom(0, 0.5, 2), ignoreSeparating: fc.boolean(), want })
    const spin = fc.constantFrom(undefined, undefined, undefined, { x: 0, y: 1, z: 0 }, { x: 2, y: -1, z: 0.5 })
    const moving = fc
      .tuple(someBodies, many(spin, 10))
      .map(([list, spins]) =>
        list.map((body, i) => ({ ...body, ...(spins[i] !== undefined && { angularVelocity: spins[i] }) })),
      )
    fc.assert(
      fc.property(moving, options, filter, (list, how, passes) => checkImpacts(viewOf(list), list, how, passes)),
      unshrunk(300),
    )
  })

  it('trajectory: 1,000', () => {
    const how = fc.record({ restitution: fc.constantFrom(1, 0.5), maxBounces: fc.constantFrom(100, 3) })
    const solid = fc.oneof({ weight: 5, arbitrary: placed(convex) }, { weight: 1, arbitrary: placed(halfspace) })
    const query = fc.record({
      given: fc.oneof({ weight: 3, arbitrary: solid }, { weight: 1, arbitrary: fc.nat(20) }),
      velocity: fc.oneof(vec3(GRID), vec3(UNIFORM)),
      how,
      filter,
    })
    let bounces = 0
    fc.assert(
      fc.property(someBodies, many(query, 5), (list, asks) => {
        const view = viewOf(list)
        for (const { given, velocity, how: rest, filter: passes } of asks) {
          const about = subject(list, given)
          if (COMPOSITE_TYPES.includes(about.body.shape.type)) continue
          const found = checkTrajectory(view, list, about, velocity, { duration: 3, ...rest }, passes)
          bounces += found.bounces.length
        }
      }),
      unshrunk(200),
    )
    expect(bounces).toBeGreaterThan(runCount(200))
  })

  it('sectors: 600', () => {
    const whole = fc.integer({ min: -6, max: 4 })
    const cells = fc.integer({ min: 1, max: 5 })
    const grid = fc.record({
      origin: fc.record({ x: whole, y: whole, z: whole }),
      cellSize: fc.constantFrom(0.5, 1, 2, 0.7),
      columns: cells,
      rows: cells,
      layers: cells,
    })
    fc.assert(
      fc.property(someBodies, many(fc.record({ grid, filter }), 4), (list, asks) => {
        const view = viewOf(list)
        for (const { grid: space, filter: passes } of asks) {
          const passed = passing(list, passes)
          const expected = stateless('sectors', { bodies: passed.map(still), grid: space }).cells.map(
            ([x, y, z, found]: Found) => [
              x,
              y,
              z,
              found.map(({ body, ...passage }: Found) => ({ id: passed[body].id, ...passage })),
            ],
          )
          sameText(asked(view, 'sectors', { grid: space, filter: passes }).cells, expected)
        }
      }),
      unshrunk(150),
    )
  })
})

it('the families above have bodies of every kind', () => {
  const seen = new Set(fc.sample(placed(shape), { numRuns: 400, seed: 1 }).map((body) => body.shape.type))
  expect([...seen].sort()).toEqual([...SHAPE_TYPES_3D, 'compound', 'heightfield', 'mesh'].sort())
})
