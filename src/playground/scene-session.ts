// Writes that make a scene of the service what the page shows, and what others wrote done to the page's own.

import { openEventStream } from './event-stream.ts'
import { DIMENSION } from './page-elements.ts'
import { authorization, call, isPassing, type Reply } from './service.ts'
import type { Box } from './sketch/free-place.ts'
import { emptySketch, type Sketch, type SketchBody } from './sketch/sketch.ts'
import { NO_TURN, times } from './sketch/vector.ts'

// Bodies of a scene: all of a small one; of a large one those that are seen, where they are few enough to be told apart.

/** Bodies of a scene that is read whole: they are drawn in some tens of milliseconds. */
export const MOST_WHOLE = DIMENSION === '2d' ? 5000 : 20_000
/** Bodies that are read of a part of a larger one. */
const MOST_SEEN = 2000
const PAGE = 1000
/** Pages end early where bodies have very many vertices. */
const MOST_PAGES = 40

export const scenePath = (scene: string) => `/v1/${DIMENSION}/scenes/${encodeURIComponent(scene)}`

interface SceneInfo {
  version: number
  bodyCount: number
  /** Of what has an end; null where nothing has. */
  bounds: Box | null
}

export interface ReadBodies {
  bodies: SketchBody[]
  /** Of the first page: events report later writes. */
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
  const depth = DIMENSION === '3d' ? `&minZ=${min.z}&maxZ=${max.z}` : ''
  const box = `&minX=${min.x}&minY=${min.y}&maxX=${max.x}&maxY=${max.y}${depth}`
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
    const reply = await call({ path: `${scenePath(scene)}/bodies?content=true&limit=${PAGE}${filter}${rest}` })
    if (!reply.ok) return reply
    version ??= reply.value.version as number
    bodies.push(...reply.value.bodies)
    cursor = reply.value.next
    pages++
  } while (cursor !== null && bodies.length < most && pages < MOST_PAGES)
  return { bodies, version, whole: cursor === null }
}

/** Of a write that gets no answer, with growing pauses between: some fifteen seconds, in which a service starts again. */
const MOST_ATTEMPTS = 6
const FIRST_PAUSE_MS = 500

export interface Operation {
  op: string
  [field: string]: unknown
}

/** The operations that turn the bodies of `before` into those of `now`. */
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
  const isMoved =
    was !== undefined &&
    was.shape === body.shape &&
    was.velocity === body.velocity &&
    was.angularVelocity === body.angularVelocity &&
    was.tags === body.tags &&
    was.sensor === body.sensor &&
    was.data === body.data
  return isMoved ? movement(body) : { op: 'put', body }
}

/** Puts a body where it is drawn. */
export function movement({ id, position, rotation, orientation }: SketchBody): Operation {
  const turn = DIMENSION === '2d' ? { rotation: rotation ?? 0 } : { orientation: orientation ?? NO_TURN }
  return { op: 'move', id, position: position ?? times(emptySketch(DIMENSION).direction, 0), ...turn }
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

/** Sends a write again while there is no answer; its key has the service apply it once, however often it arrives. `waiting`: called before each further attempt. */
export async function write(scene: string, operations: readonly Operation[], waiting?: () => void): Promise<Reply> {
  const headers = { 'idempotency-key': freshKey() }
  for (let attempt = 1; ; attempt++) {
    const reply = await call({ path: `${scenePath(scene)}/operations`, body: { operations }, headers })
    if (attempt === MOST_ATTEMPTS || !isPassing(reply)) return reply
    waiting?.()
    const pause = Math.max(reply.retryAfter * 1000, FIRST_PAUSE_MS * 2 ** (attempt - 1))
    await new Promise((done) => setTimeout(done, pause))
  }
}

const freshKey = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join('-')

/** A dry run of a write. */
export const rehearse = (scene: string, operations: readonly Operation[]): Promise<Reply> =>
  call({ path: `${scenePath(scene)}/operations?dryRun=true`, body: { operations } })

export const makeScene = (scene: string): Promise<Reply> =>
  call({ method: 'PUT', path: scenePath(scene), body: { ttl: 86_400 } })

/** Of files that can be imported, by how their names end. */
const FORMATS: Record<string, string> =
  DIMENSION === '2d'
    ? { tmx: 'tiled', tmj: 'tiled', world: 'tiled', ldtk: 'ldtk', geojson: 'geojson', svg: 'svg', tscn: 'godot' }
    : { glb: 'gltf', gltf: 'gltf', obj: 'obj', stl: 'stl', map: 'map', tscn: 'godot' }

/** By what the name of a file ends with; `.json` is what everybody calls theirs, so what is in it decides. */
export async function formatOf(file: File): Promise<string | null> {
  const end = /\.([a-z]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? ''
  return end === 'json' ? formatOfJson(await file.text()) : (FORMATS[end] ?? null)
}

/** Null of what a map names, and of what is of the other dimension. */
function formatOfJson(text: string): string | null {
  let fields: Record<string, unknown> | null = null
  try {
    fields = JSON.parse(text)
  } catch {
    // the service says what is wrong with it
  }
  if (Array.isArray(fields?.bodies)) return 'json'
  if (DIMENSION === '3d') return null
  if (Array.isArray(fields?.levels) || Array.isArray(fields?.worlds)) return 'ldtk'
  if (fields?.type === 'tileset' || fields?.type === 'template') return null
  return fields?.layers === undefined && typeof fields?.type === 'string' ? 'geojson' : 'tiled'
}

/** The first is the map, the others what it names. */
export function importFiles(scene: string, format: string, files: readonly File[]): Promise<Reply> {
  const form = new FormData()
  for (const file of files) form.append('file', file, file.name)
  return call({ path: `${scenePath(scene)}/import?format=${format}`, raw: form })
}

// The events of a scene. A hidden page does not listen; it catches up when it is visible again.

interface SceneEvents {
  operations(version: number, operations: Operation[]): void
  overlap(kind: 'began' | 'ended', a: string, b: string, version: number): void
  /** Too much was missed: the scene must be read anew. */
  reset(): void
  /** Whether they come. */
  state(state: EventsState): void
}

export type EventsState = 'live' | 'waiting' | 'paused' | 'gone' | 'token' | 'none'

export interface Following {
  /** Comes again at once, with another token perhaps. */
  again(): void
  close(): void
}

/** From what follows `version`. */
export function followEvents(scene: string, version: number, events: SceneEvents): Following {
  let overlaps = true
  const take = (type: string, data: string) => {
    const { version: at, operations, a, b, reason } = JSON.parse(data)
    if (type === 'operations') events.operations(at, operations)
    else if (type === 'overlap-began') events.overlap('began', a, b, at)
    else if (type === 'overlap-ended') events.overlap('ended', a, b, at)
    else if (type === 'reset') events.reset()
    // too many bodies meet for it to be told: come again without
    else if (type === 'dropped' && reason === 'pairs') overlaps = false
    else if (type === 'gone') {
      close()
      events.state('gone')
    }
  }
  const stream = openEventStream({
    path: () => `${scenePath(scene)}/events${overlaps ? '?overlaps=true' : ''}`,
    headers: authorization,
    lastEventId: String(version),
    take: ({ type, data }) => take(type, data),
    state(state, status) {
      if (state === 'refused') events.state(status === 404 ? 'gone' : status === 401 ? 'token' : 'none')
      else events.state(state)
    },
  })
  const attend = () => (document.visibilityState === 'hidden' ? stream.pause() : stream.again())
  document.addEventListener('visibilitychange', attend)
  if (document.visibilityState === 'hidden') stream.pause()
  function close(): void {
    document.removeEventListener('visibilitychange', attend)
    stream.close()
  }
  return { again: stream.again, close }
}
