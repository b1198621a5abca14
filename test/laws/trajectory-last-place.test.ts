/**
 * Bounces off points, circles and half-planes are closed forms, rounded once however many there are: times, positions and velocities
 * are within one unit in the last place of those that 500 binary places give.
 */
import { describe, expect, it } from 'vitest'
import type { Body2d, MovingBody2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { ulpsOff } from '../oracle/closed-forms.ts'
import { decomposeDouble, integerSqrt } from '../oracle/exact-numbers.ts'
import { flightAnswer } from '../support/answers/trajectory-answers.ts'
import { createDraw } from '../support/families/closed-pairs.ts'
import { runCount, seed } from '../support/runs.ts'

const BITS = 500n
const v = (x: number, y: number): Vec2 => ({ x, y })

function fixed(x: number): bigint {
  const { mantissa, exponent } = decomposeDouble(x)
  const shift = BigInt(exponent) + BITS
  return shift >= 0n ? mantissa << shift : mantissa >> -shift
}
const times = (p: bigint, q: bigint): bigint => (p * q) >> BITS
const over = (p: bigint, q: bigint): bigint => (p << BITS) / q
const root = (p: bigint): bigint => integerSqrt(p << BITS)
const off = (value: number, exact: bigint): number => ulpsOff(value, { integer: exact, exponent: -Number(BITS) })

interface State {
  x: bigint
  y: bigint
  vx: bigint
  vy: bigint
  time: bigint
}

/** When a ball comes to an obstacle, and the normal then; null where it does not, or only grazes it. */
function meeting(
  { x, y, vx, vy }: State,
  radius: number,
  { shape, position = v(0, 0) }: Body2d,
): { time: bigint; nx: bigint; ny: bigint } | null {
  if (shape.type === 'halfplane') {
    const nx = fixed(shape.normal.x)
    const ny = fixed(shape.normal.y)
    const length = root(times(nx, nx) + times(ny, ny))
    const height = over(times(nx, x) + times(ny, y), length) - fixed(shape.offset) - fixed(radius)
    return { time: over(-height, over(times(nx, vx) + times(ny, vy), length)), nx, ny }
  }
  const reach = fixed(radius) + (shape.type === 'circle' ? fixed(shape.radius) : 0n)
  const qx = x - fixed(position.x)
  const qy = y - fixed(position.y)
  const square = times(vx, vx) + times(vy, vy)
  const along = times(qx, vx) + times(qy, vy)
  const excess = times(qx, qx) + times(qy, qy) - times(reach, reach)
  const inner = times(along, along) - times(square, excess)
  if (inner < 1n << (BITS - 40n)) return null
  const time = over(excess, root(inner) - along)
  return { time, nx: qx + times(vx, time), ny: qy + times(vy, time) }
}

function advance(state: State, time: bigint): void {
  state.x += times(state.vx, time)
  state.y += times(state.vy, time)
  state.time += time
}

function reflect(state: State, nx: bigint, ny: bigint): void {
  const share = over(2n * (times(state.vx, nx) + times(state.vy, ny)), times(nx, nx) + times(ny, ny))
  state.vx -= times(share, nx)
  state.vy -= times(share, ny)
}

describe('of a ball with two decimal places', () => {
  const obstacles: [string, Body2d][] = [
    ['a corner', { shape: { type: 'point' }, position: v(0.37, -1.21) }],
    ['a circle', { shape: { type: 'circle', radius: 0.3 }, position: v(-0.8, 0.45) }],
    ['a slope', { shape: { type: 'halfplane', normal: v(3, 4), offset: 0.7 } }],
  ]

  it.each(obstacles)('off %s, and a wall', (_name, obstacle) => {
    const wall: Body2d = { shape: { type: 'halfplane', normal: v(-5, -12), offset: -50.3 } }
    const draw = createDraw(seed())
    const decimal = (size: number): number => Math.round((2 * draw() - 1) * size * 100) / 100
    let seen = 0
    for (let run = 0; run < runCount(1000); run++) {
      const radius = Math.round(draw() * 200) / 100
      const at = v(decimal(10), decimal(10))
      const { position = v(0, 0) } = obstacle
      const velocity = v(
        decimal(0.5) + Math.round(position.x - at.x) / 4,
        decimal(0.5) + Math.round(position.y - at.y) / 4,
      )
      const body: MovingBody2d = { shape: { type: 'circle', radius }, position: at, velocity }
      const all = [obstacle, wall]
      const { bounces, end } = flightAnswer({ body, obstacles: all, duration: 20 })
      if (bounces.length === 0 || bounces.length > 3) continue
      const state: State = { x: fixed(at.x), y: fixed(at.y), vx: fixed(velocity.x), vy: fixed(velocity.y), time: 0n }
      const met = bounces.every((bounce) => {
        const found = meeting(state, radius, all[bounce.obstacle])
        // one that starts within an obstacle
        if (found === null || found.time <= 0n) return false
        advance(state, found.time)
        reflect(state, found.nx, found.ny)
        return true
      })
      if (!met) continue
      const last = state.time
      advance(state, fixed(20) - last)
      seen++
      // where much cancels, of the coordinates that it was computed from
      const size = Math.abs(end.position.x) + Math.abs(end.position.y)
      if (Math.min(Math.abs(end.position.x), Math.abs(end.position.y)) < 1e-9 * size) continue
      const worst = Math.max(
        off(bounces[bounces.length - 1].time, last),
        off(end.position.x, state.x),
        off(end.position.y, state.y),
        off(end.velocity.x, state.vx),
        off(end.velocity.y, state.vy),
      )
      if (worst > 1) expect.fail(`${worst} ulps: ${JSON.stringify(body)}`)
    }
    expect(seen).toBeGreaterThan(runCount(100))
  })

  it('comes out whole', () => {
    const body: MovingBody2d = { shape: { type: 'circle', radius: 5 }, position: v(4, 13), velocity: v(0, -4) }
    const corner: Body2d = { shape: { type: 'box', width: 2, height: 2 }, position: v(-1, -1) }
    const { bounces, end } = flightAnswer({ body: { ...body, position: v(3, 14) }, obstacles: [corner], duration: 5 })
    expect(bounces).toMatchObject([{ time: 2.5, normal: v(0.6, 0.8), point: v(0, 0) }])
    expect(end).toEqual({ time: 5, position: v(12.6, 6.8), velocity: v(3.84, 1.12) })
    const point: Body2d = { shape: { type: 'point' } }
    expect(flightAnswer({ body, obstacles: [point], duration: 20 }).end).toEqual({
      time: 20,
      position: v(71.2, -16.6),
      velocity: v(3.84, -1.12),
    })
  })
})
