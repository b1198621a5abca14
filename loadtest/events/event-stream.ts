// Many subscribers of one scene that is written to all the time, who lose their connections at random: is any event lost or doubled?
// npx tsx loadtest/events/event-stream.ts [SUBSCRIBERS [SECONDS [WRITES A SECOND [OPERATIONS A WRITE]]]]

import { spawn } from 'node:child_process'
import { Agent, type ClientRequest, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const given = process.argv.slice(2).map(Number)
const [subscribers = 1000, seconds = 60, writes = 50, operations = 10] = given
const PORT = 3959
const BASE = `http://127.0.0.1:${PORT}`
/** Of all subscribers, each second. */
const LOST_SHARE = 0.02

const env = { ...process.env, PORT: String(PORT), HOST: '127.0.0.1', SCENE_STORE: 'memory', LOG_LEVEL: 'error' }
const server = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], { env, stdio: 'inherit' })
while (!(await fetch(`${BASE}/readyz`).catch(() => null))?.ok) await wait(100)

const counts = { events: 0, faults: 0, reconnects: 0, resets: 0, ended: 0 }
const agent = new Agent({ maxSockets: Infinity })

class Listener {
  version = 0
  #parts = 0
  #id = ''
  #asked: ClientRequest | null = null
  isLost = false
  readonly #path: string

  constructor(path: string) {
    this.#path = path
    this.connect()
  }

  connect(): void {
    this.isLost = false
    const headers = this.#id === '' ? {} : { 'last-event-id': this.#id }
    const asked = request(`${BASE}${this.#path}`, { agent, headers }, (response) => {
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
    asked.on('error', () => undefined)
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

  #closed(asked: ClientRequest): void {
    if (asked === this.#asked && !this.isLost && !isOver) {
      counts.ended++
      this.lose()
    }
  }

  #take(text: string): void {
    for (const [, event, id] of text.matchAll(/^event: ([a-z-]+)\nid: ([0-9.]+)$/gm)) {
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
for (let k = 0; k < seconds * writes; k++) {
  const due = begun + (1000 * k) / writes - performance.now()
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
const took = (performance.now() - begun) / 1000
const { version } = (await (await fetch(`${BASE}/v1/2d/scenes/${id}`)).json()) as { version: number }
for (let k = 0; k < 300 && listeners.some((listener) => listener.version !== version); k++) await wait(100)
isOver = true
const behind = listeners.filter((listener) => listener.version !== version).length
const at = (values: number[], share: number) => {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))])
}
console.log({ seconds: Math.round(took), version, ...counts, behind })
console.log({
  writeP50: at(times, 0.5),
  writeP99: at(times, 0.99),
  livezP50: at(health, 0.5),
  livezMost: at(health, 1),
})
server.kill('SIGTERM')
const stopped = performance.now()
await new Promise((resolve) => server.once('exit', resolve))
console.log(`the service ended after ${Math.round(performance.now() - stopped)} ms`)
process.exit(counts.faults + counts.resets + counts.ended + behind === 0 ? 0 : 1)
