// Snapshots of scenes whose bodies hold much; those of random ones are in `scene.test.ts`.

import { expect, it, vi } from 'vitest'
import { apply, validateScene } from '../../../src/scene/state/scene.ts'
import { encodeScene, SceneDecoder } from '../../../src/scene/state/scene-snapshot.ts'
import { CREATE, PREPARES, sceneOf } from './scene-model.ts'

function decoded(chunks: Iterable<Uint8Array>) {
  const decoder = new SceneDecoder(PREPARES)
  for (const chunk of chunks) decoder.push(chunk)
  return decoder.finish()
}

it('hold the digest of the entry that they are of', () => {
  const digest = Uint8Array.from({ length: 16 }, (_, k) => 250 - 16 * k)
  const scene = sceneOf([CREATE])
  apply(scene, { version: 2, at: 2000, operations: [], digest })
  const chunks = encodeScene(scene, { of: 'others' })
  const first = chunks.next().value as Uint8Array
  // What is written in between is not in it.
  apply(scene, { version: 3, at: 3000, operations: [], digest: new Uint8Array(16) })
  const { scene: back, extra } = decoded([first, ...chunks])
  expect(back).toMatchObject({ version: 2, updatedAt: 2000, digest })
  expect(back.digest).toBeInstanceOf(Uint8Array)
  expect(extra).toEqual({ of: 'others' })
})

it('of earlier releases, without a digest, what the ids take and boxes, are read', () => {
  const scene = sceneOf([CREATE])
  apply(scene, {
    version: 2,
    at: 2000,
    operations: [{ op: 'put', body: { id: 'b', shape: { type: 'circle', radius: 1 } } }],
    digest: new Uint8Array(16).fill(9),
  })
  const [first, ...rest] = encodeScene(scene)
  const { digest, idBytes, boxes, ...settings } = JSON.parse(new TextDecoder().decode(first.subarray(24)))
  expect(digest).toBe('09'.repeat(16))
  expect(idBytes).toBe(3)
  expect(boxes).toBe(1)
  const json = new TextEncoder().encode(JSON.stringify(settings))
  const older = new Uint8Array(24 + json.length)
  older.set(first.subarray(0, 24))
  older.set(json, 24)
  new DataView(older.buffer).setUint32(20, json.length, true)
  const back = decoded([older, ...rest]).scene
  expect(back.digest).toEqual(new Uint8Array(16))
  const again = [...encodeScene({ ...back, digest: scene.digest })]
  expect(Buffer.compare(Buffer.concat([first, ...rest]), Buffer.concat(again))).toBe(0)
})

it('hold boxes as they are measured, also of bodies without bounds, and none that other rules have measured', () => {
  const scene = sceneOf([CREATE])
  const shapes = [
    { type: 'circle', radius: 0.1 },
    { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0.3 },
    { type: 'ellipse', rx: 1, ry: 0.3 },
    { type: 'region', outer: [0, 1, 2, 3, 4].map((k) => ({ x: Math.cos(k), y: Math.sin(k) })) },
  ]
  const operations = shapes.map((shape, k) => {
    return {
      op: 'put' as const,
      body: { id: `b${'x'.repeat(k)}`, shape, position: { x: 0.1, y: 1e9 / 3 }, rotation: k },
    }
  })
  apply(scene, { version: 2, at: 0, operations })
  apply(scene, { version: 3, at: 0, operations: [{ op: 'remove', id: 'b' }] })
  const [first, block] = encodeScene(scene)
  const prepare = vi.fn(PREPARES[2])
  const decode = (...chunks: Uint8Array[]) => {
    prepare.mockClear()
    const decoder = new SceneDecoder({ ...PREPARES, 2: prepare })
    for (const chunk of chunks) decoder.push(chunk)
    return decoder.finish().scene
  }
  const back = decode(first, block)
  expect(prepare).not.toHaveBeenCalled()
  expect(validateScene(back)).toBeNull()
  const text = Buffer.from(first).toString('latin1')
  const other = Buffer.from(text.replace('"boxes":1', '"boxes":9'), 'latin1')
  const measured = decode(other, block)
  expect(prepare).toHaveBeenCalled()
  expect(validateScene(measured)).toBeNull()
})

it('make room for all ids before the first comes', () => {
  const scene = sceneOf([CREATE])
  const put = (id: string) => ({ op: 'put' as const, body: { id, shape: { type: 'circle', radius: 1 } as const } })
  const ids = Array.from({ length: 5000 }, (_, k) => `${'long-'.repeat(k % 40)}${k}`)
  apply(scene, { version: 2, at: 2000, operations: ids.map(put) })
  apply(scene, { version: 3, at: 3000, operations: ids.slice(0, 2000).map((id) => ({ op: 'remove' as const, id })) })
  const [first, ...rest] = encodeScene(scene)
  const { used, wasted } = scene.table.ids
  expect(JSON.parse(new TextDecoder().decode(first.subarray(24))).idBytes).toBe(used - wasted)
  const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow')
  const { ids: back } = decoded([first, ...rest]).scene.table
  expect(allocate).toHaveBeenCalledTimes(1)
  allocate.mockRestore()
  expect(back.used).toBe(used - wasted)
  expect(back.bytes.length).toBeGreaterThan(back.used)
})

it('come in blocks of a bounded size', () => {
  const scene = sceneOf([CREATE])
  const vertices = (k: number) => Array.from({ length: 40 }, (_, i) => ({ x: i, y: k + 1 / (i + 2) }))
  const operations = Array.from({ length: 1000 }, (_, k) => ({
    op: 'put' as const,
    body: { id: `b${k}`, shape: { type: 'chain', vertices: vertices(k) }, data: `"${'d'.repeat(4000)}"` },
  }))
  apply(scene, { version: 2, at: 0, operations })
  const chunks = [...encodeScene(scene)]
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(2 ** 19)
  const decoder = new SceneDecoder(scene.prepares)
  for (const chunk of chunks) decoder.push(chunk)
  const again = [...encodeScene(decoder.finish().scene)]
  expect(Buffer.compare(Buffer.concat(chunks), Buffer.concat(again))).toBe(0)
})
