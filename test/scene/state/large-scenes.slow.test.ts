import { describe, expect, it } from 'vitest'
import type { SceneRayCastResponse } from '../../../schemas/scenes/ray-cast.ts'
import { loadConfig, sceneQueryLimits } from '../../../src/config.ts'
import type { FarSlices } from '../../../src/containers/far-call.ts'
import { createTimeOfImpact, timeOfImpact } from '../../../src/core2d/motion/time-of-impact.ts'
import { createDistance, distance } from '../../../src/core2d/queries/distance.ts'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { createRay, createRayHit, rayCast } from '../../../src/core2d/ray/ray-cast.ts'
import { X, Y } from '../../../src/core2d/shape/body.ts'
import { sceneRayCastQuery } from '../../../src/queries/scenes/ray-cast.ts'
import { queryNearest } from '../../../src/scene/queries/nearest.ts'
import { queryOverlap } from '../../../src/scene/queries/overlap.ts'
import { queryPairs } from '../../../src/scene/queries/pairs.ts'
import { queryTimeOfImpact } from '../../../src/scene/queries/time-of-impact.ts'
import { slotOfId } from '../../../src/scene/state/ids.ts'
import type { Operation, SceneBody } from '../../../src/scene/state/operation.ts'
import { apply, type PlaneScene, validateScene } from '../../../src/scene/state/scene.ts'
import { onView, type PlaneView } from '../../../src/scene/state/view.ts'
import { answerCall } from '../../support/answers/finished.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { loneOf, ranked } from './scene-cases.ts'
import { CREATE, sceneOf } from './scene-model.ts'

const random = seededRandom(5)
const accepts = () => true
const limits = sceneQueryLimits(loadConfig({ SCENE_STORE: 'memory' }))
const COUNT = 3000

/** Long thin things at all angles, whose boxes say little about where they are, and small round ones. */
function randomBody(id: string): SceneBody {
  const position = { x: 200 * random(), y: 200 * random() }
  const velocity = random() < 0.1 ? { velocity: { x: 10 * random() - 5, y: 10 * random() - 5 } } : {}
  if (random() < 0.5) return { id, shape: { type: 'circle', radius: random() }, position, ...velocity }
  return {
    id,
    shape: { type: 'box', width: 12 * random(), height: 0.1 },
    position,
    rotation: 6 * random(),
    ...velocity,
  }
}

const list = Array.from({ length: COUNT }, (_, i) => randomBody(`body-${(i * 7919) % COUNT}`))
const lones = list.map(loneOf)

function freshScene(bodies = list): PlaneScene {
  const scene = sceneOf([CREATE])
  apply(scene, { version: 2, at: 0, operations: bodies.map((body) => ({ op: 'put' as const, body })) })
  return scene
}

/** The answer, with writes in every pause; how often it paused. */
function amongWrites<Result>(
  scene: PlaneScene,
  ask: (view: PlaneView) => FarSlices<Result>,
): { result: Result; pauses: number } {
  const slices = onView(scene, ask)
  for (let pauses = 0; ; pauses++) {
    const { done, value } = slices.next()
    if (done) {
      expect(scene.views.size).toBe(0)
      expect(validateScene(scene)).toBe(null)
      return { result: value, pauses }
    }
    answerCall(value)
    const operations: Operation[] = []
    for (let k = 0; k < 20; k++) {
      const body = randomBody(`body-${Math.floor(COUNT * random())}`)
      const isThere = slotOfId(scene.table.ids, body.id) >= 0 && !operations.some((each) => each.op === 'remove')
      if (k % 3 === 0 && isThere) operations.push({ op: 'remove', id: body.id })
      else operations.push({ op: 'put', body })
    }
    if (pauses === 40) operations.push({ op: 'clear' }, { op: 'put', body: randomBody('last') })
    apply(scene, { version: scene.version + 1, at: 0, operations })
  }
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('a large scene that is written to while it is asked', () => {
  it('pairs', () => {
    const { result, pauses } = amongWrites(freshScene(), (view) =>
      queryPairs(view, { accepts, contacts: false, limit: Infinity }),
    )
    expect(pauses).toBeGreaterThan(3)
    const sorted = ranked([...lones], () => 0)
    const expected = sorted.flatMap((a, i) =>
      sorted.slice(i + 1).flatMap((b) => (relate(a.body, b.body) <= 0 ? [`${a.id} ${b.id}`] : [])),
    )
    expect(expected.length).toBeGreaterThan(1000)
    expect(result.pairs.map(({ idA, idB }) => `${idA} ${idB}`)).toEqual(expected)
    const few = amongWrites(freshScene(), (view) => queryPairs(view, { accepts, contacts: false, limit: 500 }))
    expect(few.result.truncated).toBe(true)
    expect(few.result.pairs.map(({ idA, idB }) => `${idA} ${idB}`)).toEqual(expected.slice(0, 500))
  })

  it('ray-cast', () => {
    const rays = Array.from({ length: 1200 }, () => {
      const origin = { x: 200 * random(), y: 200 * random() }
      return { origin, direction: { x: random() - 0.5, y: random() - 0.5 } }
    })
    const { result, pauses } = amongWrites(freshScene(), (view) =>
      sceneRayCastQuery[2].answer(view, { rays, startInside: 'ignore' }, limits),
    )
    expect(pauses).toBeGreaterThan(1)
    const { results = [] } = result as SceneRayCastResponse
    expect(results.length).toBe(rays.length)
    const hit = createRayHit()
    rays.forEach(({ origin, direction }, i) => {
      const ray = { ...createRay(), ox: origin.x, oy: origin.y, dx: direction.x, dy: direction.y }
      const hits = lones.flatMap(({ id, body }) =>
        rayCast(ray, body, 'ignore', hit) ? [{ id, distance: hit.distance }] : [],
      )
      const first = ranked(hits, ({ distance: at }) => at).slice(0, 1)
      expect(results[i].hits.map(({ id, distance: at }) => ({ id, distance: at }))).toEqual(first)
    })
  })

  it('ray-cast, a ray that passes very many bodies', () => {
    const triangle = [
      { x: 0, y: 0 },
      { x: 100, y: 100 },
      { x: 0, y: 100 },
    ]
    // The ray goes through their boxes, where they are not.
    const passed = Array.from({ length: 2999 }, (_, k): SceneBody => {
      return { id: `passed ${k}`, shape: { type: 'polygon', vertices: triangle }, position: { x: k / 1000, y: 0 } }
    })
    const target: SceneBody = { id: 'target', shape: { type: 'circle', radius: 1 }, position: { x: 60, y: 10 } }
    const ray = { origin: { x: 200, y: 10 }, direction: { x: -1, y: 0 }, maxDistance: 150 }
    const scene = () => freshScene([...passed, target])
    const closest = amongWrites(scene(), (view) => sceneRayCastQuery[2].answer(view, { ray }, limits))
    expect(closest.pauses).toBeGreaterThan(3)
    expect(closest.result).toMatchObject({ hits: [{ id: 'target', distance: 139 }], truncated: false })
    const all = amongWrites(scene(), (view) => sceneRayCastQuery[2].answer(view, { ray, mode: 'all' }, limits))
    expect(all.pauses).toBeGreaterThan(3)
    expect(all.result).toMatchObject({ hits: [{ id: 'target', distance: 139 }], truncated: false })
    const farther = { ...ray, maxDistance: 300 }
    const few = amongWrites(scene(), (view) =>
      sceneRayCastQuery[2].answer(view, { rays: [ray, farther], mode: 'all', limit: 1700 }, limits),
    )
    const { results = [] } = few.result as SceneRayCastResponse
    expect(results.map(({ hits, truncated }) => [hits.length, truncated])).toEqual([
      [1, false],
      [1700, true],
    ])
    expect(results[1].hits.slice(0, 2).map(({ id }) => id)).toEqual(['target', 'passed 2998'])
  })

  it('nearest', () => {
    let paused = 0
    for (const count of [1, 3, 40, 2500, 2900]) {
      const probe = loneOf(randomBody('probe')).body
      const { result, pauses } = amongWrites(freshScene(), (view) =>
        queryNearest(view, { probe, count, maxDistance: Infinity, accepts }),
      )
      paused += pauses
      const near = lones.map(({ id, body }) => {
        const found = createDistance()
        distance(probe, body, found)
        return { id, distance: found }
      })
      const expected = ranked(near, (each) => each.distance.distance).slice(0, count)
      expect(plain(result.map(({ id, distance: found }) => ({ id, distance: found })))).toEqual(plain(expected))
    }
    expect(paused).toBeGreaterThan(1)
  })

  it('overlap', () => {
    const probe = loneOf({ id: 'probe', shape: { type: 'circle', radius: 60 }, position: { x: 100, y: 100 } }).body
    const { result, pauses } = amongWrites(freshScene(), (view) =>
      queryOverlap(view, { probe, accepts, contacts: true, limit: 700 }),
    )
    expect(pauses).toBeGreaterThan(1)
    const expected = ranked(
      lones.filter(({ body }) => relate(probe, body) <= 0),
      () => 0,
    )
    expect(expected.length).toBeGreaterThan(700)
    expect(result.truncated).toBe(true)
    expect(result.bodies.map(({ id }) => id)).toEqual(expected.slice(0, 700).map(({ id }) => id))
    expect(result.bodies.every((met) => met.contact !== null)).toBe(true)
  })

  it('time-of-impact', () => {
    const query = { duration: 1, ignoreSeparating: false, want: 'exit' as const, accepts, limit: 400 }
    const { result, pauses } = amongWrites(freshScene(), (view) => queryTimeOfImpact(view, query))
    expect(pauses).toBeGreaterThan(3)
    const found = createTimeOfImpact()
    const sorted = ranked([...lones], () => 0)
    const impacts = sorted.flatMap((a, i) =>
      sorted.slice(i + 1).flatMap((b) => {
        if (a.motion.vx === 0 && b.motion.vx === 0) return []
        // The reference is slow: pairs that are far apart for certain are left out.
        if (
          Math.abs(a.body.numbers[X] - b.body.numbers[X]) > 40 ||
          Math.abs(a.body.numbers[Y] - b.body.numbers[Y]) > 40
        )
          return []
        timeOfImpact(a.body, a.motion, b.body, b.motion, 1, false, 'exit', found)
        return found.hit ? [{ id: `${a.id} ${b.id}`, time: found.time }] : []
      }),
    )
    expect(impacts.length).toBeGreaterThan(400)
    const expected = ranked(impacts, ({ time }) => time).slice(0, 400)
    expect(result.impacts.map(({ idA, idB, found: { time } }) => ({ id: `${idA} ${idB}`, time }))).toEqual(expected)
  })
})
