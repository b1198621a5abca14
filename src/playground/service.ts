// The service, over its public HTTP API alone.

import { secondsOf } from './event-stream.ts'
import { DIMENSION } from './page-elements.ts'

export interface Reply {
  ok: boolean
  /** 0 where there was no answer. */
  status: number
  /** JSON; null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: what the service documents
  value: any
  /** From the call to the last byte, milliseconds. */
  took: number
  /** Seconds after which the service says that it may be asked again; 0 where it says nothing. */
  retryAfter: number
}

const TOKEN = 'tangent-token'

export const token = (): string => sessionStorage.getItem(TOKEN) ?? ''
export const setToken = (text: string): void => sessionStorage.setItem(TOKEN, text)

/** Headers that every request carries. */
export const authorization = (): Record<string, string> =>
  token() === '' ? {} : { authorization: `Bearer ${token()}` }

interface Call {
  method?: string
  path: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, in place of `body`. */
  raw?: BodyInit
  headers?: Record<string, string>
}

export async function call({ method, path, body, raw, headers }: Call): Promise<Reply> {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const start = performance.now()
  try {
    const response = await fetch(path, {
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      headers: { accept: 'application/json', ...type, ...authorization(), ...headers },
      ...(payload !== undefined && { body: payload }),
    })
    const text = await response.text()
    const took = performance.now() - start
    const retryAfter = secondsOf(response.headers.get('retry-after'))
    return { ok: response.ok, status: response.status, value: parsed(text), took, retryAfter }
  } catch {
    return { ok: false, status: 0, value: null, took: performance.now() - start, retryAfter: 0 }
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return { title: text.slice(0, 200) }
  }
}

/** The content of a file, or the reply that tells why there is none. */
export async function fetchFile(path: string): Promise<Blob | Reply> {
  const start = performance.now()
  const response = await fetch(path, { headers: authorization() }).catch(() => null)
  const took = performance.now() - start
  if (response === null) return { ok: false, status: 0, value: null, took, retryAfter: 0 }
  if (response.ok) {
    const blob = await response.blob().catch(() => null)
    return blob ?? { ok: false, status: 0, value: null, took, retryAfter: 0 }
  }
  const value = parsed(await response.text().catch(() => ''))
  return { ok: false, status: response.status, value, took, retryAfter: 0 }
}

/** Whether waiting helps: no connection, too many requests, overload. */
export const isPassing = ({ status, retryAfter }: Reply): boolean =>
  status === 0 || status === 429 || (status === 503 && retryAfter > 0)

/** A problem in one sentence, with the place it lies at. */
export function problemText({ status, value }: Reply): string {
  if (status === 0) return 'The service does not answer.'
  if (status === 401) return 'This service asks for a token: enter it under More.'
  const [first] = value?.errors ?? []
  const plain = plainText(value?.code, first?.detail ?? value?.detail ?? '')
  if (plain !== null) return plain
  const place = first ? ` (${first.pointer}: ${first.detail})` : ''
  return `${status} ${value?.code ?? value?.title ?? 'no answer'}${place || `: ${value?.detail ?? ''}`}`
}

/** What somebody at the page can do about it; null where the service says that best. */
function plainText(code: unknown, detail: string): string | null {
  switch (code) {
    case 'import-file-missing': {
      const [, main, missing] = /^(?:\S+: )?(.+?) names the .*?"(.+?)"/.exec(detail) ?? []
      return missing === undefined ? detail : `Drop \`${missing}\` together with \`${main}\`.`
    }
    case 'import-malformed':
      return `The file cannot be read. ${detail}`
    case 'scene-not-found':
      return 'There is no scene of that id here. Check the id, or drop a file to make a scene.'
    case 'body-too-large':
      return `That is more than this service takes at once. ${detail}`
    default:
      return null
  }
}

// Optional features of this service, read from its OpenAPI document on first use.

const SCENE = `/v1/${DIMENSION}/scenes/{sceneId}/`
const KNOWN = ['events', 'render.svg', 'tree', 'snap', 'place', 'export', 'move'] as const
type Feature = (typeof KNOWN)[number]

let features: Promise<ReadonlySet<Feature>> | undefined

/** Once; and again where there was no answer. */
export function serviceFeatures(): Promise<ReadonlySet<Feature>> {
  features ??= call({ path: '/openapi.json' }).then(({ ok, value }) => {
    if (!ok) features = undefined
    return new Set(KNOWN.filter((name) => value?.paths?.[SCENE + name] !== undefined))
  })
  return features
}

// Calls of which only the last one matters: one is under way at a time, and of those that come meanwhile only the latest is made.

export function latestCall<Request, Result>(
  make: (request: Request) => Promise<Result>,
  take: (request: Request, result: Result) => void,
): (request: Request) => void {
  let busy = false
  let next: { request: Request } | null = null
  const run = async (request: Request): Promise<void> => {
    busy = true
    try {
      take(request, await make(request))
    } finally {
      busy = false
      const waiting = next
      next = null
      if (waiting !== null) void run(waiting.request)
    }
  }
  return (request) => {
    if (busy) next = { request }
    else void run(request)
  }
}
