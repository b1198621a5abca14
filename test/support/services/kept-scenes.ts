// Scenes for tests of keepers and stores: circles and boxes, prepared as the service does it.

import type { Body2d } from '../../../schemas/shapes2d.ts'
import { contentId } from '../../../src/kept/canonical-content.ts'
import type { Prepares, SceneDimension } from '../../../src/scene/state/geometry.ts'
import { type KeptContent, keptContent, noteContents } from '../../../src/scene/state/kept-content.ts'
import type { CreateOperation, Operation, SceneBody } from '../../../src/scene/state/operation.ts'
import type { Scene } from '../../../src/scene/state/scene.ts'
import { encodeScene } from '../../../src/scene/state/scene-snapshot.ts'
import { firstDigest } from '../../../src/scene/store/checksum-frame.ts'
import { decodeBody } from '../../../src/wire/body.ts'
import { prepareShape } from '../../../src/wire/scene-body.ts'

export const prepare: Prepares = {
  ...prepareShape,
  2: (shape, poses, at, out) => {
    const position = { x: poses[at], y: poses[at + 1] }
    const problem = decodeBody({ shape, position, rotation: poses[at + 2] } as Body2d, out)
    if (problem !== null) throw new Error(problem.detail)
  },
}

export const CREATED_AT = 1_700_000_000_000

export const creation = (sceneId: string, settings: Partial<CreateOperation> = {}): CreateOperation => ({
  op: 'create',
  sceneId,
  dimension: 2,
  at: CREATED_AT,
  ...settings,
})

export const circle = (id: string, x = 0, y = 0, more: Partial<SceneBody> = {}): SceneBody => ({
  id,
  shape: { type: 'circle', radius: 1 },
  position: { x, y },
  ...more,
})

export const putting = (...bodies: SceneBody[]): Operation[] => bodies.map((body) => ({ op: 'put', body }))

/** Everything about a scene as text, so that two can be compared; but for its digest, which says how it came to be so. */
export function contentOf(scene: Scene): string {
  const hex = [...encodeScene({ ...scene, digest: firstDigest() })].map((chunk) =>
    Buffer.from(chunk).toString('base64'),
  )
  return hex.join('\n')
}

const TURNS = [
  { x: 0, y: 0, z: 0, w: 1 },
  { x: 0, y: 1, z: 0, w: 0 },
]

/** A generator of numbers in [0, 1) that can be started again: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Kept shapes that bodies of space name in tests: strips of triangles, each with an id of its own. */
export const KEPT_SHAPES: readonly KeptContent[] = [1, 2, 3].map((k) => {
  const vertices = Array.from({ length: 40 }, (_, i) => [i >> 1, k * (i % 2), (i % 5) / 4]).flat()
  const triangles = Array.from({ length: 38 }, (_, i) => [i, i + 1, i + 2]).flat()
  const shape = { triangles, type: 'mesh', vertices }
  return keptContent(contentId('3d', shape), JSON.stringify(shape))
})

/** A shape of space by a whole number: a ball, a box, a kept shape, or a compound with one. */
export function spaceShape(k: number): object {
  const box = { type: 'box', size: { x: 1 + (k % 3), y: 2, z: 1 } }
  if (k % 4 === 0) return { type: 'sphere', radius: 1 + (k % 5) }
  if (k % 4 === 1) return box
  const content = KEPT_SHAPES[(k >> 2) % KEPT_SHAPES.length]
  const reference = { type: 'ref', id: content.id }
  const shape = k % 4 === 2 ? reference : { type: 'compound', children: [{ shape: reference }, { shape: box }] }
  noteContents(shape, [content])
  return shape
}

/** One to four random operations that fit the bodies there are; `ids` follows along. */
export function randomOperations(random: () => number, ids: Set<string>, dimension: SceneDimension = 2): Operation[] {
  const operations: Operation[] = []
  const count = 1 + Math.floor(random() * 4)
  const place = () => ({
    x: Math.round(random() * 1000) / 8,
    y: Math.round(random() * 1000) / 8,
    ...(dimension === 3 && { z: Math.round(random() * 1000) / 8 }),
  })
  const turn = () => (dimension === 2 ? { rotation: random() } : { orientation: TURNS[Math.floor(random() * 2)] })
  for (let made = 0; made < count; made++) {
    const choice = random()
    const known = [...ids]
    const id = known[Math.floor(random() * known.length)]
    if (id === undefined || choice < 0.45) {
      const fresh = `b${Math.floor(random() * 40)}`
      ids.add(fresh)
      const box = { type: 'box', width: 1 + Math.floor(random() * 3), height: 2 }
      const flat = () => (random() < 0.5 ? { type: 'circle', radius: 2 } : box)
      const body: SceneBody = { id: fresh, shape: dimension === 2 ? flat() : spaceShape(Math.floor(random() * 24)) }
      if (random() < 0.8) body.position = place()
      if (random() < 0.3) body.tags = ['wall', 'door'].slice(Math.floor(random() * 2))
      if (random() < 0.3) body.data = { n: Math.floor(random() * 9), text: 'ä"\\' }
      operations.push({ op: 'put', body })
    } else if (choice < 0.75) operations.push({ op: 'move', id, position: place(), ...turn() })
    else if (choice < 0.9) operations.push({ op: 'patch', id, fields: { tags: null, sensor: random() < 0.5 } })
    else if (choice < 0.99) {
      ids.delete(id)
      operations.push({ op: 'remove', id })
    } else {
      ids.clear()
      operations.push({ op: 'clear' })
    }
  }
  return operations
}
