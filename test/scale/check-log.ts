/** Whether a log is one: versions dense, digests a chain, times never going back, and nothing behind the last entry of a life. */

import { firstDigest, isSameDigest, nextDigest } from '../../src/scene/store/checksum-frame.ts'
import type { LoggedLife } from './final-log.ts'

/** What is wrong, for people. */
export function checkLog(lives: readonly LoggedLife[]): string[] {
  const faults = lives.flatMap(checkLife)
  const living = new Set<string>()
  for (const { id, isDropped } of lives) {
    if (isDropped) continue
    if (living.has(id)) faults.push(`${id} lives twice`)
    living.add(id)
  }
  return faults
}

function checkLife({ id, incarnation, version, digest, first, isDropped, entries }: LoggedLife): string[] {
  const name = `${id} (${incarnation})`
  const faults: string[] = []
  let before = { digest: firstDigest(), at: -Infinity }
  let expected = first
  for (const logged of entries) {
    if (logged.seq !== expected) faults.push(`${name}: entry ${logged.seq} where ${expected} is expected`)
    expected = logged.seq + 1
    const { entry } = logged
    if (typeof entry === 'string') {
      faults.push(`${name}: entry ${logged.seq} is damaged: ${entry}`)
      continue
    }
    if (entry.writeId === undefined) faults.push(`${name}: entry ${logged.seq} has no id`)
    // of a log that was trimmed the first digest is taken as it is
    else if (logged.seq === 1 || logged.seq > first) {
      const chained = nextDigest(before.digest, entry.writeId, logged.bytes)
      if (!isSameDigest(chained, logged.digest))
        faults.push(`${name}: the digest of entry ${logged.seq} does not chain`)
    }
    if (entry.at < before.at) faults.push(`${name}: entry ${logged.seq} is older than the one before`)
    before = { digest: logged.digest, at: entry.at }
    const isLast = entry.operations.some(({ op }) => op === 'drop')
    if (isLast && (logged.seq !== version || !isDropped)) faults.push(`${name}: goes on after it was dropped`)
  }
  const last = entries.at(-1)
  if (last?.seq !== version) faults.push(`${name}: stands at ${version}, its last entry is ${last?.seq}`)
  else if (!isSameDigest(last.digest, digest)) faults.push(`${name}: its digest is not that of its last entry`)
  return faults
}
