// SIGTERM at random moments of the start: the process ends with code 0 at each of them.
//
//   npm run build && npx tsx loadtest/start-signals.ts [rounds]
//
// By turns: from when the process was spawned, from when it first answers, while a request that takes too long keeps a worker, and
// while a worker that took too much memory is being replaced by another, which has to start.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const rounds = Number(process.argv[2] ?? 200)
/** Before that, nothing of the service runs. */
const LOADER_MS = 150
const KINDS = ['spawned', 'answering', 'working', 'replacing'] as const
const SPREAD_MS = { spawned: 3000, answering: 1500, working: 1500, replacing: 500 }

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

/** More bodies than fit into the memory of a worker once they are read. */
const circle = '{"shape":{"type":"circle","radius":1}}'
const large = `{"bodies":[${`${circle},`.repeat(600_000)}${circle}]}`
const SETTINGS = {
  spawned: {},
  answering: {},
  working: { QUERY_DEADLINE_MS: '50' },
  replacing: { WORKER_MEMORY_MB: '64', BODY_LIMIT: `${2 ** 25}` },
}

const body = heavy()
const failures: string[] = []
const endings = new Map<string, number>()

for (let round = 0; round < rounds; round++) {
  const kind = KINDS[round % KINDS.length]
  const directory = mkdtempSync(join(tmpdir(), 'tangent-start-'))
  const env = { ...process.env, DATA_DIR: directory, HOST: '127.0.0.1', PORT: '0', ...SETTINGS[kind] }
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
    if (address !== undefined && kind !== 'answering') await keepWorker(address, kind)
  }
  await pause(delay)
  child.kill('SIGTERM')
  const [code, signal] = await ended
  // where the machine is busy, nothing of the service runs after that time either
  const hasRun = kind !== 'spawned' || output !== ''
  const ending = code === null && !hasRun ? `${signal} before it ran` : `${code ?? signal}`
  endings.set(ending, (endings.get(ending) ?? 0) + 1)
  if (code !== 0 && (code !== null || hasRun)) {
    failures.push(`${kind} after ${delay.toFixed(0)} ms: ${code ?? signal}\n${output}`)
    process.stdout.write(`${failures.at(-1)}\n`)
  }
  rmSync(directory, { recursive: true, force: true })
}
process.stdout.write(`${rounds} rounds: ${[...endings].map(([ending, count]) => `${count} ended with ${ending}`)}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Waits until workers are up, and asks what keeps one of them for long, or what it is ended for. */
async function keepWorker(address: string, kind: 'working' | 'replacing'): Promise<void> {
  for (let n = 0; n < 1000 && (await fetch(`${address}/readyz`)).status !== 200; n++) await pause(20)
  const [path, sent] = kind === 'working' ? ['contact', body] : ['pairs', large]
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${address}/v1/2d/${path}`, { method: 'POST', headers, body: sent })
  await answer.arrayBuffer()
  if (kind === 'working') return
  const metrics = await (await fetch(`${address}/metrics`)).text()
  if (!/^tangent_workers_ended_total [1-9]/m.test(metrics)) throw new Error('No worker was replaced')
}
