// Events of scenes: whoever believes them knows the pairs of every version, however often the connection is lost, and whatever has
// to be read back from the log for that.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { finishSlices } from '../../../src/queries/ask/slices.ts'
import { doFarTask } from '../../../src/queries/ask/worker-tasks.ts'
import { type PairFilter, parseEventId } from '../../../src/scene/feed/happening.ts'
import { SceneFeeds } from '../../../src/scene/feed/scene-feeds.ts'
import { Keeper } from '../../../src/scene/keeper/keeper.ts'
import { queryPairs } from '../../../src/scene/queries/pairs.ts'
import type { Operation, SceneBody } from '../../../src/scene/state/operation.ts'
import type { Scene } from '../../../src/scene/state/scene.ts'
import { findBody, type PlaneView, presentView, sceneBodyAt } from '../../../src/scene/state/view.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { MemoryStore } from '../../../src/scene/store/memory-store.ts'
import type { SceneStore, StoredScene } from '../../../src/scene/store/store.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'
import { askElsewhere } from '../../support/answers/ask-elsewhere.ts'
import { isLongRun, runCount, seed } from '../../support/runs.ts'
import { parseEvents, Replay } from '../../support/services/event-listener.ts'
import { creation, seeded } from '../../support/services/kept-scenes.ts'
import { SharedDatabase, SharedMemoryStore } from '../../support/services/shared-memory-store.ts'

vi.mock(import('../../../src/scene/queries/thresholds.ts'), async (original) => {
  const { switchable } = await import('../../support/answers/ask-elsewhere.ts')
  return switchable(await original())
})

const closing: (() => unknown)[] = []
afterEach(async () => {
  askElsewhere(false)
  for (const close of closing.splice(0).reverse()) await close()
})

interface TrialOptions {
  /** The pairs that are kept as the truth. */
  sees?: (a: SceneBody, b: SceneBody) => boolean
  margin?: number
  store?: () => Promise<SceneStore>
  tailByteCount?: number
  maxMissed?: number
}

/** A scene that is listened to, whose service forgets and starts anew now and then. */
class Trial {
  keeper!: Keeper
  feeds!: SceneFeeds
  /** The pairs of each version, each `a b`. */
  readonly pairsAt = new Map<number, string[]>()
  readonly faults: Error[] = []
  readonly #options: TrialOptions

  static async open(options: TrialOptions = {}): Promise<Trial> {
    const trial = new Trial(options)
    await trial.start()
    await trial.keeper.create(creation('s', { margin: options.margin ?? 0 }))
    trial.#note(trial.scene)
    closing.push(() => trial.stop())
    return trial
  }

  constructor(options: TrialOptions) {
    this.#options = options
  }

  get scene(): Scene {
    return this.keeper.loaded('s') as Scene
  }

  async start(): Promise<void> {
    const { store = async () => new MemoryStore(), tailByteCount } = this.#options
    this.keeper = await Keeper.open({
      store: await store(),
      prepare: prepareShape,
      ...(tailByteCount !== undefined && { tailByteCount }),
      onApplied: (scene, entry, logged) => {
        this.#note(scene)
        this.feeds.applied(scene, entry, logged)
      },
      onGone: (id, gone) => this.feeds.gone(id, gone),
      onReset: (id, lost) => this.feeds.reset(id, lost),
    })
    this.forget()
  }

  /** As a service does that has just been started: streams end, and nothing of what was told is in memory. */
  forget(): void {
    this.feeds?.close()
    this.feeds = new SceneFeeds({
      maxSubscribers: 100,
      maxMissed: this.#options.maxMissed ?? 100_000,
      heartbeatMs: 10_000,
      finish: (work, isWanted) => finishSlices(work, isWanted),
      past: () => this.keeper.past(),
      onFault: (error) => this.faults.push(error),
    })
  }

  async stop(): Promise<void> {
    this.feeds.close()
    await this.keeper.close()
  }

  write(operations: Operation[]) {
    return this.keeper.write('s', { operations, at: 0 })
  }

  #note(scene: Scene): void {
    const { sees = () => true } = this.#options
    const view = presentView(scene)
    const work = queryPairs(view as PlaneView, { accepts: () => true, contacts: false, limit: 1e6 })
    let step = work.next()
    while (!step.done) {
      if (step.value !== undefined) step.value.result = doFarTask(step.value.task)
      step = work.next()
    }
    const bodyOf = (id: string) => sceneBodyAt(view, findBody(view, id))
    const seen = step.value.pairs.filter(({ idA, idB }) => sees(bodyOf(idA), bodyOf(idB)))
    this.pairsAt.set(scene.version, seen.map(({ idA, idB }) => `${idA} ${idB}`).sort())
  }
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
    } else if (kind < 17) operations.push({ op: 'move', id, position: place() })
    else if (kind < 20) operations.push({ op: 'patch', id, fields: { tags: random() < 0.5 ? ['red'] : [] } })
    else {
      operations.push({ op: 'remove', id })
      ids.delete(id)
    }
  }
  return operations
}

/** A listener that loses its connection now and then in the middle of what was sent, and comes back behind what it got. */
function listen(trial: Trial, filter: PairFilter | null, random: () => number) {
  const { pairsAt } = trial
  const replay = new Replay()
  const wrong: string[] = []
  const said: string[] = []
  const check = () => {
    const { version, parts } = parseEventId(replay.lastId) ?? { version: 0, parts: 1 }
    if (filter === null || parts > 0) return
    const known = [...replay.pairs].sort().join()
    if (known !== pairsAt.get(version)?.join()) wrong.push(`${version}: ${known}, not ${pairsAt.get(version)}`)
  }
  let reconnects = 0
  const connect = () => {
    if (trial.feeds.isFull) {
      setTimeout(connect, 2)
      return
    }
    let isLost = false
    const lose = () => {
      isLost = true
      reconnects++
      setTimeout(() => {
        stream.leave()
        connect()
      }, 3 * random())
    }
    const sink = {
      write: (bytes: string | Uint8Array) => {
        if (isLost) return true
        for (const event of parseEvents(String(Buffer.from(bytes as Uint8Array))).events) {
          said.push(`${event.event} ${event.id}`)
          if (event.event === 'ready') for (const pair of pairsAt.get(event.data.version) ?? []) replay.pairs.add(pair)
          if (event.event === 'closing' || event.event === 'dropped') continue
          replay.take(event)
          check()
          if (random() > 0.015) continue
          lose()
          return true
        }
        const isBusy = random() < 0.1
        if (isBusy) setTimeout(() => stream.goOn(), 2)
        return !isBusy
      },
      end: () => {
        if (!isLost) lose()
      },
    }
    const told = replay.lastId === '' ? null : parseEventId(replay.lastId)
    const stream = trial.feeds.subscribe(trial.scene, sink, { pairs: filter }, told)
  }
  connect()
  return { replay, wrong, said, reconnects: () => reconnects }
}

type Listener = ReturnType<typeof listen>

/** Waits until all have been told of the last version. */
async function settled({ scene: { version } }: Trial, listeners: readonly Listener[]): Promise<void> {
  for (let k = 0; k < 2000; k++) {
    if (listeners.every(({ replay }) => parseEventId(replay.lastId)?.version === version)) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Nothing was lost, doubled or wrong. */
function judge(trial: Trial, listeners: readonly Listener[], filter: PairFilter | null): void {
  const last = trial.scene.version
  expect(trial.faults).toEqual([])
  for (const { replay, wrong, reconnects } of listeners) {
    expect(replay.faults).toEqual([])
    expect(wrong).toEqual([])
    expect(replay.resets).toBe(0)
    expect(replay.versions.at(-1)).toBe(last)
    if (isLongRun) expect(reconnects()).toBeGreaterThan(0)
    if (filter !== null) expect([...replay.pairs].sort()).toEqual(trial.pairsAt.get(last))
  }
}

const ALL: PairFilter = { tags: null, ids: null }
/** The id of an event without its digest. */
const plain = (id: string) => id.replace(/\.[0-9a-f]{8}$/, '')

/** The events behind one, until there are enough. */
async function hear(
  { feeds, scene }: Trial,
  told: string,
  pairs: PairFilter | null = null,
  isEnough = (events: readonly string[]) => events.length > 0,
): Promise<string[]> {
  const heard: string[] = []
  const sink = {
    write: (bytes: string | Uint8Array) => {
      const { events } = parseEvents(String(Buffer.from(bytes as Uint8Array)))
      heard.push(...events.map(({ event, id }) => `${event} ${plain(id)}`))
      return true
    },
    end: () => undefined,
  }
  const { leave } = feeds.subscribe(scene, sink, { pairs }, parseEventId(told))
  for (let k = 0; k < 1000 && !isEnough(heard); k++) await new Promise((resolve) => setTimeout(resolve, 5))
  leave()
  return heard
}

const isRed = ({ tags }: SceneBody) => tags?.includes('red') === true

describe('events of scenes', () => {
  const cases: [name: string, filter: PairFilter | null, options: TrialOptions][] = [
    ['all pairs', ALL, {}],
    ['all pairs of boxes with a margin', ALL, { margin: 3 }],
    ['pairs with a tag', { tags: ['red'], ids: null }, { sees: (a, b) => isRed(a) || isRed(b) }],
    ['pairs of a body', { tags: null, ids: ['b3'] }, { sees: (a, b) => a.id === 'b3' || b.id === 'b3' }],
    ['operations alone', null, {}],
  ]
  it.each(cases)(
    'tell what is so at every version, nothing lost or doubled: %s',
    async (_name, filter, options) => {
      const random = seeded(seed())
      const trial = await Trial.open(options)
      const ids = new Set<string>()
      for (let k = 0; k < 5; k++) await trial.write(randomWrite(random, ids))
      const first = trial.scene.version
      const listeners = [listen(trial, filter, random), listen(trial, filter, random)]
      const writes = runCount(150)
      for (let k = 0; k < writes; k++) {
        // some many at once, and now and then all that was told is forgotten but by those who heard it
        const count = random() < 0.05 ? 40 : 1 + Math.floor(3 * random())
        const group = Array.from({ length: count }, () => randomWrite(random, ids))
        await Promise.all(group.map((operations) => trial.write(operations)))
        if (k % 20 === 10) listeners.push(listen(trial, filter, random))
        if (k % 20 === 19) trial.forget()
        if (random() < 0.5) await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await settled(trial, listeners)
      judge(trial, listeners, filter)
      expect(listeners[0].replay.versions).toHaveLength(trial.scene.version - first)
    },
    20_000,
  )

  it.each([
    ['pairs', ALL],
    ['operations', null],
  ])('go on behind the last event after a restart, out of snapshots and log: %s', async (_name, filter) => {
    const random = seeded(seed())
    const directory = mkdtempSync(join(tmpdir(), 'tangent-events-'))
    closing.push(() => rmSync(directory, { recursive: true, force: true }))
    const trial = await Trial.open({ store: () => openFileStore({ directory }), tailByteCount: 30_000 })
    const ids = new Set<string>()
    const listeners = [0, 1, 2].map(() => listen(trial, filter, random))
    for (let round = 0; round < 3; round++) {
      for (let k = 0; k < 4; k++) {
        const group = Array.from({ length: 10 }, () => randomWrite(random, ids))
        await Promise.all(group.map((operations) => trial.write(operations)))
      }
      // in the middle of everything
      await trial.stop()
      await trial.start()
      for (let k = 0; k < 5; k++) await trial.write(randomWrite(random, ids))
      await settled(trial, listeners)
    }
    judge(trial, listeners, filter)
    const { first, snapshots } = (await (trial.keeper as unknown as { store: SceneStore }).store.head('s')) ?? {}
    expect(snapshots?.length).toBeGreaterThan(0)
    expect(first).toBeDefined()
  })

  it.each([
    ['memory, where digests are lost', async () => new MemoryStore(), false],
    ['a database that others write to as well', async () => new SharedMemoryStore(new SharedDatabase()), true],
  ])('are the same to the last byte from memory and out of the log: %s', async (_name, store, hasDigests) => {
    const random = seeded(seed())
    const trial = await Trial.open({ store })
    const hear = (feeds: SceneFeeds, pairs: PairFilter | null, told: string) => {
      let text = ''
      const sink = {
        write: (bytes: string | Uint8Array) => {
          text += String(Buffer.from(bytes as Uint8Array))
          return true
        },
        end() {},
      }
      feeds.subscribe(trial.scene, sink, { pairs }, parseEventId(told))
      const shown = () => (hasDigests ? text : text.replace(/^(id: .*)\.[0-9a-f]{8}$/gm, '$1'))
      return () => (text.includes('event: ') ? shown().slice(shown().indexOf('event: ')) : '')
    }
    const wishes = [null, ALL, { tags: ['red'], ids: null }]
    const live = wishes.map((wish) => hear(trial.feeds, wish, '1'))
    const ids = new Set<string>()
    const long = { type: 'region', outer: Array.from({ length: 1500 }, (_, k) => corner(k, 1500)) }
    await trial.write([
      {
        op: 'put',
        body: { id: 'data', data: '{ "2": 1,\n"1": [ 1.0 ] }', shape: SHAPES[0], position: { x: 1, y: 1 } },
      },
      { op: 'put', body: { id: 'long', shape: long, tags: ['red'] } },
      { op: 'patch', id: 'data', fields: { data: '"\\u2028"', velocity: { x: 1, y: 0 } } },
    ])
    for (let k = 0; k < 30; k++) await trial.write(randomWrite(random, ids))
    const isWhole = (text: () => string) => new RegExp(`\nid: ${trial.scene.version}(\\.[0-9a-f]{8})?\n`).test(text())
    const whole = async (texts: (() => string)[]) => {
      for (let k = 0; k < 2000 && !texts.every(isWhole); k++) await new Promise((resolve) => setTimeout(resolve, 5))
      return texts.map((text) => text())
    }
    const told = await whole(live)
    expect(told[1]).toContain('overlap-began')
    for (let k = 0; k < 3; k++) {
      trial.forget()
      // behind any event
      const ids = told.map((text) => ['1', ...text.matchAll(/^id: (.*)$/gm)].map(([, id = '1']) => id))
      const at = ids.map((known) => known[k === 0 ? 0 : Math.floor((known.length - 1) * random())])
      const again = await whole(wishes.map((wish, j) => hear(trial.feeds, wish, at[j])))
      again.forEach((text, j) => {
        const event = told[j].indexOf(`\nid: ${at[j]}\n`)
        expect(text).toBe(event < 0 ? told[j] : told[j].slice(told[j].indexOf('\n\n', event) + 2))
      })
    }
  })

  it('have dear pairs decided elsewhere', async () => {
    askElsewhere(true)
    const trial = await Trial.open()
    const listener = listen(trial, ALL, () => 1)
    const bodies = [0, 1, 2].map((k) => ({ id: `c${k}`, shape: SHAPES[2], position: { x: 2 * k, y: 0 } }))
    await trial.write(bodies.map((body) => ({ op: 'put', body })))
    await settled(trial, [listener])
    expect([...listener.replay.pairs].sort()).toEqual(trial.pairsAt.get(2))
    expect(listener.replay.pairs.size).toBeGreaterThan(0)
  })

  it('are told later but all, version by version, where writes come faster than pairs are found', async () => {
    const random = seeded(seed())
    const trial = await Trial.open()
    const listener = listen(trial, ALL, () => 1)
    const ids = new Set<string>()
    const writes = Array.from({ length: 600 }, () => randomWrite(random, ids))
    await Promise.all(writes.map((operations) => trial.write(operations)))
    await settled(trial, [listener])
    expect(trial.faults).toEqual([])
    expect(listener.replay.faults).toEqual([])
    expect(listener.wrong).toEqual([])
    expect(listener.replay.versions).toHaveLength(600)
  })

  it('are let go where somebody does not read, and say so', async () => {
    const trial = await Trial.open()
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
    const data = JSON.stringify('x'.repeat(2 ** 20 - 2 ** 10))
    for (let k = 0; k < 20; k++) await trial.write([{ op: 'put', body: { id: 'a', shape: SHAPES[0], data } }])
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ended).toBe(1)
    expect(heard).toHaveLength(2)
    expect(heard[1]).toContain('event: dropped\ndata: {"version":1,"reason":"slow"}')
    expect(trial.feeds.droppedCount).toBe(1)
  })

  it('begin anew where the log does not reach, or too much was missed, and after very large writes', async () => {
    const trial = await Trial.open({ maxMissed: 3, tailByteCount: 10_000 })
    const put = (count: number): Operation[] =>
      Array.from({ length: count }, (_, k) => ({
        op: 'put',
        body: { id: `b${k}`, shape: SHAPES[0], position: { x: 3 * k, y: 0 } },
      }))
    expect(await hear(trial, '0')).toEqual(['operations 1'])
    expect(await hear(trial, '0', ALL)).toEqual(['operations 1'])
    expect(await hear(trial, '7')).toEqual(['reset 1'])
    // more than is told
    await trial.write(put(15_000))
    await new Promise((resolve) => setTimeout(resolve, 50))
    trial.forget()
    expect(await hear(trial, '1')).toEqual(['reset 2'])
    expect(await hear(trial, '1', ALL)).toEqual(['reset 2'])
    await trial.write(put(1))
    await trial.write(put(1))
    trial.forget()
    // missed more than may be
    expect(await hear(trial, '0')).toEqual(['reset 4'])
  })

  it('begin anew where the log does not reach back any more', async () => {
    const trial = await Trial.open({ tailByteCount: 2000 })
    const put = (x: number): Operation[] =>
      Array.from({ length: 20 }, (_, k) => ({
        op: 'put',
        body: { id: `b${k}`, shape: SHAPES[0], position: { x, y: 3 * k } },
      }))
    const { store } = trial.keeper as unknown as { store: SceneStore }
    const stored = async () => (await store.head('s')) as StoredScene
    for (let k = 0; k < 200 && (await stored()).first < 4; k++) {
      await trial.write(put(k))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    // a snapshot may be on its way still
    let first = 0
    for (let now = (await stored()).first; now !== first; now = (await stored()).first) {
      first = now
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    const { version } = trial.scene
    expect(first).toBeGreaterThan(3)
    trial.forget()
    for (const pairs of [null, ALL]) {
      expect(await hear(trial, `${first - 2}`, pairs)).toEqual([`reset ${version}`])
      const heard = await hear(trial, `${first - 1}`, pairs, (events) => events.at(-1) === `operations ${version}`)
      expect(heard).toEqual(Array.from({ length: version - first + 1 }, (_, k) => `operations ${first + k}`))
    }
  })
})

/** Of a star without crossings. */
function corner(k: number, count: number) {
  const angle = (2 * Math.PI * k) / count
  const radius = k % 2 === 0 ? 3 : 2.5
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
}
