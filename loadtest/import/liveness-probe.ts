// Asks /livez at a steady beat, in a process of its own, so that what loads the service does not hold up the questions. On being
// told `ask`, it says how long the answers took since it was asked last; time in which this process itself was kept from running
// is taken off.

import { Agent, get } from 'node:http'

const BEAT_MS = 4
const MOST_WAITING = 8

export interface Answers {
  count: number
  /** Milliseconds. */
  worst: number
  p99: number
  /** The longest that this process was kept from running, which is taken off. */
  ownLag: number
}

const url = process.argv[2]
if (url !== undefined && process.send !== undefined) probe(url)

function probe(service: string): void {
  const agent = new Agent({ keepAlive: true })
  const waiting = new Set<{ since: number; missed: number }>()
  let times: number[] = []
  let ownLag = 0
  let last = performance.now()

  const turn = (): number => {
    const at = performance.now()
    const missed = Math.max(0, at - last - BEAT_MS)
    last = at
    if (missed > 1) {
      for (const each of waiting) each.missed += missed
      ownLag = Math.max(ownLag, missed)
    }
    return at
  }

  setInterval(() => {
    const since = turn()
    if (waiting.size >= MOST_WAITING) return
    const question = { since, missed: 0 }
    waiting.add(question)
    const settle = () => {
      if (!waiting.delete(question)) return
      times.push(turn() - question.since - question.missed)
    }
    get(`${service}/livez`, { agent }, (message) => message.resume().on('end', settle)).on('error', settle)
  }, BEAT_MS)

  process.on('message', () => {
    const at = performance.now()
    const sorted = [...times, ...[...waiting].map(({ since, missed }) => at - since - missed)].sort((a, b) => a - b)
    const answers: Answers = {
      count: sorted.length,
      worst: sorted.at(-1) ?? 0,
      p99: sorted[Math.floor(0.99 * (sorted.length - 1))] ?? 0,
      ownLag,
    }
    times = []
    ownLag = 0
    process.send!(answers)
  })
}
