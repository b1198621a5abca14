// The shapes that the service keeps, and what stands for them in requests about scenes: their content, which scenes keep themselves. They lie beside the scenes in DATA_DIR where these are files, and otherwise in memory alone.

import { join } from 'node:path'
import type { preHandlerHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { CUT_LENGTH } from '../json/cut-shapes.ts'
import { Shelf } from '../kept/shelf.ts'
import { putShapes } from '../wire/shape-source.ts'
import { type Fields, holdersIn, isFields, UnreadShape } from '../wire/unread-shape.ts'

declare module 'fastify' {
  interface FastifyInstance {
    shapes: Shelf
  }
}

const MIB = 2 ** 20

/** Must be registered before `workers`; whoever opens the store of scenes opens it too. */
export const keptShapes = fp(async (app, config: Config) => {
  const shelf = new Shelf({
    directory: config.SCENE_STORE === 'file' ? join(config.DATA_DIR, 'shapes') : null,
    mostMemory: config.SHAPE_MEMORY_MB * MIB,
    mostDisk: config.SHAPE_DISK_MB * MIB,
    onFinding: (finding) => app.logger.error(finding, 'kept shape lost'),
  })
  app.decorate('shapes', shelf)
})

// Requests about scenes

/**
 * The `preHandler` of routes whose bodies have bodies of a scene. A long shape is left for workers to read. What is not kept stays a
 * reference, which is a problem where the body is decoded.
 */
export const putKeptShapes: preHandlerHookHandler = ({ body, server: { shapes } }, _reply, done) => {
  const holders = shapes.isEmpty || !isFields(body) ? [] : holdersOfReferences(body)
  if (holders.length === 0) return done()
  putAll(shapes, holders).then(() => done(), done)
}

async function putAll(shelf: Shelf, holders: readonly Fields[]): Promise<void> {
  for (const holder of holders) {
    const shape = holder.shape as Fields
    for (const id of idsIn(shape)) {
      const kept = await shelf.take(id, '2d')
      if (kept === null || shape.type !== 'ref') continue
      const isLong = kept.text.byteLength >= CUT_LENGTH
      holder.shape = isLong ? new UnreadShape(Buffer.from(new Uint8Array(kept.text))) : shelf.find(id)?.shape
    }
    if (shape.type === 'compound') putShapes(holder, '2d', shelf)
  }
}

/** The objects of a request that have a shape with references: the body, its bodies, and those of its operations and queries. */
function holdersOfReferences(body: Fields): Fields[] {
  let found = holdersIn([body], hasReferences)
  for (const list of [body.operations, body.queries]) {
    if (Array.isArray(list)) found = found.concat(holdersIn(list, hasReferences))
  }
  return found
}

function hasReferences({ shape }: Fields): boolean {
  // asked of each operation of a long list, most of which have other shapes
  if (!isFields(shape) || (shape.type !== 'ref' && shape.type !== 'compound')) return false
  return idsIn(shape).next().done === false
}

function* idsIn({ type, id, children }: Fields): Generator<string, void, undefined> {
  if (type === 'ref' && typeof id === 'string') yield id
  if (type !== 'compound' || !Array.isArray(children)) return
  for (const child of children) if (isFields(child) && isFields(child.shape)) yield* idsIn(child.shape)
}
