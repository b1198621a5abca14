/** Whether what clients were told fits what lies in the log. */

import type { Entry, Operation } from '../../src/scene/state/operation.ts'
import type { LoggedEntry, LoggedLife } from './final-log.ts'
import { type Attempt, type History, isDone, isRefused, type ReadRecord, type WriteRecord } from './history.ts'
import { comparable, LightFold } from './light-fold.ts'

/** What is wrong, for people. `lives`: all there have ever been, with all of their entries. */
export function checkHistory(history: History, lives: readonly LoggedLife[]): string[] {
  const logs = new Map<string, Log>()
  for (const life of lives) {
    const log = logs.get(life.id)
    if (log === undefined) logs.set(life.id, new Log([life]))
    else log.add(life)
  }
  const deleted = new Map(history.lives.map(({ scene, deletions }) => [scene, deletions[0]?.startedAt ?? Infinity]))
  const isGone = (scene: string, { code, endedAt }: Attempt) =>
    code === 'scene-not-found' && (endedAt ?? Infinity) > (deleted.get(scene) ?? Infinity)
  return [
    ...history.writes.flatMap((write) => checkWrite(write, logs.get(write.scene) ?? new Log([]))),
    ...checkReads(history.reads, logs),
    ...[...history.writes, ...history.reads].flatMap((record) => checkExpected(record, isGone)),
    ...checkLives(history, lives),
  ]
}

/** All lives of one id. */
class Log {
  readonly lives: LoggedLife[] = []
  readonly #byMark = new Map<string, Placed[]>()
  readonly #byKey = new Map<string, Placed[]>()

  constructor(lives: readonly LoggedLife[]) {
    for (const life of lives) this.add(life)
  }

  add(life: LoggedLife): void {
    this.lives.push(life)
    for (const logged of life.entries) {
      const { entry } = logged
      if (typeof entry === 'string') continue
      const placed = { life, logged, entry }
      if (entry.key !== undefined) enter(this.#byKey, entry.key.key, placed)
      for (const mark of marksOf(entry)) enter(this.#byMark, mark, placed)
    }
  }

  of({ key, mark }: WriteRecord): readonly Placed[] {
    if (key !== null) return this.#byKey.get(key) ?? []
    return mark === null ? [] : (this.#byMark.get(mark) ?? [])
  }

  /** Where the write with this mark is, key or not. */
  marked(mark: string): readonly Placed[] {
    return this.#byMark.get(mark) ?? []
  }

  at(version: number): Placed[] {
    return this.lives.flatMap((life) => {
      const logged = life.entries[version - life.first]
      return logged !== undefined && typeof logged.entry !== 'string' ? [{ life, logged, entry: logged.entry }] : []
    })
  }
}

interface Placed {
  readonly life: LoggedLife
  readonly logged: LoggedEntry
  readonly entry: Entry
}

function enter(map: Map<string, Placed[]>, name: string, placed: Placed): void {
  const list = map.get(name)
  if (list === undefined) map.set(name, [placed])
  else list.push(placed)
}

function marksOf({ operations }: Entry): Set<string> {
  const marks = new Set<string>()
  for (const operation of operations) {
    const mark = markOf(operation)
    if (mark !== null) marks.add(mark)
  }
  return marks
}

function markOf(operation: Operation): string | null {
  const data =
    operation.op === 'put' ? operation.body.data : operation.op === 'patch' ? operation.fields.data : undefined
  if (typeof data !== 'string') return null
  return (JSON.parse(data) as { mark?: string } | null)?.mark ?? null
}

/** Exactly one entry of what was acknowledged, at most one of what was not, none of what was refused. */
function checkWrite(write: WriteRecord, log: Log): string[] {
  const faults: string[] = []
  const { scene, key, mark, ifVersion, attempts } = write
  const name = `${scene}: the write ${key ?? mark ?? `of ${JSON.stringify(write.operations)}`} of client ${write.client}`
  const acknowledged = attempts.filter(isDone)
  const entries = mark === null && key === null ? null : log.of(write)
  if (entries !== null) {
    const places = entries.map(({ logged }) => logged.seq).join(', ')
    if (isDoubled(entries, attempts)) faults.push(`${name} is doubled: ${places}`)
    if (acknowledged.length > 0 && entries.length === 0) {
      faults.push(`${name} is lost, acknowledged as ${acknowledged.map(({ version }) => version).join(', ')}`)
    }
    if (key !== null && mark !== null && log.marked(mark).length !== entries.length) {
      faults.push(`${name} is in the log under another key`)
    }
    if (entries.length > 0 && attempts.every(isRefused)) {
      faults.push(`${name} is in the log at ${places}, and was answered ${attempts.map(inFull).join(', ')}`)
    }
    const refusal = attempts.find(({ code }) => code === 'version-mismatch' || code === 'idempotency-key-reused')
    if (entries.length > 0 && refusal !== undefined && attempts.filter(isDone).length === 0) {
      faults.push(`${name} is in the log at ${places}, and was refused: ${refusal.code}`)
    }
    for (const { logged, entry } of entries) {
      if (ifVersion !== null && logged.seq !== ifVersion + 1)
        faults.push(`${name} on ${ifVersion} landed at ${logged.seq}`)
      const said = kindsOf(write.operations)
      if (kindsOf(entry.operations) !== said) faults.push(`${name} is another in the log: ${kindsOf(entry.operations)}`)
    }
  }
  for (const { version, digest, body } of acknowledged) {
    if (version === null) faults.push(`${name} was acknowledged without a version`)
    else if (body?.version !== undefined && body.version !== version) {
      faults.push(`${name} was acknowledged as ${body.version} and ${version} at once`)
    } else {
      const found = log.at(version).find(({ entry, logged }) => isEntryOf(write, entry) && isTagOf(logged, digest))
      if (found === undefined) faults.push(`${name} was acknowledged as ${version}.${digest}, where it is not`)
    }
  }
  return faults
}

/**
 * A life knows its keys. A scene that is made again does not know those of the one before: a request whose end nobody knows may have been
 * under way meanwhile, and lands in either.
 */
function isDoubled(entries: readonly Placed[], attempts: readonly Attempt[]): boolean {
  if (new Set(entries.map(({ life }) => life)).size < entries.length) return true
  const open = attempts.filter((attempt) => !isDone(attempt) && !isRefused(attempt)).length
  return entries.length > 1 && entries.length > open + (attempts.some(isDone) ? 1 : 0)
}

/** Answers that nobody has earned: whoever asks here asks for what is there. `isGone`: but for what may be deleted by then. */
function checkExpected(
  record: WriteRecord | ReadRecord,
  isGone: (scene: string, attempt: Attempt) => boolean,
): string[] {
  const what = 'mark' in record ? `the write ${record.key ?? record.mark}` : 'a read'
  return record.attempts
    .filter((attempt) => !isExpected(attempt) && !isGone(record.scene, attempt))
    .map(
      (attempt) =>
        `${record.scene}: ${what} of client ${record.client} was answered ${told(attempt)} by replica ${attempt.replica}`,
    )
}

const kindsOf = (operations: readonly Operation[]) =>
  operations.map((each) => `${each.op} ${each.op === 'put' ? each.body.id : 'id' in each ? each.id : ''}`).join(', ')

function isEntryOf({ key, mark, operations }: WriteRecord, entry: Entry): boolean {
  if (key !== null) return entry.key?.key === key
  if (mark !== null) return marksOf(entry).has(mark)
  return kindsOf(entry.operations) === kindsOf(operations)
}

const isTagOf = ({ digest }: LoggedEntry, shown: string | null) =>
  shown === null || digest.toString('hex').startsWith(shown)

const inFull = ({ replica, status, code, startedAt, endedAt }: Attempt) =>
  `${status} ${code} by replica ${replica} from ${Math.round(startedAt)} to ${Math.round(endedAt ?? Infinity)}`

const told = ({ status, code, body }: Attempt) => `${status} ${code}: ${body?.detail}`

function isExpected({ status, code }: Attempt): boolean {
  if (status === null || status < 300 || status === 503) return true
  return (status === 412 && code === 'version-mismatch') || (status === 404 && code === 'body-not-found')
}

/** Nothing older than was asked for; and to the last field what the log says of that version. */
function checkReads(reads: readonly ReadRecord[], logs: ReadonlyMap<string, Log>): string[] {
  const faults: string[] = []
  const answered = new Map<string, Answer[]>()
  for (const read of reads) {
    for (const attempt of read.attempts) {
      const { version } = attempt
      const name = `${read.scene}: a read of client ${read.client} at replica ${attempt.replica}`
      if (!isDone(attempt)) continue
      if (version === null) {
        faults.push(`${name} was answered without a version`)
        continue
      }
      if (version < read.atLeast) faults.push(`${name} went back from ${read.atLeast} to ${version}`)
      const list = answered.get(read.scene)
      if (list === undefined) answered.set(read.scene, [{ read, attempt, version }])
      else list.push({ read, attempt, version })
    }
  }
  for (const [scene, list] of answered) {
    const log = logs.get(scene) ?? new Log([])
    const byLife = new Map<LoggedLife, Answer[]>()
    for (const answer of list) {
      const found = log.at(answer.version).find(({ logged }) => isTagOf(logged, answer.attempt.digest))
      if (found === undefined) faults.push(`${nameOf(scene, answer)} is not in the log`)
      else byLife.set(found.life, [...(byLife.get(found.life) ?? []), answer])
    }
    for (const [life, ofLife] of byLife) faults.push(...checkAnswers(life, ofLife))
  }
  return faults
}

interface Answer {
  readonly read: ReadRecord
  readonly attempt: Attempt
  readonly version: number
}

const nameOf = (scene: string, { read, attempt, version }: Answer) =>
  `${scene}: version ${version}.${attempt.digest} as replica ${attempt.replica} told it to client ${read.client}`

function checkAnswers(life: LoggedLife, answers: readonly Answer[]): string[] {
  const faults: string[] = []
  const fold = new LightFold(life)
  for (const answer of [...answers].sort((a, b) => a.version - b.version)) {
    const { read, attempt, version } = answer
    const name = nameOf(life.id, answer)
    fold.advanceTo(version)
    if (read.bodyId === null) {
      if (attempt.body.bodyCount !== fold.bodies.size) {
        faults.push(`${name} has ${attempt.body.bodyCount} bodies, in the log ${fold.bodies.size}`)
      }
    } else {
      const told = comparable(attempt.body.body)
      const written = comparable(fold.bodies.get(read.bodyId))
      if (told !== written) faults.push(`${name}: body ${read.bodyId} is ${told}, in the log ${written}`)
    }
  }
  return faults
}

/** What was deleted is gone, and what was made and not deleted is there. */
function checkLives({ lives: records }: History, lives: readonly LoggedLife[]): string[] {
  const faults: string[] = []
  for (const { scene, creations, deletions } of records) {
    const mine = lives.filter(({ id }) => id === scene)
    const deletedAt = deletions[0]?.startedAt ?? Infinity
    // a request to make it that is under way while it is deleted, or whose end nobody knows, may make it again
    const isOver = (each: Attempt) => (isDone(each) || isRefused(each)) && (each.endedAt as number) < deletedAt
    if (!creations.every(isOver)) continue
    if (deletions.some(isDone) && mine.some(({ isDropped }) => !isDropped)) {
      faults.push(`${scene} was deleted, and is there`)
    }
    if (creations.some(isDone) && deletions.length === 0 && !mine.some(({ isDropped }) => !isDropped)) {
      faults.push(`${scene} was made, and is not there`)
    }
    if (mine.length > 1) faults.push(`${scene} has been begun ${mine.length} times`)
    for (const attempt of [...creations, ...deletions]) {
      const isGone = attempt.status === 404 && deletions.length > 0
      if (!isGone && !isExpected(attempt)) faults.push(`${scene} was answered ${told(attempt)}`)
    }
  }
  return faults
}
