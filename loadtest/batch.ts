// Batches of 1,000 pairs of shapes through the whole app, against nothing but JSON.parse of the request and
// JSON.stringify of the answer, in one process and in turns. Each ends with a turn of the event loop: that is when most of the
// garbage is collected, and without one of its own JSON would leave its share to the app. The batches differ from round to round:
// the engine keeps the text of numbers that it has written lately. The answer is taken as bytes, as it leaves a service: to make text of
// it is the client's work. The app is that of dist/, which users run: loaded module by module, a batch in space takes up to 1.8 times as
// long. It reports and asserts nothing.
//
//   npm run bench:batch -- [--rounds=300] [--dimension=2|3]

import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { box, capsule, circle, polygon, seeded } from './measuring/random-body.ts'
import * as space from './measuring/random-body-3d.ts'
import { type BatchRow, median, saveResults, today } from './results.ts'

const QUERIES = 1000
/** Batches that take turns. */
const BATCHES = 20
/** Rounds until everything on the way has been compiled, which the engine’s own JSON is from the start. */
const WARM_UP = 500

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '300' }, dimension: { type: 'string', default: '2' } },
})
const rounds = Math.min(Number(values.rounds), 2000)
const inSpace = values.dimension === '3'

const between = seeded()
const makers = inSpace ? [space.hull, space.sphere, space.box, space.capsule] : [polygon, circle, box, capsule]
const url = inSpace ? '/v1/3d/batch' : '/v1/2d/batch'
const body = () => makers[Math.floor(between(0, 4))]!(between)

const built = (name: string) => import(pathToFileURL(resolve('dist/src', name)).href)
const { buildApp }: typeof import('../src/app.ts') = await built('app.js')
const { loadConfig }: typeof import('../src/config.ts') = await built('config.js')
const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'error' }))
const headers = { 'content-type': 'application/json' }

async function measure(op: string): Promise<BatchRow> {
  const ask = async (payload: Buffer) => {
    const answer = await app.inject({ method: 'POST', url, headers, payload, payloadAsStream: true })
    return answer.stream().toArray() as Promise<Buffer[]>
  }
  const batches: { text: string; payload: Buffer; response: Buffer; answer: unknown }[] = []
  for (let n = 0; n < BATCHES; n++) {
    const text = JSON.stringify({ queries: Array.from({ length: QUERIES }, () => ({ op, a: body(), b: body() })) })
    const payload = Buffer.from(text)
    const response = Buffer.concat(await ask(payload))
    batches.push({ text, payload, response, answer: JSON.parse(response.toString()) })
  }

  const whole: number[] = []
  const json: number[] = []
  for (let round = -WARM_UP; round < rounds; round++) {
    const { text, payload, answer } = batches[(round + WARM_UP) % BATCHES]!
    const start = performance.now()
    await ask(payload)
    await setImmediate()
    const middle = performance.now()
    JSON.parse(text)
    JSON.stringify(answer)
    await setImmediate()
    const end = performance.now()
    if (round < 0) continue
    whole.push(middle - start)
    json.push(end - middle)
  }
  const round3 = (value: number) => Number(value.toFixed(3))
  return {
    op,
    requestBytes: batches[0]!.payload.length,
    responseBytes: batches[0]!.response.length,
    milliseconds: round3(median(whole)),
    jsonMilliseconds: round3(median(json)),
    ratio: round3(median(whole.map((value, i) => value / json[i]!))),
  }
}

const rows: BatchRow[] = []
for (const op of ['overlap', 'distance', 'contact']) {
  const row = await measure(op)
  rows.push(row)
  console.log(
    `${op.padEnd(10)} ${row.requestBytes} B in, ${row.responseBytes} B out: ${row.milliseconds} ms, JSON alone ${row.jsonMilliseconds} ms, ratio ${row.ratio}`,
  )
}
await app.close()
const path = saveResults({ [inSpace ? 'batch3d' : 'batch']: { date: today(), queries: QUERIES, rounds, rows } })
console.log(`\nwritten to ${path.slice(path.indexOf('loadtest'))}`)
