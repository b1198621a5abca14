// Scenes of space and characters in them, for tests of `move`.

import type { Body } from '../../../src/core3d/shape/body.ts'
import { createBody, POSITION } from '../../../src/core3d/shape/body.ts'
import { describeText } from '../../../src/scene/queries/described-body.ts'
import type { Footing } from '../../../src/scene/queries/footing.ts'
import type { Climb } from '../../../src/scene/queries/gait.ts'
import { queryMove } from '../../../src/scene/queries/move.ts'
import type { Space } from '../../../src/scene/state/geometry.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply, createScene } from '../../../src/scene/state/scene.ts'
import { presentView, type View } from '../../../src/scene/state/view.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'
import { finished } from '../../support/answers/finished.ts'

export type SpaceView = View<Space>
export type Triple = readonly [number, number, number]
type Turn = { x: number; y: number; z: number; w: number }

export function viewOf(list: readonly SceneBody[]): SpaceView {
  const scene = createScene(prepareShape)
  const create = { op: 'create' as const, sceneId: 'level', name: null, dimension: 3 as const, margin: 0.5, at: 0 }
  apply(scene, { version: 1, at: 0, operations: [create] })
  apply(scene, { version: 2, at: 0, operations: list.map((body) => ({ op: 'put' as const, body })) })
  return presentView(scene) as SpaceView
}

/** A character, and its description as a request would have it. */
export interface Character {
  body: Body
  describe: () => ReturnType<typeof describe>
}

function describe(shape: object, pose: readonly number[], { numbers }: Body) {
  const position = [...numbers.subarray(POSITION, POSITION + 3)]
  return { dimension: 3 as const, shape: describeText(JSON.stringify(shape), false), pose, position }
}

export function characterAt(shape: object, [x, y, z]: Triple, turn: Turn = { x: 0, y: 0, z: 0, w: 1 }): Character {
  const body = createBody()
  const pose = [x, y, z, turn.x, turn.y, turn.z, turn.w]
  prepareShape[3](shape, pose, 0, body)
  return { body, describe: () => describe(shape, pose, body) }
}

export interface Asked {
  maxSlides?: number
  climb?: Climb | null
  footing?: Footing | null
}

/** Moves the character, and tells how; it is left where it ended. */
export function move(view: SpaceView, { body, describe }: Character, translation: Triple, asked: Asked = {}) {
  const query = {
    body,
    describe,
    translation,
    maxSlides: 16,
    climb: null,
    footing: null,
    accepts: () => true,
    mostContacts: Infinity,
    ...asked,
  }
  const answer = finished(queryMove(view, query))
  const end = answer.path[answer.path.length - 1] as Triple
  for (let k = 0; k < 3 && body.kind !== 5; k++) body.numbers[POSITION + k] = end[k]
  return { ...answer, end }
}

const UP = [0, 1, 0] as const

/** A character that climbs, steps and keeps to the ground, y up. */
export function walking(maxSlope: number, stepHeight: number, snap: number | null): Asked {
  const climb = { up: UP, least: Math.cos(maxSlope) }
  return { climb, footing: { ...climb, stepHeight, snap } }
}

export function boxBetween(id: string, [x, y, z]: Triple, [X, Y, Z]: Triple): SceneBody {
  const size = { x: X - x, y: Y - y, z: Z - z }
  return {
    id,
    shape: { type: 'box', size },
    position: { x: (x + X) / 2, y: (y + Y) / 2, z: (z + Z) / 2 },
  } as SceneBody
}

export const CUBE = { type: 'box', size: { x: 1, y: 1, z: 1 } }
export const BALL = { type: 'sphere', radius: 0.5 }
export const CAPSULE = { type: 'capsule', a: { x: 0, y: -0.25, z: 0 }, b: { x: 0, y: 0.25, z: 0 }, radius: 0.25 }
export const CYLINDER = { type: 'cylinder', radius: 0.5, height: 1 }
/** All of height 1, and as wide at half of it as the number says. */
export const CHARACTERS = [
  ['a box', CUBE, 0.5],
  ['a ball', BALL, 0.5],
  ['a capsule', CAPSULE, 0.25],
  ['a cylinder', CYLINDER, 0.5],
] as const
