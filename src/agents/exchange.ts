// The tools over HTTP: the transport "streamable HTTP" of the protocol without sessions. Each request has a server of its own, which ends
// with it; answers are JSON, not streams.

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { unlessAborted } from './asked-service.ts'
import { toolServer, type Watcher } from './protocol.ts'
import type { Surroundings } from './tool.ts'

export interface Reply {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

/** `message`: the body, as it was parsed. Rejects where the signal ends it. */
export async function answerMessage(
  message: unknown,
  headers: Readonly<Record<string, string>>,
  around: Surroundings & { signal: AbortSignal },
  watcher: Watcher,
): Promise<Reply> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = toolServer(around, watcher)
  // the types of the package are not as strict as the compiler
  await server.connect(transport as Parameters<typeof server.connect>[0])
  try {
    // only its headers are read
    const request = new Request('http://localhost/mcp', { method: 'POST', headers })
    const response = await unlessAborted(transport.handleRequest(request, { parsedBody: message }), around.signal)
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  } finally {
    await server.close()
  }
}
