// Writes of many operations to one scene: those that would wait for longer than they may are refused at once, and told when to come
// back; what has begun is finished, however long that takes.

import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { Keeper, type KeeperOptions } from '../../../src/scene/keeper/keeper.ts'
import type { WriteOutcome } from '../../../src/scene/keeper/pending-write.ts'
import type { Operation } from '../../../src/scene/state/operation.ts'
import { OutcomeUnknown, StoreBusy, StoreUnavailable } from '../../../src/scene/store/store.ts'
import { circle, creation, prepare } from '../../support/services/kept-scenes.ts'
import { type HandleOptions, SharedDatabase, SharedMemoryStore } from '../../support/services/shared-memory-store.ts'

const keepers: Keeper[] = []
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.close()))
})

async function open(database: SharedDatabase, handle: HandleOptions, options: Partial<KeeperOptions>) {
  const keeper = await Keeper.open({ store: new SharedMemoryStore(database, handle), prepare, ...options })
  keepers.push(keeper)
  return keeper
}

const at = 1_700_000_000_000
const BODIES = 6000
const puts = Array.from({ length: BODIES }, (_, k): Operation => ({ op: 'put', body: circle(`b${k}`) }))
const moves = (y: number) =>
  Array.from({ length: BODIES }, (_, k): Operation => ({ op: 'move', id: `b${k}`, position: { x: k, y } }))

type Come = WriteOutcome | Error
const written = (keeper: Keeper, operations: readonly Operation[]): Promise<Come> =>
  keeper.write('a', { operations, at }).catch((error: Error) => error)

it('refuses what would wait for too long, with the time that the line takes, and finishes the rest', async () => {
  // each takes this long in the store alone
  const latency = 60
  const keeper = await open(new SharedDatabase(), { latency: () => latency }, { writeDeadlineMs: 300 })
  await keeper.create(creation('a'))
  await written(keeper, puts)
  const done: Come[] = []
  let refused = 0
  const writer = async (lane: number) => {
    for (let round = 0; round < 3; ) {
      const begun = performance.now()
      const outcome = await written(keeper, moves(10 * lane + round))
      if (outcome instanceof StoreBusy) {
        refused++
        expect(outcome.retryAfterMs).toBeGreaterThan(0)
        expect(outcome.message).toMatch(/^Other writes to the scene/)
        // at once, but for those whose turn did not come in the time that they had
        expect(performance.now() - begun).toBeLessThan(3000)
        await delay(outcome.retryAfterMs)
        continue
      }
      done.push(outcome)
      round++
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, lane) => writer(lane)))
  expect(done.filter((outcome) => outcome instanceof Error)).toEqual([])
  expect(refused).toBeGreaterThan(0)
  expect(keeper.loaded('a')?.version).toBe(2 + done.length)
}, 60_000)

it('finishes what has begun, though a write takes longer than it may wait', async () => {
  const keeper = await open(new SharedDatabase(), {}, { writeDeadlineMs: 100 })
  await keeper.create(creation('a'))
  await written(keeper, puts)
  for (let round = 0; round < 5; round++) {
    const begun = performance.now()
    const many = Array.from({ length: 8 }, (_, k) => moves(k + round)).flat()
    expect(await written(keeper, many)).toMatchObject({ version: 3 + round })
    if (performance.now() - begun > 200) return
  }
})

it('says what it has waited for in vain', async () => {
  const database = new SharedDatabase()
  let isStill = false
  const latency = () => (isStill ? 5000 : 0)
  const keeper = await open(database, { latency }, { writeDeadlineMs: 200 })
  await keeper.create(creation('a'))
  isStill = true
  const unknown = await written(keeper, [{ op: 'clear' }])
  expect(unknown).toBeInstanceOf(OutcomeUnknown)
  expect((unknown as Error).message).toBe('The database has not said within 0.2 s whether the write was accepted')
  const refused = await written(keeper, [{ op: 'remove', id: 'none' }])
  expect(refused).toBeInstanceOf(StoreUnavailable)
  expect((refused as Error).message).toBe('The database has not said within 0.2 s how others have left the scene')
  isStill = false
}, 20_000)
