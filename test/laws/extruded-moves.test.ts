// Characters among bodies of the plane that are drawn out along z: they go as far as in the plane, and touch the same bodies on the way.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SceneBody } from '../../src/scene/state/operation.ts'
import { apply, createScene } from '../../src/scene/state/scene.ts'
import { presentView, type View } from '../../src/scene/state/view.ts'
import { prepareShape } from '../../src/wire/scene-body.ts'
import { asked } from '../support/answers/scene-answers.ts'
import { unshrunk } from '../support/runs.ts'

function viewOf(dimension: 2 | 3, list: readonly object[]): View {
  const scene = createScene(prepareShape)
  const create = { op: 'create' as const, sceneId: 'level', name: null, dimension, margin: 0.5, at: 0 }
  const puts = list.map((body, k) => ({ op: 'put' as const, body: { id: `b${k}`, ...body } as SceneBody }))
  apply(scene, { version: 1, at: 0, operations: [create] })
  apply(scene, { version: 2, at: 0, operations: puts })
  return presentView(scene)
}

const TRIANGLE = [
  { x: -0.5, y: -0.5 },
  { x: 0.75, y: -0.25 },
  { x: 0, y: 1 },
]
const prism = { type: 'hull', points: [-1, 1].flatMap((z) => TRIANGLE.map((point) => ({ ...point, z }))) }
/** Each in the plane, and as it is in space. */
const CHARACTERS = [
  [
    { type: 'box', width: 1, height: 1.5 },
    { type: 'box', size: { x: 1, y: 1.5, z: 4 } },
  ],
  [
    { type: 'circle', radius: 0.5 },
    { type: 'cylinder', radius: 0.5, height: 2, axis: 'z' },
  ],
  [
    { type: 'circle', radius: 0.5 },
    { type: 'sphere', radius: 0.5 },
  ],
  [
    { type: 'circle', radius: 0.5 },
    { type: 'ellipsoid', radii: { x: 0.5, y: 0.5, z: 1 } },
  ],
  [{ type: 'polygon', vertices: TRIANGLE }, prism],
] as const

/** Without favourites: what lies nearly alike is met by either of two sides. */
const between = (min: number, max: number) =>
  fc.noBias(fc.integer({ min: 0, max: 2 ** 30 })).map((n) => min + ((max - min) * n) / 2 ** 30)
const wall = fc.record({
  x: between(-4, 4),
  y: between(-4, 4),
  width: between(0.5, 4),
  height: between(0.5, 4),
  rotation: between(0, 3),
  z: between(-20, 20),
})
const flat = ({ x, y, width, height, rotation }: Wall) => {
  return { shape: { type: 'box', width, height }, position: { x, y }, rotation }
}
const solid = ({ x, y, width, height, rotation, z }: Wall) => ({
  shape: { type: 'box', size: { x: width, y: height, z: 64 } },
  position: { x, y, z },
  orientation: { x: 0, y: 0, z: Math.sin(rotation / 2), w: Math.cos(rotation / 2) },
})
type Wall = typeof wall extends fc.Arbitrary<infer W> ? W : never

it('go as far as in the plane', () => {
  fc.assert(
    fc.property(
      fc.array(wall, { minLength: 1, maxLength: 7 }),
      fc.constantFrom(...CHARACTERS),
      fc.record({ x: between(-7, 7), y: between(-7, 7) }),
      fc.record({ x: between(-8, 8), y: between(-8, 8) }),
      fc.boolean(),
      (walls, [shape, shapeOfSpace], position, translation, isHeld) => {
        // in the plane what rises stops at what is too steep, in space it rises along it
        const hasSlope = isHeld && translation.y <= 0
        const inPlane = asked(viewOf(2, walls.map(flat)), 'move', {
          body: { shape, position },
          translation,
          ...(hasSlope && { maxSlope: 0.8, up: { x: 0, y: 1 } }),
        })
        const inSpace = asked(viewOf(3, walls.map(solid)), 'move', {
          body: { shape: shapeOfSpace, position: { ...position, z: 0 } },
          translation: { ...translation, z: 0 },
          ...(hasSlope && { maxSlope: 0.8, up: { x: 0, y: 1, z: 0 } }),
        })
        // of two ways out that are as short, each takes one
        const [out, outOfSpace] = [inPlane.separation?.translation, inSpace.separation?.translation]
        if (out && outOfSpace && Math.hypot(out.x - outOfSpace.x, out.y - outOfSpace.y) > 1e-9) return
        const { x, y, z } = inSpace.position
        expect(Math.hypot(x - inPlane.position.x, y - inPlane.position.y, z)).toBeLessThan(1e-6)
        for (const contact of inSpace.contacts) {
          const same = inPlane.contacts.find(({ id, normal }: typeof contact) => {
            return id === contact.id && Math.hypot(normal.x - contact.normal.x, normal.y - contact.normal.y) < 1e-6
          })
          expect(same).toBeDefined()
        }
      },
    ),
    unshrunk(3000),
  )
})
