import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTimeOfImpact, timeOfImpact } from '../../../src/core2d/motion/time-of-impact.ts'
import { trajectory } from '../../../src/core2d/motion/trajectory.ts'
import { type Contact, contact, createContact } from '../../../src/core2d/queries/contact.ts'
import { createDistance, distance } from '../../../src/core2d/queries/distance.ts'
import { relate } from '../../../src/core2d/queries/overlap.ts'
import { createRay, createRayHit, type RayHit, rayCast } from '../../../src/core2d/ray/ray-cast.ts'
import { X, Y } from '../../../src/core2d/shape/body.ts'
import { encodeRayHit } from '../../../src/queries/stateless/ray-cast.ts'
import { queryLineOfSight } from '../../../src/scene/queries/line-of-sight.ts'
import { queryNearest } from '../../../src/scene/queries/nearest.ts'
import { queryOverlap } from '../../../src/scene/queries/overlap.ts'
import { queryPairs } from '../../../src/scene/queries/pairs.ts'
import { castRay, castRayInSlices, type HitBody } from '../../../src/scene/queries/ray-cast.ts'
import { queryShapeCast } from '../../../src/scene/queries/shape-cast.ts'
import { queryTimeOfImpact } from '../../../src/scene/queries/time-of-impact.ts'
import { queryTrajectory } from '../../../src/scene/queries/trajectory.ts'
import { compileFilter } from '../../../src/scene/state/filter.ts'
import { apply } from '../../../src/scene/state/scene.ts'
import { bodyAt, findBody, type PlaneView, presentView } from '../../../src/scene/state/view.ts'
import { finished } from '../../support/answers/finished.ts'
import { prepare } from '../../support/answers/slots.ts'
import { GRID, mixedBody, UNIFORM, vec2 } from '../../support/families/arbitraries.ts'
import { unshrunk } from '../../support/runs.ts'
import { anyFilter, filtered, type Lone, loneOf, ranked, sceneCase } from '../state/scene-cases.ts'
import { CREATE, sceneOf } from '../state/scene-model.ts'

/** What leaves nothing to rounding: −0 and 0 are the same. */
const same = (value: unknown) => JSON.parse(JSON.stringify(value))
const AT_REST = { vx: 0, vy: 0, spin: 0 }

const point = fc.oneof(
  vec2(GRID),
  vec2(UNIFORM),
  fc.record({ x: fc.integer({ min: -9, max: 9 }), y: fc.integer({ min: -9, max: 9 }) }),
)
const limit = fc.oneof({ weight: 2, arbitrary: fc.constant(Infinity) }, { weight: 1, arbitrary: fc.nat(5) })
const want = fc.constantFrom('time' as const, 'contact' as const, 'exit' as const)
const filter = fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: anyFilter })

/** Twenty queries about each of so many scenes. */
const QUERIES = 20
const many = <Query>(query: fc.Arbitrary<Query>) => fc.array(query, { minLength: QUERIES, maxLength: QUERIES })

const contactOf = (a: Lone['body'], b: Lone['body']): Contact => {
  const out = createContact()
  contact(a, b, 0, out)
  return out
}

const encodedHits = (view: PlaneView, hits: readonly HitBody<RayHit>[]) =>
  hits.map(({ slot, id, hit }) => same(encodeRayHit({ id }, hit, bodyAt(view, slot))))

describe('queries of a scene give the stateless answers about the same bodies', () => {
  it('overlap', () => {
    const query = fc.record({ probe: mixedBody(), filter, limit, contacts: fc.boolean() })
    fc.assert(
      fc.property(sceneCase(), many(query), (open, queries) => {
        const { view, lones } = open()
        for (const { probe: wire, filter: given, limit: most, contacts } of queries) {
          const probe = prepare(wire)
          const accepts = compileFilter(view, given)
          const answer = finished(queryOverlap(view, { probe, accepts, contacts, limit: most }))
          const met = ranked(
            filtered(lones, given)
              .map(({ id, body }) => ({ id, body, relation: relate(probe, body) }))
              .filter(({ relation }) => relation <= 0),
            () => 0,
          )
          expect(answer.truncated).toBe(met.length > most)
          const expected = met.slice(0, most).map(({ id, body, relation }) => {
            return { slot: findBody(view, id), id, relation, contact: contacts ? contactOf(probe, body) : null }
          })
          expect(same(answer.bodies)).toEqual(same(expected))
        }
      }),
      unshrunk(120),
    )
  })

  it('ray-cast', () => {
    const query = fc.record({
      origin: point,
      direction: point.filter(({ x, y }) => x !== 0 || y !== 0),
      scale: fc.constantFrom(1, 1, 1, 2 ** -60, 1e30),
      maxDistance: fc.constantFrom(Infinity, Infinity, 4, 0),
      mode: fc.constantFrom('closest' as const, 'any' as const, 'all' as const),
      startInside: fc.constantFrom('hit' as const, 'ignore' as const, 'exit' as const),
      filter,
      limit,
    })
    fc.assert(
      fc.property(sceneCase(), many(query), (open, queries) => {
        const { view, lones } = open()
        for (const {
          origin,
          direction,
          scale,
          maxDistance,
          mode,
          startInside,
          filter: given,
          limit: most,
        } of queries) {
          const ray = {
            ...createRay(),
            ox: origin.x,
            oy: origin.y,
            dx: scale * direction.x,
            dy: scale * direction.y,
            maxDistance,
          }
          const accepts = compileFilter(view, given)
          const query = { mode, startInside, accepts, limit: most }
          const inSlices = finished(castRayInSlices(view, ray, query))
          const answer = castRay(view, ray, query) ?? inSlices
          expect(encodedHits(view, inSlices.hits)).toEqual(encodedHits(view, answer.hits))
          const hits = filtered(lones, given).flatMap(({ id, body }) => {
            const hit = createRayHit()
            return rayCast(ray, body, startInside, hit) ? [{ slot: findBody(view, id), id, hit, body }] : []
          })
          const count = mode === 'all' ? most : 1
          const expected = ranked(hits, ({ hit }) => hit.distance).slice(0, count)
          expect(encodedHits(view, answer.hits)).toEqual(
            expected.map(({ id, hit, body }) => same(encodeRayHit({ id }, hit, body))),
          )
          expect(answer.truncated).toBe(mode === 'all' && hits.length > most)
        }
      }),
      unshrunk(150),
    )
  })

  it('nearest, each once, where boxes say little about how near bodies are', () => {
    // a fan of long segments: all of their boxes hold the probe, so that more boxes have to be walked than are asked for
    const list = Array.from({ length: 90 }, (_, i) => ({
      id: `body-${i}`,
      shape: { type: 'segment' as const, a: { x: -99, y: 90 - i }, b: { x: 90 - i, y: -99 } },
    }))
    const scene = sceneOf([CREATE])
    apply(scene, { version: 2, at: 0, operations: list.map((body) => ({ op: 'put' as const, body })) })
    const view = presentView(scene)
    const probe = prepare({ shape: { type: 'circle', radius: 0.25 }, position: { x: -6, y: -6 } })
    const answer = finished(queryNearest(view, { probe, count: 80, maxDistance: Infinity, accepts: () => true }))
    const near = list.map(loneOf).map(({ id, body }) => {
      const found = createDistance()
      distance(probe, body, found)
      return { slot: findBody(view, id), id, distance: found }
    })
    expect(same(answer)).toEqual(same(ranked(near, (each) => each.distance.distance).slice(0, 80)))
  })

  it('shape-cast', () => {
    const query = fc.record({
      body: mixedBody(),
      translation: point,
      rotation: fc.constantFrom(0, 0, 0, 0, 1.5),
      mode: fc.constantFrom('closest' as const, 'all' as const),
      ignoreSeparating: fc.boolean(),
      want,
      filter,
      limit,
    })
    fc.assert(
      fc.property(sceneCase(), fc.array(query, { minLength: 8, maxLength: 8 }), (open, queries) => {
        const { view, lones } = open()
        for (const {
          body: wire,
          translation,
          rotation,
          mode,
          ignoreSeparating,
          want,
          filter: given,
          limit: most,
        } of queries) {
          const body = prepare(wire)
          const motion = { vx: translation.x, vy: translation.y, spin: rotation }
          const accepts = compileFilter(view, given)
          const cast = { body, motion, mode, ignoreSeparating, want, accepts, limit: most }
          const answer = finished(queryShapeCast(view, cast))
          const hits = filtered(lones, given).flatMap(({ id, body: target }) => {
            const hit = createTimeOfImpact()
            timeOfImpact(target, AT_REST, body, motion, 1, ignoreSeparating, want, hit)
            return hit.hit ? [{ slot: findBody(view, id), id, hit }] : []
          })
          const expected = ranked(hits, ({ hit }) => hit.time).slice(0, mode === 'all' ? most : 1)
          expect(same(answer.hits)).toEqual(same(expected))
          expect(answer.truncated).toBe(mode === 'all' && hits.length > most)
        }
      }),
      unshrunk(120),
    )
  })

  it('nearest', () => {
    const query = fc.record({
      probe: mixedBody(),
      count: fc.integer({ min: 0, max: 6 }),
      maxDistance: fc.constantFrom(Infinity, Infinity, 3, 0),
      filter,
    })
    fc.assert(
      fc.property(sceneCase(), many(query), (open, queries) => {
        const { view, lones } = open()
        for (const { probe: wire, count, maxDistance, filter: given } of queries) {
          const probe = prepare(wire)
          const accepts = compileFilter(view, given)
          const answer = finished(queryNearest(view, { probe, count, maxDistance, accepts }))
          const near = filtered(lones, given).map(({ id, body }) => {
            const found = createDistance()
            distance(probe, body, found)
            return { slot: findBody(view, id), id, distance: found }
          })
          const expected = ranked(near, (each) => each.distance.distance)
            .filter((each) => each.distance.distance <= maxDistance)
            .slice(0, count)
          expect(same(answer)).toEqual(same(expected))
        }
      }),
      unshrunk(120),
    )
  })

  it('pairs', () => {
    fc.assert(
      fc.property(sceneCase(), filter, limit, fc.boolean(), (open, given, most, contacts) => {
        const { view, lones } = open()
        const answer = finished(queryPairs(view, { accepts: compileFilter(view, given), contacts, limit: most }))
        const sorted = ranked(filtered(lones, given), () => 0)
        const pairs = sorted.flatMap((a, i) =>
          sorted
            .slice(i + 1)
            .filter((b) => relate(a.body, b.body) <= 0)
            .map((b) => ({ a, b })),
        )
        expect(answer.truncated).toBe(pairs.length > most)
        const expected = pairs.slice(0, most).map(({ a, b }) => ({
          slotA: findBody(view, a.id),
          slotB: findBody(view, b.id),
          idA: a.id,
          idB: b.id,
          contact: contacts ? contactOf(a.body, b.body) : null,
        }))
        expect(same(answer.pairs)).toEqual(same(expected))
      }),
      unshrunk(400),
    )
  })

  it('time-of-impact', () => {
    fc.assert(
      fc.property(sceneCase(), filter, limit, fc.boolean(), want, (open, given, most, ignoreSeparating, want) => {
        const { view, lones } = open()
        const duration = 2
        const accepts = compileFilter(view, given)
        const answer = finished(queryTimeOfImpact(view, { duration, ignoreSeparating, want, accepts, limit: most }))
        const moves = ({ motion: { vx, vy, spin } }: Lone) => vx !== 0 || vy !== 0 || spin !== 0
        const sorted = ranked(filtered(lones, given), () => 0)
        const impacts = sorted.flatMap((a, i) =>
          sorted.slice(i + 1).flatMap((b) => {
            const found = createTimeOfImpact()
            if (moves(a) || moves(b))
              timeOfImpact(a.body, a.motion, b.body, b.motion, duration, ignoreSeparating, want, found)
            if (!found.hit) return []
            const slots = { slotA: findBody(view, a.id), slotB: findBody(view, b.id) }
            return [{ ...slots, idA: a.id, idB: b.id, id: `${a.id} ${b.id}`, found }]
          }),
        )
        expect(answer.truncated).toBe(impacts.length > most)
        const expected = ranked(impacts, ({ found }) => found.time)
          .slice(0, most)
          .map(({ id: _, ...impact }) => impact)
        expect(same(answer.impacts)).toEqual(same(expected))
      }),
      unshrunk(400),
    )
  })

  it('trajectory', () => {
    const query = fc.record({
      body: mixedBody(['circle', 'box', 'capsule', 'polygon', 'point']),
      velocity: point,
      restitution: fc.constantFrom(1, 0.5),
      filter,
    })
    fc.assert(
      fc.property(sceneCase(), fc.array(query, { minLength: 6, maxLength: 6 }), (open, queries) => {
        const { view, lones } = open()
        for (const { body: wire, velocity, restitution, filter: given } of queries) {
          const motion = { vx: velocity.x, vy: velocity.y, spin: 0 }
          const rest = { motion, duration: 3, restitution, maxBounces: 12 }
          const accepts = compileFilter(view, given)
          const answer = finished(queryTrajectory(view, { body: prepare(wire), accepts, maxObstacles: 100, ...rest }))
          const all = ranked(filtered(lones, given), () => 0)
          const path = trajectory(prepare(wire), motion, all, 3, restitution, 12)
          const bounces = answer?.path.bounces.map((bounce) => ({ ...bounce, obstacle: answer.ids[bounce.obstacle] }))
          const expected = path.bounces.map((bounce) => ({ ...bounce, obstacle: all[bounce.obstacle].id }))
          expect(same({ ...answer?.path, bounces })).toEqual(same({ ...path, bounces: expected }))
        }
      }),
      unshrunk(150),
    )
  })

  it('line-of-sight', () => {
    const target = fc.oneof(
      point.map((at) => ({ at, index: -1 })),
      fc.nat(13).map((index) => ({ at: { x: 0, y: 0 }, index })),
    )
    const query = fc.record({ from: point, targets: fc.array(target, { maxLength: 3 }), filter, limit: fc.nat(4) })
    fc.assert(
      fc.property(sceneCase(), many(query), (open, queries) => {
        const { view, lones } = open()
        for (const { from, targets, filter: given, limit: most } of queries) {
          const known = targets.filter(({ index }) => index < lones.length)
          const listed = known.map(({ at, index }) => {
            if (index < 0) return { point: [at.x, at.y], slot: -1 }
            const { id, body } = lones[index]
            return { point: [body.numbers[X], body.numbers[Y]], slot: findBody(view, id) }
          })
          const accepts = compileFilter(view, given)
          const asked = { from: [from.x, from.y], targets: listed, accepts, limit: most }
          const sights = finished(queryLineOfSight(view, asked))
          listed.forEach(({ point: [x, y], slot }, i) => {
            const length = Math.hypot(x - from.x, y - from.y)
            const ray = { ...createRay(), ox: from.x, oy: from.y, dx: x - from.x, dy: y - from.y, maxDistance: length }
            const hit = createRayHit()
            const isMet = length > 0 && slot >= 0 && rayCast(ray, lones[known[i].index].body, 'hit', hit)
            const reach = isMet ? hit.distance : length
            const between = filtered(lones, given).flatMap(({ id, body }) => {
              const found = createRayHit()
              const isBetween = reach > 0 && findBody(view, id) !== slot && rayCast(ray, body, 'hit', found)
              return isBetween && found.distance < reach ? [{ slot: findBody(view, id), id, hit: found }] : []
            })
            const { visible, distance: seen, occluders, truncated } = sights[i]
            expect({ visible, seen, truncated }).toEqual({
              visible: between.length === 0,
              seen: reach,
              truncated: between.length > most,
            })
            const nearest = ranked(between, (each) => each.hit.distance).slice(0, most)
            expect(encodedHits(view, occluders)).toEqual(encodedHits(view, nearest))
          })
        }
      }),
      unshrunk(100),
    )
  })
})
