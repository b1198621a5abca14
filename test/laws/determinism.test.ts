// The same request gets the same bytes, whatever was asked before it; slots keep nothing of what they held.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import { contact, createContact } from '../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../src/core2d/queries/distance.ts'
import { createBody } from '../../src/core2d/shape/body.ts'
import { decodeBody } from '../../src/wire/body.ts'
import { contactAnswer, distanceAnswer, overlapAnswer } from '../support/answers/answers.ts'
import { impactAnswer } from '../support/answers/impact-answers.ts'
import { rayAnswer } from '../support/answers/ray-answers.ts'
import { prepare } from '../support/answers/slots.ts'
import { mixedBody, UNIFORM, vec2 } from '../support/families/arbitraries.ts'
import { compositeLawPairs, hasAabb, mixedComposite } from '../support/families/composite-arbitraries.ts'
import { lawPairs } from '../support/families/pair-families.ts'
import { runCount, seed, unshrunk } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'

const BALL: MovingBody2d = {
  shape: { type: 'circle', radius: 0.25 },
  position: { x: -9, y: 1 },
  velocity: { x: 4, y: 0.3 },
}

let client: Client

beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

it('same bytes for the same request, in any order', async () => {
  const pairs = fc.sample(fc.oneof(lawPairs(), compositeLawPairs()), { numRuns: 150, seed: seed() })
  const requests = pairs.flatMap(({ a, b }): [string, object][] => [
    ['overlap', { a, b, explain: true }],
    ['distance', { a, b }],
    ['contact', { a, b, maxDistance: 1 }],
    ['ray-cast', { ray: { origin: { x: -9, y: 1 }, direction: { x: 1, y: 0.125 } }, targets: [a, b], mode: 'all' }],
    ['time-of-impact', { a: { ...a, velocity: { x: 2, y: -1 } }, b, duration: 3 }],
    ['shape-cast', { body: a, translation: { x: -3, y: 4 }, targets: [b, a], mode: 'all' }],
    ['bounds', { body: { ...b, velocity: { x: 1, y: 5 } }, duration: 2 }],
    ['trajectory', { body: BALL, obstacles: [a, { ...b, velocity: { x: 0, y: -0.5 } }], duration: 5 }],
  ])
  const ask = async ([query, request]: [string, object]): Promise<string> => {
    const { status, text } = await client.post(query, request)
    expect({ status, text, request }).toMatchObject({ status: 200 })
    return text
  }
  const first: string[] = []
  for (const request of requests) first.push(await ask(request))
  const second: string[] = []
  for (const request of [...requests].reverse()) second.unshift(await ask(request))
  expect(second).toEqual(first)
})

it('the core answers a question in one way, whatever it was asked before', () => {
  const bodies = fc.oneof(mixedBody(), mixedComposite())
  const questions = fc.sample(fc.tuple(bodies, bodies, vec2(UNIFORM), UNIFORM.coordinate), {
    numRuns: runCount(1500),
    seed: seed(),
  })
  const answer = ([a, b, velocity, spin]: (typeof questions)[number]): object => {
    const moving = hasAabb(b.shape) ? { ...b, velocity } : { ...b, velocity, angularVelocity: spin }
    return [
      overlapAnswer({ a, b }),
      distanceAnswer({ a, b }),
      contactAnswer({ a, b }, 0.5),
      rayAnswer({ origin: velocity, direction: { x: 1, y: spin } }, a),
      impactAnswer({ a, b: { ...b, velocity }, duration: 3 }),
      impactAnswer({ a, b: moving, duration: 0.5 }),
    ]
  }
  const forwards = questions.map(answer)
  const backwards = [...questions].reverse().map(answer).reverse()
  forwards.forEach((first, i) => {
    expect([questions[i], backwards[i]]).toEqual([questions[i], first])
  })
})

it('a used slot answers like a new one', () => {
  const used = createBody()
  const bodies = fc.oneof(mixedBody(), mixedComposite())
  fc.assert(
    fc.property(bodies, bodies, (a, b) => {
      const other = prepare(b)
      expect(decodeBody(a, used)).toBeNull()
      const answers = [used, prepare(a)].map((slot) => {
        const contactOut = createContact()
        const distanceOut = createDistance()
        contact(slot, other, 1, contactOut)
        distance(slot, other, distanceOut)
        return {
          contact: { ...contactOut, points: contactOut.points.slice(0, contactOut.count) },
          distance: distanceOut,
        }
      })
      expect(answers[0]).toEqual(answers[1])
    }),
    unshrunk(2000),
  )
})
