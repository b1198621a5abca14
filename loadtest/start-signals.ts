// SIGTERM at random moments of the start: the process ends with code 0 at each of them.
//
//   npm run build && npx tsx loadtest/start-signals.ts [rounds]
//
// By turns: from when the process was spawned, from when it first answers, and while a request that takes too long keeps a worker.
// No worker is replaced here: a thread that passes its deadline stops by itself.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const rounds = Number(process.argv[2] ?? 200)
/** Before that, nothing of the service runs. */
const LOADER_MS = 150
const KINDS = ['spawned', 'answering', 'replacing'] as const
const SPREAD_MS = { spawned: 3000, answering: 1500, replacing: 1500 }

/** A query that takes longer than the deadline, and than the second in which a worker may still end it. */
function heavy(): string {
  const outer = Array.from({ length: 20_000 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 20_000
    const radius = i % 2 === 0 ? 10 : 5
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
  })
  const star = { shape: { type: 'region', outer } }
  return JSON.stringify({ a: star, b: { ...star, position: { x: 3, y: 1 } } })
}

const body = heavy()
const failures: string[] = []
const endings = new Map<string, number>()

for (let round = 0; round < rounds; round++) {
  const kind = KINDS[round % KINDS.length]
  const directory = mkdtempSync(join(tmpdir(), 'tangent-start-'))
  const env = { ...process.env, DATA_DIR: directory, HOST: '127.0.0.1', PORT: '0', QUERY_DEADLINE_MS: '50' }
  const child = spawn(process.execPath, ['dist/src/server.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const delay = Math.random() * SPREAD_MS[kind]
  if (kind === 'spawned') await pause(LOADER_MS)
  else {
    let address: string | undefined
    while (address === undefined && child.exitCode === null) {
      await pause(10)
      address = /"address":"([^"]+)"/.exec(output)?.[1]
    }
    if (kind === 'replacing' && address !== undefined) await loseWorker(address)
  }
  await pause(delay)
  child.kill('SIGTERM')
  const [code, signal] = await ended
  endings.set(`${code ?? signal}`, (endings.get(`${code ?? signal}`) ?? 0) + 1)
  if (code !== 0) {
    failures.push(`${kind} after ${delay.toFixed(0)} ms: ${code ?? signal}\n${output}`)
    process.stdout.write(`${failures.at(-1)}\n`)
  }
  rmSync(directory, { recursive: true, force: true })
}
process.stdout.write(`${rounds} rounds: ${[...endings].map(([ending, count]) => `${count} ended with ${ending}`)}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Waits until workers are up, and asks what one of them is ended for. */
async function loseWorker(address: string): Promise<void> {
  for (let n = 0; n < 1000 && (await fetch(`${address}/readyz`)).status !== 200; n++) await pause(20)
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${address}/v1/2d/contact`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
}
