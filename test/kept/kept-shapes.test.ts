import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contentId } from '../../src/kept/canonical-content.ts'
import { type KeepTask, keepShape, type MadeShape } from '../../src/kept/keep-shape.ts'
import { OpenShapes } from '../../src/kept/kept-shape.ts'
import { shapePath } from '../../src/kept/shape-file.ts'
import { Shelf } from '../../src/kept/shelf.ts'
import { NO_SHAPES, putShapes, type ShapeSource } from '../../src/wire/shape-source.ts'
import { glbOf, objOf, stlOf } from '../support/mesh-files.ts'

const PYRAMID = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }
const MESH = { type: 'mesh', ...PYRAMID }
const GRID = { type: 'heightfield', heights: [0, 1, 2, 3, null, 5], columns: 2, cellSize: { x: 1, z: 1 } }
const ball = { type: 'sphere', radius: 1 }

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kept-'))
})
afterEach(() => rm(directory, { recursive: true }))

function made(shape: object | string, rest: Partial<KeepTask> = {}, shapes: ShapeSource = NO_SHAPES): MadeShape {
  const isFile = Buffer.isBuffer(shape) || typeof shape === 'string'
  const bytes = Buffer.from(isFile ? (shape as string) : JSON.stringify(shape))
  const limits = { maxVertices: 1000, maxParts: 10 }
  const frame = { scale: 1, up: 'y', node: null } as const
  const task = { kind: 'keep', bytes, dimension: '3d', format: 'json', solid: false, frame, limits, directory, ...rest }
  return keepShape(task as KeepTask, shapes) as MadeShape
}

const MIB = 2 ** 20
const shelfOf = (more = {}) =>
  new Shelf({ directory, mostMemory: 64 * MIB, mostDisk: 64 * MIB, onFinding: () => undefined, ...more })

describe('the id of a shape', () => {
  it('is the digest of what its definition says', () => {
    const numbers = Buffer.alloc(8 * 9)
    const values = [0, 1, 2, 0, 0, 0, 1, 0, 0]
    for (const [k, value] of values.entries()) numbers.writeDoubleLE(value, 8 * k)
    const text = 'tangent 3d\n{"triangles":3,"type":"mesh","vertices":6}\n'
    const digest = createHash('sha256').update(text).update(numbers).digest('hex')
    const shape = { type: 'mesh', solid: false, vertices: [-0, 0, 0, 1, 0, 0], triangles: [0, 1, 2] }
    expect(contentId('3d', shape)).toBe(`sha256-${digest}`)
  })

  it('knows a hole from a height, and the plane from space', () => {
    const ids = [GRID, { ...GRID, heights: [0, 1, 2, 3, 0, 5] }].map((shape) => contentId('3d', shape))
    expect(new Set([...ids, contentId('2d', GRID)]).size).toBe(3)
  })

  it('does not depend on the order of fields, nor on those that are what they are when absent', () => {
    const plain = { type: 'compound', children: [{ shape: { type: 'box', size: { x: 1, y: 2, z: 3 } } }] }
    const full = {
      children: [
        {
          orientation: { w: 1, x: 0, y: 0, z: 0 },
          position: { z: 0, y: -0, x: 0 },
          shape: { radius: 0, size: { z: 3, y: 2, x: 1 }, type: 'box' },
        },
      ],
      type: 'compound',
    }
    expect(contentId('3d', full)).toBe(contentId('3d', plain))
    expect(contentId('3d', { type: 'capsule', radius: 0 })).not.toBe(contentId('3d', { type: 'capsule' }))
  })

  it('is one for all formats', () => {
    const quarter = { ...PYRAMID, vertices: PYRAMID.vertices.map((value) => value / 4) }
    const ids = [
      made(MESH),
      made(objOf(PYRAMID), { format: 'obj' }),
      made(glbOf(PYRAMID), { format: 'glb' }),
      made(objOf(quarter), { format: 'obj', frame: { scale: 4, up: 'y', node: null } }),
    ].map(({ kept }) => kept.id)
    expect(new Set(ids).size).toBe(1)
    // an STL file has its corners in the order of its facets
    expect(made(stlOf(PYRAMID), { format: 'stl' }).summary).toMatchObject({ triangles: 4, vertices: 4 })
  })
})

describe('keeping a shape', () => {
  it('tells what it is', () => {
    const compound = { type: 'compound', children: [{ shape: MESH }, { shape: GRID }, { shape: ball }] }
    expect(made(compound).summary).toMatchObject({ type: 'compound', triangles: 7, vertices: 10, solid: null })
    expect(made(MESH).summary).toMatchObject({
      bounds: { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } },
      solid: false,
      findings: [],
    })
    expect(made({ type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 }).summary.bounds).toBeNull()
    const corner = (x: number, y: number) => ({ x, y })
    const region = { type: 'region', outer: [corner(0, 0), corner(2, 0), corner(0, 1)] }
    expect(made(region, { dimension: '2d' }).summary).toMatchObject({ vertices: 3, bounds: { max: { x: 2, y: 1 } } })
  })

  it.each([
    ['{"type":"mesh"', 'malformed-json', undefined],
    [{ type: 'mush' }, 'schema-violation', '/type'],
    [{ ...MESH, triangles: [0, 1, 7] }, 'mesh-index-out-of-range', '/triangles/2'],
    [
      { type: 'compound', children: [{ shape: { ...MESH, groups: [] } }] },
      'mesh-misshapen',
      '/children/0/shape/groups',
    ],
    [{ type: 'compound', children: new Array(11).fill({ shape: ball }) }, 'too-many-parts', '/children'],
    [
      { type: 'compound', children: [{ shape: { type: 'ref', id: `sha256-${'0'.repeat(64)}` } }] },
      'shape-unknown',
      '/children/0/shape/id',
    ],
    [{ ...MESH, vertices: new Array(3003).fill(0) }, 'too-many-vertices', '/vertices'],
  ])('refuses %j', (shape, code, pointer) => {
    const problem = made(shape) as unknown as { code: string; places: { pointer: string }[] }
    expect([problem.code, problem.places[0]?.pointer]).toEqual([code, pointer])
  })

  it('opens it as it was sent', () => {
    const mesh = { ...MESH, groups: [4, 4, 5, 5] }
    const shape = { type: 'compound', children: [{ shape: mesh }, { shape: GRID }, { shape: ball }] }
    const shapes = new OpenShapes()
    const { kept } = made(shape)
    shapes.lend([kept])
    const asList = (_: string, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as unknown as number[]) : value
    expect(JSON.parse(JSON.stringify(shapes.find(kept.id)?.shape, asList))).toEqual(shape)
    expect(shapes.find(kept.id)).toBe(shapes.find(kept.id))
    shapes.lend([])
    expect(shapes.find(kept.id)).toBeUndefined()
  })

  it('takes shapes that are kept into others', async () => {
    const shelf = shelfOf()
    await shelf.add(made(MESH))
    const { id } = made(MESH).kept
    const outer = made({ type: 'compound', children: [{ shape: { type: 'ref', id } }] }, {}, shelf)
    expect([outer.summary.triangles, outer.kept.depth]).toEqual([4, 1])
    await shelf.add(outer)
    await shelf.remove(id, '3d')
    // it has the content itself
    const request: { shape: { type: string; id: string; children?: object[] } } = {
      shape: { type: 'ref', id: outer.kept.id },
    }
    expect(putShapes(request, '3d', shelf)).toBeNull()
    expect(request.shape.children?.length).toBe(1)
    expect(putShapes({ shape: { type: 'ref', id: outer.kept.id } }, '2d', shelf)?.code).toBe('shape-unknown')
  })

  it('counts the depth of kept compounds', async () => {
    const shelf = shelfOf()
    let shape: object = ball
    for (let k = 0; k < 8; k++) shape = { type: 'compound', children: [{ shape }] }
    const one = made(shape)
    await shelf.add(one)
    const ref = { type: 'ref', id: one.kept.id }
    expect(putShapes({ shape: ref }, '3d', shelf)).toBeNull()
    const problem = putShapes({ shape: { type: 'compound', children: [{ shape: ref }] } }, '3d', shelf)
    expect([problem?.code, problem?.places[0].pointer]).toEqual(['compound-too-deep', '/shape/children/0/shape'])
  })
})

describe('the shelf', () => {
  const sphere = (radius: number) => made({ type: 'sphere', radius })

  it('knows the shapes of an earlier process, and reads them when they are wanted', async () => {
    const shelf = shelfOf()
    const mesh = made(MESH)
    expect(await shelf.add(mesh)).toBe(true)
    expect(await shelf.add(made(MESH))).toBe(false)
    const again = shelfOf()
    await again.open()
    const { id } = mesh.kept
    expect(again.figures.memory).toBe(0)
    expect(again.summary(id, '3d')).toEqual(mesh.summary)
    expect(again.summary(id, '2d')).toBeNull()
    const request = Buffer.from(`{"shape":{"type":"ref","id":"${id}"}}`)
    expect(again.isReadyFor(request)).toBe(false)
    expect(again.find(id)).toBeUndefined()
    const [read] = await again.shapesFor(request)
    expect(Buffer.from(read.meshes[0])).toEqual(Buffer.from(mesh.kept.meshes[0]))
    expect(again.isReadyFor(request)).toBe(true)
    expect(again.shapesFor(request)).toEqual([read])
    expect(again.shapesFor(Buffer.from('{"id":"sha256-no"}'))).toEqual([])
    expect(await again.remove(id, '3d')).toBe(true)
    expect(await again.remove(id, '3d')).toBe(false)
    const third = shelfOf()
    await third.open()
    expect(third.figures).toEqual({ shapes: 0, memory: 0, disk: 0 })
  })

  it('lists shapes by id, a page at a time', async () => {
    const shelf = shelfOf()
    const ids: string[] = []
    for (let k = 1; k <= 5; k++) {
      const one = sphere(k)
      ids.push(one.kept.id)
      await shelf.add(one)
    }
    ids.sort()
    expect(shelf.page('3d', '', 2).map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(shelf.page('3d', ids[1], 9).map(({ id }) => id)).toEqual(ids.slice(2))
    expect(shelf.page('2d', '', 9)).toEqual([])
  })

  it('lets go of what was used longest ago', async () => {
    const [a, b, c] = [1, 2, 3].map(sphere)
    const size = a.kept.text.byteLength
    const small = shelfOf({ mostMemory: 2 * size })
    for (const one of [a, b]) await small.add(one)
    await new Promise((resolve) => setTimeout(resolve, 5))
    small.summary(a.kept.id, '3d')
    await small.add(c)
    expect([a, b, c].map(({ kept }) => small.find(kept.id) !== undefined)).toEqual([true, false, true])
    // it has a file still
    expect(small.summary(b.kept.id, '3d')).not.toBeNull()
    const bare = shelfOf({ directory: null, mostMemory: 2 * size })
    for (const one of [a, b, c]) await bare.add(one)
    expect(bare.summary(a.kept.id, '3d')).toBeNull()
    const past = new Date(Date.now() - 1e6)
    await utimes(shapePath(directory, c.kept.id), past, past)
    const { length } = await readFile(shapePath(directory, a.kept.id))
    const full = shelfOf({ mostDisk: 2 * length + 4 })
    await full.open()
    expect(full.figures.shapes).toBe(2)
    expect(full.summary(c.kept.id, '3d')).toBeNull()
  })

  it('holds what it lends, whatever makes room or is deleted meanwhile', async () => {
    const shapes = [1, 2, 3].map(sphere)
    const ids = shapes.map(({ kept }) => kept.id)
    // memory for one of them
    const shelf = shelfOf({ mostMemory: shapes[0].kept.text.byteLength })
    for (const one of shapes) await shelf.add(one)
    const lent = (await shelf.borrow(ids)) as ShapeSource
    for (const id of ids) await shelf.remove(id, '3d')
    expect(ids.map((id) => lent.find(id)?.shape)).toEqual([1, 2, 3].map((radius) => ({ type: 'sphere', radius })))
    expect((await shelf.borrow(ids))?.find(ids[0])).toBeUndefined()
  })

  it('leaves to workers what takes long to read', async () => {
    const corner = (k: number) => ({ x: Math.cos(k / 80), y: Math.sin(k / 80) })
    const one = made({ type: 'region', outer: Array.from({ length: 500 }, (_, k) => corner(k)) }, { dimension: '2d' })
    const shelf = shelfOf()
    await shelf.add(one)
    const { id } = one.kept
    expect(await shelf.borrow([id])).not.toBeNull()
    expect(await shelf.borrow(new Array(20).fill(id))).toBeNull()
  })

  it('tells of damaged files and keeps them no more', async () => {
    const findings: unknown[] = []
    const [a, b] = [made(MESH), sphere(1)]
    const path = shapePath(directory, a.kept.id)
    const bytes = await readFile(path)
    bytes[bytes.length - 20] ^= 1
    await writeFile(path, bytes)
    await writeFile(shapePath(directory, b.kept.id), 'gone')
    await writeFile(join(directory, 'x.shape.new'), 'unfinished')
    const shelf = shelfOf({ onFinding: (finding: unknown) => findings.push(finding) })
    await shelf.open()
    expect(findings).toEqual([{ shape: b.kept.id, reason: 'the head of its file is damaged' }])
    expect(await shelf.shapesFor(Buffer.from(a.kept.id))).toEqual([])
    expect(findings[1]).toEqual({ shape: a.kept.id, reason: 'its file is damaged' })
    expect(shelf.figures.shapes).toBe(0)
    await expect(readFile(join(directory, 'x.shape.new'))).rejects.toThrow()
  })

  it('survives any damage to a file', async () => {
    const { kept } = made(MESH)
    const path = shapePath(directory, kept.id)
    const whole = await readFile(path)
    const damage = fc.record({
      at: fc.nat(whole.length - 1),
      flip: fc.integer({ min: 1, max: 255 }),
      isCut: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, flip, isCut }) => {
        const bytes = Buffer.from(isCut ? whole.subarray(0, at) : whole)
        if (!isCut) bytes[at] ^= flip
        await writeFile(path, bytes)
        const shelf = shelfOf()
        await shelf.open()
        for (const read of await shelf.shapesFor(Buffer.from(kept.id))) {
          // what lies between blocks counts for nothing
          expect(Buffer.from(read.meshes[0])).toEqual(Buffer.from(kept.meshes[0]))
        }
      }),
      { numRuns: 60 },
    )
  })
})
