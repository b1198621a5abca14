// Handles of every shape that can be added: each reshapes, goes where it is dragged, and leaves a shape that the service takes.

import { describe, expect, it } from 'vitest'
import { NEW_SHAPES } from '../../src/playground/sketch/gallery.ts'
import { bodyHandles, type Handle, velocityHandle } from '../../src/playground/sketch/handles.ts'
import { isDrawable } from '../../src/playground/sketch/shape-outline.ts'
import { sharedIn } from '../../src/playground/sketch/share-link.ts'
import { EMPTY_SKETCH, type Sketch, type SketchBody } from '../../src/playground/sketch/sketch.ts'
import { featurePoints } from '../../src/playground/sketch/snapping.ts'
import { viewOf } from '../../src/playground/view.ts'

const REACH = 1
const shared = (fragment: string) => sharedIn(fragment, { dimension: '2d', isDrawable, viewOf })
const sketchOf = (body: SketchBody): Sketch => ({ ...EMPTY_SKETCH, bodies: [body], selected: body.id })
const handlesOf = (sketch: Sketch) => bodyHandles(sketch, 'a', REACH)
const named = (sketch: Sketch, { name }: Handle) => handlesOf(sketch).find((other) => other.name === name)!

it('adds every type of shape', () => {
  const types = new Set(NEW_SHAPES.map(({ shape }) => shape.type))
  expect([...types].sort()).toEqual(
    'aabb box capsule chain circle compound ellipse halfplane point polygon region segment'.split(' ').sort(),
  )
})

describe.each(NEW_SHAPES.map(({ name, shape }) => [name, shape] as const))('a %s', (_, shape) => {
  const body: SketchBody = {
    id: 'a',
    shape,
    position: { x: 3, y: -2 },
    ...(shape.type !== 'aabb' && { rotation: 0.7 }),
  }
  const sketch = sketchOf(body)
  const handles = handlesOf(sketch)

  it('has handles with names of their own, unless it is a point', () => {
    expect(new Set(handles.map(({ name }) => name)).size).toBe(handles.length)
    expect(handles.length > 0).toBe(shape.type !== 'point')
  })

  it('is reshaped or turned by each', () => {
    for (const handle of handles) {
      const to = { x: handle.at.x + 0.125, y: handle.at.y + 0.0625 }
      const next = handle.drag(sketch, to)
      expect(next.bodies[0], handle.name).not.toEqual(body)
      expect(next.bodies[0]!.shape.type).toBe(shape.type)
      expect(isDrawable(next.bodies[0]!.shape), handle.name).toBe(true)
      expect(sketch.bodies[0]).toBe(body)
    }
  })

  it('follows the hand: back where it was, it is as it was', () => {
    for (const handle of handles.filter(({ kind }) => kind === 'corner')) {
      const there = handle.drag(sketch, { x: handle.at.x + 0.25, y: handle.at.y - 0.125 })
      const back = handle.drag(there, handle.at)
      const { at } = named(back, handle)
      expect(at.x, handle.name).toBeCloseTo(handle.at.x, 9)
      expect(at.y, handle.name).toBeCloseTo(handle.at.y, 9)
    }
  })

  it('loses the corners that it can do without', () => {
    for (const { name, remove } of handles.filter((handle) => handle.remove !== undefined)) {
      const without = remove!(sketch)
      expect(handlesOf(without).length, name).toBeLessThan(handles.length)
      expect(isDrawable(without.bodies[0]!.shape)).toBe(true)
    }
  })
})

describe('where features lie', () => {
  const at = (x: number, y: number) => ({ x, y })
  it.each([
    ['a corner', { type: 'box', width: 4, height: 2 }, 'vertex', 2, [at(2, 1)]],
    ['the last side', { type: 'box', width: 4, height: 2 }, 'edge', 3, [at(-2, 1), at(-2, -1)]],
    ['the middle of a side', { type: 'aabb', min: at(0, 0), max: at(2, 4) }, 'midpoint', 1, [at(2, 2)]],
    ['a rounded side', { type: 'box', width: 4, height: 2, radius: 0.5 }, 'edge', 0, [at(-2, -1.5), at(2, -1.5)]],
    [
      'the other side of a capsule',
      { type: 'capsule', a: at(0, 0), b: at(2, 0), radius: 1 },
      'edge',
      1,
      [at(2, 1), at(0, 1)],
    ],
    [
      'a rounded side, wound clockwise',
      { type: 'polygon', vertices: [at(0, 0), at(0, 2), at(2, 0)], radius: 1 },
      'edge',
      0,
      [at(-1, 0), at(-1, 2)],
    ],
    [
      'a side of a hole, counted on',
      {
        type: 'region',
        outer: [at(0, 0), at(9, 0), at(0, 9)],
        holes: [[at(1, 1), at(2, 1), at(1, 2)]],
      },
      'edge',
      5,
      [at(1, 2), at(1, 1)],
    ],
    ['no side behind the end of a chain', { type: 'chain', vertices: [at(0, 0), at(1, 0)] }, 'edge', 1, []],
    ['nowhere on a circle', { type: 'circle', radius: 1 }, 'surface', 0, []],
  ] as const)('%s', (_, shape, kind, index, expected) => {
    // biome-ignore lint/suspicious/noExplicitAny: literals of shapes are read only
    const points = featurePoints(shape as any, { kind, index } as any)
    expect(points).toHaveLength(expected.length)
    for (const [i, point] of points.entries()) {
      expect(point.x).toBeCloseTo(expected[i]!.x, 12)
      expect(point.y).toBeCloseTo(expected[i]!.y, 12)
    }
  })

  it('a corner of a child of a compound, wherever that lies', () => {
    const child = { shape: { type: 'box' as const, width: 2, height: 2 }, position: at(5, 0), rotation: Math.PI / 2 }
    const inner = { shape: { type: 'compound' as const, children: [child] }, position: at(0, 1) }
    const [point] = featurePoints({ type: 'compound', children: [inner] }, { kind: 'vertex', index: 0, path: [0, 0] })
    expect(point!.x).toBeCloseTo(6, 12)
    expect(point!.y).toBeCloseTo(0, 12)
    expect(featurePoints({ type: 'compound', children: [inner] }, { kind: 'vertex', index: 0, path: [7] })).toEqual([])
  })
})

describe('links that nobody made by Share', () => {
  const view = { x: 0, y: 0, scale: 60, yUp: true }
  const body = { id: 'a', shape: { type: 'circle', radius: 1 } }
  const read = (sketch: unknown, seen: unknown = view) =>
    shared(Buffer.from(JSON.stringify({ sketch, view: seen })).toString('base64url'))
  const nested = (depth: number): object =>
    depth === 0 ? body.shape : { type: 'compound', children: [{ shape: nested(depth - 1) }] }

  it('are taken where all of it can be drawn', () => {
    expect(read({ bodies: [body] })?.sketch.bodies).toEqual([body])
    expect(read({ bodies: [{ ...body, shape: nested(50) }] })).not.toBe(null)
  })

  it.each([
    ['no sketch', null],
    ['bodies that are none', { bodies: [null] }],
    ['a list that is none', { bodies: { length: 3 } }],
    ['two of one name', { bodies: [body, body] }],
    ['a name that writes elements', { bodies: [{ ...body, id: '<img src=x>' }] }],
    ['a shape nobody knows', { bodies: [{ ...body, shape: { type: 'torus' } }] }],
    ['a shape that inherits', { bodies: [{ ...body, shape: { type: '__proto__' } }] }],
    ['a place that is text', { bodies: [{ ...body, position: { x: '1', y: 0 } }] }],
    ['a spin that is a list', { bodies: [{ ...body, angularVelocity: [] }] }],
    ['a scene that is a path', { scene: '../../metrics' }],
    ['options that are none', { options: null, bodies: [body] }],
    ['options that hold more', { options: { duration: { toString: 1 } }, bodies: [body] }],
    ['a ray without a direction', { ray: { origin: { x: 0, y: 0 } }, bodies: [body] }],
  ])('are not with %s', (_, sketch) => {
    const link = read(sketch)
    if (sketch !== null) expect(link).toBe(null)
    else expect(link?.sketch.bodies).toEqual([])
  })

  it('are not with a depth that no stack has', () => {
    const [open, close] = ['{"type":"compound","children":[{"shape":', '}]}']
    const shape = `${open.repeat(100_000)}{"type":"point"}${close.repeat(100_000)}`
    const text = `{"sketch":{"bodies":[{"id":"a","shape":${shape}}]},"view":${JSON.stringify(view)}}`
    expect(shared(Buffer.from(text).toString('base64url'))).toBe(null)
  })

  it('are not with a view of no size', () => {
    for (const scale of [0, -1, null, '60']) expect(read({ bodies: [body] }, { ...view, scale })).toBe(null)
    for (const text of ['', 'AAAA', '%%%', '💥'.repeat(1000)]) expect(shared(text)).toBe(null)
  })
})

describe('the tip of a velocity', () => {
  const body = { id: 'a', shape: { type: 'sphere' as const, radius: 1 }, position: { x: 1, y: 2, z: 3 } }

  it.each([
    { x: 4, y: 0, z: 0 },
    { x: 0, y: 0, z: 5 },
    { x: 1, y: -2, z: 3 },
  ])('is where the body is a second later: $x, $y, $z', (velocity) => {
    const { x, y, z } = velocity
    expect(velocityHandle({ ...body, velocity }, 7).at).toEqual({ x: 1 + x, y: 2 + y, z: 3 + z })
  })

  it('lies beside a body at rest', () => {
    expect(velocityHandle({ ...body, velocity: { x: 0, y: 0, z: 0 } }, 7).at).toEqual({ x: 8, y: 2, z: 3 })
  })
})
