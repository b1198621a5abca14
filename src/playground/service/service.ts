// The service, over its public HTTP API alone.

export interface Reply {
  ok: boolean
  status: number
  /** JSON; null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: what the service documents
  value: any
  /** From the call to the last byte, milliseconds. */
  took: number
}

const TOKEN = 'tangent-token'

export const token = (): string => sessionStorage.getItem(TOKEN) ?? ''
export const setToken = (text: string): void => sessionStorage.setItem(TOKEN, text)

export interface Call {
  method?: string
  path: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, in place of `body`. */
  raw?: BodyInit
}

export async function call({ method, path, body, raw }: Call): Promise<Reply> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (token() !== '') headers.authorization = `Bearer ${token()}`
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const start = performance.now()
  try {
    const response = await fetch(path, {
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      headers,
      ...(payload !== undefined && { body: payload }),
    })
    const text = await response.text()
    const took = performance.now() - start
    return { ok: response.ok, status: response.status, value: parsed(text), took }
  } catch (error) {
    return { ok: false, status: 0, value: { title: String(error) }, took: performance.now() - start }
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return { title: text.slice(0, 200) }
  }
}

/** A problem in one sentence, with the place it lies at. */
export function problemText({ status, value }: Reply): string {
  if (status === 401) return 'This service asks for a token: see More.'
  const [first] = value?.errors ?? []
  const place = first ? ` (${first.pointer}: ${first.detail})` : ''
  return `${status === 0 ? '' : `${status} `}${value?.code ?? value?.title ?? 'no answer'}${place || `: ${value?.detail ?? ''}`}`
}
