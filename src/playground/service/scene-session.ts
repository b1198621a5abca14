// A scene that is open: its bodies, and the writes that make the service's what the page shows.

import type { Sketch, SketchBody } from '../sketch/sketch.ts'
import { call, type Reply } from './service.ts'

const PAGE = 1000
/** Pages that are read at most: what is more could not be drawn at once. */
const MOST_PAGES = 20

const bodyPath = (scene: string) => `/v1/2d/scenes/${encodeURIComponent(scene)}`

export interface ReadBodies {
  bodies: SketchBody[]
  /** Of the first page: what was written since is told by events. */
  version: number
  /** False where there are more. */
  whole: boolean
}

/** All bodies of a scene, or the reply that says why not. */
export async function readBodies(scene: string): Promise<ReadBodies | Reply> {
  const bodies: SketchBody[] = []
  let cursor: string | null = null
  let version = 0
  for (let page = 0; page < MOST_PAGES; page++) {
    const rest: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const reply = await call({ path: `${bodyPath(scene)}/bodies?limit=${PAGE}${rest}` })
    if (!reply.ok) return reply
    if (page === 0) version = reply.value.version
    bodies.push(...reply.value.bodies)
    cursor = reply.value.next
    if (cursor === null) return { bodies, version, whole: true }
  }
  return { bodies, version, whole: false }
}

export interface Operation {
  op: string
  [field: string]: unknown
}

/** What turns the bodies of `before` into those of `now`. */
export function operationsBetween(before: Sketch, now: Sketch): Operation[] {
  const old = new Map(before.bodies.map((body) => [body.id, body]))
  const kept = new Set(now.bodies.map(({ id }) => id))
  const removed = before.bodies.filter(({ id }) => !kept.has(id)).map(({ id }) => ({ op: 'remove', id }))
  const put = now.bodies.flatMap((body): Operation[] => {
    const was = old.get(body.id)
    return was === body ? [] : [operation(was, body)]
  })
  return [...removed, ...put]
}

function operation(was: SketchBody | undefined, body: SketchBody): Operation {
  const { id, position = { x: 0, y: 0 }, rotation = 0 } = body
  const isMoved =
    was !== undefined &&
    was.shape === body.shape &&
    was.velocity === body.velocity &&
    was.angularVelocity === body.angularVelocity &&
    was.tags === body.tags &&
    was.sensor === body.sensor &&
    was.data === body.data
  return isMoved ? { op: 'move', id, position, rotation } : { op: 'put', body }
}

/** Operations on bodies as the service reports them, done to the page's own. */
export function applied(bodies: readonly SketchBody[], operations: readonly Operation[]): SketchBody[] {
  const result = new Map(bodies.map((body) => [body.id, body]))
  for (const { op, ...fields } of operations) {
    const id = (fields.id ?? (fields.body as SketchBody | undefined)?.id) as string
    const was = result.get(id)
    if (op === 'clear') result.clear()
    else if (op === 'remove') result.delete(id)
    else if (op === 'put') result.set(id, { ...(fields.body as SketchBody), id })
    else if (op === 'move' && was) result.set(id, { ...was, ...fields, id })
    else if (op === 'patch' && was) result.set(id, patched(was, fields.fields as Record<string, unknown>))
  }
  return [...result.values()]
}

function patched(was: SketchBody, fields: Record<string, unknown>): SketchBody {
  const all = Object.entries({ ...was, ...fields }).filter(([, value]) => value !== null)
  return Object.fromEntries(all) as unknown as SketchBody
}

export function write(scene: string, operations: readonly Operation[], dryRun = false): Promise<Reply> {
  return call({ path: `${bodyPath(scene)}/operations${dryRun ? '?dryRun=true' : ''}`, body: { operations } })
}

export const makeScene = (scene: string): Promise<Reply> =>
  call({ method: 'PUT', path: bodyPath(scene), body: { ttl: 86_400 } })

/** By what the name of a file ends with. */
export function formatOf(name: string): string | null {
  const end = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const formats: Record<string, string> = {
    tmx: 'tiled',
    tmj: 'tiled',
    json: 'tiled',
    ldtk: 'ldtk',
    geojson: 'geojson',
    svg: 'svg',
  }
  return formats[end] ?? null
}

/** The first is the map, the others what it names. */
export function importFiles(scene: string, format: string, files: readonly File[]): Promise<Reply> {
  const form = new FormData()
  for (const file of files) form.append('file', file, file.name)
  return call({ path: `${bodyPath(scene)}/import?format=${format}`, raw: form })
}
