// What commands ask: a service, which runs inside the process without a port, or a server elsewhere. Both take the same requests.

import type { ReadableStream } from 'node:stream/web'
import { Refused } from './terminal.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Answer {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array>
}

export interface Service {
  /** The path has the query string with it. */
  request(
    method: Method,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string | Uint8Array,
    signal?: AbortSignal,
  ): Promise<Answer>
  close(): Promise<void>
}

/** The service at an address, which keeps its scenes. */
export function serviceAt(url: string, token: string | undefined): Service {
  if (!/^https?:[/][/]/.test(url) || !URL.canParse(url)) {
    throw new Refused(`--url must be an address such as http://127.0.0.1:3000, got ${JSON.stringify(url)}.`)
  }
  const base = url.replace(/\/+$/, '')
  const permit = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return {
    async request(method, path, headers, body, signal) {
      try {
        const init = { method, headers: { ...headers, ...permit }, body: body ?? null, signal: signal ?? null }
        const answer = await fetch(base + path, init)
        return { status: answer.status, body: whole(base, answer.body as ReadableStream<Uint8Array> | null) }
      } catch (error) {
        const { cause } = error as { cause?: { code?: string } }
        const why = cause?.code === undefined ? '' : ` (${cause.code})`
        throw new Refused(
          `Nothing answers at ${base}${why}: start a service there (tangent serve), or leave --url away.`,
        )
      }
    },
    close: async () => undefined,
  }
}

/** A body that ends before its end is refused. */
async function* whole(base: string, body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body
  } catch {
    throw new Refused(`${base} has broken off its answer: see its log, and try again.`)
  }
}

async function textOf(body: Answer['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** What is answered. Throws `Refused` where it is a problem. `meant`: the flags that set fields, by their names. */
export async function accepted({ status, body }: Answer, meant?: ReadonlyMap<string, string>): Promise<Answer['body']> {
  if (status < 400) return body
  throw new Refused(problemText(status, parsed(await textOf(body)), meant))
}

/** The value that is answered in JSON. */
export async function answered<Value>(answer: Answer, meant?: ReadonlyMap<string, string>): Promise<Value> {
  const value = parsed(await textOf(await accepted(answer, meant)))
  if (value === undefined) throw new Refused(problemText(answer.status, value))
  return value as Value
}

interface ProgressLine {
  readonly progress?: { readonly stage: string }
  readonly status?: number
}

const NEWLINE = 10

/** The value of the last of lines (NDJSON), of which those before it say how far the work is. */
export async function answeredInLines<Value>(
  answer: Answer,
  onProgress: (stage: string) => void,
  meant?: ReadonlyMap<string, string>,
): Promise<Value> {
  let held: Uint8Array[] = []
  let last: ProgressLine = {}
  const read = () => {
    const line = Buffer.concat(held)
    held = []
    if (line.length === 0) return
    const value = parsed(line.toString())
    if (value === undefined) throw new Refused(problemText(answer.status, value))
    last = value as ProgressLine
    if (last.progress !== undefined) onProgress(last.progress.stage)
  }
  for await (const chunk of await accepted(answer, meant)) {
    let at = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      held.push(chunk.subarray(at, end))
      read()
      at = end + 1
    }
    held.push(chunk.subarray(at))
  }
  read()
  if (last.status !== undefined) throw new Refused(problemText(last.status, last, meant))
  return last as Value
}

/** Asks with a value as the body, which may be absent. */
export function ask(service: Service, method: Method, path: string, value?: unknown): Promise<Answer> {
  const [headers, body] = value === undefined ? [{}] : [{ 'content-type': 'application/json' }, JSON.stringify(value)]
  return service.request(method, path, headers, body)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Problem {
  readonly code?: string
  readonly detail?: string
  readonly errors?: readonly { readonly pointer: string }[]
}

/** Places of a refused request that are named at most. */
const MOST_PLACES = 5

/** What to do about some problems, beyond what they say. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: 'Give a token of this server with --token, or in TANGENT_TOKEN.',
  'read-only-token': 'Give a token that may write with --token, or in TANGENT_TOKEN.',
  'scene-not-found': 'Name a scene that is there with --scene.',
}

/** A problem in plain words. `meant`: the flags that set fields, by their names. */
export function problemText(status: number, value: unknown, meant: ReadonlyMap<string, string> = new Map()): string {
  const { code = '', detail, errors = [] } = (value ?? {}) as Problem
  if (detail === undefined) return `The server answered ${status} with what is no answer of Tangent: see --url.`
  const said = detail.replace(/^\w+/, (name) => (meant.has(name) ? `--${meant.get(name)}` : name))
  const places = errors.slice(0, MOST_PLACES).map(({ pointer }) => pointer)
  const where = places.length === 0 ? '' : ` (at ${places.join(', ')})`
  return [`${said}${where}`, ADVICE[code]].filter(Boolean).join(' ')
}
