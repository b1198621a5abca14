// Bodies of a scene: all of a small one; of a large one those that are seen, where they are few enough to be told apart.

import type { SketchBody } from '../sketch/sketch.ts'
import type { Vec2 } from '../sketch/vector.ts'
import { call, type Reply } from './service.ts'

/** Bodies of a scene that is read whole: they are drawn in some tens of milliseconds. */
export const MOST_WHOLE = 5000
/** Bodies that are read of a part of a larger one. */
const MOST_SEEN = 2000
const PAGE = 1000
/** Pages end early where bodies have very many vertices. */
const MOST_PAGES = 20

export const scenePath = (scene: string) => `/v1/2d/scenes/${encodeURIComponent(scene)}`

export interface Box {
  min: Vec2
  max: Vec2
}

export interface SceneInfo {
  version: number
  bodyCount: number
  /** Of what has an end; null where nothing has. */
  bounds: Box | null
}

export interface ReadBodies {
  bodies: SketchBody[]
  /** Of the first page: what was written since is told by events. */
  version: number
  /** False where there are more, or too many. */
  whole: boolean
}

export async function readScene(scene: string): Promise<SceneInfo | Reply> {
  const reply = await call({ path: scenePath(scene) })
  return reply.ok ? reply.value : reply
}

export const readWhole = (scene: string): Promise<ReadBodies | Reply> => readPages(scene, '', MOST_WHOLE)

/** Those whose boxes meet `seen`; none where they are too many. */
export async function readSeen(scene: string, { min, max }: Box): Promise<ReadBodies | Reply> {
  const box = `&minX=${min.x}&minY=${min.y}&maxX=${max.x}&maxY=${max.y}`
  const read = await readPages(scene, box, MOST_SEEN)
  return 'status' in read || read.whole ? read : { ...read, bodies: [] }
}

async function readPages(scene: string, filter: string, most: number): Promise<ReadBodies | Reply> {
  const bodies: SketchBody[] = []
  let cursor: string | null = null
  let version: number | null = null
  let pages = 0
  do {
    const rest: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const reply = await call({ path: `${scenePath(scene)}/bodies?limit=${PAGE}${filter}${rest}` })
    if (!reply.ok) return reply
    version ??= reply.value.version as number
    bodies.push(...reply.value.bodies)
    cursor = reply.value.next
    pages++
  } while (cursor !== null && bodies.length < most && pages < MOST_PAGES)
  return { bodies, version, whole: cursor === null }
}
