// Snapshots of scenes whose bodies hold much; those of random ones are in `scene.test.ts`.
import { expect, it } from 'vitest'
import { apply } from '../../../src/scene/state/scene.ts'
import { encodeScene, SceneDecoder } from '../../../src/scene/state/scene-snapshot.ts'
import { CREATE, sceneOf } from './scene-model.ts'

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
  const decoder = new SceneDecoder(scene.table.prepare)
  for (const chunk of chunks) decoder.push(chunk)
  const again = [...encodeScene(decoder.finish().scene)]
  expect(Buffer.compare(Buffer.concat(chunks), Buffer.concat(again))).toBe(0)
})
