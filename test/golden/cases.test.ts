// The exact cases of ../shared/cases, all tags, through the HTTP wire form and in both orders of A and B.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, startClient } from '../support/client.ts'
import { CASE_FILES, casesPresent, readCases, type SharedCase } from '../support/shared-cases.ts'
import { type Complaints, checkContact, checkDistance, checkOverlap, checkRay } from './case-checks.ts'

let client: Client

beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

async function ask(path: string, request: object): Promise<never> {
  const { status, body } = await client.post(path, request)
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body as never
}

async function complaintsAbout(given: SharedCase): Promise<Complaints> {
  const { kind, a, b, ray } = given
  if (kind === 'ray') return checkRay(given, await ask('ray-cast', { ray, targets: [a] }))
  const orders = await Promise.all(
    [false, true].map(async (swapped) => {
      const pair = swapped ? { a: b, b: a } : { a, b }
      const complaints =
        kind === 'overlap'
          ? checkOverlap(given, await ask(kind, pair))
          : kind === 'distance'
            ? checkDistance(given, await ask(kind, pair), swapped)
            : checkContact(given, await ask(kind, pair), swapped)
      return complaints.map((line) => (swapped ? `swapped, ${line}` : line))
    }),
  )
  return orders.flat()
}

if (!casesPresent) {
  it.skip('exact cases: ../shared/cases is absent')
} else {
  describe.each(CASE_FILES)('%s', (file) => {
    const { cases, later } = readCases(file)
    it.each(cases.map((given): [string, SharedCase] => [`${given.id} ${given.tags.join(' ')}`, given]))(
      '%s',
      async (_name, given) => {
        expect(await complaintsAbout(given)).toEqual([])
      },
    )
    if (later > 0) it.skip(`${later} cases with chains, regions or compounds, shapes that are not served yet`)
  })
}
