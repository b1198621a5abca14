// What a tool is, what it is given, and how it asks the service. A tool that cannot do what it was asked for says why, and what to do next.

import type { SentFile } from '../wire/form-data.ts'
import type { AskedService, ServiceAnswer } from './asked-service.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** As the protocol has it. */
export type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string }

/** A level with the files that it refers to; the first is the level. */
export interface ReadLevel {
  readonly files: readonly SentFile[]
  /** What it refers to and is not read, as it lies outside. */
  readonly outside: readonly string[]
}

export interface Surroundings {
  readonly service: AskedService
  /** Reads a level from a disk; absent where the caller is not on this machine. Rejects with a sentence that says why not. */
  readonly readLevel?: ((path: string) => Promise<ReadLevel>) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly input: object
  /** Whether it changes nothing. */
  readonly isReading: boolean
  run(args: Arguments, around: Surroundings): Promise<readonly Content[]>
}

/** Why a tool could not do it. */
export class ToolFault extends Error {
  /** What to do next. */
  readonly next: string
  constructor(message: string, next: string) {
    super(message)
    this.next = next
  }
}

interface Problem {
  readonly code: string
  readonly detail?: string
  readonly errors?: readonly { readonly pointer: string }[]
}

/** A problem that the service answered. */
export class ServiceProblem extends ToolFault {
  readonly code: string
  constructor(status: number, { code = '', detail, errors = [] }: Partial<Problem>) {
    const places = errors.slice(0, MOST_PLACES).map(({ pointer }) => pointer)
    const where = places.length === 0 ? '' : ` (at ${places.join(', ')})`
    super(`${detail ?? `The service answered ${status}.`}${where}`, nextStep(code))
    this.code = code
  }
}

/** Places of a refused request that are named at most. */
const MOST_PLACES = 5

const ASK_LESS = 'Ask about less: give a filter, a box, a smaller distance or a smaller limit.'
const LATER = 'Wait some seconds, and call the tool again with the same arguments.'

const NEXT: Readonly<Record<string, string>> = {
  'scene-not-found': 'Call list_scenes to see which scenes there are, or open_level to make one.',
  'body-not-found': 'Call find_bodies to see which bodies there are.',
  'schema-violation': 'Mend the argument at that place; the input schema of the tool says what it takes.',
  'import-malformed': 'Check that content is the whole text of the file, or name another file.',
  'import-file-missing': 'Open the level by its path, so that the files that it names are read beside it.',
  unauthorized: 'Whoever set up this connection must give it a token of the service.',
  'read-only-token': 'With this token only ask; whoever set up this connection can give it one that may write.',
  'version-mismatch': 'The scene was written to meanwhile. Call the tool again.',
  'picture-too-large': 'Give a box, a tag, or a smaller width.',
  'body-too-large': 'Send less at a time, or open the level by its path.',
  'too-many-operations': 'Send fewer operations at a time.',
  'rate-limited': LATER,
  overloaded: LATER,
  starting: LATER,
  draining: LATER,
  'store-unavailable': LATER,
  'deadline-exceeded': ASK_LESS,
  'too-complex': ASK_LESS,
  'out-of-memory': ASK_LESS,
}

function nextStep(code: string): string {
  return NEXT[code] ?? 'Change the arguments as it says, and call the tool again.'
}

/** Asks with a value as the body, which may be absent. `accept`: what is to be answered. */
export function ask(
  { service, signal }: Surroundings,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { value, headers = {} }: { value?: unknown; headers?: Readonly<Record<string, string>> } = {},
): Promise<ServiceAnswer> {
  if (value === undefined) return service.request(method, path, headers, undefined, signal)
  const sent = { 'content-type': 'application/json', ...headers }
  return service.request(method, path, sent, JSON.stringify(value), signal)
}

/** Bytes of an answer that are taken at most. */
const MOST_BYTES = 2 ** 25

/** The text that is answered; throws what is a problem. */
export async function answeredText({ status, body }: ServiceAnswer): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > MOST_BYTES) throw new ToolFault('The answer is too long to be of use.', ASK_LESS)
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  if (status >= 400) throw new ServiceProblem(status, (parsed(text) ?? {}) as Partial<Problem>)
  return text
}

/** The value that is answered in JSON; throws what is a problem. */
export async function answered<Value>(answer: ServiceAnswer): Promise<Value> {
  return JSON.parse(await answeredText(answer)) as Value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Dimension = 2 | 3

/** Of a scene. */
export interface SceneDocument {
  readonly id: string
  readonly name: string | null
  readonly version: number
  readonly bodyCount: number
  readonly bounds: object | null
}

export interface FoundScene {
  readonly dimension: Dimension
  /** Such as `/v1/2d/scenes/cellar`. */
  readonly path: string
  readonly document: SceneDocument
}

export const scenePath = (dimension: Dimension, id: string) => `/v1/${dimension}d/scenes/${encodeURIComponent(id)}`

/** The scene of this id, of the plane or of space; null: there is none. */
export async function sceneIfThere(around: Surroundings, id: string): Promise<FoundScene | null> {
  for (const dimension of [2, 3] as const) {
    const path = scenePath(dimension, id)
    try {
      return { dimension, path, document: await answered<SceneDocument>(await ask(around, 'GET', path)) }
    } catch (error) {
      if (!(error instanceof ServiceProblem) || error.code !== 'scene-not-found') throw error
    }
  }
  return null
}

export async function findScene(around: Surroundings, id: string): Promise<FoundScene> {
  const found = await sceneIfThere(around, id)
  if (found !== null) return found
  throw new ServiceProblem(404, { code: 'scene-not-found', detail: `There is no scene ${id}.` })
}

/** Characters of one answer, and items of its lists, which are cut shorter until it fits. */
const MOST_TEXT = 20_000
const MOST_ITEMS = [200, 50, 20, 5, 2]

/** The answer as JSON, short enough to be read. */
export function briefly(answer: object): Content[] {
  let text = JSON.stringify(answer)
  for (const most of MOST_ITEMS) {
    if (text.length <= MOST_TEXT) break
    text = JSON.stringify(cut(answer, most))
  }
  return [
    { type: 'text', text: text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}… (cut: ask about less)` },
  ]
}

function cut(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.length > MOST_STRING ? `${value.slice(0, MOST_STRING)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cut(field, most)]))
  }
  const items = value.slice(0, most).map((item) => cut(item, most))
  return value.length > most ? [...items, `… and ${value.length - most} more`] : items
}

const MOST_STRING = 1000
