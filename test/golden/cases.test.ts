// The exact cases of ../shared/cases, all tags, through the HTTP wire form and in both orders of A and B.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { CASE_FILES, casesPresent, readCases, type SharedCase } from '../support/shared-cases.ts'
import {
  type Complaints,
  checkContact,
  checkDecompose,
  checkDistance,
  checkHull,
  checkMinkowski,
  checkOverlap,
  checkPairs,
  checkRay,
  checkSweep,
  checkTrajectory,
} from './case-checks.ts'

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
  const { kind, a, ray, obstacles, points, bodies, duration } = given
  if (kind === 'ray') return checkRay(given, await ask('ray-cast', { ray, targets: [a] }))
  if (kind === 'trajectory') return checkTrajectory(given, await ask(kind, { body: a, obstacles, duration }))
  if (kind === 'pairs') return pairsComplaints(given, bodies)
  if (kind === 'hull') return checkHull(given, await ask(kind, { points }))
  if (kind === 'decompose') return decomposeComplaints(given)
  const orders = await Promise.all(
    [false, true].map(async (swapped) => {
      const complaints = await pairComplaints(given, swapped)
      return complaints.map((line) => (swapped ? `swapped, ${line}` : line))
    }),
  )
  return orders.flat()
}

async function pairsComplaints(given: SharedCase, bodies: Body2d[]): Promise<Complaints> {
  const all: Complaints = []
  for (const method of ['auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force']) {
    for (const phase of ['broad', 'narrow']) {
      const complaints = checkPairs(given, await ask('pairs', { bodies, method, phase }))
      all.push(...complaints.map((line) => `${method}, ${phase}, ${line}`))
    }
  }
  return all
}

async function decomposeComplaints(given: SharedCase): Promise<Complaints> {
  const all: Complaints = []
  for (const method of ['exact', 'triangles', 'approximate'] as const) {
    for (const maxPieces of method === 'approximate' ? [1, 2, 3, 5, 8, 1000] : [1]) {
      const answer = await ask('decompose', { region: given.a.shape, method, maxPieces })
      const complaints = checkDecompose(given, answer, { method, maxPieces })
      all.push(...complaints.map((line) => `${method}, ${maxPieces}, ${line}`))
    }
  }
  return all
}

async function pairComplaints(given: SharedCase, swapped: boolean): Promise<Complaints> {
  const { kind, a, b, maxTime } = given
  const pair = swapped ? { a: b, b: a } : { a, b }
  switch (kind) {
    case 'overlap':
      return checkOverlap(given, await ask(kind, pair))
    case 'distance':
      return checkDistance(given, await ask(kind, pair), swapped)
    case 'contact':
      return checkContact(given, await ask(kind, pair), swapped)
    case 'minkowski':
      return checkMinkowski(given, await ask(kind, { ...pair, operation: 'sum' }))
    case 'sweep':
      return checkSweep(given, await ask('time-of-impact', { ...pair, duration: maxTime }), swapped)
    default:
      throw new Error(`no check for ${kind}`)
  }
}

if (!casesPresent) {
  it.skip('exact cases: ../shared/cases is absent')
} else {
  describe.each(CASE_FILES)('%s', (file) => {
    it.each(readCases(file).map((given): [string, SharedCase] => [`${given.id} ${given.tags.join(' ')}`, given]))(
      '%s',
      async (_name, given) => {
        expect(await complaintsAbout(given)).toEqual([])
      },
    )
  })
}
