// The entry of a worker thread: makes what does jobs, and hands back what comes of them.

import { parentPort, threadId } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { loadFor } from '../queries/ask/worker-tasks.ts'
import { type Done, type HandedBack, memoryOf, ownBytes, type Task } from './job.ts'
import { JobRunner, type WorkLimits } from './job-runner.ts'
import { collect, SETTLED_MS, usedMemory } from './memory.ts'

/** Bytes that a worker may keep between two jobs; what is more is collected at once, on nobody else's time. */
const KEPT_LENGTH = 64 * 2 ** 20
/** Milliseconds of a job against which a collection is short, and bytes from which on it is worth it then. */
const LONG_MS = 100
const LONG_KEPT_LENGTH = 16 * 2 ** 20

/** Milliseconds without a job after which bodies of scenes are not kept any more, and memory is given back. */
const IDLE_MS = 5000
/** Pauses before it is done again: what is let go of by one time is given back by the next. */
const PAUSES_MS = [500, 500, SETTLED_MS, 500]

const runner = new JobRunner(workerData as WorkLimits)

let idle = setTimeout(restLong, IDLE_MS).unref()

/** Bytes that lived after the last collection. */
let living = 0

function rest(): void {
  collect()
  living = usedMemory()
}

function restLong(time = 0): void {
  runner.forget()
  rest()
  if (time < PAUSES_MS.length) idle = setTimeout(restLong, PAUSES_MS[time], time + 1).unref()
}

/** Null: nothing is to be done but to be ready. */
export default function run(task: Task | null): unknown {
  if (task === null) return null
  const { job } = task
  const loading = job.kind === 'far' ? loadFor(job.task) : null
  return loading === null ? work(task) : loading.then(() => work(task))
}

function work(task: Task): unknown {
  const from = task.isTimed ? sharedClock() : 0
  const begun = performance.now()
  const done = runner.run(task)
  const wasLong = performance.now() - begun > LONG_MS
  if (done.is === 'worn') {
    parentPort?.postMessage({ id: task.id, job: done.job } satisfies HandedBack, memoryOf(done.job))
    process.exit()
  }
  if (task.isTimed) done.ran = { thread: threadId, from, to: sharedClock() }
  clearTimeout(idle)
  idle = setTimeout(restLong, IDLE_MS).unref()
  // what lives, and as much again
  const kept = wasLong ? living + LONG_KEPT_LENGTH : Math.max(KEPT_LENGTH, 2 * living)
  if (usedMemory() > kept) setImmediate(rest)
  if (done.is === 'far') return handOverFar(done)
  return 'body' in done && typeof done.body !== 'string' ? handOver(done, done.body) : done
}

/** As `Ran` has it. */
function sharedClock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Bodies that were prepared for the main thread are given away. */
function handOverFar(done: Extract<Done, { is: 'far' }>): unknown {
  return done.given.length === 0 ? done : move({ [transferableSymbol]: done.given, [valueSymbol]: done })
}

/** The bytes are given away, not copied. */
function handOver(done: Done, bytes: Uint8Array): unknown {
  const body = ownBytes(bytes)
  return move({ [transferableSymbol]: body.buffer, [valueSymbol]: { ...done, body } })
}
