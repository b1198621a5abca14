// Memory given back when there is nothing else to do: an engine that is asked nothing collects nothing, and what large requests
// have left behind would stay.

import { performance } from 'node:perf_hooks'
import fp from 'fastify-plugin'
import { collect, keepLittle, SETTLED_MS, shrink, type Trim, usedHeap, usedMemory } from '../threads/memory.ts'

const INTERVAL_MS = 1000
/** Share of the time that is spent on requests, below which there is nothing else to do; for so many intervals. */
const IDLE_SHARE = 0.2
const IDLE_COUNT = 3
/** Growth from which on it is worth while, in bytes. */
const GROWTH = 48 * 2 ** 20
/** Intervals since the first time at which it is done again: what is let go of by one is given back by the next. */
const AGAIN = [1, 2, 2 + SETTLED_MS / INTERVAL_MS, 3 + SETTLED_MS / INTERVAL_MS]
/** Bytes that live on the heap from which on it would be noticed by those who ask next: the engine does that in small steps. */
const MOST_LIVING = 256 * 2 ** 20
/** Intervals over which the heap was at no time smaller than what lives. */
const LIVING_COUNT = 120

/** Bytes of the whole process from which on the allocator is told to keep little: a process that stays small never loads what that takes. */
const GROWN = 176 * 2 ** 20

export const idleMemory = fp(async (app) => {
  let utilization = performance.eventLoopUtilization()
  let idleFor = 0
  // what starting has left behind is worth it the first time
  let kept = -GROWTH
  /** Intervals since the first time; null while nothing is to be given back. */
  let since: number | null = null
  const heaps: number[] = []
  let isGrown = false
  let trim: Trim | null = null
  const look = () => {
    if (!isGrown && process.memoryUsage.rss() > GROWN) {
      isGrown = true
      void keepLittle().then((told) => {
        trim = told
      })
    }
    const now = performance.eventLoopUtilization()
    const share = performance.eventLoopUtilization(now, utilization).utilization
    utilization = now
    idleFor = share < IDLE_SHARE && app.workers.figures.busy === 0 ? idleFor + 1 : 0
    const total = usedMemory()
    kept = Math.min(kept, total)
    heaps.push(usedHeap())
    if (heaps.length > LIVING_COUNT) heaps.shift()
    if (idleFor < IDLE_COUNT || Math.min(...heaps) > MOST_LIVING) return
    if (since === null) {
      if (total < kept + GROWTH) return
      since = 0
      collect()
      return
    }
    since++
    if (AGAIN.includes(since)) collect()
    if (since < AGAIN[AGAIN.length - 1]) return
    since = null
    void shrink().then(() => {
      kept = usedMemory()
      return trim?.()
    })
  }
  const timer = setInterval(look, INTERVAL_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
})
