// Regions that touch themselves are in a scene what they are by themselves, and that others do not is found out once.

import { describe, expect, it } from 'vitest'
import type { Body2d } from '../../../schemas/shapes2d.ts'
import { countSteps } from '../../../src/containers/budget.ts'
import { type Body, createBody } from '../../../src/core2d/shape/body.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { apply, createScene, type PlaneScene, validateScene } from '../../../src/scene/state/scene.ts'
import { foundOf } from '../../../src/scene/state/shape-pool.ts'
import { bodyAt, findBody, posedBodyAt, presentView } from '../../../src/scene/state/view.ts'
import { decodeBody, SCHEMA_LIMITS } from '../../../src/wire/body.ts'
import { checkSceneBody, doBodyTask, prepareShape } from '../../../src/wire/scene-body.ts'
import { NO_SHAPES } from '../../../src/wire/shape-source.ts'
import { prepare } from '../../support/answers/slots.ts'
import { CREATE } from './scene-model.ts'

const points = (...numbers: number[]) =>
  Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }))

const PINCHED = { type: 'region', outer: points(0, 0, 10, 0, 10, 10, 5, 0, 0, 10) }
const SQUARE = { type: 'region', outer: points(0, 0, 10, 0, 10, 10, 0, 10), holes: [points(2, 2, 8, 4, 2, 4)] }
/** More numbers than lie beside a form. */
const LONG = { type: 'region', outer: points(...Array.from({ length: 80 }, (_, k) => [k, k % 3]).flat(), 79, 9, 0, 9) }
const LONG_PINCHED = { ...LONG, holes: [points(40, 9, 41, 5, 39, 5)] }

function compound(shape: object): object {
  return { type: 'compound', children: [{ shape, position: { x: 1, y: 0 } }, { shape: SQUARE }] }
}

const outlines = ({ composite }: Body) =>
  (composite?.parts ?? []).slice(0, composite?.partCount).map(({ outline }) => ({
    loops: outline?.loops,
    ends: [...(outline?.edgeEnd ?? [])].slice(0, outline?.edgeCount),
    before: [...(outline?.edgeBefore ?? [])].slice(0, outline?.edgeCount),
    vertices: [...(outline?.vertices ?? [])].slice(0, 2 * (outline?.vertexCount ?? 0)),
  }))

const alone = ({ shape, position, rotation }: SceneBody) =>
  outlines(prepare({ shape, position, rotation: rotation ?? 0 } as Body2d))

function newScene(): PlaneScene {
  const scene = createScene(prepareShape) as PlaneScene
  apply(scene, CREATE)
  return scene
}

function prepared(scene: PlaneScene, id: string): Body {
  const view = presentView(scene)
  return bodyAt(view, findBody(view, id))
}

describe.each([
  ['pinched', PINCHED, true],
  ['plain', SQUARE, false],
  ['long', LONG, false],
  ['long and pinched', LONG_PINCHED, true],
  ['a compound with a pinched one', compound(PINCHED), true],
  ['a compound of plain ones', compound(SQUARE), false],
])('%s', (_name, shape, touches) => {
  it.each([true, false])('is in a scene what it is by itself; checked before: %s', (isChecked) => {
    const body = { id: 'a', shape: structuredClone(shape), position: { x: 3, y: 1 } }
    if (isChecked) expect(checkSceneBody(2, body, SCHEMA_LIMITS)).toBeNull()
    const scene = newScene()
    apply(scene, { version: 2, at: 0, operations: [{ op: 'put', body }] })
    expect(outlines(prepared(scene, 'a'))).toEqual(alone(body))
    const { plain } = scene.table.shapes
    expect(plain[0]).toBe(touches ? 0 : 1)
    apply(scene, { version: 3, at: 0, operations: [{ op: 'move', id: 'a', rotation: 1 }] })
    expect(outlines(prepared(scene, 'a'))).toEqual(alone({ ...body, rotation: 1 }))
    const view = presentView(scene)
    const posed = createBody()
    posedBodyAt(view, findBody(view, 'a'), [0, 0, 0.3], posed)
    expect(outlines(posed)).toEqual(alone({ ...body, position: { x: 0, y: 0 }, rotation: 0.3 }))
  })

  it('is told of as it is by whoever has checked it elsewhere', () => {
    const bytes = Buffer.from(JSON.stringify(shape))
    const none = { rotation: undefined, orientation: undefined, angularVelocity: undefined }
    const pose = { position: undefined, velocity: undefined, ...none }
    const limits = SCHEMA_LIMITS
    expect(
      doBodyTask({ kind: 'read', dimension: 2, bytes, pose, limits, where: '', isKept: true }, NO_SHAPES),
    ).toMatchObject({
      found: { isPlain: !touches },
    })
    expect(
      doBodyTask({ kind: 'check', dimension: 2, text: JSON.stringify({ shape }), limits }, NO_SHAPES),
    ).toMatchObject({
      found: { isPlain: !touches, core: null },
    })
  })
})

it('does not find out again that a region does not touch itself', () => {
  const put = (scene: PlaneScene, id: string, rotation: number) =>
    apply(scene, {
      version: 2,
      at: 0,
      operations: [{ op: 'put', body: { id, shape: structuredClone(LONG), rotation } }],
    })
  const scene = newScene()
  const first = countSteps(() => put(scene, 'a', 1)).steps
  expect(countSteps(() => put(scene, 'b', 2)).steps).toBeLessThan(first / 2)
  // A shape that comes back after it was gone may be another one that has taken its place.
  apply(scene, { version: 3, at: 0, operations: [{ op: 'clear' }] })
  const body = { id: 'c', shape: LONG_PINCHED }
  apply(scene, { version: 4, at: 0, operations: [{ op: 'put', body }] })
  expect(scene.table.shapes.plain[0]).toBe(0)
  expect(outlines(prepared(scene, 'c'))).toEqual(alone(body))
})

it('leaves rings as they were drawn for whoever asks for it', () => {
  const asDrawn = createBody()
  expect(decodeBody({ shape: PINCHED } as Body2d, asDrawn, { ...SCHEMA_LIMITS, asDrawn: true })).toBeNull()
  expect(outlines(asDrawn)).toMatchObject([{ loops: [0], ends: [1, 2, 3, 4, 0] }])
})

describe('what was found when a body was accepted', () => {
  const shapes = [
    SQUARE,
    LONG_PINCHED,
    compound(PINCHED),
    { type: 'chain', vertices: points(0, 0, 1, 3, 2, 0) },
    { type: 'polygon', vertices: points(...Array.from({ length: 40 }, (_, k) => [k, k * k]).flat()) },
  ]
  const poses = [
    {},
    { position: { x: 1e9 + 0.1, y: -3 } },
    { rotation: 1 },
    { position: { x: 0.1, y: 7 }, rotation: -2 },
  ]
  const bodies = () =>
    shapes.flatMap((shape, i) => poses.map((pose, k) => ({ id: `${i}-${k}`, shape: structuredClone(shape), ...pose })))

  it('is its box as it is measured', () => {
    const given = bodies()
    for (const body of given) expect(checkSceneBody(2, body, SCHEMA_LIMITS)).toBeNull()
    for (const { shape } of given) expect(foundOf(shape)).not.toBeNull()
    const scene = newScene()
    apply(scene, { version: 2, at: 0, operations: given.map((body) => ({ op: 'put', body })) })
    expect(validateScene(scene)).toBeNull()
  })

  it('is not taken for a body that stands elsewhere', () => {
    const given = bodies()
    for (const body of given) expect(checkSceneBody(2, body, SCHEMA_LIMITS)).toBeNull()
    const scene = newScene()
    const elsewhere = given.map((body, k) => ({
      ...body,
      position: { x: k, y: 0.7 },
      ...(k % 2 > 0 && { rotation: k }),
    }))
    apply(scene, { version: 2, at: 0, operations: elsewhere.map((body) => ({ op: 'put', body })) })
    expect(validateScene(scene)).toBeNull()
  })

  it('saves preparing it again', () => {
    const put = (isChecked: boolean) => {
      const body = { id: 'a', shape: structuredClone(LONG), rotation: 1 }
      if (isChecked) expect(checkSceneBody(2, body, SCHEMA_LIMITS)).toBeNull()
      const scene = newScene()
      return countSteps(() => apply(scene, { version: 2, at: 0, operations: [{ op: 'put', body }] })).steps
    }
    expect(put(true)).toBeLessThan(put(false) / 4)
  })
})
