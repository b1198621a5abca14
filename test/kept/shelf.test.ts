import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blocksOf, headOf, shapeOf } from '../../src/kept/shape-blocks.ts'
import { shapePath } from '../../src/kept/shape-file.ts'
import { ShapeFiles } from '../../src/kept/shape-files.ts'
import { Shelf } from '../../src/kept/shelf.ts'
import { MESH, made } from '../support/made-shapes.ts'
import { type OpenedLimits, shelfContract } from '../support/shelf-contract.ts'

describe('in memory alone', () => {
  shelfContract(async (limits) => ({
    shelf: new Shelf(limits),
    make: (shape, dimension = '3d') => made(shape, { dimension }),
    again: null,
  }))
})

describe('with files', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kept-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  const findings: unknown[] = []
  const make = (shape: object, dimension: '2d' | '3d' = '3d') => made(shape, { dimension, directory })
  const LARGE = { mostMemory: 2 ** 26, mostBytes: 2 ** 26, mostCount: 100 }

  async function open(limits: OpenedLimits = LARGE): Promise<{ shelf: Shelf; files: ShapeFiles }> {
    const shelf = new Shelf(limits)
    findings.length = 0
    const files = new ShapeFiles(directory, limits, (finding) => findings.push(finding))
    await files.open()
    shelf.open(files)
    return { shelf, files }
  }

  shelfContract(async (limits) => ({
    shelf: (await open(limits)).shelf,
    make,
    again: async () => (await open(limits)).shelf,
  }))

  it('makes room at the start too, by when the files were used', async () => {
    const shapes = [1, 2, 3].map((radius) => make({ type: 'sphere', radius }))
    const past = new Date(Date.now() - 1e6)
    await utimes(shapePath(directory, shapes[2].kept), past, past)
    const { length } = await readFile(shapePath(directory, shapes[0].kept))
    for (const limits of [{ mostBytes: 2 * length + 4 }, { mostCount: 2 }]) {
      const { shelf, files } = await open({ ...LARGE, ...limits })
      expect(files.figures.shapes).toBe(2)
      expect(await shelf.summary(shapes[2].kept.id, '3d')).toBeNull()
      make({ type: 'sphere', radius: 3 })
      await utimes(shapePath(directory, shapes[2].kept), past, past)
    }
  })

  it('writes a file again that was deleted after a worker saw it', async () => {
    const { shelf } = await open()
    expect(await shelf.add(make(MESH))).toBe(true)
    const seen = make(MESH)
    const { id } = seen.kept
    const removed = shelf.remove(id, '3d')
    expect(await shelf.add(seen)).toBe(true)
    expect(await removed).toBe(true)
    const { shelf: later } = await open()
    expect((await later.summary(id, '3d'))?.id).toBe(id)
    expect(await later.shapesFor(Buffer.from(id))).toHaveLength(1)
    expect(findings).toEqual([])
  })

  it('tells of damaged files when it reads them, and keeps them no more', async () => {
    const [a, b] = [make(MESH), make({ type: 'sphere', radius: 1 })]
    const path = shapePath(directory, a.kept)
    const bytes = await readFile(path)
    bytes[bytes.length - 20] ^= 1
    await writeFile(path, bytes)
    await writeFile(shapePath(directory, b.kept), 'gone')
    await writeFile(join(directory, 'x.3d.shape.new'), 'unfinished')
    const { shelf, files } = await open()
    const reason = 'its file is damaged, or was written by another release'
    expect((await shelf.page('3d', '', 9)).map(({ id }) => id)).toEqual([a.kept.id])
    expect(findings).toEqual([{ shape: b.kept.id, reason }])
    expect(await shelf.shapesFor(Buffer.from(a.kept.id))).toEqual([])
    expect(findings[1]).toEqual({ shape: a.kept.id, reason })
    expect(files.figures).toEqual({ shapes: 0, bytes: 0 })
    await expect(readFile(join(directory, 'x.3d.shape.new'))).rejects.toThrow()
  })

  it('does not read a mesh that another release has laid out', () => {
    const { kept, head: own } = make(MESH)
    const [mesh] = kept.meshes
    const older = new SharedArrayBuffer(mesh.byteLength)
    new Uint8Array(older).set(new Uint8Array(mesh))
    new Float64Array(older, 0, 1)[0]--
    for (const [meshes, isRead] of [
      [[mesh], true],
      [[older], false],
    ] as const) {
      const stored = { ...kept, meshes }
      const head = headOf(stored, own.summary)
      const read = blocksOf(stored).map(({ buffer }, k) => ({
        memory: buffer as SharedArrayBuffer,
        checksum: head.blocks[k].checksum,
      }))
      expect(shapeOf(head, read) !== null).toBe(isRead)
    }
  })

  it('survives any damage to a file', async () => {
    const { kept } = make(MESH)
    const path = shapePath(directory, kept)
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
        const { shelf } = await open()
        for (const read of await shelf.shapesFor(Buffer.from(kept.id))) {
          // what lies between blocks counts for nothing
          expect(Buffer.from(read.meshes[0])).toEqual(Buffer.from(kept.meshes[0]))
        }
      }),
      { numRuns: 60 },
    )
  })
})
