// Bodies without area, thrown into corners: reflected by every wall that meets there, never outside, never stuck.
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { apart } from '../support/answers/answers.ts'
import { type Flight, flightAnswer } from '../support/answers/trajectory-answers.ts'
import { unshrunk } from '../support/runs.ts'

type Shape2d = Body2d['shape']

const v = (x: number, y: number): Vec2 => ({ x, y })
const box = (minX: number, minY: number, maxX: number, maxY: number): Body2d => ({
  shape: { type: 'aabb', min: v(minX, minY), max: v(maxX, maxY) },
})
const segment = (a: Vec2, b: Vec2): Body2d => ({ shape: { type: 'segment', a, b } })
const thrown = (shape: Shape2d, position: Vec2, velocity: Vec2): MovingBody2d => ({ shape, position, velocity })
const POINT: Shape2d = { type: 'point' }

const SQUARE = [v(-1, -1), v(1, -1), v(1, 1), v(-1, 1)]
const CORNERS: [string, Body2d[]][] = [
  ['a closed chain', [{ shape: { type: 'chain', vertices: SQUARE, loop: true } }]],
  [
    'the hole of a region',
    [{ shape: { type: 'region', outer: SQUARE.map(({ x, y }) => v(2 * x, 2 * y)), holes: [SQUARE] } }],
  ],
  ['two segments that meet', [segment(v(1, -1), v(1, 1)), segment(v(1, 1), v(-1, 1))]],
  ['segments that cross', [segment(v(1, -1), v(1, 2)), segment(v(2, 1), v(-1, 1))]],
  ['boxes that touch at a corner', [box(1, -1, 2, 1), box(-1, 1, 1, 2)]],
  ['boxes that touch along a side', [box(1, -1, 2, 2), box(-1, 1, 1, 2)]],
  ['boxes that overlap', [box(1, -1, 2, 2), box(-1, 1, 2, 2)]],
  ['walls with seams in the corner', [box(1, 0, 2, 1), box(1, 1, 2, 2), box(0, 1, 1, 2)]],
  [
    'half-planes',
    [
      { shape: { type: 'halfplane', normal: v(-1, 0), offset: -1 } },
      { shape: { type: 'halfplane', normal: v(0, -1), offset: -1 } },
    ],
  ],
  ['a compound', [{ shape: { type: 'compound', children: [box(1, -1, 2, 1), segment(v(-1, 1), v(1, 1))] } }]],
]
const THIN: [string, Shape2d][] = [
  ['a point', POINT],
  ['a circle of radius 0', { type: 'circle', radius: 0 }],
  ['a box without sides', { type: 'box', width: 0, height: 0 }],
  ['a segment with an end in it', { type: 'segment', a: v(-0.25, -0.5), b: v(0, 0) }],
  ['a level box of height 0', { type: 'box', width: 0.5, height: 0 }],
]

/** A pose that rooms are moved to: a power of two or not, near the origin or not, turned or not. */
interface Pose {
  size: number
  turn: number
  at: Vec2
}

function placed({ size, turn, at }: Pose, { x, y }: Vec2): Vec2 {
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  return v(at.x + size * (cos * x - sin * y), at.y + size * (sin * x + cos * y))
}

describe.each(CORNERS)('into the corner of %s', (_name, obstacles) => {
  it.each(THIN)('%s comes back off both walls', (_body, shape) => {
    const width = shape.type === 'box' ? shape.width / 2 : 0
    const velocities = [v(1, 1), v(1.5, 0.5), v(0.5, 1.25)]
    for (const velocity of velocities) {
      const start = v(1 - width - velocity.x, 1 - velocity.y)
      const { bounces, end, status } = flightAnswer({ body: thrown(shape, start, velocity), obstacles, duration: 1.5 })
      expect(status).toBe('completed')
      expect(bounces.map(({ time }) => time)).toEqual([1, 1])
      expect(bounces.map(({ normal }) => normal)).toEqual(expect.arrayContaining([v(-1, 0), v(0, -1)]))
      expect(end.velocity).toEqual(v(-velocity.x, -velocity.y))
      expect(end.position).toEqual(v(start.x + velocity.x / 2, start.y + velocity.y / 2))
    }
  })

  it('a point does so beside a corner that moves along', () => {
    const moving = obstacles.map((obstacle) => ({ ...obstacle, velocity: v(0.5, -0.25) }))
    const { bounces, end, status } = flightAnswer({
      body: thrown(POINT, v(0, 0), v(1.5, 0.75)),
      obstacles: moving,
      duration: 2,
    })
    expect(status).toBe('completed')
    expect(bounces.length).toBe(2)
    expect(end.velocity).toEqual(v(-0.5, -1.25))
    expect(end.position).toEqual(v(1, -0.5))
  })
})

it('lists the wall of the lower obstacle first, then the first one counter-clockwise', () => {
  const walls = [segment(v(1, -1), v(1, 1)), segment(v(1, 1), v(-1, 1))]
  const listed = (obstacles: Body2d[]) =>
    flightAnswer({ body: thrown(POINT, v(0, 0), v(1, 1)), obstacles, duration: 1.5 }).bounces.map(
      ({ obstacle, normal }) => [obstacle, normal],
    )
  expect(listed(walls)).toEqual([
    [0, v(-1, 0)],
    [1, v(0, -1)],
  ])
  expect(listed([...walls].reverse())).toEqual([
    [0, v(0, -1)],
    [1, v(-1, 0)],
  ])
  expect(listed([{ shape: { type: 'chain', vertices: SQUARE, loop: true } }])).toEqual([
    [0, v(0, -1)],
    [0, v(-1, 0)],
  ])
})

it('comes up again from the bottom of a chain', () => {
  for (const [x, y] of [
    [1, 1],
    [1, 2],
    [2, 1],
    [1, 4],
  ]) {
    const obstacles: Body2d[] = [{ shape: { type: 'chain', vertices: [v(-x, y), v(0, 0), v(x, y)] } }]
    const { end, status } = flightAnswer({ body: thrown(POINT, v(0, 1), v(0, -1)), obstacles, duration: 2 })
    expect(status).toBe('completed')
    expect(Math.hypot(end.velocity.x, end.velocity.y)).toBeCloseTo(1, 12)
    expect(end.position.y).toBeGreaterThanOrEqual((y / x) * Math.abs(end.position.x) - 1e-12)
  }
})

it('says that it is stuck between walls that it fits between to the last bit', () => {
  const obstacles = [box(-9, 1, 9, 2), box(-9, -1, 9, 0)]
  const body = { ...box(0, 0, 1, 1), velocity: v(1, 1) }
  expect(flightAnswer({ body, obstacles, duration: 3 }).status).toBe('stuck')
  const sliding = flightAnswer({ body: { ...body, velocity: v(1, 0) }, obstacles, duration: 3 })
  expect(sliding).toEqual({ bounces: [], end: { time: 3, position: v(3, 0), velocity: v(1, 0) }, status: 'completed' })
})

describe('a seam', () => {
  const floors: [string, Body2d[]][] = [
    ['of two boxes', [box(-1, -1, 0, 0), box(0, -1, 1, 0)]],
    ['of boxes that overlap', [box(-1, -1, 0.5, 0), box(-0.5, -1, 1, 0)]],
    ['of two segments', [segment(v(-1, 0), v(0, 0)), segment(v(0, 0), v(1, 0))]],
    ['of a compound', [{ shape: { type: 'compound', children: [box(-1, -1, 0, 0), box(0, -1, 1, 0)] } }]],
    ['within a chain', [{ shape: { type: 'chain', vertices: [v(-1, 0), v(0, 0), v(1, 0)] } }]],
  ]

  it.each(floors)('%s is one floor: one bounce, straight up', (_name, obstacles) => {
    for (const { shape, half } of [
      { shape: POINT, half: 0 },
      { shape: THIN[4][1], half: 0.25 },
      { shape: { type: 'circle', radius: 0.5 } as Shape2d, half: 0 },
    ]) {
      const radius = shape.type === 'circle' ? shape.radius : 0
      for (const dx of [0, 1, -0.5]) {
        const start = v(-dx + half, 1 + radius)
        const { bounces, end } = flightAnswer({ body: thrown(shape, start, v(dx, -1)), obstacles, duration: 2 })
        expect(bounces).toMatchObject([{ time: 1, normal: v(0, 1), obstacle: 0 }])
        expect(end.velocity).toEqual(v(dx, 1))
      }
    }
  })

  it.each(floors)('%s stops nothing that slides over it', (_name, obstacles) => {
    const { bounces, end } = flightAnswer({
      body: thrown(POINT, v(-1.5, 1), v(1, -1)),
      obstacles,
      duration: 3,
      restitution: 0,
    })
    expect(bounces.length).toBe(1)
    expect(end).toEqual({ time: 3, position: v(1.5, 0), velocity: v(1, 0) })
  })

  it('between boxes that rounding has parted is closed', () => {
    for (let k = 0; k < 40; k++) {
      const turn = 0.1 + 0.15 * k
      const pose = { size: 1, turn, at: v(0.1 * k, -0.3 * k) }
      const obstacles = [-0.5, 0.5].map(
        (x): Body2d => ({
          shape: { type: 'box', width: 1, height: 1 },
          position: placed(pose, v(x, -0.5)),
          rotation: turn,
        }),
      )
      const from = placed(pose, v(0.01 * k - 0.2, 1))
      const to = placed(pose, v(0, 0))
      const { bounces } = flightAnswer({
        body: thrown(POINT, from, v(to.x - from.x, to.y - from.y)),
        obstacles,
        duration: 1.5,
      })
      const up = placed({ ...pose, at: v(0, 0) }, v(0, 1))
      expect(bounces.length).toBe(1)
      expect(apart(bounces[0].normal, up)).toBeLessThanOrEqual(1e-12)
    }
  })
})

it('is let out of an acute corner by as many reflections as it takes', () => {
  for (const [rise, most] of [
    [1, 4],
    [0.25, 13],
    [0.0625, 51],
  ]) {
    const obstacles = [segment(v(0, 0), v(4, 0)), segment(v(0, 0), v(4, 4 * rise))]
    const body = thrown(POINT, v(2, rise), v(-2, -rise))
    const { bounces, end, status } = flightAnswer({ body, obstacles, duration: 2 })
    expect(status).toBe('completed')
    expect(bounces.length).toBeGreaterThan(1)
    expect(bounces.length).toBeLessThanOrEqual(most)
    expect(Math.hypot(end.velocity.x, end.velocity.y)).toBeCloseTo(Math.hypot(2, rise), 12)
    expect(end.position.y).toBeGreaterThanOrEqual(0)
    expect(end.position.y).toBeLessThanOrEqual(rise * end.position.x * (1 + 1e-12))
    const soft = flightAnswer({ body, obstacles, duration: 9, restitution: 0 })
    expect(soft).toMatchObject({ status: 'completed', end: { position: v(0, 0), velocity: v(0, 0) } })
  }
})

it('bounces a segment to and fro that a quarter turn has made parallel to the walls but for rounding', () => {
  const obstacles: Body2d[] = [{ shape: { type: 'chain', vertices: SQUARE, loop: true } }]
  for (const shape of [
    { type: 'segment', a: v(-0.5, 0), b: v(0.5, 0) },
    { type: 'box', width: 1, height: 0 },
  ] as Shape2d[]) {
    for (const y of [0, 0.25, 0.5, -0.5]) {
      const body = { ...thrown(shape, v(0, y), v(1, 0)), rotation: Math.PI / 2 }
      const { bounces, end } = flightAnswer({ body, obstacles, duration: 12 })
      expect(bounces.map(({ time, normal }) => [time, normal.x])).toEqual(
        [1, 3, 5, 7, 9, 11].map((time, i) => [time, i % 2 === 0 ? -1 : 1]),
      )
      expect(end.position).toEqual(v(0, y))
    }
  }
})

it('comes straight back from the corner of a box, and from a point', () => {
  for (const obstacle of [box(-1, -1, 0, 0), { shape: POINT } as Body2d]) {
    const { bounces, end } = flightAnswer({
      body: thrown(POINT, v(3, 4), v(-3, -4)),
      obstacles: [obstacle],
      duration: 2,
    })
    expect(bounces).toMatchObject([{ time: 1, point: v(0, 0), normal: v(0.6, 0.8) }])
    expect(end).toEqual({ time: 2, position: v(3, 4), velocity: v(3, 4) })
  }
})

const ROOMS: Vec2[][] = [
  SQUARE,
  [v(0, 0), v(4, 0), v(4, 4)],
  [v(0, 0), v(6, 0), v(6, 0.5)],
  [v(0, 0), v(3, 0), v(4, 2), v(2, 4), v(-1, 2)],
  [v(0, 0), v(4, 0), v(4, 2), v(2, 2), v(2, 4), v(0, 4)],
  [v(0, 0), v(4, 0), v(4, 3), v(3, 3), v(3, 1), v(1, 1), v(1, 3), v(0, 3)],
  [v(0, 0), v(5, 0), v(5, 5), v(2.5, 1), v(0, 5)],
]

/** Walls of a room whose corners go counter-clockwise. */
const WALLS: ((room: Vec2[], size: number) => Body2d[])[] = [
  (room) => [{ shape: { type: 'chain', vertices: room, loop: true } }],
  (room, size) => [{ shape: { type: 'region', outer: around(room, size), holes: [room] } }],
  (room) => sidesOf(room).map(([a, b]) => segment(a, b)),
  (room) => [{ shape: { type: 'compound', children: sidesOf(room).map(([a, b]) => segment(a, b)) } }],
  (room) => sidesOf(room).flatMap(([a, b]) => [segment(a, middle(a, b)), segment(middle(a, b), b)]),
  // walls of some thickness that share a corner, and as boxes that overlap next to it
  (room, size) =>
    sidesOf(room).map(([a, b]) => ({
      shape: { type: 'polygon', vertices: [a, b, outward(b, a, b, size), outward(a, a, b, size)] },
    })),
  (room, size) =>
    sidesOf(room).map(([a, b]) => ({
      shape: { type: 'box', width: Math.hypot(b.x - a.x, b.y - a.y), height: size },
      position: outward(middle(a, b), a, b, size / 2),
      rotation: Math.atan2(b.y - a.y, b.x - a.x),
    })),
]

function sidesOf(room: readonly Vec2[]): [Vec2, Vec2][] {
  return room.map((a, i) => [a, room[(i + 1) % room.length]])
}

function middle(a: Vec2, b: Vec2): Vec2 {
  return v((a.x + b.x) / 2, (a.y + b.y) / 2)
}

function outward(p: Vec2, a: Vec2, b: Vec2, way: number): Vec2 {
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  return v(p.x + (way * (b.y - a.y)) / length, p.y - (way * (b.x - a.x)) / length)
}

function around(room: readonly Vec2[], size: number): Vec2[] {
  const xs = room.map(({ x }) => x)
  const ys = room.map(({ y }) => y)
  const [left, right, low, high] = [
    Math.min(...xs) - size,
    Math.max(...xs) + size,
    Math.min(...ys) - size,
    Math.max(...ys) + size,
  ]
  return [v(left, low), v(right, low), v(right, high), v(left, high)]
}

/** How far a place is outside of a room: negative inside, by the distance from the nearest wall. */
function outside(room: readonly Vec2[], { x, y }: Vec2): number {
  let isInside = false
  let distance = Infinity
  for (const [a, b] of sidesOf(room)) {
    const ex = b.x - a.x
    const ey = b.y - a.y
    const share = Math.max(0, Math.min(1, ((x - a.x) * ex + (y - a.y) * ey) / (ex * ex + ey * ey)))
    distance = Math.min(distance, Math.hypot(a.x + share * ex - x, a.y + share * ey - y))
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / ey) * ex) isInside = !isInside
  }
  return isInside ? -distance : distance
}

const grid = fc.integer({ min: -4, max: 24 }).map((k) => k / 4)

const throws: Arbitrary<{ flight: Flight; room: Vec2[]; drift: Vec2; scale: number }> = fc
  .record({
    plan: fc.constantFrom(...ROOMS),
    walls: fc.constantFrom(...WALLS),
    shape: fc.constantFrom(...THIN.slice(0, 3).map(([, shape]) => shape), {
      type: 'segment',
      a: v(0, 0),
      b: v(0, 0),
    } as Shape2d),
    x: grid,
    y: grid,
    corner: fc.nat(),
    rate: fc.constantFrom(1, 0.5, 1 / 3),
    size: fc.constantFrom(1, 1e-3, 1e3, 0.3),
    turn: fc.constantFrom(0, Math.PI / 2, Math.PI, 0.3, 1.234),
    far: fc.constantFrom(0, 0, 1e6),
    drift: fc.constantFrom(v(0, 0), v(0, 0), v(0.5, -0.25)),
    restitution: fc.constantFrom(1, 1, 0.5, 0),
    duration: fc.constantFrom(3, 10, 40),
  })
  .filter(({ plan, x, y }) => outside(plan, v(x, y)) < -0.05)
  .map(({ plan, walls, shape, x, y, corner, rate, size, turn, far, drift, restitution, duration }) => {
    const pose = { size, turn, at: v(far, -far) }
    const room = plan.map((vertex) => placed(pose, vertex))
    const position = placed(pose, v(x, y))
    const goal = room[corner % room.length]
    const velocity = v((goal.x - position.x) * rate + drift.x, (goal.y - position.y) * rate + drift.y)
    const obstacles = walls(room, size / 4).map((wall) => ({ ...wall, velocity: drift }))
    const flight = { body: thrown(shape, position, velocity), obstacles, duration, restitution, maxBounces: 2000 }
    return { flight, room, drift, scale: size + 1e-6 * far }
  })

it('stays in rooms of every kind, aimed at their corners', () => {
  fc.assert(
    fc.property(throws, ({ flight, room, drift, scale }) => {
      const { bounces, end, status } = flightAnswer(flight)
      expect(status).toBe('completed')
      for (const { time, at } of [
        ...bounces.map(({ time, point }) => ({ time, at: point })),
        { time: end.time, at: end.position },
      ]) {
        expect(outside(room, v(at.x - drift.x * time, at.y - drift.y * time))).toBeLessThanOrEqual(1e-8 * scale)
      }
    }),
    unshrunk(400),
  )
})
