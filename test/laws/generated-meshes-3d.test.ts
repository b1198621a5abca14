// Meshes of many triangles: queries answer as brute force over the triangles does, and as the pieces that a solid is made of do.

import { describe, expect, it } from 'vitest'
import type { Body3d, MeshShape3d, MovingBody3d } from '../../schemas/shapes3d.ts'
import type { Vec3 } from '../../schemas/vector.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { isOpenEdge, prepareMesh } from '../../src/core3d/mesh/mesh.ts'
import { catalogues } from '../../src/queries/stateless/all.ts'
import { rememberMesh } from '../../src/wire/mesh-3d.ts'
import type { AnyShape } from '../support/composite-bodies-3d.ts'
import { ball, cubes, fins, spiralStairs, sponge, terrain, torus } from '../support/families/generated-meshes-3d.ts'
import { fraction } from '../support/families/hostile-shapes.ts'
import { shuffled } from '../support/families/meshes-3d.ts'
import { isLongRun, runCount } from '../support/runs.ts'
import { shapeOfCase } from '../support/wire-cases-3d.ts'

const limits = queryLimits(loadConfig({ MAX_VERTICES: '1000000' }))
const byOp = new Map(catalogues['3d'].queries.map((query) => [query.op as string, query]))

// biome-ignore lint/suspicious/noExplicitAny: answers of any query
function ask(op: string, request: object): any {
  const answer = byOp.get(op)?.answer(request, limits)
  if (answer === undefined || 'code' in answer) throw new Error(JSON.stringify(answer))
  return answer
}

/** Prepared once. */
function meshShape(shape: AnyShape, solid = shape.solid === true): MeshShape3d {
  const wire = { ...(shapeOfCase(shape) as MeshShape3d), solid }
  const mesh = prepareMesh(wire as never)
  if (isOpenEdge(mesh)) throw new Error('not closed')
  rememberMesh(wire, mesh)
  return wire
}

/** The triangles as bodies of their own that stand where they do in the mesh. */
function trianglesOf({ shape, ...pose }: Body3d & { shape: MeshShape3d }): Body3d[] {
  const { vertices, triangles } = shape
  const corner = (i: number): Vec3 => {
    const at = 3 * triangles[i]
    return { x: vertices[at], y: vertices[at + 1], z: vertices[at + 2] }
  }
  return Array.from({ length: triangles.length / 3 }, (_, t) => ({
    shape: { type: 'triangle', a: corner(3 * t), b: corner(3 * t + 1), c: corner(3 * t + 2) },
    ...pose,
  }))
}

const GENERATED: [string, AnyShape, size: number][] = [
  ['a torus', torus(36, 20), 4],
  ['spiral stairs', spiralStairs(24), 8],
  ['a Menger sponge of level 2', sponge(2), 9],
  ['land', terrain(24), 24],
  ['thin fins', fins(32), 5],
  ['a ball', ball(40, 20, 3), 3],
]

type Pose = Pick<Body3d, 'position' | 'orientation'>

const POSES: readonly Pose[] = [
  {},
  { position: { x: 1, y: -2, z: 0.5 }, orientation: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } },
  { position: { x: 1e6, y: 3, z: -7 }, orientation: { x: 0.1, y: -0.5, z: 0.7, w: 0.5 } },
]

const at = (k: number, low: number, high: number) => low + (high - low) * fraction(k)

function somewhere(k: number, { position = { x: 0, y: 0, z: 0 } }: Pose, size: number): Vec3 {
  const along = (i: number) => at(7 * k + i, -1.2 * size, 1.2 * size)
  return { x: position.x + along(0), y: position.y + along(1), z: position.z + along(2) }
}

/** Which of the probes below is curved. */
const CYLINDER = 3

function probe(k: number, pose: Pose, size: number): Body3d {
  const position = somewhere(k, pose, size)
  const orientation = { x: 0.6, y: 0, z: 0, w: 0.8 }
  const radius = size * at(7 * k + 3, 0.01, 0.2)
  switch (k % 5) {
    case 0:
      return { shape: { type: 'sphere', radius }, position }
    case 1:
      return { shape: { type: 'box', size: { x: radius, y: 2 * radius, z: radius / 3 } }, position, orientation }
    case 2:
      return {
        shape: { type: 'capsule', a: { x: 0, y: 0, z: 0 }, b: { x: radius, y: 0, z: radius }, radius },
        position,
      }
    case CYLINDER:
      return { shape: { type: 'cylinder', radius, height: radius }, position, orientation }
    default:
      return { shape: { type: 'point' }, position }
  }
}

/** As often as a quick run allows. */
const COUNT = runCount(100)

describe.each(GENERATED)('the surface of %s', (_, given, size) => {
  const shape = meshShape(given, false)
  const bodies = POSES.map((pose) => ({ shape, ...pose }))

  it('is met, and as far away, as its triangles are', () => {
    for (let k = 0; k < COUNT; k++) {
      const a = bodies[k % 3]
      const b = probe(k, a, size)
      const parts = trianglesOf(a)
      const overlap = parts.some((part) => ask('overlap', { a: part, b }).overlap)
      expect(ask('overlap', { a, b }).overlap, `${k}`).toBe(overlap)
      let least = Infinity
      for (const part of parts) least = Math.min(least, ask('distance', { a: part, b }).distance)
      const { distance, pointA, pointB } = ask('distance', { a, b })
      if (k % 5 === CYLINDER) expect(Math.abs(distance - least), `${k}`).toBeLessThan(1e-12 * size)
      else expect(distance, `${k}`).toBe(least)
      const far = Math.hypot(pointA.x - pointB.x, pointA.y - pointB.y, pointA.z - pointB.z)
      expect(Math.abs(far - distance)).toBeLessThan(1e-9 * size)
      expect(ask('table', { a: [a], b: [b], measure: 'overlap' }).values).toEqual([[overlap]])
    }
  })

  it('is hit by rays where its triangles are', () => {
    for (let k = 0; k < 2 * COUNT; k++) {
      const a = bodies[k % 3]
      const origin = somewhere(k, a, size)
      const toward = somewhere(k + 1000, a, size / 2)
      const direction = { x: toward.x - origin.x, y: toward.y - origin.y, z: toward.z - origin.z }
      const nearest = (targets: Body3d[]) => ask('ray-cast', { ray: { origin, direction }, targets }).hits[0]?.distance
      const [own, first] = [nearest([a]), nearest(trianglesOf(a))]
      expect(own === undefined, `${k}`).toBe(first === undefined)
      // of a triangle by itself lengths may be off by some units in the last place
      if (own !== undefined) expect(Math.abs(own - first), `${k}`).toBeLessThan(1e-14 * (own + size))
    }
  })

  it('is met in time where its triangles are, with and without spin, at any speed', () => {
    for (let k = 0; k < COUNT; k++) {
      const a = bodies[k % 3]
      const rest = probe(k, a, size)
      const toward = somewhere(k + 2000, a, size / 2)
      const from = rest.position as Vec3
      const speed = k % 2 === 0 ? 1 : 1e6
      const velocity = {
        x: (toward.x - from.x) * speed,
        y: (toward.y - from.y) * speed,
        z: (toward.z - from.z) * speed,
      }
      const b: MovingBody3d = { ...rest, velocity }
      const times = (body: Body3d, mover: MovingBody3d) => ask('time-of-impact', { a: body, b: mover, duration: 2 })
      let least = Infinity
      for (const part of trianglesOf(a)) {
        const { hit, time } = times(part, b)
        if (hit) least = Math.min(least, time)
      }
      const { hit, time } = times(a, b)
      expect(hit, `${k}`).toBe(least < Infinity)
      if (hit) expect(Math.abs(time - least), `${k}`).toBeLessThanOrEqual(1e-12 * Math.max(1, least))
      const { x, y, z } = velocity
      const cast = ask('shape-cast', { body: rest, translation: { x: 2 * x, y: 2 * y, z: 2 * z }, targets: [a] })
      expect(cast.hits.length > 0, `${k}`).toBe(hit)
      if (k % 4 !== 0) continue
      const spinning: MovingBody3d = { ...b, angularVelocity: { x: 1, y: 2, z: -1 } }
      let first = Infinity
      for (const part of trianglesOf(a)) {
        const found = times(part, spinning)
        if (found.hit) first = Math.min(first, found.time)
      }
      const turned = times(a, spinning)
      expect(turned.hit, `${k}`).toBe(first < Infinity)
      if (turned.hit) expect(Math.abs(turned.time - first), `${k}`).toBeLessThan(1e-9)
    }
  })

  it('has the bounds and the farthest points of its triangles', () => {
    for (const a of bodies) {
      const own = ask('bounds', { body: a })
      const parts = trianglesOf(a).map((body) => ask('bounds', { body }))
      for (const axis of ['x', 'y', 'z'] as const) {
        expect(own.min[axis]).toBe(Math.min(...parts.map(({ min }) => min[axis])))
        expect(own.max[axis]).toBe(Math.max(...parts.map(({ max }) => max[axis])))
      }
      const direction = { x: 1, y: -2, z: 0.7 }
      const height = ({ x, y, z }: Vec3) => x * direction.x + y * direction.y + z * direction.z
      const { point } = ask('support', { body: a, direction })
      const best = Math.max(...trianglesOf(a).map((body) => height(ask('support', { body, direction }).point)))
      expect(Math.abs(height(point) - best)).toBeLessThan(1e-9 * Math.max(1, Math.abs(best)))
    }
  })

  it('is parted by the translation of a contact', () => {
    for (let k = 0; k < COUNT / 2; k++) {
      const a = bodies[k % 3]
      const b = probe(k, a, size)
      const { touching, translation, separation } = ask('contact', { a, b })
      expect(touching, `${k}`).toBe(ask('overlap', { a, b }).overlap)
      if (!touching || separation === 0) continue
      const { x, y, z } = b.position as Vec3
      const clear = 1 + 1e-6
      const position = { x: x + clear * translation.x, y: y + clear * translation.y, z: z + clear * translation.z }
      expect(ask('overlap', { a, b: { ...b, position } }).relation, `${k}`).not.toBe('overlapping')
    }
  })

  it('is the same in any order of the triangles, begun at any corner', () => {
    const other = meshShape(shuffled({ shape: given, position: [0, 0, 0] }, 7).shape, false)
    for (let k = 0; k < COUNT; k++) {
      const a = bodies[k % 3]
      const mixed = { ...a, shape: other }
      const b = probe(k, a, size)
      for (const op of ['overlap', 'distance', 'contact']) {
        // Of leaves that are equally near the first is named, and with curved bodies the last digit of the normal is its.
        const names = k % 5 === CYLINDER ? /eature|points?|normal|translation/ : /eature|points/
        const plain = (answer: object) => JSON.stringify(answer, (key, value) => (names.test(key) ? 0 : value))
        expect(plain(ask(op, { a: mixed, b })), `${op} ${k}`).toBe(plain(ask(op, { a, b })))
      }
      const mover = { ...b, velocity: { x: 1, y: 2, z: 3 } }
      const time = (body: Body3d) => ask('time-of-impact', { a: body, b: mover, duration: 5, want: 'time' })
      expect(time(mixed)).toEqual(time(a))
    }
    for (const op of ['bounds', 'fit']) {
      const question = (body: Body3d) => ask(op, { body, shape: op === 'fit' ? 'sphere' : undefined })
      expect(question({ shape: other })).toEqual(question({ shape }))
    }
  })
})

describe.skipIf(!isLongRun).each<[string, AnyShape, number]>([
  ['a Menger sponge of level 3', sponge(3), 27],
  ['a ball of 100,000 triangles', ball(250, 201, 3), 3],
])('the surface of %s', (_, given, size) => {
  it('is met, hit by rays, and met in time where its triangles are', { timeout: 600_000 }, () => {
    const a: Body3d & { shape: MeshShape3d } = { shape: meshShape(given, false), ...POSES[1] }
    const parts = trianglesOf(a)
    for (let k = 0; k < 5; k++) {
      const b = probe(k, a, size)
      const from = b.position as Vec3
      const toward = somewhere(k + 3000, a, size / 2)
      const way = { x: toward.x - from.x, y: toward.y - from.y, z: toward.z - from.z }
      const velocity = { x: 1e6 * way.x, y: 1e6 * way.y, z: 1e6 * way.z }
      const measured = (body: Body3d) => [
        ask('distance', { a: body, b }).distance,
        ask('ray-cast', { ray: { origin: from, direction: way }, targets: [body] }).hits[0]?.distance ?? Infinity,
        1e6 * (ask('time-of-impact', { a: body, b: { ...b, velocity }, duration: 1, want: 'time' }).time ?? Infinity),
      ]
      const least = [Infinity, Infinity, Infinity]
      for (const part of parts) measured(part).forEach((value, i) => { least[i] = Math.min(least[i], value) }) // biome-ignore format: one loop
      measured(a).forEach((value, i) => {
        if (least[i] === Infinity) expect(value, `${k} ${i}`).toBe(Infinity)
        else expect(Math.abs(value - least[i]), `${k} ${i}`).toBeLessThan(1e-12 * size)
      })
      expect(ask('overlap', { a, b }).overlap).toBe(least[0] === 0)
    }
  })
})

describe('a solid', () => {
  it('is the union of its pieces', () => {
    const filled = (x: number, y: number, z: number) => (x * 5 + y * 3 + z * 7) % 4 !== 0
    const solid: Body3d = { shape: meshShape(cubes(4, filled)) }
    const children: Body3d[] = []
    for (let i = 0; i < 64; i++) {
      const [x, y, z] = [i % 4, Math.floor(i / 4) % 4, Math.floor(i / 16)]
      if (!filled(x, y, z)) continue
      children.push({ shape: { type: 'aabb', min: { x, y, z }, max: { x: x + 1, y: y + 1, z: z + 1 } } })
    }
    const pieces: Body3d = { shape: { type: 'compound', children } }
    const { volume } = ask('mass', { shape: solid.shape })
    expect(volume).toBeCloseTo(children.length, 9)
    const place = { position: { x: 2, y: 2, z: 2 } }
    for (let k = 0; k < 4 * COUNT; k++) {
      const b = probe(k, place, 3)
      expect(ask('overlap', { a: solid, b }).overlap, `${k}`).toBe(ask('overlap', { a: pieces, b }).overlap)
      const [near, other] = [solid, pieces].map((a) => ask('distance', { a, b }).distance)
      expect(Math.abs(near - other), `${k}`).toBeLessThan(1e-12)
      const velocity = { x: at(k, -3, 3), y: at(k + 1, -3, 3), z: at(k + 2, -3, 3) }
      const [first, second] = [solid, pieces].map((a) =>
        ask('time-of-impact', { a, b: { ...b, velocity }, duration: 3 }),
      )
      expect(first.hit, `${k}`).toBe(second.hit)
      if (first.hit) expect(Math.abs(first.time - second.time), `${k}`).toBeLessThan(1e-12)
      const origin = somewhere(k + 500, place, 4)
      const ray = { origin, direction: velocity }
      const [one, two] = [solid, pieces].map((body) => ask('ray-cast', { ray, targets: [body] }).hits[0])
      expect(one === undefined, `${k}`).toBe(two === undefined)
      if (one !== undefined) expect(Math.abs(one.distance - two.distance), `${k}`).toBeLessThan(1e-12)
    }
    const fitted = (body: Body3d) => ask('fit', { body, shape: 'box' }).measure
    expect(fitted(solid)).toBeCloseTo(fitted(pieces), 9)
    expect(ask('bounds', { body: solid })).toEqual(ask('bounds', { body: pieces }))
    const cells = (body: Body3d) =>
      ask('sectors', {
        bodies: [body],
        grid: { origin: { x: -0.75, y: -0.75, z: -0.75 }, cellSize: 0.5, columns: 11, rows: 11, layers: 11 },
      }).cells.map((cell: unknown[]) => cell.slice(0, 3).join(' '))
    expect(cells(solid)).toEqual(cells(pieces))
  })

  it.each([
    ['a torus', torus(36, 20), 4],
    ['spiral stairs', spiralStairs(24), 6],
    ['a Menger sponge of level 2', sponge(2), 9],
    ['thin fins', fins(32), 5],
  ] as [string, AnyShape, number][])('holds what triangles go round: %s', (_, given, size) => {
    const shape = meshShape(given)
    const parts = trianglesOf({ shape } as never)
    let volume = 0
    for (const { shape: part } of parts) {
      if (part.type !== 'triangle') continue
      const { a, b, c } = part
      volume += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x)
    }
    expect(ask('mass', { shape }).volume / (volume / 6)).toBeCloseTo(1, 9)
    let within = 0
    for (let k = 0; k < 5 * COUNT; k++) {
      const b: Body3d = { shape: { type: 'point' }, position: somewhere(k, {}, size) }
      const { overlap } = ask('overlap', { a: { shape }, b })
      const winding = windingAt(parts, b.position as Vec3)
      expect(overlap, `${k}`).toBe(Math.abs(winding) > 0.5)
      if (overlap) within++
    }
    if (size !== 5) expect(within).toBeGreaterThan(0)
    expect(ask('validate', { shape })).toMatchObject({ valid: true })
  })
})

function windingAt(parts: readonly Body3d[], { x, y, z }: Vec3): number {
  let sum = 0
  for (const { shape } of parts) {
    if (shape.type !== 'triangle') continue
    const [a, b, c] = [shape.a, shape.b, shape.c].map((p) => [p.x - x, p.y - y, p.z - z])
    const [p, q, r] = [a, b, c].map((v) => Math.hypot(v[0], v[1], v[2]))
    const dot = (u: number[], v: number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
    const volume =
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    sum += Math.atan2(volume, p * q * r + dot(a, b) * r + dot(b, c) * p + dot(c, a) * q) / (2 * Math.PI)
  }
  return sum
}
