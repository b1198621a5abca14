// Every query of scenes that takes a body answers a long one, whose shape is read by a worker, as it would answer it if it had been read
// here. The queries are those that there are: a new one without a request below does not compile.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SceneQueryOp } from '../../schemas/scenes/exchanges.ts'
import { loadConfig, sceneQueryLimits } from '../../src/config.ts'
import { askScene } from '../../src/queries/ask/scene-query.ts'
import { finishSlices, isSlices } from '../../src/queries/ask/slices.ts'
import { sceneQueries } from '../../src/queries/scenes/all.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'

const down = { x: 0, y: -1 }
/** What a query takes beside the body; null: it takes none. */
const REQUESTS: Record<SceneQueryOp, readonly object[] | null> = {
  overlap: [{}, { contacts: true }],
  nearest: [{ count: 2 }],
  'ray-cast': null,
  'shape-cast': [{ translation: { x: 0, y: -40 } }, { translation: { x: 1, y: -40 }, rotation: 1 }],
  move: [{ translation: { x: 3, y: -40 } }],
  place: [{}],
  drop: [{ direction: down }, { direction: down, align: 'face' }, { direction: down, align: 'normal' }],
  snap: [{ maxDistance: 3 }, { maxDistance: 3, rotate: true }],
  separate: [{}],
  trajectory: [{ duration: 9 }],
  'line-of-sight': null,
  'time-of-impact': null,
  pairs: null,
  sectors: null,
  lint: null,
}

const chain = {
  type: 'chain',
  vertices: Array.from({ length: 12 }, (_, i) => ({ x: i / 3, y: 0.1 * Math.sin(i) })),
}
const region = {
  type: 'region',
  outer: Array.from({ length: 20 }, (_, i) => ({
    x: (2 + (i & 1)) * Math.cos((i * Math.PI) / 10),
    y: (2 + (i & 1)) * Math.sin((i * Math.PI) / 10),
  })),
}
const compound = {
  type: 'compound',
  children: Array.from({ length: 20 }, (_, i) => ({
    shape: { type: 'box', width: 0.5, height: 0.25 },
    position: { x: i % 4, y: Math.floor(i / 4) },
    rotation: i / 100,
  })),
}
const polygon = {
  type: 'polygon',
  vertices: [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 0, y: 1 },
  ],
}
const BLANKS = ' '.repeat(70_000)
const BODIES: readonly [string, object][] = [
  ['a chain', { shape: chain }],
  ['a region that is turned', { shape: region, rotation: 0.3 }],
  ['a compound', { shape: compound, rotation: -1 }],
  ['a triangle that is turned', { shape: polygon, rotation: 0.1 }],
  ['an aabb that is turned', { shape: { type: 'aabb', min: down, max: { x: 1, y: 1 } }, rotation: 1 }],
]

let client: SceneClient
let sceneId: string
const limits = sceneQueryLimits(loadConfig({}))
beforeAll(async () => {
  client = await startScenes({ MAX_VERTICES: '30000' })
  sceneId = await client.createScene([
    { id: 'floor', shape: { type: 'box', width: 200, height: 2 }, position: { x: 0, y: -30 } },
    { id: 'ball', shape: { type: 'circle', radius: 1.5 }, position: { x: 2, y: -9 } },
    { id: 'wall', shape: { type: 'segment', a: { x: 6, y: -40 }, b: { x: 5, y: 40 } } },
  ])
})
afterAll(() => client.close())

async function readHere(op: SceneQueryOp, request: object): Promise<object> {
  const query = sceneQueries.find((each) => each.op === op)
  const scene = client.app.scenes.keeper?.loaded(sceneId)
  if (query === undefined || scene == null) throw new Error(op)
  const outcome = askScene(scene, query, request as Record<string, unknown>, limits)
  const answer = isSlices(outcome) ? await finishSlices(outcome, () => true) : outcome
  return JSON.parse(JSON.stringify(answer))
}

it('is asked of every query that takes a body', () => {
  const known = sceneQueries.map(({ op, request }) => [op, 'body' in request.properties])
  expect(known).toEqual(sceneQueries.map(({ op }) => [op, REQUESTS[op as SceneQueryOp] !== null]))
})

const asked = Object.entries(REQUESTS).flatMap(([op, requests]) =>
  (requests ?? []).flatMap((rest) => BODIES.map(([name, body]) => [op as SceneQueryOp, rest, name, body] as const)),
)
describe.each(asked)('%s %j', (op, rest, name, posed) => {
  it(`answers ${name}`, async () => {
    const body = op === 'trajectory' ? { ...posed, velocity: { x: 0.5, y: -8 } } : posed
    const shape = JSON.stringify((body as { shape: object }).shape)
    const padded = `${shape.slice(0, -1)}${BLANKS}}`
    const text = JSON.stringify({ ...rest, body }).replace(shape, () => padded)
    expect(text.length).toBeGreaterThan(2 ** 16)
    const { status, body: answer } = await client.send('POST', `/${sceneId}/${op}`, text)
    const expected = await readHere(op, { ...rest, body })
    if (isProblem(expected)) {
      expect([answer.code, answer.detail]).toEqual([expected.code, expected.detail])
    } else expect([status, answer]).toEqual([200, expected])
  })
})
