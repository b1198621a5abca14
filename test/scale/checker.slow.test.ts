// The checker finds what it is there for: a history that fits its log, and every way in which it might not.

import { describe, expect, it } from 'vitest'
import { encodeEntry } from '../../src/scene/keeper/stored-forms.ts'
import type { Entry, Operation } from '../../src/scene/state/operation.ts'
import { firstDigest, nextDigest, randomWriteId, shownDigest } from '../../src/scene/store/checksum-frame.ts'
import { checkAnswerTimes } from './check-answers.ts'
import { checkHistory } from './check-history.ts'
import { checkLog } from './check-log.ts'
import type { LoggedEntry, LoggedLife } from './final-log.ts'
import { type Attempt, type History, newHistory, type WriteRecord } from './history.ts'

const create: Operation = { op: 'create', sceneId: 'cellar', dimension: 2, at: 0 }
const putting = (id: string, mark: string): Operation => ({
  op: 'put',
  body: { id, shape: { type: 'circle', radius: 1 }, data: JSON.stringify({ mark }) },
})

/** A life with these entries behind the one that begins it; those with a key have it by their mark. */
function lifeOf(writes: { mark: string; isKeyed?: boolean; at?: number }[]): LoggedLife {
  const entries: LoggedEntry[] = []
  let digest: Uint8Array = firstDigest()
  const add = (given: Omit<Entry, 'version' | 'writeId'>) => {
    const writeId = randomWriteId()
    const entry: Entry = { ...given, version: entries.length + 1, writeId }
    const bytes = Buffer.from(encodeEntry(entry))
    digest = nextDigest(digest, writeId, bytes)
    entries.push({ seq: entry.version, digest: Buffer.from(digest), bytes, entry })
  }
  add({ at: 0, operations: [create] })
  for (const { mark, isKeyed = true, at = 0 } of writes) {
    const key = { key: `key-${mark}`, fingerprint: '' }
    add({ at, operations: [putting('crate', mark)], ...(isKeyed && { key }) })
  }
  const version = entries.length
  return { incarnation: 1, id: 'cellar', version, digest: Buffer.from(digest), first: 1, isDropped: false, entries }
}

const attempt = (changes: Partial<Attempt>): Attempt => ({
  replica: 0,
  startedAt: 0,
  endedAt: 10,
  status: null,
  code: null,
  version: null,
  digest: null,
  body: null,
  ...changes,
})

const done = (life: LoggedLife, version: number, changes: Partial<Attempt> = {}) =>
  attempt({ status: 200, version, digest: tagAt(life, version), body: { version }, ...changes })

const tagAt = ({ entries }: LoggedLife, version: number) =>
  shownDigest(new Uint8Array(entries[version - 1]?.digest ?? firstDigest()))

function write(mark: string, attempts: Attempt[], changes: Partial<WriteRecord> = {}): WriteRecord {
  const operations = [putting('crate', mark)]
  return { client: 0, scene: 'cellar', mark, key: `key-${mark}`, ifVersion: null, operations, attempts, ...changes }
}

const told = (life: LoggedLife, parts: Partial<History>) =>
  checkHistory({ ...newHistory(), ...parts }, [life]).join('\n')

describe('of writes', () => {
  const life = lifeOf([{ mark: 'a' }, { mark: 'b', isKeyed: false }])

  it('finds nothing where all is well, in the log or not', () => {
    const writes = [
      write('a', [attempt({}), done(life, 2)], { ifVersion: 1 }),
      write('b', [done(life, 3)], { key: null }),
      write('c', [attempt({})]),
      write('d', [attempt({ status: 412, code: 'version-mismatch' })]),
      write('e', [attempt({ status: 503, code: 'store-unavailable' })]),
    ]
    expect(told(life, { writes })).toBe('')
  })

  it('finds one that is lost, or lies elsewhere than was said', () => {
    expect(told(life, { writes: [write('lost', [done(life, 2)])] })).toContain('is lost')
    expect(told(life, { writes: [write('a', [done(life, 3)])] })).toContain(', where it is not')
    expect(told(life, { writes: [write('a', [done(life, 2, { digest: '00000000' })])] })).toContain('where it is not')
    expect(told(life, { writes: [write('a', [done(life, 2)], { ifVersion: 5 })] })).toContain('on 5 landed at 2')
  })

  it('finds one that is there twice, acknowledged or not', () => {
    const twice = lifeOf([{ mark: 'a' }, { mark: 'a' }])
    expect(told(twice, { writes: [write('a', [attempt({})])] })).toContain('is doubled: 2, 3')
    const withoutKey = lifeOf([
      { mark: 'b', isKeyed: false },
      { mark: 'b', isKeyed: false },
    ])
    expect(told(withoutKey, { writes: [write('b', [attempt({})], { key: null })] })).toContain('is doubled: 2, 3')
  })

  it('finds one that is there in two lives, unless so many requests may have been under way', () => {
    const lives = [{ ...life, isDropped: true }, lifeOf([{ mark: 'a' }])]
    const of = (attempts: Attempt[]) =>
      checkHistory({ ...newHistory(), writes: [write('a', attempts)] }, lives).join('\n')
    expect(of([done(life, 2)])).toContain('is doubled: 2, 2')
    expect(of([attempt({}), done(life, 2)])).toBe('')
    expect(of([attempt({})])).toContain('is doubled: 2, 2')
  })

  it('finds one that is there although it was refused, or was answered with what nobody expects', () => {
    const refused = attempt({ status: 503, code: 'store-unavailable' })
    expect(told(life, { writes: [write('a', [refused])] })).toContain('is in the log at 2')
    const mismatch = attempt({ status: 412, code: 'version-mismatch' })
    expect(told(life, { writes: [write('a', [attempt({}), mismatch])] })).toContain('was refused: version-mismatch')
    const failed = attempt({ status: 500, code: 'storage-failed' })
    expect(told(life, { writes: [write('c', [failed])] })).toContain('was answered 500')
  })
})

describe('of reads', () => {
  const life = lifeOf([{ mark: 'a' }, { mark: 'b' }])
  const read = (version: number, mark: string, atLeast = 0, digest = tagAt(life, version)) => {
    const body = { version, body: { id: 'crate', shape: {}, data: { mark } } }
    const answer = attempt({ status: 200, version, digest, body })
    return { reads: [{ client: 0, scene: 'cellar', atLeast, bodyId: 'crate', attempts: [answer] }] }
  }

  it('finds nothing where they tell what the log tells', () => {
    expect(told(life, read(2, 'a', 2))).toBe('')
    expect(told(life, read(3, 'b', 2))).toBe('')
  })

  it('finds one that goes back, tells of another version, or of what has never been', () => {
    expect(told(life, read(2, 'a', 3))).toContain('went back from 3 to 2')
    expect(told(life, read(3, 'a'))).toContain('body crate is')
    expect(told(life, read(4, 'b', 0, '00000000'))).toContain('is not in the log')
    expect(told(life, read(3, 'b', 0, '00000000'))).toContain('is not in the log')
  })

  it('finds a scene that is missing', () => {
    const missing = attempt({ status: 404, code: 'scene-not-found' })
    const reads = [{ client: 0, scene: 'cellar', atLeast: 0, bodyId: 'crate', attempts: [missing] }]
    expect(told(life, { reads })).toContain('was answered 404 scene-not-found')
    const deletion = attempt({ status: 204, startedAt: 5 })
    const lives = [
      { client: 0, scene: 'cellar', creations: [attempt({ status: 201, endedAt: 1 })], deletions: [deletion] },
    ]
    expect(told({ ...life, isDropped: true }, { reads, lives })).toBe('')
    expect(told(life, { lives })).toContain('was deleted, and is there')
  })
})

describe('of logs', () => {
  const life = lifeOf([{ mark: 'a' }, { mark: 'b' }, { mark: 'c' }])
  const changed = (change: (entries: LoggedEntry[]) => void) => {
    const entries = [...life.entries]
    change(entries)
    return checkLog([{ ...life, entries }]).join('\n')
  }

  it('finds nothing in one that is whole', () => {
    expect(checkLog([life])).toEqual([])
  })

  it('finds holes, chains that are broken, times that go back, and ends that are none', () => {
    expect(changed((entries) => entries.splice(2, 1))).toContain('entry 4 where 3 is expected')
    const other = lifeOf([{ mark: 'x' }, { mark: 'y' }, { mark: 'z' }])
    expect(changed((entries) => entries.splice(2, 1, other.entries[2] as LoggedEntry))).toContain('does not chain')
    expect(
      checkLog([
        lifeOf([
          { mark: 'a', at: 5 },
          { mark: 'b', at: 4 },
        ]),
      ]).join(),
    ).toContain('older than the one before')
    expect(changed((entries) => entries.pop())).toContain('its last entry is 3')
    expect(checkLog([{ ...life, digest: Buffer.alloc(16) }]).join()).toContain('not that of its last entry')
    expect(checkLog([life, { ...life, incarnation: 2 }]).join()).toContain('lives twice')
  })
})

describe('of answers', () => {
  const asked = (changes: Partial<Attempt>, faults: History['faults'] = []) =>
    checkAnswerTimes({ ...newHistory(), writes: [write('a', [attempt(changes)])], faults }, 30_000).join()

  it('finds those that come too late, but for what was in their way', () => {
    expect(asked({ endedAt: 9000 })).toBe('')
    expect(asked({ endedAt: 11_000 })).toContain('1000 ms too many')
    expect(asked({ endedAt: null })).toContain('still not answered')
    const fault = { kind: 'pause', replica: 0, startedAt: 1000, endedAt: 4000 }
    expect(asked({ endedAt: 11_000 }, [fault])).toBe('')
    expect(asked({ endedAt: 14_500 }, [fault])).toContain('500 ms too many')
    expect(asked({ endedAt: 11_000 }, [{ ...fault, replica: 1 }])).toContain('1000 ms too many')
  })
})
