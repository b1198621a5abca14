/** Random scenes with queries about them, and every body of a scene prepared by itself, for answers by brute force. */
import fc, { type Arbitrary } from 'fast-check'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import { type Body, createBody } from '../../../src/core2d/shape/body.ts'
import type { Motion } from '../../../src/core2d/shape/motion.ts'
import type { BodyFilter } from '../../../src/scene/state/filter.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply } from '../../../src/scene/state/scene.ts'
import { openView, type PlaneView } from '../../../src/scene/state/view.ts'
import {
  GRID,
  mixedBody,
  SHAPE_TYPES,
  type ShapeType,
  unrotatedBody,
  vec2,
} from '../../support/families/arbitraries.ts'
import { mixedComposite } from '../../support/families/composite-arbitraries.ts'
import { applyToModel, bodyId, CREATE, type Model, operation, prepareShape, sceneOf } from './scene-model.ts'

export const TAGS = ['wall', 'enemy', 'coin']

/** A body by itself, as a request would have it. */
export interface Lone {
  id: string
  body: Body
  motion: Motion
  tags: readonly string[]
  isSensor: boolean
}

export interface SceneCase {
  /** Open, and written over since. */
  view: PlaneView
  lones: Lone[]
}

const velocity = fc.option(vec2(GRID), { nil: undefined })

export function bodies(withComposites: boolean, types: readonly ShapeType[] = SHAPE_TYPES): Arbitrary<SceneBody[]> {
  const shaped: Arbitrary<Body2d> = withComposites
    ? fc.oneof({ weight: 3, arbitrary: mixedBody(types) }, { weight: 1, arbitrary: mixedComposite(types) })
    : fc.oneof(mixedBody(types), unrotatedBody(GRID, types))
  const body = fc
    .record({
      shaped,
      offset: fc.record({ x: fc.integer({ min: -6, max: 6 }), y: fc.integer({ min: -6, max: 6 }) }),
      velocity,
      tags: fc.option(fc.subarray(TAGS), { nil: undefined }),
      sensor: fc.option(fc.boolean(), { nil: undefined }),
    })
    .map(({ shaped: { shape, position = { x: 0, y: 0 }, rotation }, offset, ...rest }) => ({
      ...JSON.parse(JSON.stringify(rest)),
      shape,
      position: { x: position.x + offset.x, y: position.y + offset.y },
      ...(rotation !== undefined && { rotation }),
    }))
  return fc
    .array(body, { maxLength: 14 })
    .map((list) => list.map((each, i) => ({ id: `body-${(7 * i) % 16}`, ...each })))
}

/** The scene at the version with these bodies, seen through a view while other things have happened since. */
export function sceneCase(
  withComposites = true,
  types: readonly ShapeType[] = SHAPE_TYPES,
): Arbitrary<() => SceneCase> {
  const since = fc.array(operation(bodyId(16)), { maxLength: 10 })
  return fc.tuple(bodies(withComposites, types), since).map(([list, operations]) => () => {
    const scene = sceneOf([CREATE])
    apply(scene, { version: 2, at: 0, operations: list.map((body) => ({ op: 'put' as const, body })) })
    const view = openView(scene)
    const model: Model = new Map(list.map((body) => [body.id, body]))
    // An aabb takes no rotation.
    const taken = operations.filter((each) => {
      const isTurned =
        (each.op === 'move' || each.op === 'patch') && JSON.stringify(model.get(each.id))?.includes('aabb')
      return !isTurned && applyToModel(model, each)
    })
    apply(scene, { version: 3, at: 0, operations: taken })
    return { view, lones: list.map(loneOf) }
  })
}

export function loneOf({
  id,
  shape,
  position,
  rotation = 0,
  velocity: v,
  angularVelocity = 0,
  tags = [],
  sensor,
}: SceneBody): Lone {
  const body = createBody()
  prepareShape(shape, position?.x ?? 0, position?.y ?? 0, rotation, body)
  const motion = { vx: v?.x ?? 0, vy: v?.y ?? 0, spin: angularVelocity as number }
  return { id, body, motion, tags, isSensor: sensor === true }
}

export const anyFilter: Arbitrary<BodyFilter> = fc.record(
  {
    tags: fc.record(
      { any: fc.subarray(TAGS, { minLength: 1 }), all: fc.subarray(TAGS), none: fc.subarray(TAGS) },
      { requiredKeys: [] },
    ),
    ids: fc.record(
      { include: fc.array(bodyId(16), { minLength: 4 }), exclude: fc.array(bodyId(16)) },
      { requiredKeys: [] },
    ),
    sensors: fc.constantFrom('include', 'exclude', 'only'),
  },
  { requiredKeys: [] },
) as Arbitrary<BodyFilter>

/** The naive reading of a filter. */
export function filtered<Each extends Pick<Lone, 'id' | 'tags' | 'isSensor'>>(
  lones: readonly Each[],
  filter: BodyFilter,
): Each[] {
  const { tags: { any, all = [], none = [] } = {}, ids: { include, exclude = [] } = {}, sensors = 'include' } = filter
  return lones.filter(
    ({ id, tags, isSensor }) =>
      (any === undefined || any.some((tag) => tags.includes(tag))) &&
      all.every((tag) => tags.includes(tag)) &&
      none.every((tag) => !tags.includes(tag)) &&
      (include === undefined || include.includes(id)) &&
      !exclude.includes(id) &&
      (sensors === 'include' || isSensor === (sensors === 'only')),
  )
}

/** By distance, then by id. */
export function ranked<Value extends { id: string }>(list: Value[], at: (value: Value) => number): Value[] {
  return list.sort((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1))
}
