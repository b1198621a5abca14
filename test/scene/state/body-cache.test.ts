import { describe, expect, it } from 'vitest'
import {
  type Body,
  COMPOSITE,
  COS,
  createBody,
  RADIUS,
  REACH,
  RX,
  RY,
  SIN,
  X,
  Y,
} from '../../../src/core2d/shape/body.ts'
import type { Operation, SceneBody } from '../../../src/scene/state/operation.ts'
import { apply, type PlaneScene } from '../../../src/scene/state/scene.ts'
import { bodyAt, findBody, heldBodyAt, presentView } from '../../../src/scene/state/view.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { loneOf } from './scene-cases.ts'
import { applyToModel, CREATE, type Model, sceneOf } from './scene-model.ts'

const random = seededRandom(11)
const ring = (count: number, radius: number) =>
  Array.from({ length: count }, (_, i) => ({
    x: radius * Math.cos((2 * Math.PI * i) / count),
    y: radius * Math.sin((2 * Math.PI * i) / count),
  }))

/** Of each way to be kept: by shape, by body, in the shelf, for its weight, as a composite. */
const MAKERS: (() => object)[] = [
  () => ({ type: 'box', width: 1, height: 2 }),
  () => ({ type: 'box', width: random(), height: random() }),
  () => ({ type: 'ellipse', rx: 1, ry: 1 + Math.floor(3 * random()) }),
  () => ({ type: 'polygon', vertices: ring(100, 1 + Math.floor(3 * random())) }),
  () => ({ type: 'chain', vertices: ring(20 + Math.floor(2000 * random()), 2) }),
  () => ({ type: 'region', outer: ring(12, 3), holes: [ring(5, 1)] }),
]

const pose = () => ({
  position: { x: 100 * random(), y: 100 * random() },
  ...(random() < 0.5 && { rotation: 3 * random() }),
})

const randomBody = (id: string): SceneBody => ({ id, shape: MAKERS[Math.floor(MAKERS.length * random())](), ...pose() })

/** What questions are asked of: all that does not hang on what a slot held before. */
function contents({ kind, count, vertices, composite, numbers }: Body) {
  const x = numbers[X]
  const y = numbers[Y]
  const cos = numbers[COS]
  const sin = numbers[SIN]
  const radius = numbers[RADIUS]
  const reach = numbers[REACH]
  const rx = numbers[RX]
  const ry = numbers[RY]
  const parts = kind !== COMPOSITE || composite === null ? [] : composite.parts.slice(0, composite.partCount)
  return {
    ...{ kind, x, y, reach },
    ...(kind === COMPOSITE ? {} : { cos, sin, radius, count, vertices: numbers.slice(vertices, vertices + 2 * count) }),
    ...(kind === 2 ? { rx, ry } : {}),
    parts: parts.map(({ body, outline }) => [
      body.numbers[X],
      body.numbers[Y],
      ...(outline?.vertices.subarray(0, 2 * outline.vertexCount) ?? []),
    ]),
  }
}

function expectBodies(scene: PlaneScene, model: Model, ids: readonly string[]): void {
  const view = presentView(scene)
  for (const id of ids) {
    const body = model.get(id)
    if (body === undefined) continue
    const slot = findBody(view, id)
    expect(contents(bodyAt(view, slot))).toEqual(contents(loneOf(body).body))
    const held = heldBodyAt(view, slot, createBody())
    const before = contents(held)
    for (const other of ids.slice(0, 5)) if (model.has(other)) bodyAt(view, findBody(view, other))
    expect(contents(held)).toEqual(before)
  }
}

describe('prepared bodies', () => {
  it('are those that the rows say, whatever was prepared before, changed or went', () => {
    const scene = sceneOf([CREATE])
    const model: Model = new Map()
    const ids = Array.from({ length: 400 }, (_, i) => `body-${i}`)
    for (let version = 2; version < 40; version++) {
      const operations: Operation[] = []
      for (let k = 0; k < 60; k++) {
        const id = ids[Math.floor(ids.length * random())]
        const choice = random()
        let operation: Operation = { op: 'put', body: randomBody(id) }
        if (choice < 0.3) operation = { op: 'move', id, ...pose() }
        else if (choice < 0.4) operation = { op: 'remove', id }
        else if (choice < 0.5) operation = { op: 'patch', id, fields: { rotation: null } }
        else if (choice < 0.51) operation = { op: 'clear' }
        if (applyToModel(model, operation)) operations.push(operation)
      }
      apply(scene, { version, at: 0, operations })
      const start = Math.floor(300 * random())
      expectBodies(scene, model, ids.slice(start, start + 80))
    }
  })

  it('keep only so many of what is heavy, and of what is light', () => {
    const scene = sceneOf([CREATE])
    const model: Model = new Map()
    const heavy = Array.from({ length: 60 }, (_, i) => ({
      id: `heavy-${i}`,
      shape: { type: 'chain', vertices: ring(9000, 1 + i) },
    }))
    const light = Array.from({ length: 20_000 }, (_, i) => ({
      id: `light-${i}`,
      shape: { type: 'box', width: 1 + i, height: 1 },
      ...pose(),
    }))
    const operations = [...heavy, ...light].map((body) => ({ op: 'put' as const, body }))
    for (const each of operations) applyToModel(model, each)
    apply(scene, { version: 2, at: 0, operations })
    expect(scene.table.kept.size).toBeLessThan(heavy.length)
    expect(scene.table.keptWeight).toBe(
      [...scene.table.kept.values()].reduce((sum, { composite }) => sum + (composite?.leafCount ?? 0) + 16, 0),
    )
    expectBodies(
      scene,
      model,
      [...heavy.slice(0, 3), ...heavy.slice(-3)].map(({ id }) => id),
    )
    expectBodies(
      scene,
      model,
      Array.from({ length: 200 }, (_, i) => `light-${97 * i}`),
    )
  })
})
