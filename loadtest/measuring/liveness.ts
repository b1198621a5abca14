// Is the service ever silent? /livez is asked at a steady beat from a thread of its own, so that whatever the load is made of
// does not hold up the questions. A silence is the time from a question to its answer, or to now while there is none. When the
// thread itself was kept from running meanwhile, by a busy machine, what it missed is taken off: it is no silence of the
// service. So is, where its process is known, the time for which its main thread was ready and waited for a core.

import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

const BEAT_MS = 15
/** Questions that may wait for their answers at a time; the oldest is the silence. */
const MOST_WAITING = 8

/** What the threads share, all in milliseconds of `now` or a count. */
const LONGEST = 0
const WAITING_SINCE = 1
const OWN_LAG = 2
const ANSWERS = 3
const REFUSALS = 4
const CORE_WAIT = 5
const SLOTS = 6

interface Watched {
  livenessOf: string
  pid: number | undefined
  shared: SharedArrayBuffer
}

/** Since the watch began, or since it was last asked. */
export interface Silence {
  /** The longest. */
  milliseconds: number
  /** The longest that the watch itself was kept waiting, which is taken off. */
  ownLag: number
  answers: number
  /** The longest that the service waited for a core during one question, which is taken off. */
  coreWait: number
  /** Connections that failed, and answers other than 200. */
  refusals: number
}

export interface Watch {
  /** Begins anew with each call. */
  silence(): Silence
  end(): Promise<void>
}

/** The same clock in all threads. */
const now = () => performance.timeOrigin + performance.now()

/** `pid`: of the service; without one its waits for a core are not taken off. */
export function watchLiveness(url: string, pid?: number): Watch {
  const shared = new SharedArrayBuffer(8 * SLOTS)
  const seen = new Float64Array(shared)
  const workerData: Watched = { livenessOf: url, pid, shared }
  const worker = new Worker(new URL(import.meta.url), { workerData })
  worker.unref()
  return {
    silence: () => {
      const since = seen[WAITING_SINCE]!
      const pending = since === 0 ? 0 : now() - since
      const found = {
        milliseconds: Number(Math.max(seen[LONGEST]!, pending).toFixed(1)),
        ownLag: Number(seen[OWN_LAG]!.toFixed(1)),
        answers: seen[ANSWERS]!,
        refusals: seen[REFUSALS]!,
        coreWait: Number(seen[CORE_WAIT]!.toFixed(1)),
      }
      for (const slot of [LONGEST, OWN_LAG, ANSWERS, REFUSALS, CORE_WAIT]) seen[slot] = 0
      return found
    },
    end: async () => {
      await worker.terminate()
    },
  }
}

/** Milliseconds for which the main thread of a process has been ready and has waited for a core; 0 where that is not known. */
function coreWaitOf(pid: number | undefined): number {
  if (pid === undefined) return 0
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

function ask({ livenessOf: url, pid, shared }: Watched): void {
  const seen = new Float64Array(shared)
  const agent = new Agent({ keepAlive: true })
  /** When each of those that wait was asked, how long the thread has been kept from running since, and for what the service had waited. */
  const waiting = new Set<{ since: number; missed: number; waited: number }>()
  let last = now()

  /** To be called at every turn: what lies between two turns and is longer than a beat was not spent here. */
  const turn = () => {
    const at = now()
    const missed = Math.max(0, at - last - BEAT_MS)
    last = at
    if (missed > 0) {
      for (const each of waiting) each.missed += missed
      seen[OWN_LAG] = Math.max(seen[OWN_LAG]!, missed)
    }
    return at
  }
  const publish = () => {
    let oldest = 0
    const waited = coreWaitOf(pid)
    for (const each of waiting) {
      const since = each.since + Math.max(each.missed, waited - each.waited)
      if (oldest === 0 || since < oldest) oldest = since
    }
    seen[WAITING_SINCE] = oldest
  }

  setInterval(() => {
    const since = turn()
    if (waiting.size >= MOST_WAITING) return publish()
    const question = { since, missed: 0, waited: coreWaitOf(pid) }
    waiting.add(question)
    const settle = (isAnswer: boolean) => {
      if (!waiting.has(question)) return
      const coreWait = Math.max(0, coreWaitOf(pid) - question.waited)
      // Both may have waited at the same time: the longer wait covers the other.
      const milliseconds = Math.max(0, turn() - question.since - Math.max(question.missed, coreWait))
      seen[CORE_WAIT] = Math.max(seen[CORE_WAIT]!, coreWait)
      waiting.delete(question)
      seen[LONGEST] = Math.max(seen[LONGEST]!, milliseconds)
      const counter = isAnswer ? ANSWERS : REFUSALS
      seen[counter] = seen[counter]! + 1
      publish()
    }
    get(`${url}/livez`, { agent }, (message) => {
      message.resume().on('end', () => settle(message.statusCode === 200))
      message.on('error', () => settle(false))
    }).on('error', () => settle(false))
    publish()
  }, BEAT_MS)
}

if (!isMainThread && workerData?.livenessOf !== undefined) ask(workerData as Watched)
