// Runs the command `tangent` in this process, with ends that keep what is written.

import { Readable, Writable } from 'node:stream'
import { runCommand } from '../../src/command/command.ts'

export interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly input?: string
  readonly env?: Record<string, string>
  /** Whether people look at both outputs. */
  readonly isTerminal?: boolean
}

export async function runTangent(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { input = '', env = {}, isTerminal = false } = options
  const [out, err] = [collector(isTerminal), collector(isTerminal)]
  const code = await runCommand(args, { input: Readable.from([input]), out: out.stream, err: err.stream, env })
  return { code, out: out.text(), err: err.text() }
}

function collector(isTTY: boolean) {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { stream: Object.assign(stream, { isTTY }), text: () => Buffer.concat(chunks).toString() }
}
