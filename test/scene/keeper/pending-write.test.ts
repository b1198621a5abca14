// The states of a write on its way into the log, and when its caller is told.

import { describe, expect, it } from 'vitest'
import { FlyingWrite, type Stage } from '../../../src/scene/keeper/pending-write.ts'
import { OutcomeUnknown } from '../../../src/scene/store/store.ts'

const entry = { version: 7, at: 1, operations: [], digest: new Uint8Array(16) }
const STEPS = {
  begin: (flying: FlyingWrite) => flying.begin(),
  send: (flying: FlyingWrite) => flying.send(entry, null),
  find: (flying: FlyingWrite) => flying.find(false),
  'find in doubt': (flying: FlyingWrite) => flying.find(true),
  commit: (flying: FlyingWrite) => flying.commit(),
  apply: (flying: FlyingWrite) => flying.apply(),
  'take out': (flying: FlyingWrite) => flying.takeOut(),
}
type Step = keyof typeof STEPS

function after(...steps: Step[]): FlyingWrite {
  const flying = new FlyingWrite({ operations: [], at: 1 }, new Uint8Array(16), 0, null, () => undefined)
  for (const step of steps) STEPS[step](flying)
  return flying
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
    const flying = after(...steps)
    expect(flying.stage).toBe(stage)
    expect(flying.isOver).toBe(stage === 'done')
    expect(flying.isDurable).toBe(stage === 'found' || stage === 'committed')
    if (stage === 'done') expect(await flying.done).toEqual({ version: 7, digest: entry.digest, isRepeated: false })
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
    const flying = after('begin', 'send')
    flying.reject(new OutcomeUnknown('late'))
    flying.commit()
    flying.apply()
    expect(flying.stage).toBe('done')
    await expect(flying.done).rejects.toThrow('late')
  })

  it('that was taken out is not the one that was sent', () => {
    const flying = after('begin', 'send', 'take out')
    expect(flying.entry).not.toBe(entry)
    flying.send({ ...entry, version: 8 }, null)
    expect([flying.entry.version, flying.sentCount]).toEqual([8, 2])
  })

  it('is given up after its time, which begins anew when something is done for it', async () => {
    const begun = performance.now()
    const givenUp = await new Promise<number>((resolve) => {
      const flying = new FlyingWrite({ operations: [], at: 1 }, new Uint8Array(16), 0, 200, () =>
        resolve(performance.now()),
      )
      setTimeout(() => flying.extend(), 150)
      setTimeout(() => undefined, 1000)
    })
    expect(givenUp - begun).toBeGreaterThan(340)
  })
})
