// Asks extreme requests on a thread that is ended when one of them takes too long: what hangs is found, whatever it counts.

import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { bundled } from './bundled.ts'

export interface WatchedTask {
  /** Seeds of the requests: from, up to but not including. */
  from: number
  to: number
  /** Steps that a request may take. */
  steps: number
  /** Holds the seed that is being asked, as a double. */
  place: SharedArrayBuffer
}

export interface WatchedReport {
  /** How many requests came to what. Those before a hang are not counted. */
  counts: Record<string, number>
  faults: { seed: number; fault: string }[]
}

const LOOK_MS = 100

/** Asks the requests of the seeds [from, to), each within `steps` and `patience` milliseconds. */
export async function watchQueries(from: number, to: number, steps: number, patience: number): Promise<WatchedReport> {
  const report: WatchedReport = { counts: {}, faults: [] }
  const child = await bundled('test/support/services/watched-child.ts')
  for (let next = from; next < to; ) next = await watch(child, { from: next, to, steps }, patience, report)
  return report
}

/** Returns the seed to go on from. */
async function watch(
  child: string,
  task: Omit<WatchedTask, 'place'>,
  patience: number,
  report: WatchedReport,
): Promise<number> {
  const place = new SharedArrayBuffer(8)
  const at = new Float64Array(place)
  at[0] = task.from
  const worker = new Worker(child, { workerData: { ...task, place } })
  let ended = false
  worker.on('message', (message: { counts: Record<string, number> } | { seed: number; fault: string }) => {
    if ('fault' in message) report.faults.push(message)
    else
      for (const [what, count] of Object.entries(message.counts))
        report.counts[what] = (report.counts[what] ?? 0) + count
  })
  worker.on('error', (error: Error) => {
    report.faults.push({ seed: at[0], fault: `the thread died: ${error.message}` })
  })
  worker.on('exit', () => {
    ended = true
  })
  let seed = task.from
  let since = performance.now()
  while (!ended) {
    await setTimeout(LOOK_MS)
    if (at[0] !== seed) {
      seed = at[0]
      since = performance.now()
    } else if (performance.now() - since > patience) {
      await worker.terminate()
      report.faults.push({ seed, fault: `takes more than ${patience} ms` })
      return seed + 1
    }
  }
  return at[0] < task.to ? at[0] + 1 : task.to
}
