// Many subscribers of one scene that is written to all the time, who lose their connections at random, while the service is killed
// and started anew now and then: is any event lost or doubled, and are pairs told right?
// npx tsx loadtest/events/event-stream.ts [SUBSCRIBERS [SECONDS [WRITES A SECOND [OPERATIONS A WRITE [RESTARTS]]]]]

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const given = process.argv.slice(2).map(Number)
const [subscribers = 1000, seconds = 60, writes = 50, operations = 10, restarts = 2] = given
const PORT = 3959
const BASE = `http://127.0.0.1:${PORT}`
/** Of all subscribers, each second. */
const LOST_SHARE = 0.02

const DATA_DIR = mkdtempSync(join(tmpdir(), 'tangent-events-'))
const env = { ...process.env, PORT: String(PORT), HOST: '127.0.0.1', DATA_DIR, LOG_LEVEL: 'error' }
async function start(): Promise<ChildProcess> {
  const started = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], { env, stdio: 'inherit' })
  while (!(await fetch(`${BASE}/readyz`).catch(() => null))?.ok) await wait(100)
  return started
}
const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))
let server = await start()

const counts = { events: 0, faults: 0, reconnects: 0, resets: 0, refused: 0, ended: 0 }
const agent = new Agent({ maxSockets: Infinity })

class Listener {
  version = 0
  #parts = 0
  #id = '0'
  readonly pairs = new Set<string>()
  #asked: ClientRequest | null = null
  isLost = false
  readonly #path: string

  constructor(path: string) {
    this.#path = path
    this.connect()
  }

  connect(): void {
    this.isLost = false
    // from the first write of all on
    const headers = { 'last-event-id': this.#id }
    const asked = request(`${BASE}${this.#path}`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) counts.refused++
      let rest = ''
      response.setEncoding('latin1').on('data', (part: string) => {
        const text = rest + part
        const end = text.lastIndexOf('\n\n') + 2
        rest = text.slice(end < 2 ? 0 : end)
        if (!this.isLost && end >= 2) this.#take(text.slice(0, end))
      })
      response.on('error', () => undefined)
      response.on('close', () => this.#closed(asked))
    })
    asked.on('error', () => this.#closed(asked))
    asked.end()
    this.#asked = asked
  }

  lose(): void {
    if (this.isLost) return
    this.isLost = true
    counts.reconnects++
    this.#asked?.destroy()
    setTimeout(() => this.connect(), 500 * Math.random())
  }

  #takePair(event: string, data: string): void {
    const { a, b } = JSON.parse(data) as { a: string; b: string }
    const known = this.pairs.size
    if (event === 'overlap-began') this.pairs.add(`${a} ${b}`)
    else this.pairs.delete(`${a} ${b}`)
    if (this.pairs.size === known) counts.faults++
  }

  #closed(asked: ClientRequest): void {
    if (asked === this.#asked && !this.isLost && !isOver) {
      if (!isRestarting) counts.ended++
      this.lose()
    }
  }

  #take(text: string): void {
    for (const [, event, id, data] of text.matchAll(/^event: ([a-z-]+)\nid: ([0-9.]+)\ndata: (.*)$/gm)) {
      if (event.startsWith('overlap')) this.#takePair(event, data)
      const [version, parts = 0] = id.split('.').map(Number)
      counts.events++
      if (event === 'reset') counts.resets++
      const isNext = version === this.version + 1 && (parts === 0 || parts === this.#parts + 1)
      if (event !== 'ready' && !isNext) counts.faults++
      this.#id = id
      this.#parts = parts
      this.version = parts === 0 ? version : version - 1
    }
  }
}

let isOver = false
let isRestarting = false
const json = { 'content-type': 'application/json' }
const post = (path: string, body: unknown) =>
  fetch(`${BASE}/v1/2d/scenes${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) })
const { id } = (await (await post('', {})).json()) as { id: string }
const place = () => ({ x: 200 * Math.random(), y: 200 * Math.random() })
await post(`/${id}/operations`, {
  operations: Array.from({ length: 1000 }, (_, k) => ({
    op: 'put',
    body: { id: `b${k}`, shape: { type: 'circle', radius: 2 }, position: place() },
  })),
})
// one in ten hears of pairs too
const listeners = Array.from(
  { length: subscribers },
  (_, k) => new Listener(`/v1/2d/scenes/${id}/events${k % 10 === 0 ? '?overlaps=true' : ''}`),
)
await wait(3000)
console.log(`${listeners.filter(({ version }) => version > 0).length} of ${subscribers} are listening`)

const times: number[] = []
const health: number[] = []
const pending: Promise<unknown>[] = []
const begun = performance.now()
let lost = 0
for (let k = 0; k < seconds * writes; k++) {
  if (restarts > 0 && k > 0 && k % Math.ceil((seconds * writes) / (restarts + 1)) === 0) {
    const stopped = performance.now()
    await Promise.all(pending)
    isRestarting = true
    const gone = ended(server)
    // as if the power had failed, or in order
    server.kill(Math.random() < 0.5 ? 'SIGKILL' : 'SIGTERM')
    await gone
    server = await start()
    setTimeout(() => {
      isRestarting = false
    }, 2000)
    lost += performance.now() - stopped
  }
  const due = begun + lost + (1000 * k) / writes - performance.now()
  if (due > 0) await wait(due)
  const sent = performance.now()
  const moves = Array.from({ length: operations }, () => ({
    op: 'move',
    id: `b${Math.floor(1000 * Math.random())}`,
    position: place(),
  }))
  const answered = post(`/${id}/operations`, { operations: moves }).then((answer) => answer.text())
  pending.push(answered.then(() => times.push(performance.now() - sent)))
  if (k % writes !== 0) continue
  for (const listener of listeners) if (Math.random() < LOST_SHARE) listener.lose()
  const asked = performance.now()
  pending.push(fetch(`${BASE}/livez`).then(() => health.push(performance.now() - asked)))
}
await Promise.all(pending)
const took = (performance.now() - begun - lost) / 1000
const { version } = (await (await fetch(`${BASE}/v1/2d/scenes/${id}`)).json()) as { version: number }
for (let k = 0; k < 300 && listeners.some((listener) => listener.version !== version); k++) await wait(100)
isOver = true
const truth = (await (await post(`/${id}/pairs`, { limit: 100_000 })).json()) as { pairs: { a: string; b: string }[] }
const pairsNow = truth.pairs.map(({ a, b }) => (a < b ? `${a} ${b}` : `${b} ${a}`)).sort()
const tellers = listeners.filter((_, k) => k % 10 === 0)
const wrong = tellers.filter(({ pairs }) => [...pairs].sort().join() !== pairsNow.join()).length
const behind = listeners.filter((listener) => listener.version !== version).length
const at = (values: number[], share: number) => {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))])
}
console.log({ seconds: Math.round(took), version, ...counts, behind, pairs: pairsNow.length, wrong })
console.log({
  writeP50: at(times, 0.5),
  writeP99: at(times, 0.99),
  livezP50: at(health, 0.5),
  livezMost: at(health, 1),
})
const stopped = performance.now()
const gone = ended(server)
server.kill('SIGTERM')
await gone
rmSync(DATA_DIR, { recursive: true, force: true })
console.log(`the service ended after ${Math.round(performance.now() - stopped)} ms`)
process.exit(counts.faults + counts.resets + counts.ended + behind + wrong === 0 ? 0 : 1)
