// The same request gets the same bytes, whatever was asked before it; slots keep nothing of what they held.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBody } from '../../src/core2d/body.ts'
import { contact, createContact } from '../../src/core2d/contact.ts'
import { createDistance, distance } from '../../src/core2d/distance.ts'
import { decodeBody } from '../../src/wire/decode-body.ts'
import { mixedBody } from '../support/arbitraries.ts'
import { type Client, startClient } from '../support/client.ts'
import { lawPairs } from '../support/pair-families.ts'
import { runs, seed } from '../support/runs.ts'
import { prepare } from '../support/slots.ts'

let client: Client

beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

it('same bytes for the same request, in any order', async () => {
  const pairs = fc.sample(lawPairs(), { numRuns: 300, seed: seed() })
  const requests = pairs.flatMap(({ a, b }): [string, object][] => [
    ['overlap', { a, b, explain: true }],
    ['distance', { a, b }],
    ['contact', { a, b, maxDistance: 1 }],
    ['ray-cast', { ray: { origin: { x: -9, y: 1 }, direction: { x: 1, y: 0.125 } }, targets: [a, b], mode: 'all' }],
  ])
  const ask = async ([query, request]: [string, object]): Promise<string> => (await client.post(query, request)).text
  const first: string[] = []
  for (const request of requests) first.push(await ask(request))
  const second: string[] = []
  for (const request of [...requests].reverse()) second.unshift(await ask(request))
  expect(second).toEqual(first)
})

it('a used slot answers like a new one', () => {
  const used = createBody()
  fc.assert(
    fc.property(mixedBody(), mixedBody(), (a, b) => {
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
    runs(2000),
  )
})
