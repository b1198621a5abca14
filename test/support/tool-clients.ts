// Clients of the tools for agents, over each transport: the package's own client, which holds what it gets against the protocol.

import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { runCommand } from '../../src/command/command.ts'

export interface ToolClient {
  readonly client: Client
  close(): Promise<void>
}

export interface Called {
  readonly isError: boolean
  readonly text: string
  readonly images: readonly { data: string; mimeType: string }[]
}

/** What a tool answers. */
export async function call({ client }: ToolClient, name: string, args: object = {}): Promise<Called> {
  const { content, isError = false } = await client.callTool({ name, arguments: args as Record<string, unknown> })
  const parts = content as { type: string; text?: string; data?: string; mimeType?: string }[]
  return {
    isError: isError === true,
    text: parts.flatMap(({ text }) => text ?? []).join('\n'),
    images: parts.flatMap(({ data, mimeType }) => (data === undefined ? [] : [{ data, mimeType: mimeType as string }])),
  }
}

/** The value that a tool answers; throws where it could not do it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at fields
export async function told(client: ToolClient, name: string, args: object = {}): Promise<any> {
  const { isError, text } = await call(client, name, args)
  if (isError) throw new Error(text)
  return JSON.parse(text)
}

/** A client of `tangent mcp`, which runs in this process. */
export async function clientByLines(args: readonly string[]): Promise<ToolClient & { send(text: string): void }> {
  const [input, out, err] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const ended = runCommand(['mcp', ...args], { input, out, err, env: {} })
  const client = new Client({ name: 'test', version: '0' })
  // a transport of lines is the same at both ends
  await client.connect(new StdioServerTransport(out, input) as unknown as Transport)
  return {
    client,
    send: (text) => void input.write(text),
    async close() {
      input.end()
      if ((await ended) !== 0) throw new Error(String(err.read()))
      await client.close()
    },
  }
}

/** A client of `/mcp` of a service that listens at the address. */
export async function clientByHttp(address: string, headers: Record<string, string> = {}): Promise<ToolClient> {
  const client = new Client({ name: 'test', version: '0' })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit: { headers } })
  await client.connect(transport as unknown as Transport)
  return { client, close: () => client.close() }
}
