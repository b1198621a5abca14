/** Whether everybody was answered in time: at most so long after the request, or after the end of the last fault that was in its way. */

import { type Attempt, attemptsOf, type Fault, type History } from './history.ts'

export const ANSWER_MS = 10_000

/** What is wrong, for people. `now`: when the history was looked at. */
export function checkAnswerTimes(history: History, now: number): string[] {
  const faults: string[] = []
  for (const attempt of attemptsOf(history)) {
    const deadline = deadlineOf(attempt, history.faults)
    const end = attempt.endedAt ?? now
    if (end <= deadline) continue
    const late = `${Math.round(end - attempt.startedAt)} ms, ${Math.round(end - deadline)} ms too many`
    const what = attempt.endedAt === null ? 'is still not answered' : `was answered ${attempt.status} ${attempt.code}`
    faults.push(`a request to replica ${attempt.replica} ${what} after ${late}`)
  }
  return faults
}

function deadlineOf({ startedAt, replica }: Attempt, faults: readonly Fault[]): number {
  let deadline = startedAt + ANSWER_MS
  for (const fault of faults) {
    if (fault.replica !== null && fault.replica !== replica) continue
    const endedAt = fault.endedAt ?? Infinity
    if (endedAt > startedAt && fault.startedAt < deadline) deadline = Math.max(deadline, endedAt + ANSWER_MS)
  }
  return deadline
}
