// Events of scenes: whoever believes them knows the pairs of every version, however often the connection is lost.

import { afterEach, describe, expect, it } from 'vitest'
import { doFarTask } from '../../../src/queries/ask/far-tasks.ts'
import { finishSlices } from '../../../src/queries/ask/slices.ts'
import { parseEventId } from '../../../src/scene/feed/event-frame.ts'
import type { PairFilter } from '../../../src/scene/feed/pair-change.ts'
import { SceneFeeds } from '../../../src/scene/feed/scene-feeds.ts'
import { Keeper } from '../../../src/scene/keeper/keeper.ts'
import { askElsewhere } from '../../../src/scene/queries/narrowing.ts'
import { queryPairs } from '../../../src/scene/queries/pairs.ts'
import type { Scene } from '../../../src/scene/state/scene.ts'
import { findBody, presentView, sceneBodyAt } from '../../../src/scene/state/view.ts'
import { MemoryStore } from '../../../src/scene/store/memory-store.ts'
import type { Operation, SceneBody } from '../../../src/scene/table/operation.ts'
import { prepareShape } from '../../../src/wire/scenes/scene-body.ts'
import { runCount, seed } from '../../support/runs.ts'
import { parseEvents, Replay } from '../../support/services/event-listener.ts'
import { creation, seeded } from '../../support/services/kept-scenes.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  askElsewhere(false)
  for (const close of closing.splice(0)) await close()
})

interface Trial {
  keeper: Keeper
  feeds: SceneFeeds
  scene: Scene
  /** The pairs of each version, each `a b tags`. */
  pairsAt: Map<number, string[]>
}

/** `sees`: the pairs that are kept as the truth. */
async function open(sees: (a: SceneBody, b: SceneBody) => boolean, margin = 0): Promise<Trial> {
  const pairsAt = new Map<number, string[]>()
  const faults: Error[] = []
  const feeds = new SceneFeeds({
    maxSubscribers: 100,
    heartbeatMs: 10_000,
    finish: (work, isWanted) => finishSlices(work, isWanted),
    onFault: (error) => faults.push(error),
  })
  const note = (scene: Scene) => {
    const view = presentView(scene)
    const work = queryPairs(view, { accepts: () => true, contacts: false, limit: 1e6 })
    let step = work.next()
    while (!step.done) {
      if (step.value !== undefined) step.value.result = doFarTask(step.value.task)
      step = work.next()
    }
    const bodyOf = (id: string) => sceneBodyAt(view, findBody(view, id))
    const seen = step.value.pairs.filter(({ idA, idB }) => sees(bodyOf(idA), bodyOf(idB)))
    pairsAt.set(scene.version, seen.map(({ idA, idB }) => `${idA} ${idB}`).sort())
  }
  const keeper = await Keeper.open({
    store: new MemoryStore(),
    prepare: prepareShape,
    onApplied: (scene, entry) => {
      note(scene)
      feeds.applied(scene, entry)
    },
    onGone: (id) => feeds.gone(id),
  })
  closing.push(
    () => keeper.close(),
    () => feeds.close(),
  )
  await keeper.create(creation('s', { margin }))
  const scene = keeper.find('s')?.scene as Scene
  return { keeper, feeds, scene, pairsAt }
}

const SHAPES = [
  { type: 'circle', radius: 1 },
  { type: 'box', width: 2, height: 1 },
  {
    type: 'region',
    outer: [
      { x: 0, y: 0 },
      { x: 4, y: 0 },
      { x: 4, y: 4 },
      { x: 2, y: 1 },
      { x: 0, y: 4 },
    ],
  },
  { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 },
]

function randomWrite(random: () => number, ids: Set<string>): Operation[] {
  const pick = (count: number) => Math.floor(count * random())
  const place = () => ({ x: pick(12), y: pick(12) })
  const operations: Operation[] = []
  for (let k = pick(6); k >= 0; k--) {
    const id = `b${pick(20)}`
    const kind = pick(24)
    if (kind === 0) {
      operations.push({ op: 'clear' })
      ids.clear()
    } else if (kind < 9 || !ids.has(id)) {
      const tags = ['red', 'blue'].filter(() => random() < 0.4)
      const shape = SHAPES[Math.min(pick(40) >> 3, random() < 0.03 ? 3 : 2)]
      operations.push({ op: 'put', body: { id, shape, position: place(), tags, sensor: random() < 0.2 } })
      ids.add(id)
    } else if (kind < 18) operations.push({ op: 'move', id, position: place() })
    else if (kind < 21) operations.push({ op: 'patch', id, fields: { tags: random() < 0.5 ? ['red'] : [] } })
    else {
      operations.push({ op: 'remove', id })
      ids.delete(id)
    }
  }
  return operations
}

/** A listener that loses its connection now and then in the middle of what was sent, and comes back behind what it got. */
function listen({ feeds, scene, pairsAt }: Trial, filter: PairFilter | null, random: () => number) {
  const replay = new Replay()
  const wrong: string[] = []
  const check = () => {
    const { version, parts } = parseEventId(replay.lastId) ?? { version: 0, parts: 1 }
    if (filter === null || parts > 0) return
    const known = [...replay.pairs].sort().join()
    if (known !== pairsAt.get(version)?.join()) wrong.push(`${version}: ${known}, not ${pairsAt.get(version)}`)
  }
  let reconnects = 0
  const connect = () => {
    let isLost = false
    let isBusy = false
    const sink = {
      write: (bytes: string | Uint8Array) => {
        if (isLost) return true
        for (const event of parseEvents(String(Buffer.from(bytes as Uint8Array))).events) {
          if (event.event === 'ready') for (const pair of pairsAt.get(event.data.version) ?? []) replay.pairs.add(pair)
          replay.take(event)
          check()
          if (random() > 0.02) continue
          isLost = true
          reconnects++
          setImmediate(() => {
            stream.leave()
            connect()
          })
          return true
        }
        isBusy = random() < 0.1
        if (isBusy) setTimeout(() => stream.goOn(), 2)
        return !isBusy
      },
      end: () => undefined,
    }
    const told = replay.lastId === '' ? null : parseEventId(replay.lastId)
    const stream = feeds.subscribe(scene, sink, { pairs: filter }, told)
  }
  connect()
  return { replay, wrong, reconnects: () => reconnects }
}

const ALL: PairFilter = { tags: null, ids: null }
const isRed = ({ tags }: SceneBody) => tags?.includes('red') === true

describe('events of scenes', () => {
  const cases: [
    name: string,
    filter: PairFilter | null,
    sees: (a: SceneBody, b: SceneBody) => boolean,
    margin: number,
  ][] = [
    ['all pairs', ALL, () => true, 0],
    ['all pairs of boxes with a margin', ALL, () => true, 3],
    ['pairs with a tag', { tags: ['red'], ids: null }, (a, b) => isRed(a) || isRed(b), 0],
    ['pairs of a body', { tags: null, ids: ['b3'] }, (a, b) => a.id === 'b3' || b.id === 'b3', 0],
    ['operations alone', null, () => true, 0],
  ]
  it.each(cases)(
    'tell what is so at every version, nothing lost or doubled: %s',
    async (_name, filter, sees, margin) => {
      const random = seeded(seed())
      const trial = await open(sees, margin)
      const { keeper, scene, pairsAt } = trial
      const ids = new Set<string>()
      for (let k = 0; k < 5; k++) await keeper.write('s', { operations: randomWrite(random, ids), at: 0 })
      const first = scene.version
      const listeners = [listen(trial, filter, random), listen(trial, filter, random)]
      const writes = runCount(80)
      for (let k = 0; k < writes; k++) {
        // a few at once, fewer than may wait
        const group = Array.from({ length: 1 + Math.floor(3 * random()) }, () => randomWrite(random, ids))
        await Promise.all(group.map((operations) => keeper.write('s', { operations, at: 0 })))
        if (k === 20) listeners.push(listen(trial, filter, random))
        // all versions have been looked at: none is told with another
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await new Promise((resolve) => setTimeout(resolve, 300))
      const last = scene.version
      for (const { replay, wrong, reconnects } of listeners) {
        expect(replay.faults).toEqual([])
        expect(wrong).toEqual([])
        expect(replay.resets).toBe(0)
        expect(replay.versions.at(-1)).toBe(last)
        expect(reconnects()).toBeGreaterThan(0)
        if (filter !== null) expect([...replay.pairs].sort()).toEqual(pairsAt.get(last))
      }
      expect(listeners[0].replay.versions).toHaveLength(last - first)
    },
  )

  it('have dear pairs decided elsewhere', async () => {
    askElsewhere(true)
    const trial = await open(() => true)
    const listener = listen(trial, ALL, () => 1)
    const bodies = [0, 1, 2].map((k) => ({ id: `c${k}`, shape: SHAPES[2], position: { x: 2 * k, y: 0 } }))
    await trial.keeper.write('s', { operations: bodies.map((body) => ({ op: 'put', body })), at: 0 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([...listener.replay.pairs].sort()).toEqual(trial.pairsAt.get(2))
    expect(listener.replay.pairs.size).toBeGreaterThan(0)
  })

  it('are told later but all, where writes come faster than pairs are found', async () => {
    const random = seeded(seed())
    const trial = await open(() => true)
    const listener = listen(trial, ALL, () => 1)
    const ids = new Set<string>()
    const writes = Array.from({ length: 200 }, () => randomWrite(random, ids))
    await Promise.all(writes.map((operations) => trial.keeper.write('s', { operations, at: 0 })))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(listener.replay.faults).toEqual([])
    expect(listener.replay.versions).toHaveLength(200)
    expect([...listener.replay.pairs].sort()).toEqual(trial.pairsAt.get(201))
  })

  it('are let go where somebody does not read, and say so', async () => {
    const trial = await open(() => true)
    const heard: string[] = []
    let ended = 0
    const sink = {
      write: (bytes: string | Uint8Array) => {
        heard.push(String(Buffer.from(bytes as Uint8Array)))
        return false
      },
      end: () => ended++,
    }
    trial.feeds.subscribe(trial.scene, sink, { pairs: null }, null)
    const data = 'x'.repeat(2 ** 20)
    for (let k = 0; k < 20; k++) {
      const body = { id: 'a', shape: SHAPES[0], data: JSON.stringify(data) }
      await trial.keeper.write('s', { operations: [{ op: 'put', body }], at: 0 })
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ended).toBe(1)
    expect(heard).toHaveLength(2)
    expect(heard[1]).toContain('event: dropped\ndata: {"version":1,"reason":"slow"}')
    expect(trial.feeds.droppedCount).toBe(1)
  })

  it('begin anew where what was missed is not kept, and after very large writes', async () => {
    const trial = await open(() => true)
    const events: string[] = []
    const sink = {
      write: (bytes: string | Uint8Array) => {
        events.push(
          ...parseEvents(String(Buffer.from(bytes as Uint8Array))).events.map(({ event, id }) => `${event} ${id}`),
        )
        return true
      },
      end: () => undefined,
    }
    trial.feeds.subscribe(trial.scene, sink, { pairs: null }, { version: 0, parts: 0 })
    trial.feeds.subscribe(trial.scene, sink, { pairs: null }, { version: 7, parts: 0 })
    const put = (k: number): Operation => ({
      op: 'put',
      body: { id: `b${k}`, shape: SHAPES[0], position: { x: 3 * k, y: 0 } },
    })
    await trial.keeper.write('s', { operations: Array.from({ length: 9000 }, (_, k) => put(k)), at: 0 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(events).toEqual(['reset 1', 'reset 1', 'reset 2', 'reset 2'])
  })
})
