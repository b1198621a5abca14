// Wild requests, of all routes, to the real service, through several connections: hostile numbers, nested and degenerate shapes,
// broken JSON. The service keeps its scenes on disk, in a data directory that is removed afterwards; where it hangs or ends it is
// started again. A fault is a request without an answer in 12 s, a 5xx other than 503, a connection closed without an
// answer, a number in an answer that is not finite, or /livez silent for too long. Whoever was under way when the service fell
// silent is asked once more, alone, because only one of them is to blame. What is at fault lies in a folder afterwards, as
// bodies and as command lines of curl. All traffic stays on the loopback address and ends by itself; the exit code is 1 after a fault.
//
//   npm run fuzz:requests -- [--count=200000] [--seed=1] [--connections=8] [--silence=100] [--faults=20] [--minutes=60]
//     [--dimension=3]: queries of space alone
//     [--document=true]: requests made from the service's own OpenAPI document, and each answer held against it
//     [--server=PATH/dist/src/server.js]

import { mkdtempSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { OpenApiDocument } from '../src/wire/openapi-document.ts'
import { type DocumentRequest, RequestMaker } from '../test/fuzz/openapi-requests.ts'
import { AnswerChecker } from '../test/support/answers/openapi-answers.ts'
import { SCENE_PATHS, type WildRequest, wildRequests } from './fuzz-routes.ts'
import { exchange, type Outcome, type Sent } from './measuring/exchange.ts'
import { type Watch, watchLiveness } from './measuring/liveness.ts'
import { seeded } from './measuring/random-body.ts'
import { endService, type Service, startService, temporaryDirectory } from './measuring/service-process.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    connections: { type: 'string', default: '8' },
    silence: { type: 'string', default: '100' },
    faults: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '60' },
    server: { type: 'string', default: '' },
    dimension: { type: 'string', default: '' },
    document: { type: 'string', default: 'false' },
  },
})
const count = Math.min(Number(values.count), 5_000_000)
const seed = Number(values.seed)
const connections = Math.min(Number(values.connections), 64)
const silenceMs = Number(values.silence)
const mostFaults = Number(values.faults)
const lastStart = performance.now() + 60_000 * Math.min(Number(values.minutes), 240)

const ANSWER_MS = 12_000
const STREAM = 'text/event-stream'
const STREAM_MS = 50
/** Requests made at a time. */
const CHUNK = 1000
const DOCUMENT_CHUNK = 200
const WATCH_MS = 40
const REPORT_MS = 30_000
/** Looked through for numbers; answers are seldom longer. */
const KEPT_BYTES = 2 ** 20
/** Of the body of the slowest. */
const SHOWN = 4000

const data = temporaryDirectory()
const folder = mkdtempSync(join(tmpdir(), 'tangent-fuzz-faults-'))
const settings = { SCENE_STORE: 'file', DATA_DIR: data.directory, LOG_LEVEL: 'silent' }
let service: Service
let watch: Watch
let maker: RequestMaker | null = null
let checker: AnswerChecker | null = null
let agent = new Agent({ keepAlive: true })

const counts = new Map<string, number>()
const faults: string[] = []
const underWay = new Set<FuzzRequest>()
let sent = 0
let slowest: { milliseconds: number; request: FuzzRequest | null } = { milliseconds: 0, request: null }

async function start(): Promise<void> {
  service = await startService(settings, { script: values.server })
  watch = watchLiveness(service.url, service.child.pid)
  agent = new Agent({ keepAlive: true })
  for (const path of SCENE_PATHS) await send({ kind: 'make scene', method: 'PUT', path, text: '{}' })
}

async function end(signal: NodeJS.Signals): Promise<void> {
  agent.destroy()
  await watch.end()
  await endService(service, signal)
}

/** What both modes send. */
type FuzzRequest = WildRequest & Partial<Pick<DocumentRequest, 'headers' | 'operation'>>

function sentOf({ method, path, type, accept, headers, text }: FuzzRequest): Sent {
  const body = text === undefined ? undefined : Buffer.from(text)
  return { method, url: service.url + path, type, accept, headers, body }
}

function send(request: FuzzRequest): Promise<Outcome> {
  const patience = { agent, kept: KEPT_BYTES }
  // Streams of events have no end: what they begin with is enough.
  return request.operation !== undefined && STREAM in (request.operation.documented.responses['200']?.content ?? {})
    ? exchange(sentOf(request), { ...patience, milliseconds: STREAM_MS, gap: ANSWER_MS })
    : exchange(sentOf(request), { ...patience, milliseconds: ANSWER_MS })
}

/** A word of JavaScript that is none of JSON's, or a number that no double holds. Data of bodies are the caller's own. */
const NOT_FINITE = /[:[,](NaN|-?Infinity)|[:[,]-?\d[\d.]*[eE]\+?(309|3[1-9]\d|[4-9]\d\d|\d{4,})/

/** In a few words; null where all is well. */
function faultOf({ kind, method, operation }: FuzzRequest, outcome: Outcome): string | null {
  const { end: how, status, headers, text, error, bytes } = outcome
  if (how === 'late') return `no answer in ${ANSWER_MS / 1000} s`
  if (how === 'cut')
    return status === 0 ? `closed without an answer (${error})` : `cut off within an answer (${status})`
  if (status >= 500 && status !== 503) return `status ${status}: ${text.slice(0, 200)}`
  if (checker !== null && operation !== undefined) {
    const answer = { status, headers, text: bytes > KEPT_BYTES ? null : text }
    return checker.faultOf(method, operation.path, answer)
  }
  const found = status === 200 && !/bod(y|ies)|read/.test(kind) ? NOT_FINITE.exec(text) : null
  return found === null ? null : `a number that is not finite: ${found[0].slice(0, 40)}`
}

async function keep(request: FuzzRequest, fault: string): Promise<void> {
  faults.push(fault)
  const name = String(faults.length).padStart(2, '0')
  const { method, path, type = 'application/json', accept, headers = {}, text } = request
  const words = ['curl', '-sS', '-m', '30', '-X', method]
  for (const [header, value] of Object.entries(headers)) words.push('-H', `'${header}: ${value}'`)
  if (accept !== undefined) words.push('-H', `'accept: ${accept}'`)
  if (text !== undefined) {
    const file = join(folder, `${name}.body`)
    writeFileSync(file, text)
    words.push('-H', `'content-type: ${type}'`, '--data-binary', `@${file}`)
  }
  words.push(`"$URL${path}"`)
  writeFileSync(join(folder, `${name}.sh`), `# ${fault.replaceAll('\n', ' ')}\n${words.join(' ')}\n`)
  await keepScene(path, name)
  console.log(`✗ ${name} ${request.kind}: ${fault}\n  ${(text ?? '').slice(0, 300)}`)
}

/** What the answer hung on besides the request, as it is by now. */
async function keepScene(path: string, name: string): Promise<void> {
  const scene = SCENE_PATHS.find((each) => path.startsWith(each))
  if (scene === undefined) return
  const { text } = await exchange(
    { method: 'GET', url: `${service.url}${scene}/bodies?limit=1000` },
    { milliseconds: 2000, kept: KEPT_BYTES },
  )
  if (text !== '') writeFileSync(join(folder, `${name}.scene.json`), text)
}

/** Whoever was under way when the service fell silent or did not answer. */
let suspects: FuzzRequest[] = []
let isStopped = false
let isUnanswered = false
let silences = 0

async function watchSilence(): Promise<void> {
  let isSilent = false
  while (!isStopped) {
    const candidates = [...underWay]
    await pause(WATCH_MS)
    const { milliseconds } = watch.silence()
    if (milliseconds > silenceMs && !isSilent) {
      silences++
      suspects.push(...candidates)
    }
    isSilent = milliseconds > silenceMs
  }
}

async function ask(request: FuzzRequest): Promise<void> {
  underWay.add(request)
  const outcome = await send(request)
  underWay.delete(request)
  sent++
  const { status, code, milliseconds, end: how } = outcome
  const key = status === 0 ? how : `${status}${code === null ? '' : ` ${code}`}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
  if (milliseconds > slowest.milliseconds) slowest = { milliseconds, request }
  // Those that wait for another are late as well: which it is is found out alone.
  if (how !== 'answered') {
    suspects.push(request)
    isUnanswered = true
  } else {
    const fault = faultOf(request, outcome)
    if (fault !== null) await keep(request, fault)
  }
}

/** Asks suspects one by one. */
async function confirm(): Promise<void> {
  const named = new Set(suspects)
  suspects = []
  for (const request of named) {
    if (faults.length >= mostFaults) return
    await pause(WATCH_MS)
    watch.silence()
    const outcome = await send(request)
    const fault = faultOf(request, outcome)
    await pause(WATCH_MS)
    const { milliseconds } = watch.silence()
    if (fault !== null) await keep(request, fault)
    else if (milliseconds > silenceMs) await keep(request, `/livez silent for ${milliseconds.toFixed(0)} ms`)
    if (outcome.end !== 'answered') await restart()
  }
}

async function restart(): Promise<void> {
  await end('SIGKILL')
  await start()
}

/** Many at once, from one list that all connections take from. Pauses to ask suspects alone when any was left without an answer. */
async function askAll(requests: FuzzRequest[]): Promise<void> {
  const left = [...requests].reverse()
  while (left.length > 0 && faults.length < mostFaults && performance.now() < lastStart) {
    isStopped = false
    isUnanswered = false
    const watching = watchSilence()
    const connection = async () => {
      while (!isUnanswered) {
        const request = left.pop()
        if (request === undefined) return
        await ask(request)
      }
    }
    await Promise.all(Array.from({ length: connections }, connection))
    isStopped = true
    await watching
    if (suspects.length === 0) continue
    const { status } = await exchange({ method: 'GET', url: `${service.url}/livez` }, { milliseconds: 2000 })
    if (status !== 200) await restart()
    await confirm()
  }
}

/** So many different ones, the same for the same seed. From the document: each operation as often as any other. */
async function requestsOf(most: number, stream: number): Promise<FuzzRequest[]> {
  if (maker === null) return wildRequests(most, stream, values.dimension === '3')
  // What has been deleted is asked for again.
  for (const path of SCENE_PATHS) {
    await send({ kind: 'make scene', method: 'PUT', path, text: '{}' })
    const text = '{"shape":{"type":"circle","radius":1}}'
    await send({ kind: 'make body', method: 'PUT', path: `${path}/bodies/a`, text })
  }
  const made: FuzzRequest[] = []
  while (made.length < Math.min(most, DOCUMENT_CHUNK))
    made.push(...maker.operations.map((each) => maker!.request(each)))
  return made.slice(0, most)
}

function summary(): string {
  const sorted = [...counts].sort(([p], [q]) => p.localeCompare(q)).map(([key, times]) => `${times} × ${key}`)
  return `${sent} requests, ${silences} silences, slowest ${slowest.milliseconds.toFixed(0)} ms (${slowest.request?.kind}): ${sorted.join(', ')}`
}

async function main(): Promise<boolean> {
  await start()
  if (values.document === 'true') {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument
    maker = new RequestMaker(document, seeded(seed))
    checker = new AnswerChecker(document)
  }
  let reported = performance.now()
  for (let chunk = 0; sent < count && faults.length < mostFaults && performance.now() < lastStart; chunk++) {
    // Made while nothing is under way, so that it is no burden on the machine of the service meanwhile.
    await askAll(await requestsOf(Math.min(CHUNK, count - sent), seed * 1_000_003 + chunk))
    if (performance.now() - reported < REPORT_MS) continue
    reported = performance.now()
    console.log(summary())
  }
  console.log(summary())
  console.log(`the slowest: ${slowest.request?.path} ${slowest.request?.text?.slice(0, SHOWN) ?? ''}`)
  console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults, kept in ${folder} (URL=${service.url})`)
  return faults.length === 0 && sent >= count
}

try {
  process.exitCode = (await main()) ? 0 : 1
} finally {
  await end('SIGTERM')
  data.remove()
}
