import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countSteps } from '../../../src/containers/budget.ts'
import { createPairList } from '../../../src/containers/pair-list.ts'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { keepPairsOfFew, type PairsMethod } from '../../../src/scene/queries/near-pairs.ts'
import { type PairsAnswer, queryPairs } from '../../../src/scene/queries/pairs.ts'
import { type BodyFilter, compileFilter } from '../../../src/scene/state/filter.ts'
import {
  dropUnaskedPairs,
  keepPairs,
  MEETS,
  noteChange,
  type PairHolder,
  putBack,
  UNKNOWN,
} from '../../../src/scene/state/kept-pairs.ts'
import type { Operation, SceneBody } from '../../../src/scene/state/operation.ts'
import { apply, applyInSlices, type PlaneScene, validateScene } from '../../../src/scene/state/scene.ts'
import { closeView, openView, type PlaneView, presentView } from '../../../src/scene/state/view.ts'
import { finished } from '../../support/answers/finished.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { seed, unshrunk } from '../../support/runs.ts'
import { anyFilter, filtered, loneOf, ranked } from '../state/scene-cases.ts'
import { bodyId, CREATE, entriesOf, type Model, operation, sceneBody, sceneOf } from '../state/scene-model.ts'

const METHODS: PairsMethod[] = ['auto', 'brute-force', 'sweep-and-prune', 'spatial-hash', 'dynamic-tree']
const all = () => true

beforeEach(() => {
  keepPairsOfFew(true)
})
afterEach(() => {
  keepPairsOfFew(false)
})

const ask = (view: PlaneView, method: PairsMethod, limit = Infinity, filter: BodyFilter = {}) =>
  named(finished(queryPairs(view, { accepts: compileFilter(view, filter), method, contacts: false, limit })))

const named = ({ pairs, truncated }: PairsAnswer) => ({
  pairs: pairs.map(({ idA, idB }) => `${idA} ${idB}`),
  truncated,
})

/** By brute force, from the bodies by themselves. */
function expectedPairs(bodies: Iterable<SceneBody>, limit: number, filter: BodyFilter) {
  const lones = ranked(filtered(Array.from(bodies, loneOf), filter), () => 0)
  const pairs = lones.flatMap((a, i) =>
    lones
      .slice(i + 1)
      .filter((b) => relate(a.body, b.body) <= 0)
      .map((b) => `${a.id} ${b.id}`),
  )
  return { pairs: pairs.slice(0, limit), truncated: pairs.length > limit }
}

const COUNT = 24
const ids = bodyId(COUNT + 2)
const filter = fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: anyFilter })
const limit = fc.oneof({ weight: 2, arbitrary: fc.constant(Infinity) }, { weight: 1, arbitrary: fc.nat(9) })
const body = (id: string) => sceneBody(fc.constant(id))
const bodies = fc.tuple(...Array.from({ length: COUNT }, (_, i) => body(`body-${i}`)))
const step = fc.record({
  operations: fc.array(operation(ids), { minLength: 1, maxLength: 4 }),
  filter,
  limit,
  isAsked: fc.boolean(),
})

describe('pairs of a scene by every method', () => {
  it('are those of brute force after every write', () => {
    let repaired = 0
    fc.assert(
      fc.property(bodies, fc.array(step, { minLength: 1, maxLength: 8 }), (list, steps) => {
        const scene = sceneOf([CREATE])
        apply(scene, { version: 2, at: 0, operations: list.map((each) => ({ op: 'put' as const, body: each })) })
        const model: Model = new Map(list.map((each) => [each.id, each]))
        ask(presentView(scene), 'auto')
        expect(scene.table.pairs).not.toBeNull()
        for (const [k, { operations, filter: given, limit: most, isAsked }] of steps.entries()) {
          const [entry] = entriesOf([operations], 3 + k, model)
          apply(scene, entry)
          if (scene.table.pairs !== null && scene.table.pairs.changed.size > 0) repaired++
          expect(validateScene(scene)).toBeNull()
          if (!isAsked) continue
          const expected = expectedPairs(model.values(), most, given)
          for (const method of METHODS) expect(ask(presentView(scene), method, most, given)).toEqual(expected)
          expect(validateScene(scene)).toBeNull()
          const { pairs } = scene.table
          if (pairs === null) continue
          expect(pairs.version).toBe(scene.version)
          expect(pairs.changed.size).toBe(0)
        }
      }),
      unshrunk(100),
    )
    expect(repaired).toBeGreaterThan(0)
  })

  it('are of the version at which they were asked, with writes in between and others asking', () => {
    fc.assert(
      fc.property(bodies, fc.array(step, { minLength: 2, maxLength: 10 }), fc.nat(), (list, steps, salt) => {
        const scene = sceneOf([CREATE])
        apply(scene, { version: 2, at: 0, operations: list.map((each) => ({ op: 'put' as const, body: each })) })
        const model: Model = new Map(list.map((each) => [each.id, each]))
        const random = seededRandom(salt)
        const under: { view: PlaneView; slices: ReturnType<typeof queryPairs>; expected: object }[] = []
        for (const [k, { operations, filter: given, limit: most }] of steps.entries()) {
          const view = openView(scene)
          const query = { accepts: compileFilter(view, given), contacts: false, limit: most }
          const slices = queryPairs(view, query)
          under.push({ view, slices, expected: expectedPairs(model.values(), most, given) })
          const [entry] = entriesOf([operations], 3 + k, model)
          apply(scene, entry)
          while (under.length > 0 && random() < 0.6) finish(scene, under.splice(Math.floor(random() * under.length), 1))
        }
        finish(scene, under)
        expect(scene.views.size).toBe(0)
        expect(ask(presentView(scene), 'auto')).toEqual(expectedPairs(model.values(), Infinity, {}))
      }),
      unshrunk(100),
    )
  })
})

function finish(
  scene: PlaneScene,
  asked: { view: PlaneView; slices: ReturnType<typeof queryPairs>; expected: object }[],
): void {
  for (const { view, slices, expected } of asked) {
    expect(named(finished(slices))).toEqual(expected)
    closeView(scene, view)
    expect(validateScene(scene)).toBeNull()
  }
}

/** Small boxes, some of which meet. */
function crowd(count: number, random: () => number): SceneBody[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `body-${(i * 7919) % count}`,
    shape: { type: 'box', width: 0.5 + random(), height: 0.5 + random() },
    position: { x: Math.sqrt(count) * random(), y: Math.sqrt(count) * random() },
  }))
}

function crowded(count: number, random: () => number): PlaneScene {
  const scene = sceneOf([CREATE])
  apply(scene, {
    version: 2,
    at: 0,
    operations: crowd(count, random).map((each) => ({ op: 'put' as const, body: each })),
  })
  return scene
}

function moves(count: number, among: number, random: () => number): Operation[] {
  return Array.from({ length: count }, () => ({
    op: 'move' as const,
    id: `body-${Math.floor(among * random())}`,
    position: { x: Math.sqrt(among) * random(), y: Math.sqrt(among) * random() },
  }))
}

describe('pairs kept with a scene', () => {
  const count = 3000

  it('are what brute force finds in a large scene of which little or much moves, whole and cut short', () => {
    const random = seededRandom(seed())
    const scene = crowded(count, random)
    for (const moved of [0, 30, 900, 5, 2900, 300]) {
      const operations = moves(moved, count, random)
      apply(scene, { version: scene.version + 1, at: 0, operations })
      const whole = ask(presentView(scene), 'brute-force')
      expect(whole.pairs.length).toBeGreaterThan(count / 2)
      for (const most of [Infinity, 100, 1, whole.pairs.length - 1, whole.pairs.length]) {
        const expected = { pairs: whole.pairs.slice(0, most), truncated: whole.pairs.length > most }
        expect(ask(presentView(scene), 'auto', most)).toEqual(expected)
      }
    }
    expect(validateScene(scene)).toBeNull()
  })

  it('are taken over where neither body has changed', () => {
    const random = seededRandom(seed())
    for (const moved of [20, 900]) {
      const scene = crowded(count, random)
      ask(presentView(scene), 'auto')
      apply(scene, { version: 3, at: 0, operations: moves(moved, count, random) })
      const changed = new Set(scene.table.pairs?.changed)
      expect(changed.size).toBeGreaterThan(0)
      // A verdict that is not true is found in the answer, if it is taken over.
      const { list, verdicts } = scene.table.pairs!
      const met = Array.from(verdicts.keys()).filter(
        (k) => verdicts[k] === MEETS && !changed.has(list.first[k]) && !changed.has(list.second[k]),
      )
      const before = ask(presentView(scene), 'dynamic-tree').pairs.length
      verdicts[met[7]] = 2
      expect(ask(presentView(scene), 'auto').pairs.length).toBe(before - 1)
    }
  })

  it('are not looked for, nor noted, in a scene that is asked in other ways', () => {
    const scene = crowded(300, seededRandom(1))
    for (const method of METHODS.slice(1)) ask(presentView(scene), method)
    expect(scene.table.pairs).toBeNull()
    noteChange(scene.table, 0)
    expect(scene.table.pairs).toBeNull()
  })

  it('are let go of when half of the bodies have changed, after a clear, and when nobody asks', () => {
    const random = seededRandom(1)
    const scene = crowded(300, random)
    const again = () => {
      ask(presentView(scene), 'auto')
      expect(scene.table.pairs).not.toBeNull()
    }
    again()
    apply(scene, { version: scene.version + 1, at: 0, operations: moves(1000, 300, random) })
    expect(scene.table.pairs).toBeNull()
    again()
    dropUnaskedPairs(performance.now() + 29_000)
    expect(scene.table.pairs).not.toBeNull()
    dropUnaskedPairs(performance.now() + 31_000)
    expect(scene.table.pairs).toBeNull()
    again()
    const { table } = scene
    apply(scene, { version: scene.version + 1, at: 0, operations: [{ op: 'clear' }] })
    expect(table.pairs).toBeNull()
    expect(scene.table.pairs).toBeNull()
    expect(ask(presentView(scene), 'auto').pairs).toEqual([])
  })

  it('are let go of when a question is given up while it repairs them, and put back when it has', () => {
    const random = seededRandom(2)
    const scene = crowded(count, random)
    let dropped = 0
    for (let pauses = 0; pauses < 30; pauses += 2) {
      ask(presentView(scene), 'auto')
      apply(scene, { version: scene.version + 1, at: 0, operations: moves(600, count, random) })
      const view = openView(scene)
      const slices = queryPairs(view, { accepts: all, contacts: false, limit: Infinity })
      for (let k = 0; k <= pauses; k++) slices.next()
      slices.return(undefined as never)
      closeView(scene, view)
      expect(validateScene(scene)).toBeNull()
      expect(scene.table.pairs?.isBusy ?? false).toBe(false)
      if (scene.table.pairs === null) dropped++
      expect(ask(presentView(scene), 'auto')).toEqual(ask(presentView(scene), 'sweep-and-prune'))
    }
    expect(dropped).toBeGreaterThan(0)
    expect(dropped).toBeLessThan(15)
  })

  it('are of one version each where several are asked at once and written between', () => {
    const random = seededRandom(seed())
    const scene = crowded(count, random)
    const under: { view: PlaneView; slices: ReturnType<typeof queryPairs>; expected: object }[] = []
    let busy = 0
    for (let k = 0; k < 400; k++) {
      if (under.length < 4 && k < 300) {
        const view = openView(scene)
        const expected = ask(presentView(scene), 'sweep-and-prune')
        under.push({ view, slices: queryPairs(view, { accepts: all, contacts: false, limit: Infinity }), expected })
      }
      if (scene.table.pairs?.isBusy) busy++
      if (k % 3 === 0) {
        const operations = moves(k % 2 === 0 ? 3 : 60, count, random)
        apply(scene, { version: scene.version + 1, at: 0, operations })
      }
      const at = Math.floor(random() * under.length)
      const { done, value } = under[at]?.slices.next() ?? { done: false }
      if (!done) continue
      const [{ view, expected }] = under.splice(at, 1)
      expect(named(value as PairsAnswer)).toEqual(expected)
      closeView(scene, view)
    }
    expect(busy).toBeGreaterThan(0)
    finish(scene, under)
    expect(ask(presentView(scene), 'auto')).toEqual(ask(presentView(scene), 'brute-force'))
    expect(validateScene(scene)).toBeNull()
  })

  it('are those of the version before while an entry is applied in slices', () => {
    const random = seededRandom(3)
    const scene = crowded(count, random)
    const before = ask(presentView(scene), 'auto')
    const work = applyInSlices(scene, { version: 3, at: 0, operations: moves(1400, count, random) })
    while (work.next().done !== true) expect(ask(presentView(scene), 'auto')).toEqual(before)
    expect(scene.version).toBe(3)
    const after = ask(presentView(scene), 'auto')
    expect(after).toEqual(ask(presentView(scene), 'dynamic-tree'))
    expect(after).not.toEqual(before)
    expect(validateScene(scene)).toBeNull()
  })

  it('take few steps to repair', () => {
    const random = seededRandom(5)
    const scene = crowded(count, random)
    const stepsOf = (method: PairsMethod) => countSteps(() => ask(presentView(scene), method)).steps
    const first = stepsOf('auto')
    apply(scene, { version: 3, at: 0, operations: moves(30, count, random) })
    const repairing = stepsOf('auto')
    // what remains is going through the bodies and the pairs that are known
    expect(repairing).toBeLessThan(first / 2)
    expect(stepsOf('auto')).toBeLessThan(repairing)
    for (const method of METHODS.slice(1)) expect(stepsOf(method)).toBeGreaterThan(2 * repairing)
  })

  it('give way to those that were asked for later where there are too many', () => {
    const holders = Array.from({ length: 3 }, (): PairHolder => ({ pairs: null, count: 10 }))
    for (const holder of holders) {
      const list = createPairList(Infinity)
      list.count = 2 ** 21
      putBack(holder, keepPairs(holder, 1, list, new Set()))
    }
    expect(holders.map(({ pairs }) => pairs !== null)).toEqual([false, true, true])
    // the second one is asked for again
    const [first, second, third] = holders
    putBack(second, second.pairs!)
    putBack(first, keepPairs(first, 2, { ...createPairList(Infinity), count: 2 ** 21 }, new Set()))
    expect(holders.map(({ pairs }) => pairs !== null)).toEqual([true, true, false])
    expect(third.pairs).toBeNull()
    dropUnaskedPairs(Infinity)
    expect(holders.every(({ pairs }) => pairs === null)).toBe(true)
  })

  it('are noticed to be damaged', () => {
    const random = seededRandom(4)
    for (const damage of [
      (pairs: NonNullable<PlaneScene['table']['pairs']>) => pairs.list.count--,
      (pairs: NonNullable<PlaneScene['table']['pairs']>) => pairs.list.first[3]++,
      (pairs: NonNullable<PlaneScene['table']['pairs']>) => (pairs.version = Infinity),
      (pairs: NonNullable<PlaneScene['table']['pairs']>) => (pairs.verdicts[0] = 3),
      (pairs: NonNullable<PlaneScene['table']['pairs']>) => pairs.ranks?.fill(0),
    ]) {
      const scene = crowded(300, random)
      ask(presentView(scene), 'auto', 1)
      const { pairs } = scene.table
      expect(validateScene(scene)).toBeNull()
      expect(pairs?.verdicts.includes(UNKNOWN)).toBe(true)
      damage(pairs!)
      expect(validateScene(scene)).not.toBeNull()
    }
  })
})
