// Bouncing: speed is kept, walls are never entered, every bounce is a mirror, and the way back is the way there.
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { apart, contactAnswer, negated } from '../support/answers/answers.ts'
import { advanced, boosted, impactAnswer } from '../support/answers/impact-answers.ts'
import { type Flight, type FlightAnswer, flightAnswer } from '../support/answers/trajectory-answers.ts'
import { anyBody, UNIFORM } from '../support/families/arbitraries.ts'
import { regionCase } from '../support/families/composite-arbitraries.ts'
import { positionOf, scaled, translated } from '../support/families/transform.ts'
import { runCount, runs, unshrunk } from '../support/runs.ts'

const v = (x: number, y: number): Vec2 => ({ x, y })
const dot = (p: Vec2, q: Vec2): number => p.x * q.x + p.y * q.y
const length = (p: Vec2): number => Math.hypot(p.x, p.y)
const plane = (x: number, y: number, offset: number): Body2d => ({
  shape: { type: 'halfplane', normal: v(x, y), offset },
})
const ball = (x: number, y: number, radius: number, vx: number, vy: number): MovingBody2d => ({
  shape: { type: 'circle', radius },
  position: v(x, y),
  velocity: v(vx, vy),
})

const ROOM = 10
const WALLS = [plane(1, 0, -ROOM), plane(-1, 0, -ROOM), plane(0, 1, -ROOM), plane(0, -1, -ROOM)]
/** The same room as one region with a hole, and as the line work of its walls. */
const square = (size: number): Vec2[] => [v(-size, -size), v(size, -size), v(size, size), v(-size, size)]
const FRAME: Body2d = { shape: { type: 'region', outer: square(2 * ROOM), holes: [square(ROOM)] } }
const LOOP: Body2d = { shape: { type: 'chain', vertices: square(ROOM), loop: true } }

/** Obstacles within the room, small enough to leave ways between them. */
const furniture: Arbitrary<Body2d[]> = fc
  .array(
    fc.oneof(
      anyBody(['circle', 'segment', 'capsule', 'box', 'polygon', 'ellipse', 'point']).map((body) => scaled(body, 0.5)),
      regionCase(UNIFORM, false).map(({ region }) => scaled({ shape: region }, 0.4)),
    ),
    { minLength: 0, maxLength: 4 },
  )
  .map((bodies) => bodies.map((body, i) => translated(body, 4 * Math.cos(1.7 * i), 4 * Math.sin(1.7 * i))))

const room = fc.constantFrom(WALLS, [FRAME], [LOOP])

const RADIUS = 0.25

interface Scene {
  flight: Flight
}

function isFree(body: Body2d, obstacles: readonly Body2d[]): boolean {
  return obstacles.every((obstacle) => contactAnswer({ a: obstacle, b: body }).separation > 1e-6)
}

const scenes: Arbitrary<Scene> = fc
  .record({
    around: room,
    inside: furniture,
    x: UNIFORM.coordinate,
    y: UNIFORM.coordinate,
    angle: UNIFORM.coordinate,
    speed: fc.constantFrom(0.5, 3, 40),
  })
  .map(({ around, inside, x, y, angle, speed }) => {
    const body = ball(2 * x, 2 * y, RADIUS, speed * Math.cos(angle), speed * Math.sin(angle))
    return { flight: { body, obstacles: [...around, ...inside], duration: 60 / speed, maxBounces: 1000 } }
  })
  .filter(({ flight }) => isFree(flight.body, flight.obstacles))

/** The body's positions along its way, `count` to each straight piece. */
function* placesOn(
  { body }: Flight,
  { bounces, end }: FlightAnswer,
  count: number,
): Generator<{ time: number; at: Vec2 }> {
  let time = 0
  let at = positionOf(body)
  const stops = [...bounces.map((bounce) => ({ time: bounce.time, velocity: bounce.before })), end]
  for (const stop of stops) {
    const step = stop.time - time
    for (let i = 0; i < count; i++) {
      const t = (step * (i + 1)) / count
      yield { time: time + t, at: v(at.x + stop.velocity.x * t, at.y + stop.velocity.y * t) }
    }
    at = v(at.x + stop.velocity.x * step, at.y + stop.velocity.y * step)
    time = stop.time
  }
}

function checkMirror({ restitution = 1, obstacles }: Flight, { bounces }: FlightAnswer): void {
  for (const { normal, before, after, obstacle } of bounces) {
    expect(Math.abs(length(normal) - 1)).toBeLessThanOrEqual(1e-12)
    const { velocity: w = v(0, 0) } = obstacles[obstacle]
    const incoming = v(before.x - w.x, before.y - w.y)
    const toward = dot(incoming, normal)
    expect(toward).toBeLessThanOrEqual(1e-12 * length(incoming))
    const k = (1 + restitution) * toward
    const expected = v(before.x - k * normal.x, before.y - k * normal.y)
    expect(apart(expected, after)).toBeLessThanOrEqual(1e-13 * (length(before) + length(w)))
  }
}

function checkWay(flight: Flight, answer: FlightAnswer): void {
  const {
    body: { velocity: _moving, ...still },
    obstacles,
  } = flight
  for (const { time, at } of placesOn(flight, answer, 3)) {
    for (const obstacle of obstacles) {
      const { separation } = contactAnswer({ a: advanced(obstacle, time), b: { ...still, position: at } })
      // Positions are summed up here, so that their rounding grows with the number of bounces.
      expect(separation).toBeGreaterThanOrEqual(-1e-9 * RADIUS)
    }
  }
}

describe('among obstacles at rest', () => {
  it('keeps the speed, mirrors at every bounce and enters nothing', () => {
    fc.assert(
      fc.property(scenes, ({ flight }) => {
        const answer = flightAnswer(flight)
        expect(answer.status).toBe('completed')
        expect(answer.end.time).toBe(flight.duration)
        const speed = length(flight.body.velocity as Vec2)
        expect(Math.abs(length(answer.end.velocity) / speed - 1)).toBeLessThanOrEqual(1e-9)
        checkMirror(flight, answer)
        checkWay(flight, answer)
        for (const { point, obstacle, normal } of answer.bounces) {
          const center = v(point.x + RADIUS * normal.x, point.y + RADIUS * normal.y)
          const touch = contactAnswer({ a: flight.obstacles[obstacle], b: { ...flight.body, position: center } })
          expect(Math.abs(touch.separation)).toBeLessThanOrEqual(1e-9 * ROOM)
        }
      }),
      unshrunk(150),
    )
  })

  it('is the same for a body of any convex shape', () => {
    const movers = fc.record({
      around: fc.constantFrom([FRAME], [LOOP], WALLS),
      inside: furniture,
      mover: anyBody(['capsule', 'box', 'polygon', 'segment', 'point']),
      angle: UNIFORM.coordinate,
    })
    fc.assert(
      fc.property(movers, ({ around, inside, mover, angle }) => {
        const { shape } = scaled(mover, 0.125)
        const body = {
          shape,
          rotation: mover.rotation ?? 0,
          position: v(-6, -7),
          velocity: v(5 * Math.cos(angle), 5 * Math.sin(angle)),
        }
        const flight: Flight = { body, obstacles: [...around, ...inside], duration: 6, maxBounces: 200 }
        fc.pre(isFree(body, flight.obstacles))
        const answer = flightAnswer(flight)
        expect(answer.status).toBe('completed')
        expect(Math.abs(length(answer.end.velocity) / 5 - 1)).toBeLessThanOrEqual(1e-9)
        checkMirror(flight, answer)
        checkWay(flight, answer)
      }),
      unshrunk(60),
    )
  })

  it('bounces first where the first impact is', () => {
    fc.assert(
      fc.property(scenes, ({ flight: { body, obstacles, duration } }) => {
        const impacts = obstacles.map((obstacle) => impactAnswer({ a: obstacle, b: body, duration })?.time ?? Infinity)
        const first = Math.min(...impacts)
        const { bounces } = flightAnswer({ body, obstacles, duration, maxBounces: 1 })
        expect(bounces.length).toBe(first < Infinity ? 1 : 0)
        if (bounces[0] !== undefined) expect(Math.abs(bounces[0].time - first)).toBeLessThanOrEqual(1e-12 * duration)
      }),
      unshrunk(200),
    )
  })

  it('comes back the way it went', () => {
    fc.assert(
      fc.property(scenes, ({ flight }) => {
        // A few bounces: each curved obstacle multiplies what rounding has changed.
        const short = { ...flight, duration: flight.duration / 8 }
        const there = flightAnswer(short)
        const back = flightAnswer({
          ...short,
          body: { ...flight.body, position: there.end.position, velocity: negated(there.end.velocity) },
        })
        const spread = 20 ** there.bounces.length * 1e-13
        fc.pre(spread < 1e-4)
        expect(back.status).toBe('completed')
        expect(apart(back.end.position, positionOf(flight.body))).toBeLessThanOrEqual(1e-9 + spread)
        expect(back.bounces.length).toBe(there.bounces.length)
      }),
      unshrunk(200),
    )
  })

  it('does not depend on the order of the obstacles', () => {
    fc.assert(
      fc.property(scenes, ({ flight }) => {
        const short = { ...flight, duration: flight.duration / 8 }
        const last = flight.obstacles.length - 1
        const forward = flightAnswer(short)
        const backward = flightAnswer({ ...short, obstacles: [...flight.obstacles].reverse() })
        expect(backward.status).toBe(forward.status)
        forward.bounces.forEach(({ time, obstacle }, i) => {
          const other = backward.bounces[i]
          const spread = 20 ** i * 1e-13
          if (spread > 1e-4) return
          expect(last - other.obstacle).toBe(obstacle)
          expect(Math.abs(other.time - time)).toBeLessThanOrEqual(short.duration * (1e-13 + spread))
        })
      }),
      unshrunk(150),
    )
  })

  it('keeps its speed over 10,000 bounces', () => {
    const bumper: Body2d = { shape: { type: 'circle', radius: 2 }, position: v(1, -0.5) }
    const wedge: Body2d = { shape: { type: 'region', outer: [v(-8, -8), v(-3, -7), v(-6, -6), v(-7, -3)] } }
    const count = runCount(10_000)
    for (const around of [WALLS, [FRAME], [LOOP]]) {
      const flight: Flight = {
        body: ball(-4, 3, 0.5, 3.1, 4.7),
        obstacles: [...around, bumper, wedge],
        duration: 1e9,
        maxBounces: count,
      }
      const answer = flightAnswer(flight)
      expect(answer.status).toBe('max-bounces')
      expect(answer.bounces.length).toBe(count)
      const speed = Math.hypot(3.1, 4.7)
      for (const { point, normal, after } of answer.bounces) {
        expect(Math.abs(length(after) / speed - 1)).toBeLessThanOrEqual(1e-9)
        const center = v(point.x + 0.5 * normal.x, point.y + 0.5 * normal.y)
        expect(Math.max(Math.abs(center.x), Math.abs(center.y))).toBeLessThanOrEqual(ROOM - 0.5 + 1e-9)
      }
      for (const { point, normal } of answer.bounces.slice(-100)) {
        const center = v(point.x + 0.5 * normal.x, point.y + 0.5 * normal.y)
        for (const obstacle of flight.obstacles) {
          const body: Body2d = { shape: { type: 'circle', radius: 0.5 }, position: center }
          expect(contactAnswer({ a: obstacle, b: body }).separation).toBeGreaterThanOrEqual(-1e-9 * 0.5)
        }
      }
    }
  })
})

describe('among moving obstacles', () => {
  const movers = fc.record({
    obstacles: fc.array(
      fc.record({
        body: anyBody(['circle', 'box', 'segment', 'polygon']),
        vx: UNIFORM.coordinate,
        vy: UNIFORM.coordinate,
      }),
      { minLength: 1, maxLength: 3 },
    ),
    vx: UNIFORM.coordinate,
    vy: UNIFORM.coordinate,
    restitution: fc.constantFrom(1, 0.5, 0),
  })
  const moving = movers
    .map(
      ({ obstacles, vx, vy, restitution }): Flight => ({
        body: ball(-9, -9, RADIUS, 3 + vx, 3 + vy),
        obstacles: obstacles.map(({ body, vx: x, vy: y }) => ({ ...body, velocity: v(x / 2, y / 2) })),
        duration: 5,
        restitution,
      }),
    )
    .filter(({ body, obstacles }) => isFree(body, obstacles))

  it('mirrors the velocity relative to the obstacle, and enters nothing', () => {
    fc.assert(
      fc.property(moving, (flight) => {
        const answer = flightAnswer(flight)
        checkMirror(flight, answer)
        if (answer.status === 'completed') checkWay(flight, answer)
      }),
      unshrunk(300),
    )
  })

  it('is the same seen from a moving frame', () => {
    const boost = fc.record({ x: fc.integer({ min: -3, max: 3 }), y: fc.integer({ min: -3, max: 3 }) })
    fc.assert(
      fc.property(moving, boost, (flight, { x, y }) => {
        const still = flightAnswer(flight)
        const seen = flightAnswer({
          ...flight,
          body: boosted(flight.body, { x, y }),
          obstacles: flight.obstacles.map((obstacle) => boosted(obstacle, { x, y })),
        })
        fc.pre(still.bounces.length <= 4)
        expect(seen.status).toBe(still.status)
        expect(seen.bounces.map(({ obstacle }) => obstacle)).toEqual(still.bounces.map(({ obstacle }) => obstacle))
        const { time, position } = still.end
        expect(apart(seen.end.position, v(position.x + x * time, position.y + y * time))).toBeLessThanOrEqual(1e-6)
      }),
      unshrunk(300),
    )
  })
})

describe('corners', () => {
  const walls: MovingBody2d[] = [plane(1, 0, 0), plane(0, 1, 0)]

  it.each([
    ['in order', walls],
    ['in the other order', [...walls].reverse()],
    [
      'of a region',
      [
        {
          shape: {
            type: 'region',
            outer: [v(-1, -1), v(9, -1), v(9, 0), v(0, 0), v(0, 9), v(-1, 9)],
          },
        } as Body2d,
      ],
    ],
    ['of a chain', [{ shape: { type: 'chain', vertices: [v(0, 9), v(0, 0), v(9, 0)] } } as Body2d]],
  ])('a ball into the corner of two walls, %s, comes straight back', (_name, obstacles) => {
    const { bounces, end, status } = flightAnswer({ body: ball(4, 4, 1, -1, -1), obstacles, duration: 6 })
    expect(status).toBe('completed')
    expect(bounces.length).toBe(2)
    for (const { time } of bounces) expect(time).toBeCloseTo(3, 12)
    expect(end.time).toBe(6)
    expect(apart(end.position, v(4, 4))).toBeLessThanOrEqual(1e-12)
    expect(apart(end.velocity, v(1, 1))).toBeLessThanOrEqual(1e-12)
  })

  it('reflects about the direction from a corner to the centre', () => {
    // v + c·x with c = −2 v·x / x·x, x from the corner to the centre.
    const box: Body2d = { shape: { type: 'box', width: 2, height: 2 }, position: v(-1, -1) }
    const { bounces, end } = flightAnswer({ body: ball(3, 14, 5, 0, -4), obstacles: [box], duration: 5 })
    expect(bounces.length).toBe(1)
    expect(bounces[0].time).toBeCloseTo(2.5, 12)
    expect(apart(bounces[0].normal, v(0.6, 0.8))).toBeLessThanOrEqual(1e-12)
    expect(apart(end.velocity, v(3.84, 1.12))).toBeLessThanOrEqual(1e-12)
  })
})

describe('how it ends', () => {
  it('after more bounces than allowed', () => {
    const flight: Flight = { body: ball(0, 0, 1, 9, 0), obstacles: WALLS, duration: 100, maxBounces: 3 }
    const { bounces, end, status } = flightAnswer(flight)
    expect([status, bounces.length, end.time]).toEqual(['max-bounces', 3, 7])
    expect(bounces.map(({ time }) => time)).toEqual([1, 3, 5])
    expect(flightAnswer({ ...flight, maxBounces: 0 })).toMatchObject({
      status: 'max-bounces',
      bounces: [],
      end: { time: 1 },
    })
    expect(flightAnswer({ ...flight, duration: 6 })).toMatchObject({ status: 'completed', end: { time: 6 } })
  })

  it('squeezed between two walls', () => {
    const closing: MovingBody2d = { ...plane(-1, 0, -4), velocity: v(-1, 0) }
    const flight: Flight = { body: ball(0, 0, 1, 1, 0), obstacles: [plane(1, 0, -2), closing], duration: 100 }
    const soft = flightAnswer({ ...flight, restitution: 0 })
    expect(soft.status).toBe('stuck')
    expect(soft.end.time).toBeCloseTo(4, 9)
    // Elastic, it bounces ever faster and would do so without end.
    const hard = flightAnswer({ ...flight, maxBounces: 1000 })
    expect(hard.status).toBe('max-bounces')
    expect(hard.end.time).toBeLessThan(4)
    expect(hard.end.time).toBeGreaterThan(3.99)
  })

  it('at rest, or with nothing in the way', () => {
    const free = flightAnswer({ body: ball(1, 2, 1, 0, 0), obstacles: [], duration: 7 })
    expect(free).toEqual({ bounces: [], end: { time: 7, position: v(1, 2), velocity: v(0, 0) }, status: 'completed' })
    const still = flightAnswer({ body: ball(0, 0, 1, 0, 0), obstacles: WALLS, duration: 7 })
    expect(still.end).toEqual({ time: 7, position: v(0, 0), velocity: v(0, 0) })
  })

  it('without restitution, sliding along the wall', () => {
    const flight: Flight = { body: ball(0, 0, 1, 3, -3), obstacles: WALLS, duration: 30, restitution: 0 }
    const { bounces, end, status } = flightAnswer(flight)
    expect(status).toBe('completed')
    expect(bounces.map(({ time }) => time)).toEqual([3, 3])
    expect(apart(end.position, v(9, -9))).toBeLessThanOrEqual(1e-9)
    expect(length(end.velocity)).toBeLessThanOrEqual(1e-12)
  })
})

it('scales with lengths to the bit', () => {
  const power = fc.integer({ min: -40, max: 40 }).map((n) => 2 ** n)
  fc.assert(
    fc.property(scenes, power, ({ flight }, k) => {
      const short = { ...flight, duration: flight.duration / 8 }
      const grown = ({ velocity = v(0, 0), ...body }: MovingBody2d): MovingBody2d => ({
        ...scaled(body, k),
        velocity: v(velocity.x * k, velocity.y * k),
      })
      const small = flightAnswer(short)
      const large = flightAnswer({ ...short, body: grown(flight.body), obstacles: flight.obstacles.map(grown) })
      expect(large.status).toBe(small.status)
      expect(large.bounces.map(({ obstacle }) => obstacle)).toEqual(small.bounces.map(({ obstacle }) => obstacle))
      const { position } = small.end
      expect(apart(large.end.position, v(position.x * k, position.y * k)) / k).toBeLessThanOrEqual(1e-6)
    }),
    runs(100),
  )
})
