// The tools over standard input and output: a message a line. A line that is too long is answered with an error and left out; what the
// client has asked before its input ends is still answered.

import { type Readable, Transform, type Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { toolServer, type Watcher } from './protocol.ts'
import type { Surroundings } from './tool.ts'

/** Bytes of a line, and of its ends, which are looked at for the id of a message that is too long. */
const MOST_BYTES = 2 ** 23
const END_BYTES = 200

const NEWLINE = 10

/** Lets lines pass that are short enough, each as a whole. `onLong`: told the beginning and the end of another. */
export function wholeLines(most: number, onLong: (begin: string, end: string) => void): Transform {
  let held: Buffer[] = []
  let length = 0
  const take = (piece: Buffer) => {
    length += piece.length
    held.push(piece)
    // of a line that is too long only its ends are kept
    if (length > most) held = endsOf(held)
  }
  const line = (): Buffer | null => {
    const whole = held
    const isLong = length > most
    held = []
    length = 0
    if (!isLong) return Buffer.concat(whole)
    const [begin, end] = endsOf(whole)
    onLong(begin.toString(), end.toString())
    return null
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let at = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
        take(chunk.subarray(at, end + 1))
        at = end + 1
        const next = line()
        if (next !== null) this.push(next)
      }
      if (at < chunk.length) take(Buffer.from(chunk.subarray(at)))
      done()
    },
    // the last line may have no end
    flush(done) {
      const next = length > 0 ? line() : null
      if (next !== null) this.push(Buffer.concat([next, Buffer.from('\n')]))
      done()
    },
  })
}

function endsOf(pieces: readonly Buffer[]): [Buffer, Buffer] {
  const [first] = pieces
  const tail = Buffer.concat(pieces.slice(1))
  const begin = first.subarray(0, END_BYTES)
  const end = tail.length > 0 ? tail : first
  return [Buffer.from(begin), Buffer.from(end.subarray(-END_BYTES))]
}

/** The id of a message, which stands first or last in it; null where it does not. */
function idIn(begin: string, end: string): string | number | null {
  const ID = String.raw`"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")`
  const found = new RegExp(`${ID}\\s*\\}\\s*$`).exec(end) ?? new RegExp(`^\\s*\\{[^{}]*?${ID}`).exec(begin)
  return found === null ? null : (JSON.parse(found[1]) as string | number)
}

/** Code of JSON-RPC. */
const INVALID_REQUEST = -32600

/** Serves until the input ends, or nobody reads the output any more. */
export async function serveLines(
  around: Surroundings,
  { input, out }: { input: Readable; out: Writable },
  onFault: Watcher['onFault'],
): Promise<void> {
  const lines = wholeLines(MOST_BYTES, (begin, end) => {
    const message = `The message is longer than ${MOST_BYTES} bytes. Open a large level by its path.`
    out.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: idIn(begin, end), error: { code: INVALID_REQUEST, message } })}\n`,
    )
  })
  const open = new Set<Promise<unknown>>()
  const onCall = (call: Promise<unknown>) => {
    open.add(call)
    call.catch(() => undefined).finally(() => open.delete(call))
  }
  const server = toolServer(around, { onFault, onCall })
  const transport = new StdioServerTransport(lines, out)
  await server.connect(transport)
  input.pipe(lines)
  await Promise.race([finished(lines, { writable: true, readable: true }), finished(out)]).catch(() => undefined)
  for (let left = open.size; left > 0; left = open.size) await Promise.allSettled(open)
  await setImmediate()
  await server.close()
}
