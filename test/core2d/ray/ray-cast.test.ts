import { describe, expect, test } from 'vitest'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import { featureIndex, featureKind } from '../../../src/core2d/feature.ts'
import { createRay, createRayHit, type RayHit, rayCast, type StartInside } from '../../../src/core2d/ray/ray-cast.ts'
import { prepare } from '../../support/answers/slots.ts'

type Pair = readonly [number, number]

/** Casts from `origin` along `direction`; null on a miss. */
function cast(
  shape: Shape2d,
  origin: Pair,
  direction: Pair,
  maxDistance = Infinity,
  startInside: StartInside = 'hit',
  pose: Partial<Body2d> = {},
): RayHit | null {
  const [ox, oy] = origin
  const [dx, dy] = direction
  const hit = createRayHit()
  return rayCast({ ...createRay(), ox, oy, dx, dy, maxDistance }, prepare({ shape, ...pose }), startInside, hit)
    ? hit
    : null
}

/** The same for a ray given by its two end points. */
function between(shape: Shape2d, from: Pair, to: Pair, pose: Partial<Body2d> = {}): RayHit | null {
  const direction = [to[0] - from[0], to[1] - from[1]] as const
  return cast(shape, from, direction, Math.hypot(...direction), 'hit', pose)
}

function featureOf(hit: RayHit | null): string {
  return hit === null ? 'miss' : `${featureKind(hit.feature)} ${featureIndex(hit.feature)}`
}

const point: Shape2d = { type: 'point' }
const circle: Shape2d = { type: 'circle', radius: 1 }
const unitBox: Shape2d = { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 1 } }
const segment: Shape2d = { type: 'segment', a: { x: 0, y: 0 }, b: { x: 4, y: 0 } }
const capsule: Shape2d = { type: 'capsule', a: { x: 0, y: 0 }, b: { x: 4, y: 0 }, radius: 1 }
const triangle: Shape2d = {
  type: 'polygon',
  vertices: [
    { x: 0, y: 0 },
    { x: 4, y: 0 },
    { x: 0, y: 3 },
  ],
}
const roundedTriangle: Shape2d = { ...triangle, radius: 1 }
const ellipse: Shape2d = { type: 'ellipse', rx: 2, ry: 1 }
const ground: Shape2d = { type: 'halfplane', normal: { x: 0, y: 2 }, offset: 1 }

describe('a ray from outside', () => {
  test('gives distance, fraction, point, normal, feature and exit', () => {
    expect(cast(circle, [-3, 0], [2, 0])).toEqual({
      distance: 2,
      fraction: 1,
      x: -1,
      y: 0,
      hasNormal: true,
      nx: -1,
      ny: 0,
      feature: 3,
      part: 0,
      startedInside: false,
      hasExit: true,
      exitDistance: 4,
      exitX: 1,
      exitY: 0,
      exitNx: 1,
      exitNy: 0,
    })
  })

  test.each([
    ['point', point, [-2, 0], [1, 0], 2, [-1, 0], 'vertex 0', 2],
    ['box', unitBox, [0.25, 3], [0, -1], 2, [0, 1], 'edge 2', 3],
    ['box, oblique', unitBox, [-3, -3.5], [3, 4], 5, [-1, 0], 'edge 3', 5.625],
    ['segment, from the left', segment, [1, 2], [0, -1], 2, [0, 1], 'edge 1', 2],
    ['segment, from the right', segment, [1, -2], [0, 1], 2, [0, -1], 'edge 0', 2],
    ['segment, along it', segment, [-1, 0], [1, 0], 1, [-1, 0], 'vertex 0', 5],
    ['segment, along it backwards', segment, [6, 0], [-1, 0], 2, [1, 0], 'vertex 1', 6],
    ['capsule side', capsule, [2, 4], [0, -1], 3, [0, 1], 'edge 1', 5],
    ['capsule end', capsule, [-4, 0], [1, 0], 3, [-1, 0], 'vertex 0', 9],
    ['polygon', triangle, [4, 3], [-4, -3], 2.5, [0.6, 0.8], 'edge 1', 5],
    ['rounded edge', roundedTriangle, [5, 3.75], [-3, -4], 2.6, [0.6, 0.8], 'edge 1', 5.9375],
    ['rounded corner', roundedTriangle, [6, 0], [-1, 0], 1, [1, 0], 'vertex 1', 7],
    ['ellipse', ellipse, [0, 3], [0, -5], 2, [0, 1], 'surface 0', 4],
  ] as const)('%s', (_, shape, origin, direction, distance, normal, feature, exit) => {
    const hit = cast(shape, origin, direction)
    expect(hit?.distance).toBeCloseTo(distance, 12)
    expect(hit?.nx).toBeCloseTo(normal[0], 12)
    expect(hit?.ny).toBeCloseTo(normal[1], 12)
    expect(featureOf(hit)).toBe(feature)
    expect(hit?.exitDistance).toBeCloseTo(exit, 12)
  })

  test('never leaves a half-plane', () => {
    const hit = cast(ground, [0, 4], [0, -2])
    expect(hit).toMatchObject({ distance: 3, fraction: 1.5, x: 0, y: 1, nx: 0, ny: 1, hasExit: false })
    expect(featureOf(hit)).toBe('edge 0')
    expect(cast(ground, [0, 4], [1, 0])).toBeNull()
    expect(cast(ground, [0, 4], [1, 1])).toBeNull()
  })

  test('turns with the body', () => {
    const quarter = { position: { x: 10, y: 0 }, rotation: Math.PI / 2 }
    const hit = cast(capsule, [10, -5], [0, 1], Infinity, 'hit', quarter)
    expect(hit?.distance).toBeCloseTo(4, 12)
    expect(featureOf(hit)).toBe('vertex 0')
    const across = cast(ellipse, [10, -5], [0, 1], Infinity, 'hit', quarter)
    expect(across?.distance).toBeCloseTo(3, 12)
  })
})

describe('a ray that grazes', () => {
  test.each([
    ['circle', circle, [-3, 1], [1, 0], [0, 1], 3, 3],
    ['box edge', unitBox, [-1, 1], [1, 0], [-1, 0], 1, 2],
    ['capsule side', capsule, [-2, 1], [1, 0], [0, 1], 2, 6],
    ['polygon edge', triangle, [-2, 0], [2, 0], [-1, 0], 2, 6],
    ['ellipse', ellipse, [2, 4], [0, -1], [1, 0], 4, 4],
  ] as const)('%s hits, an ulp farther out misses', (_, shape, origin, direction, normal, enter, leave) => {
    const hit = cast(shape, origin, direction)
    expect(hit).toMatchObject({ distance: enter, nx: normal[0], ny: normal[1], exitDistance: leave })
    const vertical = direction[0] === 0
    const outward = (value: number): number => (value === 0 ? -5e-324 : value * (1 + 2 ** -52))
    const outer: Pair = vertical ? [outward(origin[0]), origin[1]] : [origin[0], outward(origin[1])]
    expect(cast(shape, outer, direction)).toBeNull()
  })

  test('through a corner from both sides', () => {
    const hit = cast(unitBox, [-1, 2], [1, -1])
    expect(hit?.x).toBeCloseTo(0, 12)
    expect(hit?.y).toBeCloseTo(1, 12)
    expect(featureOf(hit)).toBe('vertex 3')
    expect(featureOf(cast(unitBox, [-1, 0], [1, 1]))).toBe('vertex 3')
    expect(cast(unitBox, [-1, 2 ** -53], [1, 1])).toBeNull()
  })

  test('through the end of a segment', () => {
    expect(featureOf(cast(segment, [4, 3], [0, -1]))).toBe('vertex 1')
    expect(cast(segment, [4 + 2 ** -50, 3], [0, -1])).toBeNull()
  })
})

describe('a ray from inside', () => {
  const shapes: [string, Shape2d, Pair, number][] = [
    ['circle', circle, [0, 0], 1],
    ['box', unitBox, [0.5, 0.5], 0.5],
    ['polygon', triangle, [1, 1], 1],
    ['capsule', capsule, [1, 0.5], 1.5],
    ['rounded polygon', roundedTriangle, [1, 1], 2],
    ['ellipse', ellipse, [0, -0.5], 0.5],
  ]

  test.each(shapes)('%s: hit, ignore, exit', (_, shape, origin, exit) => {
    const hit = cast(shape, origin, [0, -1])
    expect(hit).toMatchObject({ distance: 0, fraction: 0, x: origin[0], y: origin[1], hasNormal: false, feature: 0 })
    expect(hit).toMatchObject({ startedInside: true, hasExit: true, exitDistance: exit })
    expect(cast(shape, origin, [0, -1], Infinity, 'ignore')).toBeNull()
    const out = cast(shape, origin, [0, -2], Infinity, 'exit')
    expect(out).toMatchObject({ distance: exit, fraction: exit / 2, hasNormal: true, ny: -1, startedInside: true })
    expect(out?.y).toBeCloseTo(origin[1] - exit, 12)
    expect(cast(shape, origin, [0, -1], exit, 'exit')).not.toBeNull()
    expect(cast(shape, origin, [0, -1], exit * (1 - 2 ** -50), 'exit')).toBeNull()
  })

  test('half-plane', () => {
    expect(cast(ground, [0, 0], [0, 1], Infinity, 'exit')).toMatchObject({ distance: 1, nx: 0, ny: 1, x: 0, y: 1 })
    expect(cast(ground, [0, 0], [1, 0], Infinity, 'exit')).toBeNull()
    expect(cast(ground, [0, 1], [1, 0])).toMatchObject({ distance: 0, startedInside: true, hasExit: false })
  })

  test('the boundary is inside', () => {
    expect(cast(unitBox, [1, 0.5], [1, 0])).toMatchObject({ startedInside: true, exitDistance: 0 })
    expect(cast(unitBox, [1 + 2 ** -52, 0.5], [1, 0])).toBeNull()
    expect(cast({ type: 'circle', radius: 5 }, [-3, 4], [-1, 0])).toMatchObject({
      startedInside: true,
      exitDistance: 0,
    })
    expect(cast(point, [0, 0], [1, 1])).toMatchObject({ startedInside: true, hasExit: true, exitDistance: 0 })
  })
})

describe('maxDistance', () => {
  test('is a world length, reached exactly', () => {
    const target = { position: { x: 3, y: 4 } }
    expect(cast(point, [0, 0], [30, 40], 5, 'hit', target)).toMatchObject({ distance: 5, fraction: 0.1 })
    expect(cast(point, [0, 0], [30, 40], 5 * (1 - 2 ** -53), 'hit', target)).toBeNull()
    // √2 is not a double: the nearest one is a little longer
    expect(cast(unitBox, [-1, -1], [1, 1], Math.SQRT2)).not.toBeNull()
    expect(cast(unitBox, [-1, -1], [1, 1], Math.SQRT2 * (1 - 2 ** -53))).toBeNull()
  })

  test('may be zero: then only a body around the origin is hit', () => {
    expect(cast(unitBox, [1, 1], [1, 0], 0)).toMatchObject({ distance: 0, startedInside: true })
    expect(cast(unitBox, [1.5, 1], [-1, 0], 0)).toBeNull()
  })

  test('bounds the exit, too', () => {
    expect(cast(circle, [-3, 0], [1, 0], 4)?.hasExit).toBe(true)
    expect(cast(circle, [-3, 0], [1, 0], 3.5)).toMatchObject({ distance: 2, hasExit: false })
  })
})

describe('zero components and signs of zero', () => {
  test.each([0, -0])('%d', (zero) => {
    expect(cast(unitBox, [0.5, -1], [zero, 3])).toMatchObject({ distance: 1, x: 0.5, ny: -1 })
    expect(cast(unitBox, [1, -1], [zero, 3])).toMatchObject({ distance: 1, x: 1, y: 0 })
    expect(cast(unitBox, [zero, 2], [zero, -1])).toMatchObject({ distance: 1, x: zero, y: 1 })
    expect(cast(triangle, [-1, zero], [1, zero])).toMatchObject({ distance: 1 })
    expect(cast(unitBox, [1 + 2 ** -52, -1], [zero, 3])).toBeNull()
  })
})

describe('scale', () => {
  test.each([1e-160, 1e-20, 1, 3e20, 1e160])('direction of length %d', (length) => {
    const hit = cast(triangle, [4, 3], [-0.8 * length, -0.6 * length])
    expect(hit?.distance).toBeCloseTo(2.5, 12)
    expect((hit?.fraction ?? 0) * length).toBeCloseTo(2.5, 12)
  })

  test.each([1e-100, 1e-6, 1e6, 1e99])('coordinates of %d', (k) => {
    const shape: Shape2d = {
      type: 'polygon',
      radius: k,
      vertices: [0, 1, 2].map((i) => ({ x: (i & 1) * k, y: (i >> 1) * k })),
    }
    const hit = cast(shape, [-3 * k, 0.5 * k], [1, 0])
    expect((hit?.distance ?? 0) / k).toBeCloseTo(2, 12)
    expect(hit?.nx).toBeCloseTo(-1, 12)
    const round = cast({ type: 'ellipse', rx: 2 * k, ry: k }, [-3 * k, 0], [1e-160, 0])
    expect((round?.distance ?? 0) / k).toBeCloseTo(1, 12)
  })

  test('far origins keep the side they pass on', () => {
    // 3-4-5: the line from (-4e6, -3e6) passes the origin at distance 0
    expect(cast({ type: 'circle', radius: 1e-6 }, [-4e6, -3e6], [4, 3])).not.toBeNull()
    const near = cast(circle, [-4e6 - 0.5, -3e6 + 0.5], [4, 3])
    expect(Math.hypot(near?.x ?? 0, near?.y ?? 0)).toBeCloseTo(1, 9)
    expect(cast({ type: 'circle', radius: 1e-6 }, [-4e6, -3e6 + 2 ** -18], [4, 3])).toBeNull()
  })

  test('a meeting beyond the largest double is none', () => {
    const plane: Shape2d = { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 }
    expect(cast(plane, [0, 1e-30], [1, -5e-324])?.distance).toBeGreaterThan(1e293)
    expect(cast(plane, [0, 1], [1, -5e-324])).toBeNull()
  })
})

describe('inputs that other libraries got wrong', () => {
  test('circle from inside', () => {
    expect(between(circle, [0, 0.5], [0, 1.5])).toMatchObject({
      fraction: 0,
      startedInside: true,
      exitDistance: 0.5,
      exitY: 1,
    })
  })

  test('past the end of a segment', () => {
    const diagonal: Shape2d = { type: 'segment', a: { x: 0, y: 0 }, b: { x: 10, y: 10 } }
    expect(between(diagonal, [8, 4], [13, 15])).toBeNull()
  })

  test('thin boxes', () => {
    const first = between({ type: 'box', width: 489, height: 1 }, [380, 241], [1004, 137], {
      position: { x: 884.5, y: 188.5 },
    })
    expect(first).toMatchObject({ x: 692, y: 189, fraction: 0.5 })
    const second = between({ type: 'box', width: 670, height: 1 }, [894, 328], [385, 217], {
      position: { x: 408, y: 286.5 },
    })
    expect(second?.fraction).toBeCloseTo(41 / 111, 12)
    expect(second?.x).toBeCloseTo(705.9909909909909, 9)
    expect(second?.y).toBe(287)
  })

  test('parallel and collinear segments', () => {
    const beside: Shape2d = { type: 'segment', a: { x: 2, y: 1 }, b: { x: 2, y: 0 } }
    expect(cast(beside, [0, 0], [0, 1])).toBeNull()
    const ahead: Shape2d = { type: 'segment', a: { x: 0, y: 1 }, b: { x: 0, y: -1 } }
    expect(cast(ahead, [0, -2], [0, 1])).toMatchObject({ distance: 1, ny: -1 })
  })

  test('axis-parallel ray into a box', () => {
    expect(between(unitBox, [0.5, -1], [0.5, 2])).toMatchObject({ fraction: 1 / 3, nx: 0, ny: -1 })
  })

  test('boxes at their edges and corners', () => {
    const box: Shape2d = { type: 'aabb', min: { x: -1, y: -1 }, max: { x: 1, y: 1 } }
    expect(between(box, [-2, -2], [2, 2])?.fraction).toBeCloseTo(0.25, 12)
    expect(between(box, [-2, 1], [2, 1])).toMatchObject({ x: -1, y: 1 })
    expect(between(box, [-2, 0], [-1, 0])).toMatchObject({ distance: 1, fraction: 1, hasExit: false })
    expect(cast(box, [0, 0], [1, 0], 0)).toMatchObject({ startedInside: true, distance: 0 })
  })
})
