// Answers that come in pieces.

import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** What fits into one piece is sent as one, with its length; more is sent as a stream, at the pace of the client. */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncGenerator<Buffer, void, undefined>,
): Promise<FastifyReply> {
  const first = await pieces.next()
  const second = await pieces.next()
  if (second.done) return reply.send(first.value ?? '')
  const stream = Readable.from(joined([first.value as Buffer, second.value], pieces))
  // a stream that nobody has read from yet would leave the rest as it is
  stream.once('close', () => void pieces.return())
  return reply.send(stream)
}

async function* joined(begun: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* begun
  yield* rest
}
