// Runs the command `tangent` in this process, with ends that keep what is written.

import { Readable, Writable } from 'node:stream'
import { runCommand } from '../../src/command/command.ts'

export interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly input?: string | Readable
  readonly env?: Record<string, string>
  /** Whether people look at both outputs. */
  readonly isTerminal?: boolean
  readonly signal?: AbortSignal
  /** Hears what is written. */
  onText?(text: string): void
}

export async function runTangent(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { input = '', env = {}, isTerminal = false, signal, onText } = options
  const [out, err] = [collector(isTerminal, onText), collector(isTerminal, onText)]
  const ends = {
    input: typeof input === 'string' ? Readable.from([input]) : input,
    out: out.stream,
    err: err.stream,
    env,
  }
  const code = await runCommand(args, signal === undefined ? ends : { ...ends, signal })
  return { code, out: out.text(), err: err.text() }
}

function collector(isTTY: boolean, onText?: (text: string) => void) {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      onText?.(String(chunk))
      done()
    },
  })
  return { stream: Object.assign(stream, { isTTY }), text: () => Buffer.concat(chunks).toString() }
}
