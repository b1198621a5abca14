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
