// Where outlines have spikes of rounding width, or bodies are slivers: the translation of a contact parts the pair, and no
// translation that is shorter by more than lengths are promised to is free. Judged by exact integers.

import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { Trials } from '../oracle/free-translation.ts'
import { prepare } from '../support/answers/slots.ts'
import { ACCURACY_RATIO } from '../support/families/extent.ts'
import { randomFrom, type ThinKind, thinPair } from '../support/families/thin-shapes.ts'
import { runCount, seed } from '../support/runs.ts'

const found = createContact()

function expectLeast(a: Body2d, b: Body2d): void {
  contact(prepare(a), prepare(b), 0, found)
  if (found.relation >= 0) return
  const { tx, ty, exact, separation } = found
  const trials = new Trials(a, b)
  const bound = ACCURACY_RATIO * trials.extent
  const length = Math.hypot(tx, ty)
  expect(Math.abs(length + separation)).toBeLessThanOrEqual(bound)
  expect(trials.freeNear(tx, ty, bound), 'parts the pair').not.toBeNull()
  if (exact) expect(trials.freeWithin(length - bound), 'is the shortest').toBeNull()
}

describe('no translation that parts the pair is shorter', () => {
  it.each<[ThinKind, ThinKind, number]>([
    ['spiky', 'thick', 40],
    ['spiky', 'spiky', 20],
    ['sliver', 'thick', 300],
    ['sliver', 'spiky', 200],
    ['sliver', 'sliver', 300],
    ['sliver-polygon', 'spiky', 200],
    ['sliver-polygon', 'sliver', 300],
    ['bundle', 'spiky', 100],
    ['bundle', 'bundle', 100],
  ])('%s against %s', (first, second, count) => {
    for (let run = 0; run < runCount(count); run++) {
      const { a, b } = thinPair(randomFrom(seed() + 7919 * run), first, second)
      try {
        expectLeast(a, b)
      } catch (error) {
        throw new Error(`run ${run}: ${JSON.stringify({ a, b })}`, { cause: error })
      }
    }
  })
})

const ring = (...points: (readonly [number, number])[]) => points.map(([x, y]) => ({ x, y }))

describe('found before', () => {
  it.each<[string, Body2d, Body2d, number]>([
    [
      'two spikes',
      {
        shape: {
          type: 'region',
          outer: ring(
            [-314775, 2708],
            [-336712, -2708],
            [-348138, 17051],
            [-339224.93470790377, 1637.6219931271462],
            [-334393.81919824256, 841.2944606413985],
            [-332495.8798798799, -1667.0870870870874],
          ),
        },
      },
      {
        shape: {
          type: 'polygon',
          vertices: ring(
            [-357571.7470252057, -5762.123049645208],
            [-321742.91436957236, -4737.74561859717],
            [-324495.928715514, 19374.77016942418],
            [-357251.62907800317, 17838.204022852125],
          ),
        },
      },
      19586.77074284,
    ],
    [
      'two strips that cross, which nothing parted',
      {
        shape: {
          type: 'region',
          outer: ring(
            [19031694, 36548935],
            [52590492.97351999, 5800508.533935666],
            [46136905.45194197, 11713642.120931193],
            [20054119.192341413, 35612132.5277611],
          ),
        },
      },
      {
        shape: {
          type: 'region',
          outer: ring(
            [39644393, 11940818],
            [85084816.42618749, 9328034.516264247],
            [77635068.80575255, 9756388.305094803],
            [41430701.332077235, 11838106.87728143],
          ),
        },
      },
      4218582.367220286,
    ],
    [
      'a polygon so thin that rounding puts its edges out of order',
      {
        shape: {
          type: 'polygon',
          vertices: ring(
            [10921.12423721373, 360.66117324857635],
            [29134.533854583504, -24459.847606279975],
            [12579.700342320784, -1899.5802446496987],
          ),
        },
      },
      {
        shape: {
          type: 'region',
          outer: ring(
            [18675.580495251073, 21186.471442083417],
            [-12912.99323560073, 21541.155877710116],
            [-14994.511814835701, -22263.26765990456],
            [15240.16092196481, -24325.74740193525],
            [16720.788000963377, -4710.494531584376],
            [3811.7656876755645, 20928.570086790063],
            [7045.918498562269, 14505.105095280389],
          ),
        },
      },
      2899.5960500765523,
    ],
  ])('%s', (_name, a, b, length) => {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ]) {
      contact(prepare(first), prepare(second), 0, found)
      expect(found.exact).toBe(true)
      expect(-found.separation / length).toBeCloseTo(1, 9)
      expectLeast(first, second)
    }
  })
})
