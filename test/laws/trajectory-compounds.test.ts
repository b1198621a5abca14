// What meets several bodies at one instant bounces as off one compound of them, in both dimensions.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { catalogues } from '../../src/queries/stateless/all.ts'
import { unshrunk } from '../support/runs.ts'

const limits = queryLimits(loadConfig({}))

interface Path {
  bounces: { obstacle: number }[]
  end: { position: object; velocity: object }
  status: string
}

function trajectory(dimension: '2d' | '3d', request: object): Path {
  const query = catalogues[dimension].queries.find(({ op }) => op === 'trajectory')
  const answer = query?.answer(request, limits)
  if (answer === undefined || 'code' in answer) throw new Error(JSON.stringify(answer))
  return answer as unknown as Path
}

const dot = (p: readonly number[], q: readonly number[]): number => p.reduce((sum, x, k) => sum + x * q[k], 0)
const vector = ([x, y, z]: readonly number[]): object => (z === undefined ? { x, y } : { x, y, z })

const units = (size: number): fc.Arbitrary<number[]> =>
  fc
    .array(fc.integer({ min: -1000, max: 1000 }), { minLength: size, maxLength: size })
    .filter((v) => Math.hypot(...v) > 200)
    .map((v) => v.map((x) => x / Math.hypot(...v)))

/** A cube of which the middle of a face lies so far from the origin, against its normal. */
function wallAcross(normal: readonly number[], far: number): object {
  const position = vector(normal.map((x) => -x * (far + 1)))
  const [x, y, z] = normal
  if (z === undefined) return { shape: { type: 'box', width: 2, height: 2 }, position, rotation: Math.atan2(y, x) }
  const length = Math.hypot(z, y, 1 + x)
  const orientation = { x: 0, y: -z / length, z: y / length, w: (1 + x) / length }
  return { shape: { type: 'box', size: { x: 2, y: 2, z: 2 } }, position, orientation }
}

describe.each(['2d', '3d'] as const)('a body that meets several bodies at one instant (%s)', (dimension) => {
  const size = dimension === '2d' ? 2 : 3

  it('bounces off a compound of them alike, in any order', () => {
    const normals = fc.array(units(size), { minLength: 2, maxLength: size })
    let corners = 0
    fc.assert(
      fc.property(
        units(size),
        normals,
        fc.constantFrom(0, 0.5),
        fc.constantFrom(1, 0.5),
        (v, ns, radius, restitution) => {
          const isCorner = ns.every(
            (n) => dot(n, v) < -0.15 && n[0] > -0.99 && ns.every((m) => m === n || dot(n, m) < 0.9),
          )
          if (!isCorner || ns.some((n) => ns.some((m) => dot(n, m) < -0.8))) return
          corners++
          const round = dimension === '2d' ? 'circle' : 'sphere'
          const shape = radius === 0 ? { type: 'point' } : { type: round, radius }
          const body = { shape, position: vector(v.map((x) => -x)), velocity: vector(v) }
          const walls = ns.map((n) => wallAcross(n, radius))
          const along = (obstacles: object[]): Path =>
            trajectory(dimension, { body, obstacles, duration: 1.5, restitution })
          const apart = along(walls)
          const children = [...walls].reverse()
          for (const other of [along(children), along([{ shape: { type: 'compound', children } }])]) {
            expect(other.status).toBe(apart.status)
            for (const part of ['position', 'velocity'] as const) {
              for (const [key, value] of Object.entries(apart.end[part])) {
                expect((other.end[part] as Record<string, number>)[key]).toBeCloseTo(value, 9)
              }
            }
          }
        },
      ),
      unshrunk(4000),
    )
    expect(corners).toBeGreaterThan(0)
  })

  it('names the compound in its bounces, and the obstacles after it', () => {
    const zero = Array.from({ length: size }, () => 0)
    const down = zero.map((_, k) => (k === 1 ? -1 : 0))
    const floor = wallAcross(
      zero.map((_, k) => (k === 1 ? 1 : 0)),
      1,
    )
    const ceiling = wallAcross(down, 1)
    const body = { shape: { type: 'point' }, position: vector(zero), velocity: vector(down) }
    const far = { ...floor, position: vector(zero.map((_, k) => (k === 0 ? 50 : 0))) }
    const pair = { shape: { type: 'compound', children: [far, floor] } }
    const { bounces } = trajectory(dimension, { body, obstacles: [far, pair, ceiling], duration: 4 })
    expect(bounces.map(({ obstacle }) => obstacle)).toEqual([1, 2])
  })
})
