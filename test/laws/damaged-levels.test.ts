// Real levels, each damaged in one place, in every way that a rule is for: the rule finds that place, and nothing there before. The whole
// levels have no errors.

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gridFor, signOf, toGrid } from '../oracle/exact-numbers.ts'
import { pointInRings } from '../oracle/exact-parts.ts'
import { type SceneClient, startScenes } from '../support/services/scene-client.ts'

const DATA = join(import.meta.dirname, '../../../shared/data')
const FILES: readonly { dimension: '2d' | '3d'; paths: readonly string[] }[] = [
  { dimension: '2d', paths: ['ldtk/Typical_2D_platformer_example.ldtk'] },
  { dimension: '2d', paths: ['ldtk/Typical_TopDown_example.ldtk'] },
  { dimension: '2d', paths: ['ldtk/Entities.ldtk'] },
  { dimension: '2d', paths: ['tiled/sandbox2.tmx', 'tiled/objs.tsx'] },
  { dimension: '3d', paths: ['quake/qodot-brush-entities.map'] },
  { dimension: '3d', paths: ['quake/qodot-groups.map'] },
  { dimension: '3d', paths: ['gltf/platform-medium.glb'] },
  { dimension: '3d', paths: ['godot/player.tscn'] },
]

interface Vector {
  x: number
  y: number
  z?: number
}
interface Body {
  id: string
  shape: { type: string; [name: string]: unknown }
  position?: Vector
  tags?: string[]
}
interface Finding {
  rule: string
  severity: string
  bodies: string[]
  message: string
}
interface Level {
  bodies: Body[]
  /** Of all bodies. */
  max: Vector
}
interface Damage {
  bodies: object[]
  /** Which of them the rule must name. */
  found: string[]
}

/** Ways to break a level, by the rule that finds it. `vec`: of the level’s dimension; `box`: a box of these sides. */
type Break = (level: Level, make: { vec: (...v: number[]) => Vector; box: (...s: number[]) => object }) => Damage

const PLANTED = { tags: ['planted'] }
/** Beside everything. */
const free = ({ max }: Level) => ({ x: max.x + 1000, y: max.y + 1000, z: (max.z ?? 0) + 1000 })

const BREAKS: Record<string, { rule: object; damage: Break }> = {
  duplicate: {
    rule: { rule: 'duplicate' },
    damage: ({ bodies }) => {
      const [body] = bodies
      return { bodies: [{ ...body, id: 'planted' }], found: ['planted'] }
    },
  },
  sliver: {
    rule: { rule: 'sliver' },
    damage: (level, { vec, box }) => {
      const { x, y, z } = free(level)
      return { bodies: [{ id: 'planted', shape: box(10, 2 ** -12, 10), position: vec(x, y, z) }], found: ['planted'] }
    },
  },
  degenerate: {
    rule: { rule: 'degenerate' },
    damage: (level, { vec, box }) => {
      const { x, y, z } = free(level)
      return { bodies: [{ id: 'planted', shape: box(10, 0, 10), position: vec(x, y, z) }], found: ['planted'] }
    },
  },
  'gap of 1e-9': {
    rule: { rule: 'nearly-touching', within: 1e-6, filter: { tags: { any: ['planted'] } } },
    damage: (level, { vec, box }) => {
      const { max } = level
      const [x, y, z] = [max.x + 1, max.y + 1, (max.z ?? 0) + 1]
      const one = { id: 'planted', shape: box(2, 2, 2), position: vec(x, y, z), ...PLANTED }
      const two = { id: 'planted-too', shape: box(2, 2, 2), position: vec(x + 2 + 1e-9, y, z), ...PLANTED }
      return { bodies: [one, two], found: ['planted', 'planted-too'] }
    },
  },
  overlap: {
    rule: { rule: 'overlap', filter: { tags: { any: ['planted'] } } },
    damage: (level, { vec, box }) => {
      const { x, y, z } = free(level)
      const one = { id: 'planted', shape: box(2, 2, 2), position: vec(x, y, z), ...PLANTED }
      const two = { id: 'planted-too', shape: box(2, 2, 2), position: vec(x + 2 - 2 ** -20, y, z), ...PLANTED }
      return { bodies: [one, two], found: ['planted', 'planted-too'] }
    },
  },
  'inside-solid': {
    rule: { rule: 'inside-solid', of: 'position', filter: { tags: { any: ['planted'] } } },
    damage: (level, { vec, box }) => {
      const { x, y, z } = free(level)
      const wall = { id: 'wall', shape: box(8, 8, 8), position: vec(x, y, z) }
      return {
        bodies: [wall, { id: 'planted', shape: box(1, 1, 1), position: vec(x + 1, y, z), ...PLANTED }],
        found: ['planted', 'wall'],
      }
    },
  },
  floating: {
    rule: { rule: 'floating', down: { x: 0, y: -1 }, filter: { tags: { any: ['planted'] } } },
    damage: (level, { vec, box }) => {
      const { x, y, z } = free(level)
      const floor = { id: 'ground', shape: box(8, 1, 8), position: vec(x, y, z) }
      return {
        bodies: [floor, { id: 'planted', shape: box(1, 1, 1), position: vec(x, y + 1.25, z), ...PLANTED }],
        found: ['planted'],
      }
    },
  },
  sunk: {
    rule: { rule: 'sunk', down: { x: 0, y: -1 }, filter: { tags: { any: ['planted'] } } },
    damage: (level, { vec, box }) => {
      const { x, y, z } = free(level)
      const floor = { id: 'ground', shape: box(8, 1, 8), position: vec(x, y, z) }
      return {
        bodies: [floor, { id: 'planted', shape: box(1, 1, 1), position: vec(x, y + 0.75, z), ...PLANTED }],
        found: ['planted'],
      }
    },
  },
  'off-grid': {
    rule: { rule: 'off-grid', step: 0.5, filter: { tags: { any: ['planted'] } } },
    damage: (_level, { vec, box }) => ({
      bodies: [{ id: 'planted', shape: box(1, 1, 1), position: vec(0.5 + 2 ** -30, 0, 0), ...PLANTED }],
      found: ['planted'],
    }),
  },
  'overlapping-faces': {
    rule: { rule: 'overlapping-faces', filter: { tags: { any: ['planted'] } } },
    damage: (level, { vec, box }) => {
      const { x, y, z } = free(level)
      const one = { id: 'planted', shape: box(4, 4, 4), position: vec(x, y, z), ...PLANTED }
      const two = { id: 'planted-too', shape: box(2, 2, 2), position: vec(x, y + 1, z), ...PLANTED }
      return { bodies: [one, two], found: ['planted', 'planted-too'] }
    },
  },
}

// Which walls of a level a point is inside of, decided in integers: nothing of the service has a part in it.

type Place = readonly number[]

const AXES = ['x', 'y', 'z'] as const
const placeOf = (point: Partial<Vector> | undefined, axes: number): number[] =>
  AXES.slice(0, axes).map((axis) => point?.[axis] ?? 0)

/** The rings of a wall of the plane, or the corners of a convex one in space, in the world; null of other kinds. */
function cornersOf({ shape, position, ...turned }: Body, axes: number): Place[][] | null {
  if ('rotation' in turned || 'orientation' in turned) return null
  const start = placeOf(position, axes)
  const placed = (ring: readonly Partial<Vector>[]) =>
    ring.map((corner) => placeOf(corner, axes).map((side, k) => side + start[k]))
  const { type, outer, holes = [], points, width, height } = shape as unknown as Record<string, never>
  if (type === 'region') return [outer, ...(holes as Vector[][])].map(placed)
  // all triples are looked at
  if (type === 'hull') return (points as Vector[]).length > 12 ? null : [placed(points)]
  if (type !== 'box' || axes === 3) return null
  const [x, y] = [width / 2, height / 2]
  return [
    placed([
      { x: -x, y: -y },
      { x, y: -y },
      { x, y },
      { x: -x, y },
    ]),
  ]
}

function isInsideExactly(rings: readonly Place[][], place: Place): boolean {
  const isOut = (side: number, k: number) =>
    rings[0].every((corner) => corner[k] < side) || rings[0].every((corner) => corner[k] > side)
  if (place.some(isOut)) return false
  const grid = gridFor([...rings.flat(2), ...place])
  const exact = (corner: Place) => corner.map((side) => toGrid(grid, side))
  if (place.length === 3) return isInHull(rings[0].map(exact), exact(place))
  const [x, y] = exact(place)
  const flat = rings.map((ring) => ring.map(exact).map(([u, v]) => ({ x: u, y: v })))
  return pointInRings(flat, { x, y }) < 0
}

/** Whether no plane through three of the corners, with all of them on one side, parts the place from the others. */
function isInHull(corners: readonly bigint[][], place: readonly bigint[]): boolean {
  const away = (p: readonly bigint[], o: readonly bigint[]) => p.map((side, k) => side - o[k])
  const turn = (a: readonly bigint[], b: readonly bigint[], c: readonly bigint[], d: readonly bigint[]) => {
    const [u, v, w] = [away(b, a), away(c, a), away(d, a)]
    const minor = (k: number, l: number) => v[k] * w[l] - v[l] * w[k]
    return signOf(u[0] * minor(1, 2) - u[1] * minor(0, 2) + u[2] * minor(0, 1))
  }
  let isSolid = false
  for (const [i, a] of corners.entries()) {
    for (const [j, b] of corners.slice(0, i).entries()) {
      for (const c of corners.slice(0, j)) {
        const sides = new Set(corners.map((corner) => turn(a, b, c, corner)).filter((side) => side !== 0))
        if (sides.size !== 1) continue
        isSolid = true
        if (!sides.has(turn(a, b, c, place) as 1 | -1)) return false
      }
    }
  }
  return isSolid
}

/** Places that may be in a wall: between corners of it that follow each other, on a grid. */
function placesNear(rings: readonly Place[][]): Place[] {
  const [outer] = rings
  const middle = (some: readonly Place[]) =>
    some[0].map((_, k) => Math.round((64 * some.reduce((sum, corner) => sum + corner[k], 0)) / some.length) / 64)
  return [outer, outer.slice(0, 3), outer.slice(1, 4)].map(middle)
}

describe.skipIf(!existsSync(DATA)).each(FILES)('$dimension $paths', ({ dimension, paths }) => {
  let client: SceneClient
  let level: Level
  const vec = (x: number, y: number, z = 0) => (dimension === '2d' ? { x, y } : { x, y, z })
  const box = (x: number, y: number, z = 0) =>
    dimension === '2d' ? { type: 'box', width: x, height: y } : { type: 'box', size: { x, y, z } }

  beforeAll(async () => {
    client = await startScenes({}, dimension)
    level = await read(await imported())
  })
  afterAll(() => client.close())

  async function imported(): Promise<string> {
    const id = await client.createScene()
    const form = new FormData()
    for (const path of paths) form.append('file', new Blob([readFileSync(join(DATA, path))]), basename(path))
    const sent = new Response(form)
    const response = await client.app.inject({
      method: 'POST',
      url: `/v1/${dimension}/scenes/${id}/import${dimension === '3d' ? '?up=y' : ''}`,
      payload: Buffer.from(await sent.clone().arrayBuffer()),
      headers: { 'content-type': sent.headers.get('content-type') as string },
    })
    if (response.statusCode !== 200) throw new Error(`${dirname(paths[0])}: ${response.body}`)
    return id
  }

  async function read(id: string): Promise<Level> {
    const { bodies } = (await client.send('GET', `/${id}/bodies?limit=1`)).body
    const { body } = await client.send('GET', `/${id}`)
    return { bodies, max: body.bounds.max }
  }

  async function lint(id: string, rules?: readonly object[]): Promise<Finding[]> {
    const { status, body, text } = await client.send('POST', `/${id}/lint`, rules === undefined ? {} : { rules })
    if (status !== 200) throw new Error(text)
    return body.findings
  }

  it('has no errors as it is', async () => {
    const findings = await lint(await imported())
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('names all walls that a body of the level is moved into, and no others', async ({ skip }) => {
    const axes = dimension === '2d' ? 2 : 3
    const id = await imported()
    const { bodies } = (await client.send('GET', `/${id}/bodies?limit=1000`)).body as { bodies: Body[] }
    const isEntity = ({ tags }: Body) => tags?.includes('kind:entity') === true
    const walls = bodies.flatMap((body) => {
      const rings = isEntity(body) ? null : cornersOf(body, axes)
      return rings === null ? [] : [{ id: body.id, rings }]
    })
    const moved = bodies.find(isEntity)?.id ?? walls[0]?.id
    const ids = walls.map((wall) => wall.id).filter((wall) => wall !== moved)
    // files that are one body
    skip(ids.length === 0)
    const rule = {
      rule: 'inside-solid',
      of: 'position',
      filter: { ids: { include: [moved] } },
      against: { ids: { include: ids } },
    }
    const places = walls.flatMap(({ rings }) => placesNear(rings)).slice(0, 24)
    let inside = 0
    for (const place of places) {
      const position = vec(...(place as [number, number, number]))
      await client.send('POST', `/${id}/operations`, { operations: [{ op: 'move', id: moved, position }] })
      const known = walls
        .filter((wall) => wall.id !== moved && isInsideExactly(wall.rings, place))
        .map((wall) => wall.id)
      const findings = await lint(id, [rule])
      expect(findings.flatMap(({ bodies: [, ...solids] }) => solids).sort()).toEqual(known.sort())
      inside += known.length
      if (known.length === 0 || !isEntity(bodies.find((body) => body.id === moved) as Body)) continue
      // rules that need nothing said find it too
      const usual = (await lint(id)).filter((each) => each.rule === 'inside-solid')
      expect(usual.find(({ bodies: [first] }) => first === moved)?.bodies).toEqual(expect.arrayContaining(known))
    }
    expect(inside).toBeGreaterThan(0)
  })

  it.each(Object.keys(BREAKS))('broken by %s', async (name) => {
    const { rule, damage } = BREAKS[name]
    const withDown = 'down' in rule ? { ...rule, down: vec(0, -1) } : rule
    const id = await imported()
    const before = await lint(id, [withDown])
    const { bodies, found } = damage(level, { vec, box } as never)
    await client.put(id, bodies)
    const after = await lint(id, [withDown])
    const known = new Set(before.map(({ message }) => message))
    const fresh = after.filter(({ message }) => !known.has(message))
    expect(fresh.flatMap(({ bodies: ids }) => ids)).toEqual(expect.arrayContaining(found))
    expect(fresh).toHaveLength(1)
  })
})
