// Reads request bodies: JSON, packed with gzip or br or not, and nothing else.
//
// The parser tells where a text goes wrong, which the framework's own does not. It needs no defence against prototype keys: the
// schemas refuse every field that they do not list. Bodies that an `Answerer` reads are handed on as bytes.
//
// The bytes of a request with an Idempotency-Key are hashed as they are read: that tells it from others with the same key.
//
// Packed bodies are unpacked while they arrive, so the main thread, a worker or a batch reads the bytes that were meant. Other codings,
// and charsets other than UTF-8, are refused.
//
// Method: a stream between the connection and the reader that counts both sides. What comes out counts against the limit of the
// route, so a bomb is given up one chunk after the limit. Few bytes may stand for many, so clients that send packed bodies and do not
// end them could make the service hold far more than they have sent: all that requests hold together, packed or not, is bounded too.

import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Readable as NodeReadable, pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import type { TSchema } from '@sinclair/typebox'
import {
  errorCodes,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type preValidationHookHandler,
  type RequestPayload,
} from 'fastify'
import fp from 'fastify-plugin'
import { arrivingLimit, type Config } from '../config.ts'
import { CUT_LENGTH } from '../json/cut-shapes.ts'
import { behindMark, createJsonInput, jsonText, NestedTooDeep } from '../json/input.ts'
import { type ItemPiece, ItemScanner, listOf } from '../json/items.ts'
import { compileReader, type JsonReader, parseBy } from '../json/reader.ts'
import type { DocumentForm } from '../queries/ask/read-document.ts'
import { SliceClock } from '../queries/ask/slices.ts'
import type { RequestKey } from '../scene/keeper/remembered-writes.ts'
import { type DecodeProblem, problemOf } from '../wire/decode-problem.ts'
import { parseAround } from '../wire/unread-shape.ts'
import { describeUnreadable } from '../wire/unreadable.ts'

const CHUNK_LENGTH = 2 ** 16
const NEWLINE = 10

const gunzip = () => createGunzip({ chunkSize: CHUNK_LENGTH })
const UNPACKERS = new Map<string, () => Transform>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', () => createBrotliDecompress({ chunkSize: CHUNK_LENGTH })],
])
const CODINGS = 'gzip, br'
const UTF_8 = /^utf-?8$/i

/** Bytes of bodies that the requests of a service hold. */
interface Held {
  bytes: number
  readonly most: number
  /** Bodies that arrive as they are. */
  readonly arriving: Set<Arriving>
}

interface Arriving {
  /** When the last bytes came. */
  at: number
  refuse(): void
}

/** Bytes of a body up to which it is not counted. */
const LEAST_HELD = 2 ** 14
/** Time without a byte after which a body gives way to others, in milliseconds. */
const IDLE_MS = 1000

export const packedBody = fp(async (app, config: Config) => {
  const held: Held = { bytes: 0, most: arrivingLimit(config), arriving: new Set() }
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { headers } = request.raw
    const type = headers['content-type']
    const coding = headers['content-encoding']
    if (coding === undefined && (type === undefined || !/charset/i.test(type))) {
      if (isLarge(request) && !request.is404) count(request, reply, held)
      return done(null, payload)
    }
    // a path that does not exist is the greater problem
    if (request.is404 || !hasBody(request)) return done(null, payload)
    const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type ?? '')?.[1]
    if (charset !== undefined && !UTF_8.test(charset)) {
      return done(unsupported(`The body must be sent as UTF-8, got charset ${JSON.stringify(charset)}.`))
    }
    const codings = codingsOf(coding)
    if (codings.length === 0) {
      if (isLarge(request)) count(request, reply, held)
      return done(null, payload)
    }
    const create = UNPACKERS.get(codings[0])
    if (codings.length > 1 || create === undefined) {
      reply.header('accept-encoding', CODINGS)
      return done(unsupported(`The body may be packed by one of ${CODINGS}, got ${JSON.stringify(coding)}.`))
    }
    done(null, unpack(codings[0], create(), payload as NodeReadable, request, reply, held))
  })
})

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
}

function isLarge({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > LEAST_HELD
}

function isLinesOf({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.toLowerCase().startsWith(LINES) === true
}

/**
 * Counts what arrives of a body that is sent as it is, until it is answered. Where all hold too much, those of which nothing has come for
 * a while are refused first.
 */
function count(request: FastifyRequest, reply: FastifyReply, held: Held): void {
  const { raw } = request
  const isLines = isLinesOf(request)
  const most = request.routeOptions.bodyLimit as number
  let own = 0
  let isOver = false
  const end = () => {
    held.bytes -= own
    own = 0
    isOver = true
    held.arriving.delete(body)
  }
  const body: Arriving = {
    at: performance.now(),
    refuse() {
      end()
      if (raw.listenerCount('error') > 0) raw.emit('error', overloaded('bodies'))
      else raw.socket.destroy()
    },
  }
  held.arriving.add(body)
  const { push } = raw
  // whoever reads it later must not miss what a listener for data would be given
  raw.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) held.arriving.delete(body)
    else if (!isOver) {
      const now = isLines ? begunLine(own, chunk, most) : own + chunk.length
      held.bytes += now - own
      own = now
      body.at = performance.now()
      if (held.bytes > held.most) makeRoom(held, body)
    }
    return push.call(raw, chunk, encoding)
  }
  reply.raw.once('close', end)
}

function makeRoom(held: Held, latest: Arriving): void {
  const idleSince = performance.now() - IDLE_MS
  const idle = [...held.arriving].filter(({ at }) => at < idleSince)
  idle.sort((a, b) => a.at - b.at)
  for (const body of [...idle, latest]) {
    if (held.bytes <= held.most) return
    body.refuse()
  }
}

/** In the order in which they were applied, without those that change nothing. */
function codingsOf(coding = ''): string[] {
  const names = coding.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '' && name !== 'identity')
}

function unsupported(detail: string): Error {
  return problemError(problemOf('unsupported-media-type', detail))
}

/** The body as it was before it was packed; fails beyond the limit of the route, or of what all such requests hold. */
function unpack(
  coding: string,
  unpacker: Transform,
  source: NodeReadable,
  request: FastifyRequest,
  reply: FastifyReply,
  held: Held,
): RequestPayload {
  const isLines = isLinesOf(request)
  // lines may be any number; of each, no more is kept than the limit
  const limit = isLines ? Number.POSITIVE_INFINITY : (request.routeOptions.bodyLimit as number)
  let packedLength = 0
  /** Bytes that this request holds. */
  let own = 0
  const hold = (bytes: number) => {
    // what still comes out of a body that is given up is held by nobody
    if (reply.raw.closed && bytes > 0) return
    held.bytes += bytes - own
    own = bytes
  }

  async function* packed(): AsyncGenerator<Buffer> {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      packedLength += (chunk as Buffer).length
      yield chunk as Buffer
    }
  }
  async function* unpacked(): AsyncGenerator<Buffer> {
    let length = 0
    // how it ended is told by what comes out
    pipeline(packed(), unpacker, () => undefined)
    try {
      for await (const chunk of unpacker as AsyncIterable<Buffer>) {
        length += chunk.length
        if (length > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
        hold(isLines ? begunLine(own, chunk, request.routeOptions.bodyLimit as number) : length)
        if (held.bytes > held.most) throw overloaded('packed bodies')
        yield chunk
      }
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode !== undefined || 'problem' in (error as object)) throw error
      // whoever goes away while sending has not sent anything wrong
      if (source.errored !== null || source.readableAborted) throw error
      throw problemError(problemOf('malformed-request', `The body is not ${coding}: ${(error as Error).message}.`))
    } finally {
      unpacker.destroy()
    }
  }

  const stream = Readable.from(unpacked(), { objectMode: false })
  reply.raw.once('close', () => {
    hold(0)
    unpacker.destroy()
    stream.destroy()
  })
  // the framework holds it against the Content-Length
  return Object.defineProperty(stream, 'receivedEncodedLength', { get: () => packedLength })
}

/** Bytes of the line that is begun and not ended after the chunk, when there were so many before it. */
function begunLine(before: number, chunk: Buffer, most: number): number {
  const newline = chunk.lastIndexOf(NEWLINE)
  const begun = newline < 0 ? before + chunk.length : chunk.length - newline - 1
  // a longer one is not kept
  return Math.min(begun, most)
}

function overloaded(what: string): Error {
  const detail = `Too many ${what} arrive at the same time. Try again soon.`
  return problemError(problemOf('overloaded', detail))
}

/** The two media types of a batch: a JSON document with a list, and lines. */
export const LIST = 'application/json'
export const LINES = 'application/x-ndjson'

/** Bytes from which on a list is read in pieces, of a piece at least, and that are looked through at a time. */
const LONG_LENGTH = 2 ** 17
const PIECE_LENGTH = 2 ** 15
const LOOK_LENGTH = 2 ** 18
const DESCRIBED_LENGTH = 2 ** 19
/** Bytes of a document, or of a piece of a list, from which on a worker reads it. */
const FAR_LENGTH = 2 ** 17
const NO_ITEMS: ItemPiece = { parts: [], length: 0 }
/** Memory for a piece while the main thread reads it. A piece that fits has no long shape, so nothing keeps a part of it. */
const scratch = Buffer.allocUnsafe(CUT_LENGTH - 1)

type Done = (error: Error | null, body?: unknown) => void
/** Throws where the bytes are not JSON. */
type Parse = (bytes: Buffer, request: FastifyRequest) => unknown

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads bodies of the schema of the route. */
    readBody?: JsonReader
    /** The name of that schema. */
    bodySchema?: string
    /** Whether a body without a byte stands for an object without fields: all that it could have are optional. */
    mayBeAbsent?: boolean
  }
}

export const jsonBody = fp(async (app) => {
  app.removeAllContentTypeParsers()
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body as TSchema | undefined
    if (body?.$ref === undefined) return
    const schemas = app.getSchemas() as Record<string, TSchema>
    const mayBeAbsent = (schemas[body.$ref].required ?? []).length === 0 && schemas[body.$ref].type === 'object'
    route.config = { ...route.config, mayBeAbsent, bodySchema: body.$ref, readBody: compileReader(body, schemas) }
    if (mayBeAbsent) route.preValidation = [takeAbsentBody, ...[route.preValidation ?? []].flat()]
  })
  readJson(app, (bytes, request) => {
    const { readBody } = request.routeOptions.config
    return parseAround(bytes, (text) =>
      readBody === undefined ? JSON.parse(jsonText(text)) : parseBy(readBody, createJsonInput(text)),
    )
  })
})

/** Hands the JSON bodies of a scope to its routes as the bytes that came. */
export function keepJsonBytes(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
}

const takeAbsentBody: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {}
  done()
}

/** Reads the bodies of a scope in a way of its own; `formOf`: how workers read those that are large, if they do. */
export function readJson(
  app: FastifyInstance,
  parse: Parse,
  formOf: (request: FastifyRequest) => DocumentForm | undefined = () => 'plain',
): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    read(request, withoutMark(bytes as Buffer), parse, done, formOf(request))
  })
}

export interface ListReading {
  /** Name of the list, and its maximum number of items. */
  readonly name: string
  readonly limit: number
  /** The problem of a longer list. */
  tooMany(actual: number): DecodeProblem
  /** The whole document, from bytes that are short, or no such list at first sight. Throws where they are not JSON. */
  readonly parse: Parse
  /** A list of some of the items; throws likewise. */
  parseItems(bytes: Buffer): unknown[]
  /** How workers read items that are large, and a document that is no such list, where they do. `schema`: of an item. */
  readonly far: { readonly items: 'items' | 'queries'; readonly whole?: DocumentForm; readonly schema: string }
  /** Whether an item is valid; where there is this, items behind one that is not are not read. */
  isValid?(item: unknown): boolean
  /** Shown the bytes as they come. */
  look?(request: FastifyRequest, chunk: Buffer): void
}

/** Reads bodies that are one long list under a name: cuts them while they arrive, and parses the pieces with pauses. */
export function readJsonList(app: FastifyInstance, reading: ListReading): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', (request, payload, done) => {
    gather(request, payload, reading, (error, { chunks, pieces, scanner, length }) => {
      if (error !== null) return done(error)
      if (scanner.isTooDeep) return done(refusal('', new NestedTooDeep()))
      const isList = scanner.isComplete && !scanner.isStrange
      if (isList && scanner.count > reading.limit) return done(problemError(reading.tooMany(scanner.count)))
      if (!isList && length > DESCRIBED_LENGTH) return done(problemError(notSuchList(reading.name, scanner)))
      const readWhole = () => read(request, withoutMark(Buffer.concat(chunks)), reading.parse, done, reading.far.whole)
      if (!isList || length < LONG_LENGTH) return readWhole()
      // where the fault lies in much text is not looked for
      if (length > DESCRIBED_LENGTH) chunks.length = 0
      readPieces(request, pieces, reading).then(
        (items) => done(null, { [reading.name]: items }),
        (error) => {
          if (refusedProblem(error) !== null) done(error)
          else if (chunks.length > 0) readWhole()
          else done(problemError(problemOf('malformed-json', `The body is not JSON: ${error.message}.`)))
        },
      )
    })
  })
}

/** The problem of a long text that is another document, or no JSON. */
function notSuchList(name: string, { isStrange }: ItemScanner): DecodeProblem {
  return isStrange
    ? problemOf('schema-violation', `The body must be an object with a list of ${name} and nothing else.`)
    : problemOf('malformed-json', 'The body is not JSON: it breaks off.')
}

/** Lists whose items are all known to be valid. */
const validLists = new WeakSet<readonly unknown[]>()

/** Whether all items of the list of a request were found to be valid when it was read. */
export function isKnownValid(list: readonly unknown[]): boolean {
  return validLists.has(list)
}

async function readPieces(
  request: FastifyRequest,
  pieces: ItemPiece[],
  { far, parseItems, isValid }: ListReading,
): Promise<unknown[]> {
  const clock = new SliceClock()
  const items: unknown[] = []
  for (let k = 0; k < pieces.length; k++) {
    const bytes = listOf([pieces[k]], scratch)
    pieces[k] = NO_ITEMS
    const isFar = bytes.length > FAR_LENGTH
    const part = isFar
      ? await request.server.readFar(request, { bytes, form: far.items, schema: far.schema, first: items.length })
      : parseItems(bytes)
    for (const item of part as unknown[]) {
      items.push(item)
      // whoever checks them all says what is wrong with it
      if (!isFar && isValid?.(item) === false) return items
    }
    if (clock.isOver) await clock.nextTurn()
  }
  if (isValid !== undefined) validLists.add(items)
  return items
}

interface Gathered {
  readonly chunks: Buffer[]
  readonly pieces: ItemPiece[]
  readonly scanner: ItemScanner
  length: number
}

/** The body as it comes, up to the limit of the route. */
function gather(
  request: FastifyRequest,
  payload: IncomingMessage,
  { name, limit: mostItems, look }: ListReading,
  done: (error: Error | null, gathered: Gathered) => void,
): void {
  const gathered: Gathered = { chunks: [], pieces: [], scanner: new ItemScanner(name, PIECE_LENGTH), length: 0 }
  const { chunks, pieces, scanner } = gathered
  const limit = request.routeOptions.bodyLimit as number
  const finish = (error: Error | null) => {
    payload.off('data', take).off('end', end).off('error', fail)
    done(error, gathered)
  }
  const take = (chunk: Buffer) => {
    gathered.length += chunk.length
    if (gathered.length > limit) return finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    look?.(request, chunk)
    chunks.push(chunk)
    for (let at = 0; at < chunk.length; at += LOOK_LENGTH)
      pieces.push(...scanner.push(chunk.subarray(at, at + LOOK_LENGTH)))
    // what is refused anyway is only counted
    if (scanner.count > mostItems) chunks.length = pieces.length = 0
    if (scanner.isTooDeep) finish(null)
  }
  const end = () => finish(null)
  // whoever goes away while sending is no fault of the service
  const fail = (error: Error) => finish(Object.assign(error, { statusCode: 400 }))
  if (declaredLength(request) > limit) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  else payload.on('data', take).on('end', end).on('error', fail)
}

/** Bytes that the client says it sends as the body, or NaN. One that is packed is longer. */
export function declaredLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'])
}

function read(request: FastifyRequest, bytes: Buffer, parse: Parse, done: Done, form?: DocumentForm): void {
  // a path that does not exist is the greater problem
  if (request.is404) {
    done(null)
    return
  }
  if (bytes.length === 0 && request.routeOptions.config.mayBeAbsent === true) {
    done(null, {})
    return
  }
  noteBody(request, bytes)
  const { bodySchema: schema } = request.routeOptions.config
  if (bytes.length > FAR_LENGTH && form !== undefined && schema !== undefined) {
    request.server.readFar(request, { bytes, form, schema, first: 0 }).then((body) => done(null, body), done)
    return
  }
  let body: unknown
  try {
    body = parse(bytes, request)
  } catch (error) {
    done(refusal(bytes.toString(), error))
    return
  }
  done(null, body)
}

function withoutMark(bytes: Buffer): Buffer {
  const start = behindMark(bytes)
  return start === 0 ? bytes : bytes.subarray(start)
}

function refusal(text: string, error: unknown): Error {
  return problemError(describeUnreadable(text, error))
}

/** The error that is answered with the problem. */
export function problemError(problem: DecodeProblem): Error {
  return Object.assign(new Error(problem.detail), { code: UNREADABLE, problem })
}

/** The problem of such an error, or null. */
export function refusedProblem(error: unknown): DecodeProblem | null {
  const { code, problem } = error as { code?: unknown; problem?: DecodeProblem }
  return code === UNREADABLE ? (problem ?? null) : null
}

/** The code of errors that say which problem a body is. */
const UNREADABLE = 'TANGENT_UNREADABLE_BODY'

// Idempotency-Key: what makes a request one that may be sent again, and what tells it from others with the same key.

const hashes = new WeakMap<FastifyRequest, Hash>()
const fingerprints = new WeakMap<FastifyRequest, string>()

/** Method, path and parameters. */
const lineOf = ({ method, url }: FastifyRequest) => `${method} ${url}\n`

/** Whether it is one that may be sent again. */
export function hasKey({ headers, routeOptions }: FastifyRequest): boolean {
  if (headers['idempotency-key'] === undefined) return false
  const taken = routeOptions.schema?.headers as { properties?: object } | undefined
  return taken?.properties !== undefined && 'idempotency-key' in taken.properties
}

/** Bytes of the body as they come, in order. `line`: what stands before them. */
export function noteBytes(request: FastifyRequest, bytes: Uint8Array | string, line = lineOf(request)): void {
  if (!hasKey(request)) return
  const hash = hashes.get(request) ?? createHash('sha256').update(line)
  hashes.set(request, hash.update(bytes))
}

/** Notes a body that is complete, unless it was noted while it arrived. */
function noteBody(request: FastifyRequest, bytes: Uint8Array): void {
  if (hasKey(request) && !hashes.has(request)) noteBytes(request, bytes)
}

/** Null: the request has no key. Good once all of its body is there. */
export function requestKey(request: FastifyRequest): RequestKey | null {
  if (!hasKey(request)) return null
  let fingerprint = fingerprints.get(request)
  if (fingerprint === undefined) {
    fingerprint = (hashes.get(request) ?? createHash('sha256').update(lineOf(request))).digest('base64url')
    fingerprints.set(request, fingerprint)
  }
  return { key: request.headers['idempotency-key'] as string, fingerprint }
}
