// Says in a few hashes what a checkout answers, so that two of them can be compared where nothing may change. Answers are taken
// to the last bit, −0 and all; a second, shorter hash is of the steps that the work took.
//
//   npm run answers -- [ROOT [COUNT [SEED]]]
//
// ROOT is a checkout, this one or another, with `dist/` compiled (npm run build). What is asked: every exact case of
// ../shared/cases, where it is there, in both orders; COUNT wild requests of each generator, told by SEED; through the app, what
// this checkout's documents print, and a tenth of COUNT wild requests about a scene that wild operations change.

import { createHash, type Hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DOCUMENTS, documentText, requestsOf } from '../test/support/document-requests.ts'

const [root = '.', count = '20000', seed = '1'] = process.argv.slice(2)
/** Steps for one request; what takes more is compared by that it does. */
const STEPS = 2 ** 20

/** Where modules lie, in rooms and before there were any: the first that is there. */
const PLACES = {
  queries: ['dist/src/queries/stateless/all.js', 'dist/src/queries/all.js'],
  answerQuery: ['dist/src/queries/ask/answer-query.js', 'dist/src/queries/answer-query.js'],
  budget: ['dist/src/containers/budget.js'],
  app: ['dist/src/app.js'],
  config: ['dist/src/config.js'],
  cases: ['test/support/shared-cases.ts'],
  wild: ['test/fuzz/wild-requests.ts'],
  wildScenes: ['test/fuzz/wild-scene-requests.ts'],
  extreme: ['test/fuzz/extreme-requests.ts'],
  sample: ['node_modules/fast-check/lib/fast-check.js', 'node_modules/fast-check/lib/esm/fast-check.js'],
}

// biome-ignore lint/suspicious/noExplicitAny: modules of another checkout, whatever they are there
async function load(name: keyof typeof PLACES): Promise<any> {
  const path = PLACES[name].map((place) => resolve(root, place)).find((place) => existsSync(place))
  if (path === undefined) throw new Error(`${resolve(root)} has none of ${PLACES[name].join(', ')}`)
  return await import(pathToFileURL(path).href)
}

const { queries } = await load('queries')
const { answerQuery } = await load('answerQuery')
const { OutOfBudget, within, countSteps } = await load('budget')
const byOp = new Map<string, object>(queries.map((query: { op: string }) => [query.op, query]))

const LIMITS = {
  maxVertices: 1e5,
  maxParts: 1e4,
  maxTargets: 1e4,
  maxImpacts: 1e7,
  maxBodies: 1e5,
  maxPairs: 1e6,
  maxCells: 1e6,
}

interface Kind {
  requests: number
  answers: Hash
  steps: Hash
}

const kinds = new Map<string, Kind>()
function kindOf(name: string): Kind {
  const kind = kinds.get(name) ?? { requests: 0, answers: createHash('sha256'), steps: createHash('sha256') }
  kinds.set(name, kind)
  return kind
}

/** As JSON, with what JSON does not tell apart. */
function exactText(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => {
    if (typeof inner !== 'number') return inner
    return Object.is(inner, -0) || !Number.isFinite(inner) ? `number ${Object.is(inner, -0) ? '-0' : inner}` : inner
  })
}

/** Asks within the steps; what is thrown is an answer too. */
function ask(name: string, op: string, request: object): void {
  const kind = kindOf(name)
  kind.requests++
  let steps = 0
  let text: string
  try {
    const counted = countSteps(() => within(STEPS, () => answerQuery(byOp.get(op), request, LIMITS)))
    steps = counted.steps
    text = exactText(counted.result)
  } catch (error) {
    text = error instanceof OutOfBudget ? 'too much' : `${(error as Error).name}: ${(error as Error).message}`
  }
  kind.answers.update(`${text}\n`)
  kind.steps.update(`${steps}\n`)
}

const METHODS = ['auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force']

// biome-ignore lint/suspicious/noExplicitAny: a case as the checkout reads it
function askCase(name: string, given: any): void {
  const { kind, a, b, ray, obstacles, points, bodies, duration, maxTime } = given
  if (kind === 'ray') {
    for (const startInside of ['hit', 'ignore', 'exit']) ask(name, 'ray-cast', { ray, targets: [a], startInside })
  } else if (kind === 'trajectory') ask(name, kind, { body: a, obstacles, duration })
  else if (kind === 'hull') ask(name, kind, { points })
  else if (kind === 'pairs') {
    for (const method of METHODS) {
      for (const phase of ['broad', 'narrow']) ask(name, 'pairs', { bodies, method, phase })
    }
  } else if (kind === 'decompose') {
    for (const method of ['exact', 'triangles', 'approximate'])
      ask(name, kind, { region: a.shape, method, maxPieces: 5 })
    for (const op of ['mass', 'validate']) ask(name, op, { shape: a.shape })
  } else {
    for (const pair of [
      { a, b },
      { a: b, b: a },
    ]) {
      if (kind === 'sweep') ask(name, 'time-of-impact', { ...pair, duration: maxTime })
      else if (kind === 'minkowski') {
        for (const operation of ['sum', 'difference']) ask(name, kind, { ...pair, operation })
      } else {
        for (const op of ['overlap', 'distance', 'contact']) ask(name, op, pair)
        ask(name, 'support', { body: pair.a, direction: { x: 0.6, y: -0.8 } })
        ask(name, 'bounds', { body: pair.a })
      }
    }
  }
}

const { CASE_FILES, casesPresent, readCases } = await load('cases')
if (casesPresent) for (const file of CASE_FILES) for (const given of readCases(file)) askCase(`cases ${file}`, given)
else console.log('The exact cases are not there: left out.')

const { sample } = await load('sample')
const { QUERIES } = await load('wild')
const ops = Object.keys(QUERIES)
for (const op of ops) {
  const options = { seed: Number(seed), numRuns: Math.ceil(Number(count) / ops.length) }
  for (const request of sample(QUERIES[op], options)) ask(`wild ${op}`, op, request)
}
const { extremeRequest } = await load('extreme')
for (let i = 0; i < Number(count); i++) {
  const { op, request } = extremeRequest(Number(seed) + i)
  ask(`extreme ${op}`, op, request)
}

// what documents print, in their order, of one service; and wild scenes, each write followed by a question of every kind
const { buildApp } = await load('app')
const { loadConfig } = await load('config')
const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))

interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  payload?: string
}

/** What is of the moment, and of no answer. */
const MOMENTARY = /\d{4}-\d\d-\d\dT[\d:.]+Z|"requestId":"[^"]+"/g

async function send(name: string, { headers, ...request }: Sent): Promise<void> {
  const kind = kindOf(name)
  kind.requests++
  const answer = await app.inject({ ...request, headers: { 'content-type': 'application/json', ...headers } })
  kind.answers.update(`${answer.statusCode} ${answer.body.replace(MOMENTARY, '')}\n`)
}

for (const path of DOCUMENTS) {
  for (const { method, url, headers, body } of requestsOf(documentText(path))) {
    await send(path, { method, url, headers, ...(body === undefined ? {} : { payload: body }) })
  }
}

const { SCENE_QUERIES, wildOperations } = await load('wildScenes')
const asked = Object.entries(SCENE_QUERIES)
const options = { seed: Number(seed), numRuns: Math.ceil(Number(count) / 10 / asked.length) }
const writes: object[] = sample(wildOperations, options)
const questions = asked.map(([op, requests]): [string, object[]] => [op, sample(requests, options)])
await send('scene writes', { method: 'PUT', url: '/v1/2d/scenes/wild', payload: '{}' })
for (const [i, write] of writes.entries()) {
  const url = '/v1/2d/scenes/wild'
  await send('scene writes', { method: 'POST', url: `${url}/operations`, payload: JSON.stringify(write) })
  for (const [op, requests] of questions) {
    await send(`scene ${op}`, { method: 'POST', url: `${url}/${op}`, payload: JSON.stringify(requests[i]) })
  }
}
await send('scene writes', { method: 'GET', url: '/v1/2d/scenes/wild/bodies' })
await app.close()

for (const [name, { requests, answers, steps }] of kinds) {
  console.log(`${answers.digest('hex')}  ${steps.digest('hex').slice(0, 12)}  ${String(requests).padStart(6)}  ${name}`)
}
