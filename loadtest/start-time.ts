// How long the start takes, and what the service then holds: from the spawn of the built service to the first 200 of /readyz, by the
// clock and in processor time of all its threads, and its memory then and after 20 s without requests. It reports and asserts nothing.
//
//   npm run build && npx tsx loadtest/start-time.ts [rounds] [server]

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../examples/scene-service.ts'
import { median, saveResults, today } from './results.ts'

const rounds = Number(process.argv[2] ?? 5)
const script = process.argv[3] ?? 'dist/src/server.js'
const IDLE_MS = 20_000
/** Of the counters of processor time. */
const TICK_MS = 10

async function measure() {
  const port = await freePort()
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: `${port}`, SCENE_STORE: 'memory', LOG_LEVEL: 'error' }
  const begun = performance.now()
  const child = spawn(process.execPath, [script], { env, stdio: 'ignore' })
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200
  while (child.exitCode === null && !(await isReady())) await pause(5)
  const readyMs = performance.now() - begun
  const [cpuMs, readyMiB] = [cpuTime(child.pid!), memory(child.pid!)]
  await pause(IDLE_MS)
  const idleMiB = memory(child.pid!)
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { readyMs, cpuMs, readyMiB, idleMiB }
}

function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const starts: Awaited<ReturnType<typeof measure>>[] = []
for (let n = 0; n < rounds; n++) starts.push(await measure())
const of = (name: keyof (typeof starts)[number]) => Math.round(median(starts.map((start) => start[name])))
const start = { readyMs: of('readyMs'), cpuMs: of('cpuMs'), readyMiB: of('readyMiB'), idleMiB: of('idleMiB') }
console.log(start)
saveResults({ start: { date: today(), rounds, ...start } })
