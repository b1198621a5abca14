// A server of the Model Context Protocol (https://modelcontextprotocol.io/specification/2025-06-18): the tools, and who calls them.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { SERVICE_NAME, SERVICE_VERSION } from '../version.ts'
import type { Surroundings, Tool } from './tool.ts'
import { callTool, toolsFor } from './tools.ts'

/** What clients tell the model before anything else. */
const INSTRUCTIONS = `Tangent answers geometry questions about levels of games exactly: what overlaps, what floats, where something fits, what is seen. Work in this order: open_level puts a file into a scene and names its tags; find_bodies finds what you look for; what_is_here, overlap, ray, nearest, place, drop, snap, move, sees and lint ask about it and change nothing; apply changes the scene, first as a dry run, and its answer has the operations that undo it; picture shows it. Lengths are those of the file. In levels of the plane y often points down: then down is (0, 1). An error says what to do next.`

/** Made once: the protocol holds no answers against schemas here, which is all that it is for. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

function listed({ name, title, description, input, isReading }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: input as { type: 'object' },
    annotations: {
      title,
      readOnlyHint: isReading,
      destructiveHint: false,
      idempotentHint: isReading,
      openWorldHint: false,
    },
  }
}

export interface Watcher {
  /** Told what is a fault of our own. */
  onFault(error: unknown): void
  /** Shown each call of a tool. */
  onCall?(call: Promise<unknown>): void
}

/** A server for one connection. */
export function toolServer(around: Surroundings, { onFault, onCall }: Watcher): Server {
  const server = new Server(
    { name: SERVICE_NAME, version: SERVICE_VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsFor(around).map(listed) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }, { signal }) => {
    const call = callTool({ name, args }, { ...around, signal }, onFault)
    onCall?.(call)
    const outcome = await call
    return { ...outcome, content: [...outcome.content] }
  })
  return server
}
