import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { contentId } from '../../src/kept/canonical-content.ts'
import { OpenShapes } from '../../src/kept/kept-shape.ts'
import { Shelf } from '../../src/kept/shelf.ts'
import { putShapes } from '../../src/wire/shape-source.ts'
import { MESH, made, PYRAMID } from '../support/made-shapes.ts'
import { glbOf, objOf, stlOf } from '../support/mesh-files.ts'

const GRID = { type: 'heightfield', heights: [0, 1, 2, 3, null, 5], columns: 2, cellSize: { x: 1, z: 1 } }
const ball = { type: 'sphere', radius: 1 }
const shelfOf = () => new Shelf({ mostMemory: 2 ** 26, mostCount: 100 })

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
    expect(made(stlOf(PYRAMID), { format: 'stl' }).head.summary).toMatchObject({ triangles: 4, vertices: 4 })
  })
})

describe('keeping a shape', () => {
  it('tells what it is', () => {
    const compound = { type: 'compound', children: [{ shape: MESH }, { shape: GRID }, { shape: ball }] }
    expect(made(compound).head.summary).toMatchObject({ type: 'compound', triangles: 7, vertices: 10, solid: null })
    expect(made(MESH).head.summary).toMatchObject({
      bounds: { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } },
      solid: false,
      findings: [],
    })
    expect(made({ type: 'halfspace', normal: { x: 0, y: 1, z: 0 }, offset: 0 }).head.summary.bounds).toBeNull()
    const corner = (x: number, y: number) => ({ x, y })
    const region = { type: 'region', outer: [corner(0, 0), corner(2, 0), corner(0, 1)] }
    expect(made(region, { dimension: '2d' }).head.summary).toMatchObject({
      vertices: 3,
      bounds: { max: { x: 2, y: 1 } },
    })
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
    expect([outer.head.summary.triangles, outer.kept.depth]).toEqual([4, 1])
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

  it('looks for none in lists of numbers, which have no names for it to go through', () => {
    const missing = { type: 'ref', id: `sha256-${'0'.repeat(64)}` }
    for (const list of [new Float64Array(3), new Uint32Array(3), [1, 2, 3]]) {
      expect(putShapes({ list: Object.assign(list, { missing }) }, '3d', shelfOf())).toBeNull()
    }
    expect(putShapes({ list: [{}, missing] }, '3d', shelfOf())?.places[0].pointer).toBe('/list/1/id')
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
