// Files that nobody drew, sent to a service in a process of its own: refused or answered soon, and the process does not grow by them.
// The whole campaign, with the large ones, is `npm run bench:imports`.

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { becomesReady, endsWithThis, freePort } from '../../../examples/scene-service.ts'
import { HOSTILE_DRAWINGS } from '../../../loadtest/import/hostile-drawings.ts'
import { HOSTILE_TILED } from '../../../loadtest/import/hostile-tiled.ts'
import { bodyOf, pathOf, type SentImport } from '../../../loadtest/import/sent-import.ts'
import { bundled } from '../../support/services/bundled.ts'

/** Of processor time, since machines that run tests are busy; and slow: a second is for the campaign. What takes longer than this hangs. */
const MOST_MS = 25_000
/** Of the system's clock of processes. */
const TICK_MS = 10
const MOST_MIB = 200
/** Longer bodies are sent by the campaign. */
const MOST_BYTES = 2 ** 20
/** Hundreds of megabytes are packed for the first of these, of which one of each kind is left; the others come to more than is sent here. */
const SLOWLY_MADE = /256 MiB|512 MiB.*nothing|gzip that|million (?!cells)|20 MB|300,000 tilesets/

let url = ''
let pid = 0
let idle = 0
let end: () => void

beforeAll(async () => {
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: String(port),
    SCENE_STORE: 'memory',
    QUERY_DEADLINE_MS: '240000',
    LOG_LEVEL: 'error',
  }
  const child = spawn(process.execPath, [await bundled('src/server.ts')], {
    cwd: resolve(import.meta.dirname, '../../..'),
    env,
    stdio: 'ignore',
  })
  endsWithThis(child)
  end = () => child.kill('SIGKILL')
  pid = child.pid as number
  await becomesReady(`http://127.0.0.1:${port}`, child)
  url = `http://127.0.0.1:${port}/v1/2d/scenes/a`
  await fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' })
  // the worker has read its code then
  const point = {
    name: 'point',
    format: 'geojson',
    files: () => [{ name: 'a', text: '{"type":"Point","coordinates":[0,0]}' }],
  }
  expect(await send(point as SentImport)).toBe(200)
  idle = mebibytes('VmRSS')
}, 60_000)
afterAll(() => end())

function mebibytes(field: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) / 1024
}

/** That all threads of the service have taken. */
function processorMs(): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return TICK_MS * (Number(user) + Number(system))
}

async function send(file: SentImport, { body, type } = bodyOf(file)): Promise<number> {
  const response = await fetch(url + pathOf(file), { method: 'POST', headers: { 'content-type': type }, body })
  await response.arrayBuffer()
  return response.status
}

it('are refused or answered soon, in little memory', async () => {
  let sent = 0
  for (const file of [...HOSTILE_TILED, ...HOSTILE_DRAWINGS]) {
    if (SLOWLY_MADE.test(file.name)) continue
    const sending = bodyOf(file)
    if (sending.body.length > MOST_BYTES) continue
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const start = processorMs()
    const status = await send(file, sending)
    expect([200, 413, 422], file.name).toContain(status)
    expect(processorMs() - start, file.name).toBeLessThan(MOST_MS)
    expect(mebibytes('VmHWM') - idle, file.name).toBeLessThan(MOST_MIB)
    sent++
  }
  expect(sent).toBeGreaterThan(30)
}, 300_000)
