// Asks extreme requests by their seeds, on a thread of its own, and says in shared memory which one it is at.

import { parentPort, workerData } from 'node:worker_threads'
import { OutOfBudget, within } from '../../../src/containers/budget.ts'
import type { QueryLimits } from '../../../src/queries/ask/query.ts'
import { queries } from '../../../src/queries/stateless/all.ts'
import { isProblem } from '../../../src/wire/decode-problem.ts'
import { extremeRequest } from '../../fuzz/extreme-requests.ts'
import type { WatchedTask } from './watched-queries.ts'

const LIMITS: QueryLimits = {
  maxVertices: 1e5,
  maxParts: 1e4,
  maxTargets: 1e4,
  maxImpacts: 1e7,
  maxBodies: 1e5,
  maxPairs: 1e6,
  maxCells: 1e6,
}

const byOp = new Map(queries.map((query) => [query.op, query]))

/** What the request came to: `answered`, `too much`, a problem's code, or what is wrong. */
function outcomeOf(seed: number, steps: number): { outcome: string; fault: string | null } {
  const { op, request } = extremeRequest(seed)
  try {
    const answer = within(steps, () => byOp.get(op)?.answer(request as Record<string, unknown>, LIMITS) as object)
    if (isProblem(answer)) return { outcome: answer.code, fault: null }
    const place = notFinite(answer, '')
    return { outcome: 'answered', fault: place === null ? null : `not finite: ${place}` }
  } catch (error) {
    if (error instanceof OutOfBudget) return { outcome: `${op}: too much`, fault: null }
    return { outcome: 'thrown', fault: (error as Error).stack ?? String(error) }
  }
}

/** Where in the answer a number is that is not finite. */
function notFinite(value: unknown, place: string): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${place} ${value}`
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const found = notFinite(inner, `${place}/${name}`)
    if (found !== null) return found
  }
  return null
}

const { from, to, steps, place } = workerData as WatchedTask
const at = new Float64Array(place)
const counts: Record<string, number> = {}
for (let seed = from; seed < to; seed++) {
  at[0] = seed
  const { outcome, fault } = outcomeOf(seed, steps)
  counts[outcome] = (counts[outcome] ?? 0) + 1
  if (fault !== null) parentPort?.postMessage({ seed, fault })
}
at[0] = to
parentPort?.postMessage({ counts })
