// Hashes of the answers of a checkout, so that you can compare two checkouts where no answer may change.
//
//   npm run answers -- [ROOT [COUNT [SEED]]] [--save=FOLDER] [--against=FOLDER]
//
// ROOT is a checkout, this one or another, with `dist/` compiled (npm run build). Everything is asked over HTTP, in process: COUNT wild
// requests in the plane and in space, COUNT extreme ones, the exact cases of ../shared where they exist, the requests of this
// checkout's documents, and a tenth of COUNT wild operations on a scene, each followed by one query of every kind. Requests are made
// by this checkout's generators from SEED. The hash covers status, media type and body to the last bit, without times and request ids.
// `--save` also writes the hash of every single answer to FOLDER; `--against` names the requests whose answers differ from such a
// folder. An answer that ran out of time on either side is counted and not compared.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import fc, { type Arbitrary } from 'fast-check'
import { extremeRequest } from '../test/fuzz/extreme-requests.ts'
import { QUERIES, QUERIES_3D } from '../test/fuzz/wild-requests.ts'
import { SCENE_QUERIES, wildOperations } from '../test/fuzz/wild-scene-requests.ts'
import { DOCUMENTS, documentText, ask as inject, REPLICATED, requestsOf } from '../test/support/document-requests.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { save: { type: 'string' }, against: { type: 'string' } },
})
const [root = '.', countText = '20000', seedText = '1'] = positionals
const count = Number(countText)
const seed = Number(seedText)

interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  payload?: string
}

/** Times and ids differ from one run to the next. */
const MOMENTARY = /\d{4}-\d\d-\d\dT[\d:.]+Z|"requestId":"[^"]+"/g
const MOMENTARY_PATHS = /^\/(metrics|healthz|readyz|livez|version|openapi)/
const TOO_SLOW = 'too slow'

const { buildApp } = await importFrom('dist/src/app.js')
const { loadConfig } = await importFrom('dist/src/config.js')
const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '2000' }))

// biome-ignore lint/suspicious/noExplicitAny: modules of another checkout
async function importFrom(path: string): Promise<any> {
  return await import(pathToFileURL(resolve(root, path)).href)
}

/** By name: a line for every request, its answer's hash and what was asked. */
const kinds = new Map<string, string[]>()

async function send(name: string, { headers, ...request }: Sent): Promise<void> {
  const answer = await inject(app, {
    ...request,
    headers: { 'content-type': 'application/json', ...headers },
    body: request.payload,
    output: undefined,
  })
  const lines = kinds.get(name) ?? []
  kinds.set(name, lines)
  const text = `${answer.statusCode} ${answer.headers['content-type']} ${answer.body.replace(MOMENTARY, '')}`
  const isSlow = answer.statusCode === 503
  const hash = isSlow ? TOO_SLOW : createHash('sha256').update(text).digest('hex').slice(0, 24)
  lines.push(`${hash}\t${request.method} ${request.url} ${(request.payload ?? '').replaceAll('\n', ' ')}`)
}

const query = (name: string, dimension: string, op: string, request: object) =>
  send(name, { method: 'POST', url: `/v1/${dimension}/${op}`, payload: JSON.stringify(request) })

const METHODS = ['auto', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree', 'brute-force']

/** Numbers [x, y] or [x, y, z] of the files as the objects of the wire. */
function onWire(value: unknown, size: number): unknown {
  if (Array.isArray(value)) {
    if (!value.every((item) => typeof item === 'number')) return value.map((item) => onWire(item, size))
    const names = ['x', 'y', 'z', 'w']
    return value.length === size || (size === 3 && value.length === 4)
      ? Object.fromEntries(value.map((item, i) => [names[i], item]))
      : value
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, onWire(field, size)]))
}

/** Asks whatever the fields of a case allow. */
// biome-ignore lint/suspicious/noExplicitAny: a case as its file has it
async function askCase(name: string, dimension: string, given: any): Promise<void> {
  const { a, b, ray, obstacles, points, bodies, duration, maxTime } = given
  const ask = (op: string, request: object) => query(name, dimension, op, request)
  if (ray && a)
    for (const startInside of ['hit', 'ignore', 'exit']) await ask('ray-cast', { ray, targets: [a], startInside })
  if (obstacles) await ask('trajectory', { body: a, obstacles, duration })
  if (points) await ask('hull', { points })
  if (bodies)
    for (const method of METHODS) for (const phase of ['broad', 'narrow']) await ask('pairs', { bodies, method, phase })
  if (a && !b && !ray) {
    for (const op of ['mass', 'validate']) await ask(op, { shape: a.shape })
    for (const method of ['exact', 'triangles', 'approximate'])
      await ask('decompose', { region: a.shape, method, maxPieces: 5 })
  }
  if (!a || !b) return
  for (const pair of [
    { a, b },
    { a: b, b: a },
  ]) {
    if (maxTime !== undefined) {
      await ask('time-of-impact', { ...pair, duration: maxTime })
      continue
    }
    for (const operation of ['sum', 'difference']) await ask('minkowski', { ...pair, operation })
    for (const op of ['overlap', 'distance', 'contact']) await ask(op, pair)
    await ask('overlap', { ...pair, explain: true })
    const direction = dimension === '2d' ? { x: 0.6, y: -0.8 } : { x: 0.6, y: -0.8, z: 0.1 }
    await ask('support', { body: pair.a, direction })
    await ask('bounds', { body: pair.a })
  }
}

const CASES =
  'contact decompose degenerate distance hull mass minkowski overlap pairs ray sweep-rotating sweep trajectory'
for (const [folder, dimension, size] of [
  ['cases', '2d', 2],
  ['cases3d', '3d', 3],
] as const) {
  for (const file of CASES.split(' ')) {
    const path = resolve('..', 'shared', folder, `${file}.ndjson`)
    if (!existsSync(path)) continue
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line.trim() === '') continue
      const { boxes, ...given } = JSON.parse(line)
      const read = onWire(given, size) as Record<string, unknown>
      const aabb = (box: number[]) =>
        onWire({ shape: { type: 'aabb', min: box.slice(0, size), max: box.slice(size) } }, size)
      if (boxes !== undefined) read.bodies = boxes.map(aabb)
      await askCase(`${folder} ${file}`, dimension, read)
    }
  }
}

for (const [dimension, generators] of [
  ['2d', QUERIES],
  ['3d', QUERIES_3D],
] as const) {
  const entries = Object.entries(generators) as [string, Arbitrary<object>][]
  const options = { seed, numRuns: Math.ceil(count / entries.length) }
  for (const [op, requests] of entries) {
    for (const request of fc.sample(requests, options)) await query(`wild ${dimension} ${op}`, dimension, op, request)
  }
}
for (let i = 0; i < count; i++) {
  const { op, request } = extremeRequest(seed + i)
  await query(`extreme ${op}`, '2d', op, request)
}

for (const path of DOCUMENTS.filter((path) => path !== REPLICATED)) {
  for (const { method, url, headers, body } of requestsOf(documentText(path))) {
    if (MOMENTARY_PATHS.test(url)) continue
    await send(path.replaceAll('/', ' '), { method, url, headers, ...(body === undefined ? {} : { payload: body }) })
  }
}

const asked = Object.entries(SCENE_QUERIES) as [string, Arbitrary<object>][]
const options = { seed, numRuns: Math.ceil(count / 10 / asked.length) }
const url = '/v1/2d/scenes/wild'
const questions = asked.map(([op, requests]): [string, object[]] => [op, fc.sample(requests, options)])
await send('scene writes', { method: 'PUT', url, payload: '{}' })
for (const [i, write] of fc.sample(wildOperations, options).entries()) {
  await send('scene writes', { method: 'POST', url: `${url}/operations`, payload: JSON.stringify(write) })
  for (const [op, requests] of questions) {
    await send(`scene ${op}`, { method: 'POST', url: `${url}/${op}`, payload: JSON.stringify(requests[i]) })
  }
}
await send('scene writes', { method: 'GET', url: `${url}/bodies` })
await app.close()

let differences = 0
for (const [name, lines] of kinds) {
  const hash = createHash('sha256').update(lines.map((line) => line.slice(0, line.indexOf('\t'))).join('\n'))
  const slow = lines.filter((line) => line.startsWith(TOO_SLOW)).length
  console.log(
    `${hash.digest('hex')}  ${String(lines.length).padStart(6)}  ${name}${slow > 0 ? ` (${slow} too slow)` : ''}`,
  )
  if (flags.save !== undefined) {
    mkdirSync(flags.save, { recursive: true })
    writeFileSync(join(flags.save, `${name}.txt`), `${lines.join('\n')}\n`)
  }
  if (flags.against !== undefined) compare(name, lines, join(flags.against, `${name}.txt`))
}
if (flags.against !== undefined) {
  console.log(differences === 0 ? 'SAME' : `DIFFERENT: ${differences} answers`)
  process.exitCode = differences === 0 ? 0 : 1
}

function compare(name: string, lines: readonly string[], path: string): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8').slice(0, -1).split('\n') : []
  const differing = lines.filter((line, i) => {
    if (line === before[i]) return false
    return !(line.startsWith(TOO_SLOW) || before[i]?.startsWith(TOO_SLOW))
  })
  if (lines.length !== before.length) console.log(`  ${name}: ${lines.length} requests, ${before.length} before`)
  for (const line of differing.slice(0, 5)) console.log(`  differs: ${line.slice(line.indexOf('\t') + 1, 2000)}`)
  differences += differing.length + Math.abs(lines.length - before.length)
}
