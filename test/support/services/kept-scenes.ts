// Scenes for tests of keepers and stores: circles and boxes, prepared as the service does it.

import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Prepares } from '../../../src/scene/state/geometry.ts'
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

/** One to four random operations that fit the bodies there are; `ids` follows along. */
export function randomOperations(random: () => number, ids: Set<string>): Operation[] {
  const operations: Operation[] = []
  const count = 1 + Math.floor(random() * 4)
  const place = () => ({ x: Math.round(random() * 1000) / 8, y: Math.round(random() * 1000) / 8 })
  for (let made = 0; made < count; made++) {
    const choice = random()
    const known = [...ids]
    const id = known[Math.floor(random() * known.length)]
    if (id === undefined || choice < 0.45) {
      const fresh = `b${Math.floor(random() * 40)}`
      ids.add(fresh)
      const box = { type: 'box', width: 1 + Math.floor(random() * 3), height: 2 }
      const body: SceneBody = { id: fresh, shape: random() < 0.5 ? { type: 'circle', radius: 2 } : box }
      if (random() < 0.8) body.position = place()
      if (random() < 0.3) body.tags = ['wall', 'door'].slice(Math.floor(random() * 2))
      if (random() < 0.3) body.data = { n: Math.floor(random() * 9), text: 'ä"\\' }
      operations.push({ op: 'put', body })
    } else if (choice < 0.75) operations.push({ op: 'move', id, position: place(), rotation: random() })
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
