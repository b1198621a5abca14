// Free places in space, by `separate` and `place`: what enumeration finds among boxes of whole numbers, what the plane answers of the same
// bodies drawn out along z, and free, touching and least among bodies of all kinds.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply, createScene } from '../../../src/scene/state/scene.ts'
import { presentView, type View } from '../../../src/scene/state/view.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'
import { asked, type Found } from '../../support/answers/scene-answers.ts'
import { GRID, UNIFORM } from '../../support/families/arbitraries.ts'
import { orientation, SHAPE_TYPES_3D, shapeOf3d, vec3 } from '../../support/families/arbitrary-shapes-3d.ts'
import { runCount, runs, unshrunk } from '../../support/runs.ts'

interface Vec3 {
  x: number
  y: number
  z: number
}

function viewOf(dimension: 2 | 3, list: readonly object[]): View {
  const scene = createScene(prepareShape)
  const create = { op: 'create' as const, sceneId: 'attic', name: null, dimension, margin: 0.5, at: 0 }
  apply(scene, { version: 1, at: 0, operations: [create] })
  const put = list.map((body, k) => ({ op: 'put' as const, body: { id: `b${k}`, ...body } as SceneBody }))
  apply(scene, { version: 2, at: 0, operations: put })
  return presentView(scene)
}

const AXES = ['x', 'y', 'z'] as const
const lengthOf = ({ x, y, z }: Vec3): number => Math.hypot(x, y, z)
const plus = (a: Vec3, b: Vec3, share = 1): Vec3 => ({
  x: a.x + share * b.x,
  y: a.y + share * b.y,
  z: a.z + share * b.z,
})

/** Whether the body, put there, overlaps any of the view. */
function overlaps(view: View, body: object, position: Vec3): boolean {
  const { bodies } = asked(view, 'overlap', { body: { ...body, position } })
  return bodies.some(({ relation }: Found) => relation === 'overlapping')
}

interface Box {
  low: Vec3
  size: Vec3
}

const whole = (min: number, max: number) =>
  fc.record({ x: fc.integer({ min, max }), y: fc.integer({ min, max }), z: fc.integer({ min, max }) })
const boxes: fc.Arbitrary<Box> = fc.record({ low: whole(-4, 2), size: whole(1, 4) })
const bodyOf = ({ low, size }: Box) => ({ shape: { type: 'box', size }, position: plus(low, size, 0.5) })

const isApart = (a: Box, b: Box): boolean =>
  AXES.some((k) => a.low[k] >= b.low[k] + b.size[k] || b.low[k] >= a.low[k] + a.size[k])

/** The least length of all ways to places that sides bound, of which one is the nearest free one. */
function leastByEnumeration(obstacles: readonly Box[], own: Box): number {
  const [xs, ys, zs] = AXES.map((k) => {
    const ends = obstacles.flatMap((box) => [
      box.low[k] - own.low[k] - own.size[k],
      box.low[k] + box.size[k] - own.low[k],
    ])
    return [...new Set([0, ...ends])]
  }) as [number[], number[], number[]]
  let least = Infinity
  for (const x of xs) {
    for (const y of ys) {
      for (const z of zs) {
        if (Math.hypot(x, y, z) >= least) continue
        const moved = { ...own, low: plus(own.low, { x, y, z }) }
        if (obstacles.every((box) => isApart(moved, box))) least = Math.hypot(x, y, z)
      }
    }
  }
  return least
}

describe('boxes of whole numbers', () => {
  it('separate and place find the least way of all to a free place', () => {
    let moved = 0
    fc.assert(
      fc.property(fc.array(boxes, { minLength: 8, maxLength: 20 }), boxes, (obstacles, own) => {
        const view = viewOf(3, obstacles.map(bodyOf))
        const body = bodyOf(own)
        const least = leastByEnumeration(obstacles, own)
        const { separated, translation, exact, position } = asked(view, 'separate', { body })
        expect([separated, exact, lengthOf(translation)]).toEqual([true, true, least])
        expect(position).toEqual(plus(body.position, translation))
        expect(obstacles.every((box) => isApart({ ...own, low: plus(own.low, translation) }, box))).toBe(true)
        const found = asked(view, 'place', { body })
        expect([found.exact, found.distance]).toEqual([true, least])
        expect(obstacles.every((box) => isApart({ ...own, low: plus(own.low, found.translation) }, box))).toBe(true)
        if (least === 0) return
        moved++
        expect(asked(view, 'place', { body, maxDistance: least }).distance).toBe(least)
        const none = asked(view, 'place', { body, maxDistance: least * (1 - 2 ** -20) })
        expect([none.position, none.exact]).toEqual([null, true])
      }),
      runs(1000),
    )
    expect(moved).toBeGreaterThan(runCount(300))
  })
})

describe('what is drawn out along z', () => {
  const corner = fc.record({ x: fc.integer({ min: -3, max: 3 }), y: fc.integer({ min: -3, max: 3 }) })
  const triangles = fc
    .record({ vertices: fc.tuple(corner, corner, corner), position: corner })
    .filter(({ vertices: [a, b, c] }) => (b.x - a.x) * (c.y - a.y) !== (b.y - a.y) * (c.x - a.x))
  type Triangle = { vertices: { x: number; y: number }[]; position: { x: number; y: number } }
  const flat = ({ vertices, position }: Triangle) => ({ shape: { type: 'polygon', vertices }, position })
  const drawn = ({ vertices, position }: Triangle, half: number) => ({
    shape: { type: 'hull', points: vertices.flatMap((p) => [-half, half].map((z) => ({ ...p, z }))) },
    position: { ...position, z: 0 },
  })

  it('goes as far as in the plane', () => {
    let far = 0
    fc.assert(
      fc.property(fc.array(triangles, { minLength: 2, maxLength: 10 }), triangles, (obstacles, own) => {
        const plane = viewOf(2, obstacles.map(flat))
        const space = viewOf(
          3,
          obstacles.map((obstacle) => drawn(obstacle, 100)),
        )
        for (const op of ['separate', 'place']) {
          const { translation: inPlane, exact: isExact } = asked(plane, op, { body: flat(own) })
          const { translation, exact } = asked(space, op, { body: drawn(own, 1) })
          // A place that is one point, where three of them meet, may be none in doubles.
          if (!exact || !isExact) continue
          const expected = Math.hypot(inPlane.x, inPlane.y)
          expect(Math.abs(lengthOf(translation) - expected)).toBeLessThanOrEqual(1e-10 * (10 + expected))
          if (expected > 0) far++
        }
      }),
      runs(300),
    )
    expect(far).toBeGreaterThan(runCount(100))
  })
})

const tetrahedron = (size: number, solid: boolean) => ({
  type: 'mesh',
  vertices: [0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
  solid,
})
const convex = fc.oneof(
  ...SHAPE_TYPES_3D.filter((type) => type !== 'halfspace').flatMap((type) => [
    shapeOf3d(type, GRID),
    shapeOf3d(type, UNIFORM),
  ]),
)
const meshes = fc
  .record({ size: fc.constantFrom(1, 3, 7.5), solid: fc.boolean() })
  .map(({ size, solid }) => tetrahedron(size, solid))
const compounds = fc.record({
  type: fc.constant('compound'),
  children: fc.array(fc.record({ shape: fc.oneof(convex, meshes), position: vec3(GRID) }), {
    minLength: 1,
    maxLength: 3,
  }),
})
const halfspaces = shapeOf3d('halfspace', GRID).filter(
  ({ normal: { x, y, z } }: Found) => x !== 0 || y !== 0 || z !== 0,
)
const bounded = fc.oneof(
  { weight: 5, arbitrary: convex },
  { weight: 2, arbitrary: meshes },
  { weight: 1, arbitrary: compounds },
)
const placed = (shapes: fc.Arbitrary<Found>): fc.Arbitrary<Found> =>
  fc.record({ shape: shapes, position: vec3(GRID), orientation }).map(({ orientation: turn, ...rest }) =>
    // aabbs take no turn, alone or in compounds
    JSON.stringify(rest).includes('aabb') ? rest : { ...rest, orientation: turn },
  )
const every = placed(fc.oneof({ weight: 9, arbitrary: bounded }, { weight: 1, arbitrary: halfspaces }))
const unit = fc.double({ min: -1, max: 1, noNaN: true })
const ways = fc.array(fc.record({ x: unit, y: unit, z: unit }), { minLength: 12, maxLength: 12 })

describe('bodies of all kinds', () => {
  it('what was in something stands free and touches, and no way is shorter where it says so', () => {
    let moved = 0
    let exact = 0
    fc.assert(
      fc.property(fc.array(every, { minLength: 1, maxLength: 6 }), placed(bounded), ways, (list, body, tries) => {
        const view = viewOf(3, list)
        const found = asked(view, 'separate', { body })
        if (!found.separated) return
        expect(overlaps(view, body, found.position)).toBe(false)
        const length = lengthOf(found.translation)
        const near = asked(view, 'place', { body })
        if (near.position !== null) {
          expect(overlaps(view, body, near.position)).toBe(false)
          if (found.exact && near.exact) {
            expect(Math.abs(near.distance - length)).toBeLessThanOrEqual(1e-9 * (10 + length))
          }
        }
        if (length === 0) return
        moved++
        const back = plus(found.position, found.translation, (-1e-7 * (10 + length)) / length)
        expect(overlaps(view, body, back)).toBe(true)
        if (!found.exact) return
        exact++
        for (const way of tries) {
          const share = (length * (1 - 1e-7)) / Math.max(1, lengthOf(way))
          expect(overlaps(view, body, plus(body.position, way, share))).toBe(true)
        }
      }),
      unshrunk(1000),
    )
    expect(moved).toBeGreaterThan(runCount(300))
    expect(exact).toBeGreaterThan(0.3 * moved)
  })
})

describe('overlaps by little more than rounding', () => {
  it('are left by as little, of all kinds', () => {
    let left = 0
    fc.assert(
      fc.property(every, placed(convex), fc.integer({ min: -54, max: -16 }), (obstacle, own, exponent) => {
        const view = viewOf(3, [obstacle])
        const high = { ...own, position: plus(own.position, { x: 0, y: 20, z: 0 }) }
        const { position } = asked(view, 'drop', { body: high, direction: { x: 0, y: -1, z: 0 } })
        if (position === null) return
        const body = { ...own, position: plus(position, { x: 0, y: -(2 ** exponent), z: 0 }) }
        if (!overlaps(view, body, body.position)) return
        left++
        const isConvex = !['mesh', 'compound'].includes(obstacle.shape.type)
        for (const op of ['separate', 'place']) {
          const found = asked(view, op, { body })
          expect(overlaps(view, body, found.position)).toBe(false)
          if (isConvex) expect(lengthOf(found.translation)).toBeLessThanOrEqual(2 ** exponent * 1.001 + 2 ** -42)
        }
      }),
      unshrunk(1000),
    )
    expect(left).toBeGreaterThan(runCount(200))
  })

  it('of two boxes are left to the next double', () => {
    const view = viewOf(3, [{ shape: { type: 'box', size: { x: 2, y: 2, z: 2 } } }])
    const shape = { type: 'box', size: { x: 0.4, y: 0.4, z: 0.4 } }
    for (const depth of [2 ** -52, 2 ** -46, 2 ** -40, 2 ** -34, 2 ** -20]) {
      const { translation, exact, position } = asked(view, 'separate', {
        body: { shape, position: { x: 0, y: 1.2 - depth, z: 0 } },
      })
      expect([translation.x, translation.z, exact, position.y]).toEqual([0, 0, true, 1.2 + 2 ** -52])
    }
  })

  it('do not depend on what has neither a radius nor a height', () => {
    const view = viewOf(3, [{ shape: { type: 'cylinder', radius: 0, height: 0 } }])
    const capsule = { type: 'capsule', a: { x: 0, y: -1, z: 0 }, b: { x: 0, y: 1, z: 0 }, radius: 1 }
    const { translation } = asked(view, 'separate', { body: { shape: capsule, position: { x: 0.75, y: 0, z: 0 } } })
    expect(lengthOf(translation)).toBeCloseTo(0.25, 12)
  })
})

describe('extreme scenes', () => {
  const box = (size: number, x: number) => ({
    shape: { type: 'box', size: { x: size, y: size, z: size } },
    position: { x, y: 0, z: 0 },
  })

  it.each([1e-100, 1e-12, 1, 2 ** 300, 1e99])('at the scale of %d', (size) => {
    const view = viewOf(3, [box(4 * size, 0), box(2 * size, 3 * size)])
    for (const op of ['separate', 'place']) {
      const { translation, exact } = asked(view, op, { body: box(size, size) })
      expect(exact).toBe(true)
      expect(Math.abs(lengthOf(translation) / size - Math.sqrt(4.5))).toBeLessThan(1e-12)
      expect(overlaps(view, box(size, size), plus({ x: size, y: 0, z: 0 }, translation))).toBe(false)
    }
  })

  it('finds the gap that a body fits into exactly, and the end of one that is too narrow by a last digit', () => {
    const walls = (right: number) =>
      viewOf(3, [
        { shape: { type: 'aabb', min: { x: -9, y: -9, z: -9 }, max: { x: 0, y: 9, z: 9 } } },
        { shape: { type: 'aabb', min: { x: right, y: -9, z: -9 }, max: { x: 9, y: 9, z: 9 } } },
      ])
    const body = box(1, 0)
    expect(asked(walls(1), 'place', { body })).toMatchObject({ distance: 0.5, position: { x: 0.5 }, exact: true })
    const { distance, exact } = asked(walls(1 - 2 ** -53), 'place', { body })
    expect(distance).toBeGreaterThan(9)
    expect(exact).toBe(false)
  })

  it('ends in a block of bodies, and in a heap of them', () => {
    const block = Array.from({ length: 9 ** 3 }, (_, k) => ({
      shape: { type: 'box', size: { x: 1, y: 1, z: 1 } },
      position: { x: (k % 9) - 4, y: (Math.floor(k / 9) % 9) - 4, z: Math.floor(k / 81) - 4 },
    }))
    const inBlock = viewOf(3, block)
    const { distance, position } = asked(inBlock, 'place', { body: box(1, 0) })
    expect(distance).toBe(5)
    expect(overlaps(inBlock, box(1, 0), position)).toBe(false)
    const sine = (k: number) => 2 * Math.sin(k * k)
    const heap = Array.from({ length: 120 }, (_, k) => ({
      shape: { type: 'box', size: { x: 1 + (k % 3), y: 1, z: 2 } },
      position: { x: sine(k), y: sine(k + 0.3), z: sine(k + 0.7) },
      orientation: { x: Math.sin(k) * 0.6, y: Math.cos(k) * 0.6, z: 0, w: 0.8 },
    }))
    const inHeap = viewOf(3, heap)
    const out = asked(inHeap, 'place', { body: box(1, 0) })
    expect(overlaps(inHeap, box(1, 0), out.position)).toBe(false)
  })
})
