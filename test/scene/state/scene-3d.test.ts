// Scenes of space against a naive model: bodies read back, boxes, prepared bodies, views, snapshots, and changes of pairs.

import { describe, expect, it } from 'vitest'
import type { Body3d } from '../../../schemas/shapes3d.ts'
import { createItemList } from '../../../src/containers/item-list.ts'
import { bounds, createBounds } from '../../../src/core3d/queries/bounds.ts'
import { relate } from '../../../src/core3d/queries/overlap.ts'
import { type Body, createBody } from '../../../src/core3d/shape/body.ts'
import { PairFold } from '../../../src/scene/feed/pair-fold.ts'
import type { Space } from '../../../src/scene/state/geometry.ts'
import type { Entry, Operation, SceneBody } from '../../../src/scene/state/operation.ts'
import { apply, applyInSlices, createScene, type Scene, validateScene } from '../../../src/scene/state/scene.ts'
import { encodeScene, SceneDecoder } from '../../../src/scene/state/scene-snapshot.ts'
import {
  bodiesInBox,
  bodyAt,
  boxAt,
  closeView,
  findBody,
  openView,
  presentView,
  sceneBodyAt,
  type View,
} from '../../../src/scene/state/view.ts'
import { decodeBody } from '../../../src/wire/body-3d.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'
import { finished } from '../../support/answers/finished.ts'
import { seeded } from '../../support/services/kept-scenes.ts'

type SpaceScene = Scene<Space>

const CREATE: Entry = {
  version: 1,
  at: 0,
  operations: [{ op: 'create', sceneId: 'attic', name: null, dimension: 3, margin: 0.25, at: 0 }],
}

const tetrahedron = {
  type: 'mesh',
  vertices: [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2],
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
  solid: true,
}
const ripple = {
  type: 'heightfield',
  columns: 7,
  cellSize: { x: 0.5, z: 0.5 },
  heights: Array.from({ length: 42 }, (_, i) => Math.sin(i)),
}
const ball = { type: 'sphere', radius: 0.75 }
const SHAPES = [
  ball,
  { type: 'box', size: { x: 1, y: 2, z: 0.5 } },
  { type: 'cone', radius: 0.5, height: 1.5 },
  { type: 'hull', points: [0, 1, 2, 3, 4, 5].map((k) => ({ x: k % 2, y: k % 3, z: (k * k) % 4 })), radius: 0.125 },
  tetrahedron,
  ripple,
  { type: 'compound', children: [{ shape: ball }, { shape: ripple, position: { x: 1, y: 1, z: 0 } }] },
  { type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: -6 },
]
const TURNS = [
  undefined,
  { x: 0, y: 0, z: 0, w: 1 },
  { x: 0, y: 0.6, z: 0, w: 0.8 },
  { x: 0.5, y: 0.5, z: 0.5, w: 0.5 },
]

/** Random entries, and the bodies that each leaves. */
function* history(seed: number, count: number): Generator<{ entry: Entry; model: Map<string, SceneBody> }> {
  const random = seeded(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const vector = (size: number) => ({
    x: size * (random() - 0.5),
    y: size * (random() - 0.5),
    z: size * (random() - 0.5),
  })
  const model = new Map<string, SceneBody>()
  for (let version = 2; version < count + 2; version++) {
    const operations: Operation[] = []
    for (let k = 0; k < 4; k++) {
      const known = [...model.keys()]
      const choice = random()
      if (known.length === 0 || choice < 0.5) {
        const orientation = pick(TURNS)
        const body: SceneBody = {
          id: `b${Math.floor(random() * 24)}`,
          shape: pick(SHAPES),
          ...(random() < 0.9 && { position: vector(8) }),
          ...(orientation !== undefined && { orientation }),
          ...(random() < 0.3 && { velocity: vector(2), angularVelocity: vector(1) }),
          ...(random() < 0.3 && { tags: ['wall'] }),
        }
        operations.push({ op: 'put', body })
        model.set(body.id, body)
      } else if (choice < 0.85) {
        const id = pick(known)
        const change = { position: vector(8), ...(random() < 0.5 && { orientation: { x: 0, y: 0, z: 1, w: 0 } }) }
        operations.push({ op: 'move', id, ...change })
        model.set(id, { ...(model.get(id) as SceneBody), ...change })
      } else if (choice < 0.99) {
        const id = pick(known)
        operations.push({ op: 'remove', id })
        model.delete(id)
      } else {
        operations.push({ op: 'clear' })
        model.clear()
      }
    }
    yield { entry: { version, at: version, operations }, model: new Map(model) }
  }
}

function newScene(): SpaceScene {
  const scene = createScene(prepareShape)
  apply(scene, CREATE)
  return scene as unknown as SpaceScene
}

function alone({ shape, position, orientation }: SceneBody): Body {
  const body = createBody()
  const wire = { shape, ...(position && { position }), ...(orientation && { orientation }) } as Body3d
  expect(decodeBody(wire, body, { maxVertices: 1000, maxParts: 100 })).toBeNull()
  return body
}

const boundsOf = (body: Body) => {
  const out = createBounds()
  bounds(body, out)
  return [...out.min, ...out.max]
}

function expectModel(view: View<Space>, model: ReadonlyMap<string, SceneBody>): void {
  const all = createItemList()
  bodiesInBox(view, Float64Array.of(-1e9, -1e9, -1e9, 1e9, 1e9, 1e9), all)
  expect(all.count).toBe(model.size)
  for (const [id, body] of model) {
    const slot = findBody(view, id)
    expect(sceneBodyAt(view, slot)).toEqual(body)
    const lone = alone(body)
    const sides = new Float64Array(6)
    boxAt(view, slot, sides)
    expect([...sides]).toEqual(boundsOf(lone))
    expect(boundsOf(bodyAt(view, slot))).toEqual([...sides])
    for (const [otherId, other] of model) {
      if (otherId >= id) continue
      const met = relate(bodyAt(view, findBody(view, id)), alone(other))
      expect([id, otherId, met]).toEqual([id, otherId, relate(lone, alone(other))])
    }
  }
}

const bytesOf = (scene: Scene) => Buffer.concat([...encodeScene(scene)])

function decoded(scene: Scene): SpaceScene {
  const decoder = new SceneDecoder(prepareShape)
  for (const chunk of encodeScene(scene)) decoder.push(chunk)
  return decoder.finish().scene as unknown as SpaceScene
}

describe('a scene of space', () => {
  it.each([1, 2, 3])('is what a naive model says, in slices, in views and from snapshots (%i)', (seed) => {
    const scene = newScene()
    const slow = newScene()
    let before = new Map<string, SceneBody>()
    for (const { entry, model } of history(seed, 25)) {
      const view = openView(scene)
      apply(scene, entry)
      finished(applyInSlices(slow, entry))
      expect(validateScene(scene)).toBeNull()
      expectModel(presentView(scene), model)
      expectModel(view, before)
      closeView(scene, view)
      before = model
    }
    expect(Buffer.compare(bytesOf(slow), bytesOf(scene))).toBe(0)
    const back = decoded(scene)
    expect(back.dimension).toBe(3)
    expect(validateScene(back)).toBeNull()
    expect(Buffer.compare(bytesOf(back), bytesOf(scene))).toBe(0)
    expectModel(presentView(back), before)
  })

  it('tells which pairs begin and cease to meet', () => {
    const scene = newScene()
    const fold = new PairFold(decoded(scene))
    finished(fold.begin())
    const meeting = new Set<string>()
    for (const { entry, model } of history(9, 40)) {
      for (const { a, b, meets } of finished(fold.advance(entry)) ?? []) {
        if (meets) meeting.add(`${a.id} ${b.id}`)
        else meeting.delete(`${a.id} ${b.id}`)
      }
      const expected: string[] = []
      for (const [a, bodyA] of model) {
        for (const [b, bodyB] of model) if (a < b && relate(alone(bodyA), alone(bodyB)) <= 0) expected.push(`${a} ${b}`)
      }
      expect([...meeting].sort()).toEqual(expected.sort())
      expect(fold.validate()).toBeNull()
    }
  })
})
