/** Queries of scenes, and the stateless ones about the same bodies, in either dimension. */
import { expect } from 'vitest'
import { loadConfig, queryLimits, sceneQueryLimits } from '../../../src/config.ts'
import type { SceneQuery } from '../../../src/queries/ask/scene-query.ts'
import { isSlices } from '../../../src/queries/ask/slices.ts'
import { sceneQueries, sceneQueries3d } from '../../../src/queries/scenes/all.ts'
import { queries, queries3d } from '../../../src/queries/stateless/all.ts'
import type { BodyFilter } from '../../../src/scene/state/filter.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply, type Scene } from '../../../src/scene/state/scene.ts'
import { openView, type View } from '../../../src/scene/state/view.ts'
import { isProblem } from '../../../src/wire/decode-problem.ts'
import { filtered } from '../../scene/state/scene-cases.ts'
import { finished } from './finished.ts'

const config = loadConfig({})
const limits = queryLimits(config)
export const sceneLimits = sceneQueryLimits(config)

// biome-ignore lint/suspicious/noExplicitAny: answers of every kind
export type Found = any

/** What leaves nothing to rounding: as text. */
const text = (value: unknown) => JSON.stringify(value)

export function sameText(found: unknown, expected: unknown): void {
  if (text(found) !== text(expected)) expect(found).toEqual(expected)
  expect(text(found)).toBe(text(expected))
}

const BY_DIMENSION = {
  2: { stateless: queries, ofScenes: sceneQueries },
  3: { stateless: queries3d, ofScenes: sceneQueries3d },
} as const

export function stateless(dimension: 2 | 3, op: string, request: object): Found {
  const outcome = BY_DIMENSION[dimension].stateless
    .find((query) => query.op === op)
    ?.answer(request as never, limits) as object
  const found = isSlices(outcome) ? finished(outcome) : outcome
  if (isProblem(found)) throw new Error(text(found))
  return found
}

export function sceneQuery(view: View, op: string): SceneQuery {
  return BY_DIMENSION[view.table.geometry.dimension].ofScenes.find((each) => each.op === op) as SceneQuery
}

/** The whole answer of a query of the view's scene. */
export function asked(view: View, op: string, request: object): Found {
  const found = finished(sceneQuery(view, op).answer(view, request, sceneLimits))
  if (isProblem(found)) throw new Error(text(found))
  expect(found).toMatchObject({ version: view.version, truncated: false })
  return found
}

/** A body as a stateless query has it. */
export function plain<Wire>(body: SceneBody): Wire {
  const { id: _, tags: __, sensor: ___, data: ____, ...rest } = body
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Wire
}

/** The same at rest. */
export function still<Wire>(body: SceneBody): Wire {
  const { velocity: _, angularVelocity: __, ...rest } = body
  return plain(rest)
}

/** The bodies that pass the filter, by id; `self` is left out. */
export function passing(list: readonly SceneBody[], filter: BodyFilter, self?: string): SceneBody[] {
  const named = list.map(({ id, tags = [], sensor }) => ({ id, tags, isSensor: sensor === true }))
  const passed = new Set(filtered(named, filter).map(({ id }) => id))
  return list.filter(({ id }) => passed.has(id) && id !== self).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The version of an empty scene with these bodies, looked at while other things have happened since. */
export function viewOf(scene: Scene, list: readonly SceneBody[]): View {
  apply(scene, { version: 2, at: 0, operations: list.map((body) => ({ op: 'put' as const, body })) })
  const view = openView(scene)
  const operations = list.filter((_, i) => i % 3 === 0).map(({ id }) => ({ op: 'remove' as const, id }))
  apply(scene, { version: 3, at: 0, operations: [...operations, { op: 'put', body: { ...list[0], id: 'new' } }] })
  return view
}

/** What a query is about, and the same as a body for the stateless ones. `given`: a body, or the place of one in the list. */
export function subject<Wire>(list: readonly SceneBody[], given: Wire | number) {
  if (typeof given !== 'number') return { request: { body: given }, body: given, self: undefined }
  const own = list[given % list.length]
  return { request: { bodyId: own.id }, body: still<Wire>(own), self: own.id }
}

// What a scene has to answer, from the stateless answers about its bodies, by query. `list`: the bodies of the view, in any order.

type List = readonly SceneBody[]
type Subject = ReturnType<typeof subject>

const answerAbout = (view: View, op: string, request: object): Found =>
  stateless(view.table.geometry.dimension, op, request)

/** Hits at targets, by the ids of these. */
const named = (hits: readonly Found[], targets: List): object[] =>
  hits.map(({ target, ...hit }) => ({ id: targets[target].id, ...hit }))

export function checkOverlap(view: View, list: List, of: Subject, filter: BodyFilter, contacts: boolean): void {
  const { request, body: a, self } = of
  const expected = passing(list, filter, self).flatMap((body) => {
    const { overlap, relation } = answerAbout(view, 'overlap', { a, b: still(body) })
    if (!overlap) return []
    return [
      { id: body.id, relation, ...(contacts && { contact: answerAbout(view, 'contact', { a, b: still(body) }) }) },
    ]
  })
  sameText(asked(view, 'overlap', { ...request, filter, contacts }).bodies, expected)
}

/** All rays at once, and the first by itself. */
export function checkRays(view: View, list: List, rays: readonly object[], how: object, filter: BodyFilter): void {
  const listed = passing(list, filter)
  const targets = listed.map(still)
  const expected = rays.map((ray) => named(answerAbout(view, 'ray-cast', { ray, targets, ...how }).hits, listed))
  sameText(
    asked(view, 'ray-cast', { rays, ...how, filter }).results,
    expected.map((hits) => ({ hits, truncated: false })),
  )
  sameText(asked(view, 'ray-cast', { ray: rays[0], ...how, filter }).hits, expected[0])
}

export function checkCast(
  view: View,
  list: List,
  { request, body, self }: Subject,
  cast: object,
  filter: BodyFilter,
): void {
  const listed = passing(list, filter, self)
  const { hits } = answerAbout(view, 'shape-cast', { body, ...cast, targets: listed.map(still) })
  sameText(asked(view, 'shape-cast', { ...request, ...cast, filter }).hits, named(hits, listed))
}

export function checkNearest(
  view: View,
  list: List,
  { request, body: a, self }: Subject,
  count: number,
  filter: BodyFilter,
): void {
  const expected = passing(list, filter, self)
    .map((body) => ({ id: body.id, ...answerAbout(view, 'distance', { a, b: still(body) }) }))
    .sort((one, other) => one.distance - other.distance)
  sameText(asked(view, 'nearest', { ...request, count, filter }).bodies, expected.slice(0, count))
}

/** Of all pairs of which one moves. */
export function checkImpacts(view: View, list: List, how: object, filter: BodyFilter): void {
  const listed = passing(list, filter)
  const expected = listed.flatMap((a, i) =>
    listed.slice(i + 1).flatMap((b) => {
      if (!isMoving(a) && !isMoving(b)) return []
      const { hit, ...impact } = answerAbout(view, 'time-of-impact', { a: plain(a), b: plain(b), ...how })
      return hit ? [{ a: a.id, b: b.id, ...impact }] : []
    }),
  )
  expected.sort((one, other) => one.time - other.time)
  sameText(asked(view, 'time-of-impact', { ...how, filter }).impacts, expected)
}

/** Of a body of its own, or of one of the scene, which moves at `velocity` and lies still but for that. */
export function checkTrajectory(
  view: View,
  list: List,
  { request, body, self }: Subject,
  velocity: object,
  how: { duration: number },
  filter: BodyFilter,
): Found {
  const listed = passing(list, filter, self)
  const moving = { ...(body as object), velocity }
  const { bounces, ...rest } = answerAbout(view, 'trajectory', { ...how, body: moving, obstacles: listed.map(plain) })
  const given = self === undefined ? { body: moving } : { ...request, velocity }
  const { version: _, truncated: __, ...found } = asked(view, 'trajectory', { ...given, ...how, filter })
  const named = bounces.map(({ obstacle, ...bounce }: Found) => ({ ...bounce, id: listed[obstacle].id }))
  sameText(found, { bounces: named, ...rest })
  return found
}

function isMoving({ velocity, angularVelocity = 0 }: SceneBody): boolean {
  const turning = typeof angularVelocity === 'number' ? [angularVelocity] : Object.values(angularVelocity)
  return [...Object.values(velocity ?? {}), ...turning].some((rate) => rate !== 0)
}
