/** Random operations on scenes, and the naive model that says what they do: a map of bodies. */
import fc, { type Arbitrary } from 'fast-check'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Body } from '../../../src/core2d/shape/body.ts'
import type { Prepares } from '../../../src/scene/state/geometry.ts'
import type { Entry, MoveOperation, Operation, SceneBody, Vec2 } from '../../../src/scene/state/operation.ts'
import { apply, createScene, type PlaneScene } from '../../../src/scene/state/scene.ts'
import { decodeBody } from '../../../src/wire/body.ts'
import { prepareShape as prepareInService } from '../../../src/wire/scene-body.ts'
import { anyShape, GRID } from '../../support/families/arbitraries.ts'
import { chainShape, compoundShape } from '../../support/families/composite-arbitraries.ts'

export type Model = Map<string, SceneBody>

/** What the service does with a shape. */
export const PREPARES: Prepares = {
  ...prepareInService,
  2: (shape, poses, at, out) => prepareShape(shape, poses[at], poses[at + 1], poses[at + 2], out),
}

export function prepareShape(shape: object, x: number, y: number, rotation: number, out: Body): void {
  const problem = decodeBody({ shape: shape as Body2d['shape'], position: { x, y }, rotation }, out)
  if (problem !== null) throw new Error(problem.detail)
}

const TAGS = ['wall', 'enemy', 'a b', 'ü']
const vector: Arbitrary<Vec2> = fc.record({
  x: fc.integer({ min: -20, max: 20 }),
  y: fc.double({ min: -20, max: 20, noNaN: true }),
})
const angle = fc.oneof(fc.constant(0), fc.double({ min: -7, max: 7, noNaN: true }))
const shapes: Arbitrary<object> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom({ type: 'box', width: 1, height: 2 }, { height: 2, width: 1, type: 'box' }) },
  { weight: 4, arbitrary: anyShape(GRID).filter(({ type }) => type !== 'aabb') },
  { weight: 1, arbitrary: chainShape(GRID) },
  { weight: 1, arbitrary: compoundShape(GRID).filter((shape) => !JSON.stringify(shape).includes('aabb')) },
)
const optional = {
  position: vector,
  rotation: angle,
  velocity: vector,
  angularVelocity: angle,
  tags: fc.array(fc.constantFrom(...TAGS), { maxLength: 3 }),
  sensor: fc.boolean(),
  data: fc.oneof(fc.constant({ name: 'Æ', list: [1, null, { deep: true }] }), fc.integer(), fc.string()),
}

/** Few ids, so that bodies come and go. */
export function bodyId(count: number): Arbitrary<string> {
  return fc.nat(count - 1).map((n) => `body-${n}`)
}

export function sceneBody(ids: Arbitrary<string>): Arbitrary<SceneBody> {
  return fc.record({ id: ids, shape: shapes, ...optional }, { requiredKeys: ['id', 'shape'] }) as Arbitrary<SceneBody>
}

/** Operations that a scene with these bodies takes, made from random ones by leaving out what is about no body. */
export function operation(ids: Arbitrary<string>): Arbitrary<Operation> {
  const { position, rotation, velocity, angularVelocity } = optional
  const nullable = Object.fromEntries(
    Object.entries(optional).map(([name, value]) => [name, fc.option(value as Arbitrary<unknown>, { nil: null })]),
  )
  const move = { op: fc.constant('move' as const), id: ids, position, rotation, velocity, angularVelocity }
  return fc.oneof(
    { weight: 10, arbitrary: sceneBody(ids).map((body) => ({ op: 'put' as const, body })) },
    { weight: 6, arbitrary: fc.record(move, { requiredKeys: ['op', 'id'] }) as Arbitrary<MoveOperation> },
    {
      weight: 3,
      arbitrary: fc.record({
        op: fc.constant('patch' as const),
        id: ids,
        fields: fc.record({ shape: shapes, ...nullable }, { requiredKeys: [] }),
      }) as Arbitrary<Operation>,
    },
    { weight: 5, arbitrary: fc.record({ op: fc.constant('remove' as const), id: ids }) },
    { weight: 1, arbitrary: fc.constant({ op: 'clear' as const }) },
  )
}

/** Applies one operation to the model; false, and nothing changed, when it is about a body that is not there. */
export function applyToModel(model: Model, operation: Operation): boolean {
  switch (operation.op) {
    case 'put':
      model.set(operation.body.id, operation.body)
      return true
    case 'clear':
      model.clear()
      return true
    case 'remove':
      return model.delete(operation.id)
    case 'create':
    case 'configure':
    case 'drop':
      return true
  }
  const body = model.get(operation.id)
  if (body === undefined) return false
  const after = { ...body } as Record<string, unknown>
  const fields = operation.op === 'patch' ? operation.fields : operation
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'op' || name === 'id') continue
    if (value === null) delete after[name]
    else after[name] = value
  }
  model.set(operation.id, after as unknown as SceneBody)
  return true
}

/** Every entry numbered, without what the model refuses. */
export function entriesOf(
  batches: readonly (readonly Operation[])[],
  first: number,
  model: Model = new Map(),
): Entry[] {
  return batches.map((batch, k) => ({
    version: first + k,
    at: 1000 + first + k,
    operations: batch.filter((operation) => applyToModel(model, operation)),
  }))
}

export const CREATE: Entry = {
  version: 1,
  at: 1000,
  operations: [{ op: 'create', sceneId: 'level-1', name: 'Level 1', dimension: 2, margin: 0.5, at: 1000 }],
}

export function sceneOf(entries: readonly Entry[]): PlaneScene {
  const scene = createScene(PREPARES) as PlaneScene
  for (const entry of entries) apply(scene, entry)
  return scene
}
