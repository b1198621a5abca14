// tangent mcp as a process, which a client starts and ends.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, it } from 'vitest'
import { told } from '../support/tool-clients.ts'

it('is started, asked and ended by a client', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', 'tsx', 'src/server.ts', 'mcp', '--root', 'examples/levels'],
  })
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(transport as unknown as Transport)
  const opened = await told({ client, close: () => client.close() }, 'open_level', { path: 'cellar.ldtk' })
  expect(opened).toMatchObject({ dimension: 2, down: { x: 0, y: 1 } })
  const { pid } = transport
  await client.close()
  await expect.poll(() => isAlive(pid as number), { timeout: 10_000 }).toBe(false)
}, 60_000)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
