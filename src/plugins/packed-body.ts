// Bodies that are sent packed (Content-Encoding: gzip or br) are unpacked while they arrive; whoever reads them, the main
// thread, a worker or a batch, gets the bytes that were meant. Other codings and other charsets than UTF-8 are refused.
//
// Method: a stream between the connection and the reader that counts both sides. What comes out counts against the limit of the
// route, so a bomb is given up one chunk after the limit. Few bytes may stand for many, so those who send packed bodies and do not
// end them could have the service hold far more than they have sent: what all requests hold together, packed or not, is bounded as well.

import { type Readable as NodeReadable, pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { errorCodes, type FastifyReply, type FastifyRequest, type RequestPayload } from 'fastify'
import fp from 'fastify-plugin'
import { arrivingLimit, type Config } from '../config.ts'
import { problemOf } from '../wire/problems/decode-problem.ts'
import { LINES, problemError } from './json-body.ts'

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
