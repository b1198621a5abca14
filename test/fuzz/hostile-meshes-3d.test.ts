// Meshes that nobody should make: every query answers, refuses, or ends when its steps are used up; no number of an answer is not finite.
import { describe, expect, it } from 'vitest'
import type { Body3d, MeshShape3d } from '../../schemas/shapes3d.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { countSteps, OutOfBudget, within } from '../../src/containers/budget.ts'
import { catalogues } from '../../src/queries/stateless/all.ts'
import type { Triple } from '../support/convex-cases-3d.ts'
import { ball, cubes } from '../support/families/generated-meshes-3d.ts'
import { isLongRun } from '../support/runs.ts'

const limits = queryLimits(loadConfig({}))
/** Of a question: far below what a request may take. */
const MOST_STEPS = isLongRun ? 2 ** 21 : 2 ** 20
const COUNT = isLongRun ? 48 : 12

function meshOf(vertices: readonly Triple[], triangles: readonly Triple[], solid = false): MeshShape3d {
  return { type: 'mesh', vertices: vertices.flat(), triangles: triangles.flat(), solid }
}

function round(count: number, at: (cos: number, sin: number) => Triple): Triple[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count
    return at(Math.cos(angle), Math.sin(angle))
  })
}

/** Both ends of an axis with a ring about it: half of the triangles meet at each. */
function doubleFan(count: number, size = 1): MeshShape3d {
  const ring = round(count, (c, s) => [size * c, size * s, 0])
  const triangles = ring.flatMap((_, i): Triple[] => {
    const [j, k] = [2 + i, 2 + ((i + 1) % count)]
    return [
      [0, j, k],
      [1, k, j],
    ]
  })
  return meshOf([[0, 0, 5 * size], [0, 0, -size], ...ring], triangles, true) // biome-ignore format: a list
}

const { vertices: cornersOfCube = [], triangles: facesOfCube = [] } = cubes(1, () => true)
const moved = (by: number) => cornersOfCube.map(([x, y, z]): Triple => [x + by, y + by, z + by])
const renamed = (by: number) => facesOfCube.map(([a, b, c]): Triple => [a + by, b + by, c + by])
const { vertices: onBall = [], triangles: facesOfBall = [] } = ball(8, 5)

const MESHES: Record<string, MeshShape3d> = {
  'a fan at one vertex': doubleFan(COUNT),
  'leaves at one edge': meshOf(
    [[0, 0, 0], [0, 0, 4], ...round(COUNT, (c, s): Triple => [c, s, 2])],
    Array.from({ length: COUNT }, (_, i): Triple => [0, 1, 2 + i]),
  ),
  'one triangle many times': meshOf([[0, 0, 0], [1, 0, 0], [0, 1, 0]], Array(COUNT).fill([0, 1, 2])), // biome-ignore format: corners
  'one point many times': meshOf([[1, 2, 3]], Array(COUNT).fill([0, 0, 0])),
  'triangles on one line': meshOf(
    Array.from({ length: COUNT + 2 }, (_, i): Triple => [i, 2 * i, 3 * i]),
    Array.from({ length: COUNT }, (_, i): Triple => [i, i + 1, i + 2]),
  ),
  'triangles around each other': meshOf(
    Array.from({ length: COUNT }, (_, i) => 1 + i / COUNT).flatMap((r): Triple[] => [
      [r, 0, 0],
      [-r, r, 0],
      [-r, -r, r / 1000],
    ]),
    Array.from({ length: COUNT }, (_, i): Triple => [3 * i, 3 * i + 1, 3 * i + 2]),
  ),
  'cubes that cross': meshOf([...moved(0), ...moved(0.5)], [...facesOfCube, ...renamed(8)], true),
  'a cube in itself': meshOf(cornersOfCube, [...facesOfCube, ...facesOfCube], true),
  'an inside-out ball': meshOf(onBall, facesOfBall.map(([a, b, c]): Triple => [a, c, b]), true), // biome-ignore format: one list
  'a ball and its opposite': meshOf(
    onBall,
    [...facesOfBall, ...facesOfBall.map(([a, b, c]): Triple => [a, c, b])],
    true,
  ),
  'a ball of the least numbers': meshOf(
    onBall.map(([x, y, z]): Triple => [x * 1e-300, y * 1e-300, z * 1e-308]),
    facesOfBall,
    true,
  ),
  'a ball of the greatest numbers': doubleFan(COUNT, 1e99),
  'a needle': meshOf(
    onBall.map(([x, y, z]): Triple => [x * 1e-200, y * 1e90, z]),
    facesOfBall,
    true,
  ),
}

const PROBES: Body3d[] = [
  { shape: { type: 'sphere', radius: 0.5 }, position: { x: 0, y: 0, z: 5 } },
  { shape: { type: 'box', size: { x: 1, y: 1, z: 1 } } },
  { shape: { type: 'cylinder', radius: 1, height: 2 }, position: { x: 0, y: 0, z: 20 } },
]

function questions(a: Body3d): [op: string, request: object][] {
  const velocity = { x: 0.1, y: 0.2, z: -3 }
  const angularVelocity = { x: 1, y: 2, z: 3 }
  const { shape } = a
  const plane = (x: number, z: number, offset: number) => ({ normal: { x, y: 0, z }, offset })
  const grid = { origin: { x: -2, y: -2, z: -2 }, cellSize: 1, columns: 4, rows: 4, layers: 4 }
  const ofPairs = [...PROBES, { ...a, position: { x: 0.5, y: 0, z: 0.25 } }].flatMap((b): [string, object][] => [
    ['overlap', { a, b, explain: true }],
    ['distance', { a, b }],
    ['contact', { a, b, maxDistance: 1 }],
    ['time-of-impact', { a, b: { ...b, velocity }, duration: 9 }],
    ['time-of-impact', { a, b: { ...b, velocity, angularVelocity }, duration: 9, want: 'contact' }],
    ['shape-cast', { body: b, translation: { x: 0, y: 0, z: -30 }, targets: [a] }],
    ['trajectory', { body: { ...b, velocity }, obstacles: [a], duration: 9, maxBounces: 3 }],
    ['table', { a: [a], b: [b], measure: 'separation' }],
    ['pairs', { bodies: [a, b] }],
  ])
  const ofRays = [0, 0.3].map((x): [string, object] => [
    'ray-cast',
    { ray: { origin: { x, y: x, z: 9 }, direction: { x: 0, y: 0, z: -1 } }, targets: [a] },
  ])
  return [
    ...ofPairs,
    ...ofRays,
    ...[plane(0, 1, 1), plane(0, 1, 5), plane(1, 0, 0), plane(1, 1, 0.3)].map((cut): [string, object] => [
      'slice',
      { body: a, plane: cut },
    ]),
    ...['aabb', 'box', 'sphere', 'capsule', 'cylinder'].map((kind): [string, object] => [
      'fit',
      { body: a, shape: kind },
    ]),
    ['bounds', { body: a }],
    ['bounds', { body: { ...a, angularVelocity }, duration: 2 }],
    ['support', { body: a, direction: { x: 1, y: 1, z: 0 } }],
    ['mass', { shape }],
    ['validate', { shape }],
    ['sectors', { bodies: [a], grid }],
  ]
}

const byOp = new Map(catalogues['3d'].queries.map((query) => [query.op as string, query]))

function answerOf(op: string, request: object): object {
  try {
    return within(MOST_STEPS, () => byOp.get(op)?.answer(request, limits) ?? {})
  } catch (error) {
    if (error instanceof OutOfBudget) return { code: 'too-complex' }
    throw error
  }
}

function expectFinite(value: unknown, place: string): void {
  if (typeof value === 'number') expect(Number.isFinite(value), place).toBe(true)
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) expectFinite(inner, place)
}

// Many questions, each of up to seconds where other tests run beside it.
describe.each(Object.entries(MESHES))('%s', { timeout: 300_000 }, (_, shape) => {
  it('is answered, or refused by name, or ends when its steps are used up', () => {
    let answered = 0
    for (const orientation of [undefined, { x: 0.1, y: -0.5, z: 0.7, w: 0.5 }]) {
      for (const [op, request] of questions(orientation === undefined ? { shape } : { shape, orientation })) {
        const answer = answerOf(op, request)
        if (!('code' in answer)) answered++
        expectFinite(answer, `${op} ${JSON.stringify(answer)}`)
      }
    }
    expect(answered).toBeGreaterThan(30)
  })
})

describe('meshes beyond all limits', () => {
  it.each([
    ['ten million triangles', { ...meshOf([[0, 0, 0]], []), triangles: { length: 3e7 } }, 'too-many-triangles'],
    ['a vertex that is not there', meshOf([[0, 0, 0]], [[0, 0, 1]]), 'mesh-index-out-of-range'],
    ['a coordinate that is too large', meshOf([[0, 0, 1.1e100]], [[0, 0, 0]]), 'coordinate-out-of-range'],
    ['a solid with a border', meshOf(onBall, facesOfBall.slice(1), true), 'mesh-not-closed'],
    [
      'a solid that turns over',
      meshOf(onBall, [...facesOfBall.slice(1), [...facesOfBall[0]].reverse() as unknown as Triple], true),
      'mesh-not-closed',
    ],
  ])('%s', (_, shape, code) => {
    for (const [op, request] of questions({ shape } as never)) {
      if (op === 'validate') continue
      const { result, steps } = countSteps(() => answerOf(op, request))
      expect(result, op).toMatchObject({ code })
      expect(steps, op).toBeLessThan(2 ** 16)
    }
  })
})
