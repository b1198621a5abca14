// Files as bodies of requests: the body itself, whatever its content type says, or the parts of multipart/form-data.

import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest, type RequestPayload } from 'fastify'
import type { SourceFile, SourceFiles } from '../import/source-files.ts'
import { declaredLength, noteBytes } from './json-body.ts'

// Bytes of large bodies as they arrive: put where they are to lie at once, since copying fifty megabytes at the end would keep
// everybody waiting. Where the length is not known before, they are copied in turns.

/** Bytes that are copied at a time, in well below a millisecond. */
const TURN_LENGTH = 2 ** 20

class ArrivingBytes {
  /** Memory for all, which costs nothing until something lies in it; null where nobody knows how much. */
  readonly #room: Uint8Array<ArrayBuffer> | null
  #chunks: Uint8Array[] = []
  #start = 0
  #end = 0

  /** `length`: of all that will arrive, at least; NaN where it is not known. */
  constructor(length: number) {
    this.#room = Number.isNaN(length) ? null : new Uint8Array(length)
  }

  add(chunk: Uint8Array): void {
    if (this.#room === null) this.#chunks.push(chunk)
    else this.#room.set(chunk, this.#end)
    this.#end += chunk.length
  }

  /** The bytes that arrived since the last call, in memory that nobody else writes to. */
  async taken(): Promise<Uint8Array<ArrayBuffer>> {
    const [start, end] = [this.#start, this.#end]
    this.#start = end
    if (this.#room !== null) return this.#room.subarray(start, end)
    const chunks = this.#chunks
    this.#chunks = []
    return joined(chunks, end - start)
  }
}

async function joined(chunks: readonly Uint8Array[], length: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(length)
  let [at, copied] = [0, 0]
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
    copied += chunk.length
    if (copied < TURN_LENGTH) continue
    copied = 0
    await setImmediate()
  }
  return whole
}

/** Most files of one request, and most bytes of the name of a part. */
const MOST_FILES = 256
const MOST_NAME_BYTES = 256

const FILE = { type: 'string', format: 'binary', description: 'The file, whatever its content type says.' }
const FILES = {
  type: 'object',
  properties: { file: { type: 'array', items: FILE, description: 'The file, and then those that it names.' } },
  required: ['file'],
}

/** Description of such bodies in the OpenAPI document. */
export const SENT_FILES = {
  content: { 'application/octet-stream': { schema: FILE }, 'multipart/form-data': { schema: FILES } },
}

/** Reads the bodies of a scope as files. */
export async function readFiles(app: FastifyInstance): Promise<void> {
  readBytes(app)
  await app.register(multipart, {
    limits: { files: MOST_FILES, fields: 0, headerPairs: 16, fieldNameSize: MOST_NAME_BYTES },
  })
}

/** Reads the bodies of a scope as bytes, whatever their type. */
export function readBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: RequestPayload) => wholeBody(request, payload))
}

/** Bytes that will arrive, with what lies between files; NaN where nobody says. */
function lengthOf(request: FastifyRequest, limit: number): number {
  const length = request.headers['content-encoding'] === undefined ? declaredLength(request) : Number.NaN
  if (length > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  return length
}

async function wholeBody(request: FastifyRequest, payload: RequestPayload): Promise<Uint8Array> {
  const limit = request.routeOptions.bodyLimit as number
  const bytes = new ArrivingBytes(lengthOf(request, limit))
  let left = limit
  try {
    for await (const chunk of (payload as Readable).iterator({ destroyOnReturn: false })) {
      left -= (chunk as Buffer).length
      if (left < 0) break
      noteBytes(request, chunk as Buffer)
      bytes.add(chunk)
    }
  } catch (error) {
    // whoever goes away while sending is no fault of the service
    throw Object.assign(error as Error, { statusCode: (error as { statusCode?: number }).statusCode ?? 400 })
  }
  if (left < 0) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  return bytes.taken()
}

/** The files of the request; null: the problem has been answered. `limit`: maximum bytes of all together. */
export async function sentFiles(
  request: FastifyRequest,
  reply: FastifyReply,
  limit: number,
): Promise<SourceFiles | null> {
  const files: SourceFile[] = []
  if (!request.isMultipart()) {
    const bytes = request.body
    if (bytes instanceof Uint8Array && bytes.length > 0) files.push({ name: '', bytes })
  } else {
    const arriving = new ArrivingBytes(lengthOf(request, Number.POSITIVE_INFINITY))
    let left = limit
    for await (const { filename, file } of request.files({ limits: { fileSize: limit + 1 } })) {
      noteBytes(request, `${filename}\n`)
      for await (const chunk of file) {
        left -= chunk.length
        if (left < 0) {
          reply.problem('body-too-large', `The files must have at most ${limit} bytes together.`, { limit })
          return null
        }
        arriving.add(chunk)
        noteBytes(request, chunk)
      }
      files.push({ name: filename, bytes: await arriving.taken() })
    }
  }
  const [main, ...others] = files
  if (main !== undefined) return { main, others }
  reply.problem('empty-body', 'The body must be the file, or multipart/form-data with the file as its first part.')
  return null
}
