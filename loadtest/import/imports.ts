// Imports at scale: large honest files, and hostile ones. Each is sent over HTTP to a service in a process of its own with its default
// configuration but for the store, while another process asks /livez; printed are how long it took, what came of it, how much memory
// the process of the service grew by at its peak, and how long /livez took. Three processes share the cores: this one only sends.
//
// A hostile file has to be refused or answered within a second, and the service may not grow by more than 200 MB over what it has
// when nothing was asked yet. An honest one has to be taken, and /livez answered within 30 ms. The exit code is 1 where one is not.
//
//   npm run bench:imports -- [--only=TEXT] [--which=honest|hostile|all] [--save=true] [--store=memory|file] [--server=PATH]

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { endsWithThis } from '../../examples/scene-service.ts'
import { exchange } from '../measuring/exchange.ts'
import { COMPILED, endService, type Service, startService, temporaryDirectory } from '../measuring/service-process.ts'
import { type ImportRow, saveResults, today } from '../results.ts'
import { HONEST } from './honest-files.ts'
import { HOSTILE_DRAWINGS } from './hostile-drawings.ts'
import { HOSTILE_TILED } from './hostile-tiled.ts'
import type { Answers } from './liveness-probe.ts'
import { bodyOf, pathOf, type SentImport } from './sent-import.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    which: { type: 'string', default: 'all' },
    save: { type: 'string', default: 'true' },
    store: { type: 'string', default: 'memory' },
    server: { type: 'string', default: '' },
  },
})

const ANSWER_MS = 30_000
const HOSTILE_MS = 1000
const HOSTILE_MIB = 200
const LIVE_MS = 30
/** Honest files that are more than one write takes. */
const TOO_MANY = ['too-many-operations']

const wanted = (files: readonly SentImport[]) => files.filter(({ name }) => name.includes(values.only))
const honest = values.which === 'hostile' ? [] : wanted(HONEST)
const hostile = values.which === 'honest' ? [] : wanted([...HOSTILE_TILED, ...HOSTILE_DRAWINGS])

const SMALL = '{"type":"Point","coordinates":[0,0]}'

interface Running {
  service: Service
  probe: ChildProcess
  idleMiB: number
}

async function start(directory: string): Promise<Running> {
  const settings = { SCENE_STORE: values.store, DATA_DIR: directory, LOG_LEVEL: 'error' }
  const service = await startService(settings, { script: values.server })
  await exchange({ method: 'PUT', url: sceneOf(service), body: Buffer.from('{}') }, { milliseconds: 5000 })
  // the workers have read their code when they have had something to do
  await exchange(
    {
      method: 'POST',
      url: `${sceneOf(service)}/import?format=geojson&source=first`,
      type: 'application/octet-stream',
      body: Buffer.from(SMALL),
    },
    { milliseconds: 5000 },
  )
  const probe = fork(resolve(COMPILED, 'loadtest/import/liveness-probe.js'), [service.url], { execArgv: [] })
  endsWithThis(probe)
  await pause(1500)
  return { service, probe, idleMiB: memoryMiB(service, 'VmRSS') }
}

async function end({ service, probe }: Running): Promise<void> {
  probe.kill('SIGTERM')
  await endService(service, 'SIGTERM')
}

const sceneOf = ({ url }: Service): string => `${url}/v1/2d/scenes/load`

function memoryMiB({ child }: Service, field: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1] ?? 0) / 1024)
}

async function answers(probe: ChildProcess): Promise<Answers> {
  const told = once(probe, 'message')
  probe.send('ask')
  return (await told)[0] as Answers
}

async function send({ service, probe, idleMiB }: Running, file: SentImport, isHostile: boolean): Promise<ImportRow> {
  const { body, type } = bodyOf(file)
  // the peak counts from now on
  writeFileSync(`/proc/${service.child.pid}/clear_refs`, '5')
  await answers(probe)
  const url = sceneOf(service) + pathOf(file)
  const outcome = await exchange({ method: 'POST', url, type, body }, { milliseconds: ANSWER_MS })
  await pause(50)
  const { worst, p99 } = await answers(probe)
  const peakMiB = Math.max(0, memoryMiB(service, 'VmHWM') - idleMiB)
  const { status, code, milliseconds, text } = outcome
  const faults: string[] = []
  if (outcome.end !== 'answered') faults.push(`no answer: ${outcome.end}`)
  if (isHostile) {
    if (milliseconds > HOSTILE_MS) faults.push('slow')
    if (peakMiB > HOSTILE_MIB) faults.push('large')
    if (status >= 500) faults.push(`${code}`)
  } else {
    if (status !== 200 && !TOO_MANY.includes(code ?? '')) faults.push(`refused: ${text.slice(0, 200)}`)
    if (worst > LIVE_MS) faults.push('silent')
  }
  return {
    name: file.name,
    requestBytes: body.length,
    status,
    code,
    bodies: status === 200 ? Number(/"bodies":(\d+)/.exec(text)?.[1] ?? 0) : null,
    milliseconds: Math.round(milliseconds),
    peakMiB,
    livezWorstMs: Number(worst.toFixed(1)),
    livezP99Ms: Number(p99.toFixed(1)),
    faults,
  }
}

function report(row: ImportRow): void {
  const cells = [
    row.name.slice(0, 62).padEnd(62),
    `${(row.requestBytes / 1e6).toFixed(1)} MB`.padStart(8),
    `${row.status} ${row.code ?? `${row.bodies} bodies`}`.padEnd(26),
    `${row.milliseconds} ms`.padStart(9),
    `+${row.peakMiB} MiB`.padStart(10),
    `livez ${row.livezWorstMs} / ${row.livezP99Ms} ms`.padStart(22),
  ]
  console.log(`${cells.join(' ')}${row.faults.length > 0 ? ` ✗ ${row.faults.join('; ')}` : ''}`)
}

/** Honest files each have a service of their own; hostile ones one, until something is amiss. */
async function campaign(files: readonly SentImport[], isHostile: boolean): Promise<ImportRow[]> {
  const rows: ImportRow[] = []
  let running: Running | null = null
  for (const file of files) {
    const data = temporaryDirectory()
    running ??= await start(data.directory)
    try {
      const row = await send(running, file, isHostile)
      rows.push(row)
      report(row)
      if (isHostile && row.faults.length === 0) continue
    } finally {
      if (!isHostile || rows.at(-1)?.faults.length !== 0) {
        await end(running)
        running = null
        data.remove()
      }
    }
  }
  if (running !== null) await end(running)
  return rows
}

const honestRows = await campaign(honest, false)
const hostileRows = await campaign(hostile, true)
const faulty = [...honestRows, ...hostileRows].filter(({ faults }) => faults.length > 0)
console.log(`\n${honestRows.length} honest and ${hostileRows.length} hostile files, ${faulty.length} with a fault`)
if (values.save === 'true' && values.only === '' && values.which === 'all' && values.server === '') {
  saveResults({ imports: { date: today(), store: values.store, honest: honestRows, hostile: hostileRows } })
}
process.exitCode = faulty.length === 0 ? 0 : 1
