// What the page in space computes by itself: triangles of shapes, what is under the pointer, and where a place is on the screen.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Shape3d } from '../../schemas/shapes3d.ts'
import { fragmentOf, sharedIn } from '../../src/playground/sketch/share-link.ts'
import { emptySketch } from '../../src/playground/sketch/sketch.ts'
import { inSpace, lengthOf, minus, times, turnBy, turnedBy, type Vec3 } from '../../src/playground/sketch/vector.ts'
import {
  type Camera,
  FIRST_CAMERA,
  fitted,
  onPlane,
  projectionOf,
  sightThrough,
  viewOf,
  zoomed,
} from '../../src/playground/space/camera.ts'
import { convexHull } from '../../src/playground/space/convex-hull.ts'
import { isDrawable, tessellated } from '../../src/playground/space/geometry.ts'
import { boxOf, pick } from '../../src/playground/space/picking.ts'
import { SPACE_EXAMPLES, SPACE_SHAPES } from '../../src/playground/space/space-gallery.ts'
import { runs } from '../support/runs.ts'

const at = (x: number, y: number, z: number): Vec3 => ({ x, y, z })
const shapeOf = (name: string) => SPACE_SHAPES.find((one) => one.name === name)!.shape as Shape3d

/** Positive where the triangles close and look outward. */
function volumeOf(shape: Shape3d): number {
  const { positions, triangles } = tessellated(shape, 1)
  const corner = (k: number) => positions.slice(3 * triangles[k]!, 3 * triangles[k]! + 3) as [number, number, number]
  let sum = 0
  for (let k = 0; k < triangles.length; k += 3) {
    const [[a, b, c], [d, e, f], [g, h, i]] = [corner(k), corner(k + 1), corner(k + 2)]
    sum += a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  }
  return sum / 6
}

describe('shapes as triangles', () => {
  it('adds every type of shape, each of which can be drawn and is sound', () => {
    const types =
      'aabb box capsule compound cone cylinder ellipsoid halfspace heightfield hull mesh point segment sphere triangle'
    expect([...new Set(SPACE_SHAPES.map(({ shape }) => shape.type))].sort()).toEqual(types.split(' '))
    for (const { shape } of SPACE_SHAPES) expect(isDrawable(shape)).toBe(true)
    for (const { sketch } of SPACE_EXAMPLES) expect(sketch.bodies.every(({ shape }) => isDrawable(shape))).toBe(true)
    const wrong = [
      null,
      {},
      { type: 'sphere' },
      { type: 'box' },
      { type: 'mesh', vertices: [0, 0, 0], triangles: [0, 1, 2] },
    ]
    for (const shape of wrong) expect(isDrawable(shape)).toBe(false)
  })

  it.each([
    ['sphere', (4 / 3) * Math.PI],
    ['ellipsoid', (4 / 3) * Math.PI * 1.4 * 0.7 * 0.9],
    ['capsule', Math.PI * 0.25 * 1.4 + (4 / 3) * Math.PI * 0.125],
    ['cylinder', Math.PI * 0.64 * 2],
    ['cone', (Math.PI * 2) / 3],
    ['box', 3],
    ['aabb', 8],
    ['rounded box', 1.6 + 2 * 0.25 * (1.6 + 1.6 + 1) + Math.PI * 0.0625 * 3.6 + (4 / 3) * Math.PI * 0.25 ** 3],
    ['solid mesh', 13.5],
  ])('gives a %s its volume', (name, volume) => {
    const drawn = volumeOf(shapeOf(name))
    expect(drawn).toBeLessThanOrEqual(volume * (1 + 1e-9))
    expect(drawn).toBeGreaterThan(volume * 0.94)
  })

  it('turns cylinders to their axes', () => {
    for (const axis of ['x', 'y', 'z'] as const) {
      const box = boxOf({ shape: { type: 'cone', radius: 1, height: 6, axis } })!
      expect(box.max[axis]).toBeCloseTo(3)
    }
  })

  it('makes hulls that hold all their points, also of flat and thin ones', () => {
    const few = fc.integer({ min: -4, max: 4 })
    fc.assert(
      fc.property(fc.array(fc.record({ x: few, y: few, z: few }), { minLength: 1, maxLength: 30 }), (points) => {
        const hull = convexHull(points)
        if ('outline' in hull) return
        const edges = new Set(hull.triangles.flatMap(([a, b, c]) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]))
        for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' '))).toBe(true)
        for (const [a, b, c] of hull.triangles) {
          const [p, q, r] = [points[a]!, points[b]!, points[c]!]
          const [u, v] = [inSpace(minus(q, p)), inSpace(minus(r, p))]
          const normal = at(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
          for (const point of points) {
            const from = inSpace(minus(point, p))
            expect(normal.x * from.x + normal.y * from.y + normal.z * from.z).toBeLessThan(1e-4)
          }
        }
      }),
      runs(200),
    )
  })
})

describe('the camera', () => {
  const number = fc.double({ min: -3, max: 3, noNaN: true })
  const camera = fc
    .record({ yaw: number, pitch: fc.double({ min: -1.5, max: 1.5, noNaN: true }), up: fc.constantFrom('y', 'z') })
    .map(
      (some): Camera => ({
        ...FIRST_CAMERA,
        ...(some as Pick<Camera, 'yaw' | 'pitch' | 'up'>),
        target: at(1, 2, 3),
        width: 800,
        height: 600,
      }),
    )

  it('looks through a place of the screen at what is drawn there', () => {
    fc.assert(
      fc.property(camera, number, number, number, (seen, x, y, z) => {
        const place = projectionOf(seen).at(at(x, y, z))!
        const line = sightThrough(seen, place)
        const met = onPlane(line, at(x, y, z), line.direction)!
        expect(lengthOf(minus(met, at(x, y, z)))).toBeLessThan(1e-9)
      }),
      runs(200),
    )
  })

  it('keeps what it zooms at where it is', () => {
    fc.assert(
      fc.property(camera, number, number, (seen, x, y) => {
        const fixed = at(1 + x, 2 + y, 3)
        const [before, after] = [seen, zoomed(seen, 1.7, fixed)].map((one) => projectionOf(one).at(fixed)!)
        expect(Math.hypot(before!.x - after!.x, before!.y - after!.y)).toBeLessThan(1e-6)
      }),
      runs(200),
    )
  })

  it('shows all of a box that it is fitted to, and cuts lines behind the eye', () => {
    fc.assert(
      fc.property(camera, (some) => {
        const seen = fitted(some, { min: at(-1, 5, 2), max: at(4, 6, 9) })
        const screen = projectionOf(seen)
        for (const x of [-1, 4])
          for (const y of [5, 6])
            for (const z of [2, 9]) {
              const place = screen.at(at(x, y, z))!
              expect(place.x >= 0 && place.x <= 800 && place.y >= 0 && place.y <= 600).toBe(true)
            }
        const behind = sightThrough(seen, { x: 0, y: 0 })
        const back = inSpace(minus(behind.origin, times(behind.direction, 5)))
        expect(screen.at(back)).toBe(null)
        const [line] = screen.lines([back, seen.target], false)
        expect(line!.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
      }),
      runs(100),
    )
  })
})

it('takes hold of what is in front, wherever it stands and however it is turned', () => {
  const box = { type: 'box' as const, size: at(2, 2, 2) }
  const bodies = [
    { id: 'far', shape: box, position: at(0, 0, -5) },
    { id: 'near', shape: box, position: at(0, 0, 0), orientation: turnBy(at(0, 0.7, 0)) },
    { id: 'dot', shape: { type: 'point' as const }, position: at(3, 0, 0) },
    { id: 'line', shape: { type: 'segment' as const, a: at(-1, 0, 0), b: at(1, 0, 0) }, position: at(0, 4, 0) },
  ]
  const towards = (x: number, y: number) => ({ origin: at(x, y, 10), direction: at(0, 0, -1) })
  expect(pick(bodies, towards(0.2, 0.1), 10)?.id).toBe('near')
  expect(pick(bodies.slice(0, 1), towards(0.2, 0.1), 10)?.at).toEqual(at(0.2, 0.1, -4))
  expect(pick(bodies, towards(3.02, 0.02), 10)?.id).toBe('dot')
  expect(pick(bodies, towards(0.5, 4.05), 10)?.id).toBe('line')
  expect(pick(bodies, towards(6, 6), 10)).toBe(null)
  expect(lengthOf(minus(turnedBy(turnBy(at(0, 0, Math.PI / 2)), at(1, 0, 0)), at(0, 1, 0)))).toBeLessThan(1e-15)
})

it('carries a sketch of space in a link, and takes none of the plane', () => {
  const showing = { dimension: '3d' as const, isDrawable, viewOf }
  const { sketch } = SPACE_EXAMPLES[0]!
  const { width: _, height: __, ...view } = FIRST_CAMERA
  expect(sharedIn(fragmentOf({ sketch, view }), showing)).toEqual({ sketch, view: FIRST_CAMERA })
  expect(sharedIn(fragmentOf({ sketch: emptySketch('2d'), view }), showing)).toBe(null)
  expect(sharedIn(fragmentOf({ sketch, view: { ...view, near: 0 } }), showing)).toBe(null)
})
