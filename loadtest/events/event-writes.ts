// What overlap events cost a write: a scene of 100,000 bodies of which 1 % move each time, with nobody listening and with
// somebody who is told operations, or pairs as well.
// npx tsx loadtest/events/event-writes.ts [--dimension=2|3] [BODIES [ROUNDS]]

import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const { values, positionals } = parseArgs({
  options: { dimension: { type: 'string', default: '2' } },
  allowPositionals: true,
})
const [bodies = 100_000, rounds = 60] = positionals.map(Number)
const isSpace = values.dimension === '3'
const SCENES = `/v1/${isSpace ? 3 : 2}d/scenes`
const SIDE = Math.ceil(bodies ** (isSpace ? 1 / 3 : 1 / 2))
const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
await app.ready()
await app.scenes.recovered
const { feeds, keeper } = app.scenes
const json = { 'content-type': 'application/json' }
const send = (path: string, payload: unknown) =>
  app.inject({ method: 'POST', url: `${SCENES}${path}`, headers: json, payload: JSON.stringify(payload) })

let state = 20261121
const random = () => {
  state = (1103515245 * state + 12345) % 2 ** 31
  return state / 2 ** 31
}
const { id } = (await send('', {})).json() as { id: string }
const home = (k: number) => {
  const [x, rest] = [1.2 * (k % SIDE), Math.floor(k / SIDE)]
  return isSpace ? { x, y: 1.2 * (rest % SIDE), z: 1.2 * Math.floor(rest / SIDE) } : { x, y: 1.2 * rest }
}
const shape = isSpace ? { type: 'box', size: { x: 1, y: 1, z: 1 } } : { type: 'box', width: 1, height: 1 }
for (let from = 0; from < bodies; from += 50_000) {
  const operations = Array.from({ length: Math.min(50_000, bodies - from) }, (_, k) => ({
    op: 'put',
    body: { id: `body-${from + k}`, shape, position: home(from + k) },
  }))
  await send(`/${id}/operations`, { operations })
}

function randomMoves(): string {
  const operations = Array.from({ length: bodies / 100 }, () => {
    const k = Math.floor(bodies * random())
    const position: Record<string, number> = home(k)
    for (const axis in position) position[axis] += 0.5 * random()
    return { op: 'move', id: `body-${k}`, position }
  })
  return JSON.stringify({ operations })
}

/** Milliseconds after which a write is answered, and of processor time for it, all that follows from it included. */
async function measure(name: string): Promise<{ answered: number; spent: number; inRow: number }> {
  const times: number[] = []
  const walls: number[] = []
  for (let round = 0; round < rounds; round++) {
    const payload = randomMoves()
    const { user, system } = process.cpuUsage()
    const begun = performance.now()
    await app.inject({ method: 'POST', url: `${SCENES}/${id}/operations`, headers: json, payload })
    walls.push(performance.now() - begun)
    // whatever follows has its time
    await new Promise((resolve) => setTimeout(resolve, 40))
    const spent = process.cpuUsage()
    times.push((spent.user + spent.system - user - system) / 1000)
  }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]
  const answered = middle(walls)
  const spent = middle(times)
  const payloads = Array.from({ length: rounds }, randomMoves)
  const begun = performance.now()
  for (const payload of payloads) {
    await app.inject({ method: 'POST', url: `${SCENES}/${id}/operations`, headers: json, payload })
  }
  const inRow = (performance.now() - begun) / rounds
  // whatever has been left for later
  while (feeds.isBehind) await new Promise((resolve) => setTimeout(resolve, 5))
  const settled = (performance.now() - begun) / rounds
  console.log(
    `${name}: answered after ${answered.toFixed(2)} ms, ${spent.toFixed(2)} ms of processor time; one after another ${inRow.toFixed(2)} ms each, told ${settled.toFixed(2)} ms each`,
  )
  return { answered, spent, inRow }
}

const scene = keeper?.loaded(id) ?? null
if (scene === null) throw new Error('no scene')
let heard = 0
const sink = {
  write: (bytes: string | Uint8Array) => {
    heard += bytes.length
    return true
  },
  end: () => undefined,
}

await measure('warming up')
const alone = await measure('nobody listens')
const plain = feeds.subscribe(scene, sink, { pairs: null }, null)
await measure('operations are told')
plain.leave()
const begun = performance.now()
let longest = 0
let last = begun
const watch = setInterval(() => {
  longest = Math.max(longest, performance.now() - last)
  last = performance.now()
}, 1)
feeds.subscribe(scene, sink, { pairs: { tags: null, ids: null } }, null)
const before = heard
await send(`/${id}/operations`, { operations: [{ op: 'move', id: 'body-0', position: { ...home(0), x: -9 } }] })
while (heard === before) await new Promise((resolve) => setTimeout(resolve, 1))
clearInterval(watch)
console.log(
  `pairs were there after ${Math.round(performance.now() - begun)} ms, nobody waited longer than ${longest.toFixed(1)} ms`,
)
await measure('warming up')
const told = await measure('pairs are told')
const more = (name: keyof typeof told) => `${Math.round(100 * (told[name] / alone[name] - 1))} %`
console.log(
  `with pairs answered ${more('answered')} later, ${more('spent')} more processor time, ${more('inRow')} longer one after another; ${heard} bytes heard`,
)
await app.close()
