// What contains what: touching from inside counts, one unit in the last place farther does not.
import { describe, expect, it } from 'vitest'
import { contains } from '../../../src/core3d/queries/containment.ts'
import { bodyOf, type CaseBody, type CaseShape, type Triple } from '../../support/convex-cases-3d.ts'

const ulp = 2 ** -52

const SPHERE: CaseShape = { type: 'sphere', radius: 5 }
const POST: CaseShape = { type: 'cylinder', radius: 5, height: 10 }
const CONE: CaseShape = { type: 'cone', radius: 6, height: 8 }
const EGG: CaseShape = { type: 'ellipsoid', radii: [5, 10, 5] }
const BOX: CaseShape = { type: 'box', size: [10, 10, 10] }
const ROUNDED: CaseShape = { type: 'box', size: [8, 8, 8], radius: 1 }
const CAPSULE: CaseShape = { type: 'capsule', a: [0, -5, 0], b: [0, 5, 0], radius: 5 }
const GROUND: CaseShape = { type: 'halfspace', normal: [0, 2, 0], offset: 5 }
const SLOPE: CaseShape = { type: 'halfspace', normal: [3, 4, 0], offset: 5 }
const SQUARE: CaseShape = { type: 'box', size: [6, 0, 6] }

const point: CaseShape = { type: 'point' }
const ball = (radius: number): CaseShape => ({ type: 'sphere', radius })
const post = (radius: number, height: number, axis: 'x' | 'y' | 'z' = 'y'): CaseShape => ({
  type: 'cylinder',
  radius,
  height,
  axis,
})
const cone = (radius: number, height: number): CaseShape => ({ type: 'cone', radius, height })
const egg = (x: number, y: number, z: number): CaseShape => ({ type: 'ellipsoid', radii: [x, y, z] })
const box = (x: number, y: number, z: number, radius = 0): CaseShape => ({ type: 'box', size: [x, y, z], radius })
const segment = (a: Triple, b: Triple): CaseShape => ({ type: 'segment', a, b })
const at = (shape: CaseShape, position: Triple = [0, 0, 0]): CaseBody => ({ shape, position })

/** Holder, guest where it touches from inside, and a place a unit in the last place beyond. */
const TOUCHING: [string, CaseShape, CaseShape, Triple, Triple][] = [
  ['point in sphere', SPHERE, point, [3, 4, 0], [3, 4 + 4 * ulp, 0]],
  ['ball in sphere', SPHERE, ball(2), [0, 3, 0], [0, 3 + 2 * ulp, 0]],
  ['segment in sphere', SPHERE, segment([0, 0, 0], [3, 0, 0]), [0, 4, 0], [0, 4 + 4 * ulp, 0]],
  ['box in sphere', ball(3), box(2, 2, 2), [0, 1, 1], [0, 1, 1 + 2 * ulp]],
  ['cylinder in sphere', SPHERE, post(3, 2), [0, 3, 0], [0, 3 + 4 * ulp, 0]],
  ['lying cylinder in sphere', SPHERE, post(3, 2, 'x'), [3, 0, 0], [3 + 4 * ulp, 0, 0]],
  ['cylinder aside in sphere', SPHERE, post(0.5, 2), [1.5, 3, 2], [1.5 + 4 * ulp, 3, 2]],
  ['cone in sphere', SPHERE, cone(3, 9), [0, 0.5, 0], [0, 0.5 + ulp, 0]],
  ['round ellipsoid in sphere', SPHERE, egg(2, 2, 2), [0, 0, 3], [0, 0, 3 + 2 * ulp]],
  ['ellipsoid in sphere', SPHERE, egg(5, 2, 1), [0, 0, 0], [2 ** -30, 0, 0]],

  ['point in cylinder', POST, point, [3, 5, 4], [3, 5 + 4 * ulp, 4]],
  ['ball in cylinder', POST, ball(2), [0, 3, 3], [0, 3, 3 + 2 * ulp]],
  ['ball on the floor of a cylinder', POST, ball(2), [1, -3, 0], [1, -3 - 2 * ulp, 0]],
  ['box in cylinder', POST, box(6, 10, 8), [0, 0, 0], [ulp, 0, 0]],
  ['cylinder in cylinder', POST, post(2, 6), [3, 2, 0], [3 + 2 * ulp, 2, 0]],
  ['lying cylinder in cylinder', POST, post(4, 4, 'x'), [1, 0, 0], [1 + ulp, 0, 0]],
  ['cone in cylinder', POST, cone(5, 10), [0, 0, 0], [0, ulp, 0]],
  ['ellipsoid in cylinder', POST, egg(5, 5, 4), [0, 0, 0], [0, ulp, 0]],
  ['round ellipsoid in cylinder', POST, egg(2, 5, 2), [0, 0, 3], [0, 0, 3 + 2 * ulp]],

  ['point in cone', CONE, point, [3, 0, 0], [3, 2 * ulp, 0]],
  ['apex in cone', CONE, point, [0, 4, 0], [0, 4 + 4 * ulp, 0]],
  ['segment in cone', CONE, segment([0, 0, 0], [0, 8, 0]), [0, -4, 0], [0, -4 + 4 * ulp, 0]],
  ['ball in cone', CONE, ball(3), [0, -1, 0], [0, -1 + ulp, 0]],
  ['ball in the rim of a cone', CONE, ball(1), [1.25, -2, 3], [1.25, -2 + 2 * ulp, 3]],
  ['cylinder in cone', CONE, post(3, 4), [0, -2, 0], [0, -2 + 2 * ulp, 0]],
  ['cylinder aside in cone', CONE, post(2, 4), [1, -2, 0], [1 + ulp, -2, 0]],
  ['cone in cone', CONE, cone(3, 4), [0, 2, 0], [0, 2 + 2 * ulp, 0]],
  ['ellipsoid in cone', CONE, egg(3, 3, 1), [0, -1, 0], [0, -1 + ulp, 0]],

  ['point in ellipsoid', EGG, point, [3, 0, 4], [3 + 4 * ulp, 0, 4]],
  ['box in ellipsoid', EGG, box(6, 0, 8), [0, 0, 0], [ulp, 0, 0]],
  ['cylinder in ellipsoid', EGG, post(3, 2), [0, 7, 0], [0, 7 + 4 * ulp, 0]],
  ['cylinder aside in ellipsoid', EGG, post(2, 2), [1, 7, 0], [1 + ulp, 7, 0]],
  ['ellipsoid in ellipsoid', EGG, egg(5, 9, 1), [0, 0, 0], [2 ** -30, 0, 0]],

  ['point in box', BOX, point, [5, 1, 2], [5 + 4 * ulp, 1, 2]],
  ['box in box', BOX, box(4, 4, 4), [3, 0, 0], [3 + 2 * ulp, 0, 0]],
  ['ball in box', BOX, ball(2), [0, 3, 0], [0, 3 + 2 * ulp, 0]],
  ['rounded box in box', BOX, box(4, 4, 4, 1), [2, 0, 0], [2 + 2 * ulp, 0, 0]],
  ['cylinder in box', BOX, post(2, 6), [3, 2, 0], [3 + 2 * ulp, 2, 0]],
  ['cone in box', BOX, cone(2, 6), [0, 2, 0], [0, 2 + 2 * ulp, 0]],
  ['ellipsoid in box', BOX, egg(1, 2, 3), [0, 3, 0], [0, 3 + 2 * ulp, 0]],
  ['disc in square', SQUARE, post(2, 0), [1, 0, 0], [1 + ulp, 0, 0]],
  ['disc in square, over it', SQUARE, post(2, 0), [0, 0, 0], [0, 2 ** -1074, 0]],
  [
    'triangle in square',
    SQUARE,
    { type: 'triangle', a: [0, 0, 0], b: [2, 0, 0], c: [0, 0, 2] },
    [1, 0, 1],
    [1 + ulp, 0, 1],
  ],

  ['point in rounded box', ROUNDED, point, [4.6, 4.8, 0], [4.6, 4.8 + 8 * ulp, 0]],
  ['ball in rounded box', ROUNDED, ball(0.5), [4.5, 0, 0], [4.5 + 4 * ulp, 0, 0]],
  ['large ball in rounded box', ROUNDED, ball(2), [3, 3, 3], [3 + 2 * ulp, 3, 3]],
  ['rounded box in rounded box', ROUNDED, box(2, 2, 2, 1), [3, 3, 3], [3 + 2 * ulp, 3, 3]],
  [
    'capsule in capsule',
    CAPSULE,
    { type: 'capsule', a: [0, 0, 0], b: [0, 4, 0], radius: 3 },
    [2, 0, 0],
    [2 + 2 * ulp, 0, 0],
  ],
  ['cylinder in capsule', CAPSULE, post(3, 18), [0, 0, 0], [0, ulp, 0]],
  ['cylinder aside in capsule', CAPSULE, post(2, 4), [0, 0, 3], [0, 0, 3 + 2 * ulp]],
  ['cone in capsule', CAPSULE, cone(4, 18), [0, 1, 0], [0, 1 + ulp, 0]],
  ['cylinder in the core of a rounded box', ROUNDED, post(4, 8), [0, 1, 0], [0, 1 + 2 ** -30, 0]],

  ['point in half-space', GROUND, point, [1e9, 5, 0], [1e9, 5 + 4 * ulp, 0]],
  ['ball in half-space', SLOPE, ball(5), [0, 0, 7], [0, 2 ** -1074, 7]],
  ['box in half-space', GROUND, box(2, 4, 8), [0, 3, 0], [0, 3 + 2 * ulp, 0]],
  ['cylinder in half-space', SLOPE, post(5, 5), [0, 0, 0], [0, 2 ** -60, 0]],
  ['cone in half-space', GROUND, cone(1, 4), [0, 3, 0], [0, 3 + 2 * ulp, 0]],
  ['ellipsoid in half-space', GROUND, egg(9, 1, 3), [0, 4, 0], [0, 4 + 4 * ulp, 0]],
]

describe('a convex body in another', () => {
  it.each(TOUCHING)('%s', (_, holder, guest, inside, beyond) => {
    expect(contains(bodyOf(at(holder)), bodyOf(at(guest, inside)))).toBe(true)
    expect(contains(bodyOf(at(holder)), bodyOf(at(guest, beyond)))).toBe(false)
    expect(contains(bodyOf(at(guest, inside)), bodyOf(at(holder)))).toBe(false)
  })

  it('is a half-space in a half-space of the same normal', () => {
    const level = (y: number, normal: Triple = [0, 1, 0]): CaseBody =>
      at({ type: 'halfspace', normal, offset: 3 }, [7, y, 0])
    const ground = bodyOf(at(GROUND))
    expect([2, 2 + 2 * ulp, 1].map((y) => contains(ground, bodyOf(level(y))))).toEqual([true, false, true])
    expect([2, 2 + 2 * ulp, 1].map((y) => contains(bodyOf(level(y)), ground))).toEqual([true, true, false])
    expect(contains(ground, bodyOf(level(-9, [0, -1, 0])))).toBe(false)
    expect(contains(ground, bodyOf(level(-9, [2 ** -60, 1, 0])))).toBe(false)
    expect(contains(bodyOf(at(BOX)), ground)).toBe(false)
  })

  it('is told of bodies that are turned alike, to within rounding', () => {
    const turned = (shape: CaseShape, position: Triple): CaseBody => ({
      shape,
      position,
      orientation: [0.1, 0.2, 0.3, 0.9],
    })
    const holds = (a: CaseBody, b: CaseBody): boolean => contains(bodyOf(a), bodyOf(b))
    for (const [, holder, guest, inside, beyond] of TOUCHING) {
      // Those that would reach out if they were larger.
      if (inside.some((x) => x !== 0) || beyond.includes(2 ** -1074)) continue
      const smaller = turned(scaled(guest, 1 - 2 ** -40), inside)
      expect(holds(turned(holder, inside), smaller)).toBe(true)
      expect(holds(turned(holder, inside), turned(scaled(guest, 1 + 2 ** -30), inside))).toBe(false)
    }
  })

  it('is told at any scale and far away', () => {
    for (const [, holder, guest, inside, beyond] of TOUCHING) {
      for (const scale of [2 ** 900, 2 ** -900]) {
        const grown = (shape: CaseShape, position: Triple): CaseBody => ({
          shape: scaled(shape, scale),
          position: [scale * position[0], scale * position[1], scale * position[2]],
        })
        expect(contains(bodyOf(grown(holder, [0, 0, 0])), bodyOf(grown(guest, inside)))).toBe(true)
        if (beyond.some((x) => x !== 0 && Math.abs(x) < 2 ** -100)) continue
        expect(contains(bodyOf(grown(holder, [0, 0, 0])), bodyOf(grown(guest, beyond)))).toBe(false)
      }
    }
  })
})

/** The shape times a number. */
function scaled(shape: CaseShape, by: number): CaseShape {
  const times = (value: unknown): unknown =>
    typeof value === 'number' ? by * value : Array.isArray(value) ? value.map(times) : value
  const { normal, ...lengths } = shape
  const entries = Object.entries(lengths).map(([key, value]) => [key, times(value)])
  return { ...Object.fromEntries(entries), ...(normal === undefined ? {} : { normal }) } as CaseShape
}
