// The service that tools ask: what commands ask too. The app is asked without a port, as its clients ask it over HTTP.

import type { FastifyInstance } from 'fastify'

export interface ServiceAnswer {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array>
}

export interface AskedService {
  /** The path has the query string with it. `signal`: ends the request, and the work for it. */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string | Uint8Array,
    signal?: AbortSignal,
  ): Promise<ServiceAnswer>
}

/** On whose behalf the app is asked. */
interface Client {
  readonly authorization?: string
  readonly address?: string
}

/** The app as a service. What one client asks counts against the limits of that client. */
export function appAsService(app: FastifyInstance, { authorization, address }: Client = {}): AskedService {
  const permit = authorization === undefined ? {} : { authorization }
  return {
    async request(method, path, headers, body, signal) {
      const asked = app.inject({
        method,
        url: path,
        headers: { ...headers, ...permit },
        payloadAsStream: true,
        ...(body !== undefined && { payload: typeof body === 'string' ? body : asBuffer(body) }),
        ...(address !== undefined && { remoteAddress: address }),
        ...(signal !== undefined && { signal }),
      })
      const response = await (signal === undefined ? asked : unlessAborted(asked, signal))
      return { status: response.statusCode, body: response.stream() }
    },
  }
}

/** The outcome, or the rejection by a signal. A request that its client has given up is never answered. */
export function unlessAborted<Value>(outcome: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
