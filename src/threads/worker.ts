// The entry of a worker thread: makes what does jobs, and hands back what comes of them.

import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { type Done, ownBytes, type Task } from './job.ts'
import { JobRunner, type WorkLimits } from './job-runner.ts'

/** Bytes that a worker may keep between two jobs; what is more is collected at once, on nobody else's time. */
const KEPT_LENGTH = 64 * 2 ** 20

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const runner = new JobRunner(workerData as WorkLimits)

/** Null: nothing is to be done but to be ready. */
export default function run(task: Task | null): unknown {
  if (task === null) return null
  const done = runner.run(task)
  const { used_heap_size, external_memory } = getHeapStatistics()
  if (used_heap_size + external_memory > KEPT_LENGTH) setImmediate(collect)
  return 'body' in done ? handOver(done) : done
}

/** The bytes are given away, not copied. */
function handOver(done: Extract<Done, { body: Uint8Array }>): unknown {
  const body = ownBytes(done.body)
  return move({ [transferableSymbol]: body.buffer, [valueSymbol]: { ...done, body } })
}
