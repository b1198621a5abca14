// The states of a write on its way into the log, and when its caller is told.

import { describe, expect, it } from 'vitest'
import { PendingWrite, type Stage } from '../../../src/scene/keeper/pending-write.ts'
import { OutcomeUnknown } from '../../../src/scene/store/store.ts'

const entry = { version: 7, at: 1, operations: [], digest: new Uint8Array(16) }
const STEPS = {
  begin: (pending: PendingWrite) => pending.begin(),
  send: (pending: PendingWrite) => pending.send(entry, null),
  find: (pending: PendingWrite) => pending.find(false),
  'find in doubt': (pending: PendingWrite) => pending.find(true),
  commit: (pending: PendingWrite) => pending.commit(),
  apply: (pending: PendingWrite) => pending.apply(),
  'take out': (pending: PendingWrite) => pending.takeOut(),
}
type Step = keyof typeof STEPS

function after(...steps: Step[]): PendingWrite {
  const pending = new PendingWrite({ operations: [], at: 1 }, new Uint8Array(16), 0, null, () => undefined)
  for (const step of steps) STEPS[step](pending)
  return pending
}

describe('a write', () => {
  it.each<[Step[], Stage]>([
    [[], 'line'],
    [['begin'], 'begun'],
    [['begin', 'send'], 'sent'],
    [['begin', 'send', 'find'], 'found'],
    [['begin', 'send', 'commit'], 'committed'],
    [['begin', 'send', 'find', 'commit'], 'committed'],
    [['begin', 'send', 'commit', 'apply'], 'done'],
    [['begin', 'send', 'find', 'apply'], 'standing'],
    [['begin', 'send', 'find', 'apply', 'commit'], 'done'],
    [['begin', 'send', 'take out'], 'begun'],
    [['begin', 'send', 'take out', 'begin', 'send', 'commit', 'apply'], 'done'],
    // what was heard of it before says nothing new
    [['begin', 'send', 'commit', 'find'], 'committed'],
    [['begin', 'send', 'commit', 'commit'], 'committed'],
    [['begin', 'send', 'take out', 'commit'], 'begun'],
    [['begin', 'send', 'take out', 'find'], 'begun'],
  ])('%j: is %s', async (steps, stage) => {
    const pending = after(...steps)
    expect(pending.stage).toBe(stage)
    expect(pending.isOver).toBe(stage === 'done')
    expect(pending.isDurable).toBe(stage === 'found' || stage === 'committed')
    if (stage === 'done') expect(await pending.done).toEqual({ version: 7, digest: entry.digest, isRepeated: false })
  })

  it.each<[Step[], boolean]>([
    [['begin', 'send', 'take out'], false],
    [['begin', 'send', 'find', 'take out'], true],
    [['begin', 'send', 'commit', 'take out'], true],
    [['begin', 'send', 'find in doubt'], true],
    [['begin', 'send', 'commit', 'find in doubt'], false],
    [['begin', 'send', 'find', 'take out', 'send', 'take out'], true],
  ])('%j: in doubt %s', (steps, isInDoubt) => {
    expect(after(...steps).isInDoubt).toBe(isInDoubt)
  })

  it.each<[Step[], boolean]>([
    [[], false],
    [['begin'], false],
    [['begin', 'send'], true],
    [['begin', 'send', 'take out'], false],
    [['begin', 'send', 'find', 'take out'], true],
    [['begin', 'send', 'find', 'apply'], true],
  ])('%j: may stand in the log %s', (steps, mayStand) => {
    expect(after(...steps).mayStand).toBe(mayStand)
  })

  it('whose caller was told early goes on, and tells nothing more', async () => {
    const pending = after('begin', 'send')
    pending.reject(new OutcomeUnknown('late'))
    pending.commit()
    pending.apply()
    expect(pending.stage).toBe('done')
    await expect(pending.done).rejects.toThrow('late')
  })

  it('that was taken out is not the one that was sent', () => {
    const pending = after('begin', 'send', 'take out')
    expect(pending.entry).not.toBe(entry)
    pending.send({ ...entry, version: 8 }, null)
    expect([pending.entry.version, pending.sentCount]).toEqual([8, 2])
  })

  it('is given up after its time, which begins anew when something is done for it', async () => {
    const begun = performance.now()
    const givenUp = await new Promise<number>((resolve) => {
      const pending = new PendingWrite({ operations: [], at: 1 }, new Uint8Array(16), 0, 200, () =>
        resolve(performance.now()),
      )
      setTimeout(() => pending.extend(), 150)
      setTimeout(() => undefined, 1000)
    })
    expect(givenUp - begun).toBeGreaterThan(340)
  })
})
