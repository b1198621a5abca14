/** What holds of kept shapes wherever they outlive the process, if they do. */

import { describe, expect, it } from 'vitest'
import type { MadeShape } from '../../src/kept/keep-shape.ts'
import type { Shelf } from '../../src/kept/shelf.ts'
import type { ShapeSource } from '../../src/wire/shape-source.ts'
import { MESH, made } from './made-shapes.ts'

const MIB = 2 ** 20

export interface OpenedShelf {
  readonly shelf: Shelf
  /** As workers make them for it. */
  make(shape: object, dimension?: '2d' | '3d'): MadeShape
  /** One that another process opens in place of it, or beside it; null where nothing outlives it. */
  readonly again: (() => Promise<Shelf>) | null
}

export interface OpenedLimits {
  readonly mostMemory: number
  readonly mostBytes: number
  readonly mostCount: number
}

const LARGE: OpenedLimits = { mostMemory: 64 * MIB, mostBytes: 64 * MIB, mostCount: 100 }
const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
const idOf = ({ kept }: MadeShape) => kept.id
const refTo = (one: MadeShape) => Buffer.from(`{"shape":{"type":"ref","id":"${idOf(one)}"}}`)

export function shelfContract(open: (limits: OpenedLimits) => Promise<OpenedShelf>): void {
  const ball = (radius: number) => ({ type: 'sphere', radius })
  /** Which are there. */
  const areThere = (shelf: Shelf, shapes: readonly MadeShape[]) =>
    Promise.all(shapes.map(async (one) => (await shelf.summary(idOf(one), '3d')) !== null))

  describe('a shelf', () => {
    it('adds a shape once, and tells what it is', async () => {
      const { shelf, make } = await open(LARGE)
      const mesh = make(MESH)
      expect(await shelf.add(mesh)).toBe(true)
      expect(await shelf.add(make(MESH))).toBe(false)
      expect(await shelf.summary(idOf(mesh), '3d')).toEqual(mesh.head.summary)
      expect(await shelf.summary(idOf(mesh), '2d')).toBeNull()
      expect(shelf.find(idOf(mesh))?.dimension).toBe('3d')
      expect(shelf.isReadyFor(refTo(mesh))).toBe(true)
      expect(await shelf.shapesFor(refTo(mesh))).toEqual([mesh.kept])
      expect(await shelf.shapesFor(Buffer.from('{"id":"sha256-no"}'))).toEqual([])
    })

    it('deletes', async () => {
      const { shelf, make, again } = await open(LARGE)
      const mesh = make(MESH)
      await shelf.add(mesh)
      expect(await shelf.remove(idOf(mesh), '2d')).toBe(false)
      expect(await shelf.remove(idOf(mesh), '3d')).toBe(true)
      expect(await shelf.remove(idOf(mesh), '3d')).toBe(false)
      for (const each of [shelf, await again?.()]) {
        if (each === undefined) continue
        expect(await each.summary(idOf(mesh), '3d')).toBeNull()
        expect(await each.shapesFor(refTo(mesh))).toEqual([])
        expect(await each.page('3d', '', 9)).toEqual([])
      }
      expect(shelf.figures).toEqual({ shapes: 0, memory: 0 })
      expect(await shelf.add(make(MESH))).toBe(true)
    })

    it('lists shapes by id, a page at a time', async () => {
      const { shelf, make } = await open(LARGE)
      const shapes = [1, 2, 3, 4, 5].map((radius) => make(ball(radius)))
      for (const one of shapes) await shelf.add(one)
      const ids = shapes.map(idOf).sort()
      const page = async (...asked: Parameters<Shelf['page']>) => (await shelf.page(...asked)).map(({ id }) => id)
      expect(await page('3d', '', 2)).toEqual(ids.slice(0, 2))
      expect(await page('3d', ids[1], 9)).toEqual(ids.slice(2))
      expect(await page('3d', ids[4], 9)).toEqual([])
      expect(await page('2d', '', 9)).toEqual([])
      const flat = make({ type: 'point' }, '2d')
      await shelf.add(flat)
      await shelf.remove(ids[2], '3d')
      expect(await page('3d', ids[1], 1)).toEqual([ids[3]])
      expect(await page('2d', '', 9)).toEqual([idOf(flat)])
    })

    it('has room for so many shapes, and lets go of those that were used longest ago', async () => {
      const { shelf, make } = await open({ ...LARGE, mostCount: 2 })
      const [a, b, c] = [1, 2, 3].map((radius) => make(ball(radius)))
      for (const one of [a, b]) {
        await shelf.add(one)
        await pause()
      }
      if (shelf.directory !== null) await shelf.summary(idOf(a), '3d')
      else await shelf.remove(idOf(b), '3d')
      await shelf.add(c)
      // queries and reads know the same ones
      const isFound = async (one: MadeShape) => (await shelf.shapesFor(refTo(one))).length === 1
      expect(await Promise.all([a, b, c].map(isFound))).toEqual([true, false, true])
      expect(shelf.find(idOf(b))).toBeUndefined()
      expect(await areThere(shelf, [a, b, c])).toEqual([true, false, true])
    })

    it('counts what a query asks about as used, once for all its references', async () => {
      const shapes = [1, 2, 3].map((radius) => made(ball(radius)))
      const { shelf, make } = await open({ ...LARGE, mostMemory: 2 * shapes[0].kept.text.byteLength })
      const [a, b, c] = shapes.map((_, k) => make(ball(k + 1)))
      for (const one of [a, b]) await shelf.add(one)
      expect(shelf.isReadyFor(Buffer.concat([refTo(a), refTo(a), refTo(b), refTo(a)]))).toBe(true)
      expect(shelf.isReadyFor(refTo(a))).toBe(true)
      await shelf.add(c)
      expect([a, b, c].map((one) => shelf.find(idOf(one)) !== undefined)).toEqual([true, false, true])
    })

    it('has room for so many bytes, and for the latest whatever its size', async () => {
      const [a, b] = [1, 2].map((radius) => made(ball(radius)))
      const most = a.kept.text.byteLength + 4
      const { shelf, make } = await open({ mostMemory: most, mostBytes: most, mostCount: 9 })
      for (const one of [a, b]) {
        await shelf.add(make(ball(one === a ? 1 : 2)))
        await pause()
      }
      expect(await areThere(shelf, [a, b])).toEqual([false, true])
      const mesh = make(MESH)
      await shelf.add(mesh)
      expect(await areThere(shelf, [a, b, mesh])).toEqual([false, false, true])
    })

    it('holds what it lends, whatever makes room or is deleted meanwhile', async () => {
      const sizes = [1, 2, 3]
      const { shelf, make } = await open(LARGE)
      const shapes = sizes.map((radius) => make(ball(radius)))
      for (const one of shapes) await shelf.add(one)
      const lent = (await shelf.borrow(shapes.map(idOf))) as ShapeSource
      for (const one of shapes) await shelf.remove(idOf(one), '3d')
      expect(shapes.map((one) => lent.find(idOf(one))?.shape)).toEqual(sizes.map(ball))
      expect((await shelf.borrow(shapes.map(idOf)))?.find(idOf(shapes[0]))).toBeUndefined()
    })

    it('leaves to workers what takes long to read', async () => {
      const corner = (k: number) => ({ x: Math.cos(k / 80), y: Math.sin(k / 80) })
      const { shelf, make } = await open(LARGE)
      const one = make({ type: 'region', outer: Array.from({ length: 500 }, (_, k) => corner(k)) }, '2d')
      await shelf.add(one)
      expect(await shelf.borrow([idOf(one)])).not.toBeNull()
      expect(await shelf.borrow(new Array(20).fill(idOf(one)))).toBeNull()
    })

    it('is known to other processes, which read what they use', async () => {
      const { shelf, make, again } = await open(LARGE)
      if (again === null) return
      const mesh = make(MESH)
      await shelf.add(mesh)
      const other = await again()
      expect(other.figures.memory).toBe(0)
      expect(await other.summary(idOf(mesh), '3d')).toEqual(mesh.head.summary)
      expect(await other.page('3d', '', 9)).toEqual([mesh.head.summary])
      expect(other.isReadyFor(refTo(mesh))).toBe(false)
      expect(other.find(idOf(mesh))).toBeUndefined()
      const both = await Promise.all([other.shapesFor(refTo(mesh)), other.shapesFor(refTo(mesh))])
      expect(Buffer.from(both[0][0].meshes[0])).toEqual(Buffer.from(mesh.kept.meshes[0]))
      expect(both[1][0]).toBe(both[0][0])
      expect(other.isReadyFor(refTo(mesh))).toBe(true)
      expect(other.shapesFor(refTo(mesh))).toEqual(both[0])
    })

    it('reads again what had to make room in memory', async () => {
      const sizes = [1, 2, 3]
      const most = made(ball(1)).kept.text.byteLength
      const { shelf, make, again } = await open({ ...LARGE, mostMemory: most })
      if (again === null) return
      const shapes = sizes.map((radius) => make(ball(radius)))
      for (const one of shapes) await shelf.add(one)
      expect(shelf.figures.shapes).toBe(1)
      const lent = (await shelf.borrow(shapes.map(idOf))) as ShapeSource
      expect(shapes.map((one) => lent.find(idOf(one))?.shape)).toEqual(sizes.map(ball))
      expect(shelf.figures.shapes).toBe(1)
    })
  })
}
