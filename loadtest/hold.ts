// Does anything hold the service up? Heavy requests, each legal within the default limits, one after another: each has to be
// answered or refused within 12 seconds, /livez must not be silent for more than 100 ms meanwhile, and half a minute after the
// last the process has given back what it took. The service is a process of its own, with its default configuration, on a data
// directory that is removed afterwards; where it hangs or ends it is started again, and the rest is still asked. All traffic
// stays on the loopback address and ends by itself. The exit code is 1 if anything was amiss.
//
//   npm run bench:hold -- [--only=TEXT] [--size=1] [--settle=30] [--minutes=60] [--answer=12] [--save=true]
//     [--server=PATH/dist/src/server.js]
//
// --document=true sends every operation of the service's OpenAPI document what is largest, deepest and most wrong instead, see
// hold-document.ts; it takes --only, --minutes and --server.
// --small=true sends everything in small, which has to be answered: a request that is refused for a mistake in it proves nothing.

import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { heavyMany } from './heavy/many.ts'
import { heavyMotions } from './heavy/motions.ts'
import { heavyPairs } from './heavy/pairs.ts'
import { heavyPictures } from './heavy/pictures.ts'
import type { HeavyRequest } from './heavy/request.ts'
import { heavyScenes } from './heavy/scenes.ts'
import { heavyShapes } from './heavy/shapes.ts'
import { heavyTexts } from './heavy/texts.ts'
import { holdDocument } from './hold-document.ts'
import { exchange, type Outcome } from './measuring/exchange.ts'
import { type Watch, watchLiveness } from './measuring/liveness.ts'
import { endService, rssMiB, type Service, startService, temporaryDirectory } from './measuring/service-process.ts'
import { type HoldRow, saveResults, today } from './results.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    document: { type: 'string', default: 'false' },
    small: { type: 'string', default: 'false' },
    size: { type: 'string', default: '1' },
    settle: { type: 'string', default: '30' },
    minutes: { type: 'string', default: '60' },
    answer: { type: 'string', default: '12' },
    save: { type: 'string', default: 'true' },
    server: { type: 'string', default: '' },
  },
})
const isSmall = values.small === 'true'
const size = isSmall ? 0.004 : Math.min(Number(values.size), 1)
const settleSeconds = Math.min(Number(values.settle), 120)
const lastStart = performance.now() + 60_000 * Math.min(Number(values.minutes), 120)

const ANSWER_MS = 1000 * Math.min(Number(values.answer), 60)
/** A stream that still answers by then is ended. */
const STREAM_MS = 60_000
const SILENCE_MS = 100
const SETTLE_MS = 60
const SETTLED_RSS_MIB = 400
/** A process that does not answer for so long is taken to hang. */
const RECOVERY_MS = ANSWER_MS + 8000
/** What any heavy request may be refused with. */
const HEAVY_REFUSALS = ['too-complex', 'deadline-exceeded', 'out-of-memory', 'overloaded']

const all = [
  ...heavyTexts,
  ...heavyPairs,
  ...heavyMotions,
  ...heavyShapes,
  ...heavyMany,
  ...heavyPictures,
  ...heavyScenes,
].filter(({ name }) => name.includes(values.only))

const data = temporaryDirectory()
const settings = { SCENE_STORE: 'file', DATA_DIR: data.directory, LOG_LEVEL: 'error' }
let service: Service
let watch: Watch

async function start(): Promise<void> {
  service = await startService(settings, { script: values.server })
  watch = watchLiveness(service.url, service.child.pid)
}

async function end(signal: NodeJS.Signals): Promise<void> {
  await watch.end()
  await endService(service, signal)
}

/** Waits for a service that still does what nobody waits for any more; starts another where that does not end. */
async function recover(): Promise<boolean> {
  const since = performance.now()
  while (performance.now() - since < RECOVERY_MS) {
    const { end: how, status } = await exchange({ method: 'GET', url: `${service.url}/livez` }, { milliseconds: 2000 })
    if (how === 'answered' && status === 200) return true
    if (service.child.exitCode !== null || service.child.signalCode !== null) break
  }
  await end('SIGKILL')
  await start()
  return false
}

/** What is wrong with it, in a few words; an empty list where nothing is. */
function faultsOf({ refused = [] }: HeavyRequest, outcome: Outcome): string[] {
  const { end: how, status, code, text } = outcome
  if (how === 'late') return [`no answer in ${ANSWER_MS / 1000} s`]
  if (how === 'cut') return [status === 0 ? `closed without an answer (${outcome.error})` : 'cut off within the answer']
  const accepted: readonly string[] = isSmall ? refused : [...refused, ...HEAVY_REFUSALS]
  if (status >= 400) return code !== null && accepted.includes(code) ? [] : [`refused: ${text.slice(0, 300)}`]
  if (!isSmall) return []
  // In batches and lines each has a problem of its own.
  const inside = [...text.matchAll(/"code":"([a-z-]+)"/g)].find(([, each]) => !accepted.includes(each!))
  return inside === undefined ? [] : [`within: ${text.slice(inside.index, inside.index + 300)}`]
}

async function ask(request: HeavyRequest): Promise<HoldRow> {
  const { name, method = 'POST', path, type, accept, streams = false, times = 1 } = request
  const body = request.body === undefined ? undefined : Buffer.from(request.body(size))
  const sent = { method, url: service.url + path, type, accept, body }
  const patience = streams ? { milliseconds: STREAM_MS, gap: ANSWER_MS } : { milliseconds: ANSWER_MS }
  watch.silence()
  let worst: Outcome | undefined
  const faults = new Set<string>()
  for (let time = 0; time < times && faults.size === 0; time++) {
    const outcome = await exchange(sent, patience)
    for (const fault of faultsOf(request, outcome)) faults.add(fault)
    if (worst === undefined || outcome.milliseconds > worst.milliseconds || faults.size > 0) worst = outcome
  }
  const { status, code, milliseconds, bytes, end: how } = worst!
  // Questions that were held up with it have their answers by then, and count here.
  await pause(SETTLE_MS)
  const { milliseconds: silenceMs, ownLag } = watch.silence()
  if (silenceMs > SILENCE_MS) faults.add('silent')
  const row: HoldRow = {
    name,
    requestBytes: body?.length ?? 0,
    status,
    code,
    milliseconds: Math.round(milliseconds),
    responseBytes: bytes,
    silenceMs,
    rssMiB: rssMiB(service) ?? 0,
    faults: [...faults],
  }
  if (how !== 'answered' && !(await recover())) row.faults.push('did not come back: killed and started again')
  report(row, ownLag)
  return row
}

function report(
  { name, requestBytes, status, code, milliseconds, silenceMs, rssMiB: rss, faults }: HoldRow,
  lag: number,
) {
  const cells = [
    name.slice(0, 66).padEnd(66),
    `${(requestBytes / 1000).toFixed(0)} kB`.padStart(9),
    `${status} ${code ?? ''}`.padEnd(24),
    `${milliseconds} ms`.padStart(9),
    `silent ${silenceMs.toFixed(0)} ms (${lag.toFixed(0)})`.padStart(20),
    `${rss} MiB`.padStart(9),
  ]
  console.log(`${cells.join(' ')}${faults.length > 0 ? ` ✗ ${faults.join('; ')}` : ''}`)
}

async function main(): Promise<boolean> {
  await start()
  const idleRss = rssMiB(service) ?? 0
  const rows: HoldRow[] = []
  for (const request of all) {
    if (performance.now() > lastStart) break
    rows.push(await ask(request))
  }
  if (!isSmall) await pause(1000 * settleSeconds)
  const settledRss = rssMiB(service) ?? 0
  const faulty = rows.filter(({ faults }) => faults.length > 0)
  const isSettled = settledRss < SETTLED_RSS_MIB
  const isWhole = rows.length === all.length
  console.log(`\n${rows.length} of ${all.length} requests, ${faulty.length} with a fault; RSS ${idleRss} MiB idle, `)
  console.log(
    `${settledRss} MiB ${settleSeconds} s after the last${isSettled ? '' : ` ✗ not below ${SETTLED_RSS_MIB}`}`,
  )
  for (const { name, faults } of faulty) console.log(`✗ ${name}: ${faults.join('; ')}`)
  const isDefault = size === 1 && values.only === '' && ANSWER_MS === 12_000 && isWhole
  if (isDefault && values.save === 'true' && values.server === '') {
    const path = saveResults({ hold: { date: today(), idleRssMiB: idleRss, settledRssMiB: settledRss, rows } })
    console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
  }
  return faulty.length === 0 && isSettled && isWhole
}

if (values.document === 'true') {
  const lastStart = performance.now() + 60_000 * Math.min(Number(values.minutes), 60)
  process.exitCode = (await holdDocument({ only: values.only, lastStart, server: values.server })) ? 0 : 1
} else {
  try {
    process.exitCode = (await main()) ? 0 : 1
  } finally {
    await end('SIGTERM')
    data.remove()
  }
}
