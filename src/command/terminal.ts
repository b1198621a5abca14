// Where a command reads and writes: colours and a bar for the progress are for people at a terminal alone.

import type { Readable, Writable } from 'node:stream'

/** The ends of a process, or of a test. */
export interface Ends {
  readonly input: Readable
  readonly out: Writable & { readonly isTTY?: boolean }
  readonly err: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends what would go on for ever; a process is ended by a signal of its system. */
  readonly signal?: AbortSignal
}

/** Why a command could not do what it was asked for, in plain words, with what to do next. It ends the command with 2. */
export class Refused extends Error {}

export type Colour = 'red' | 'yellow' | 'green' | 'blue' | 'bold' | 'dim'

/** Codes of ECMA-48, "select graphic rendition". */
const CODES: Readonly<Record<Colour, number>> = { red: 31, yellow: 33, green: 32, blue: 34, bold: 1, dim: 2 }

/** Paints texts for people, and leaves them as they are where nobody sees colours (https://no-color.org). */
export function painter({ out, env }: Ends): (colour: Colour, text: string) => string {
  const isSeen = out.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
  return (colour, text) => (isSeen ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text)
}

/**
 * Text of files and of names for people, on one line: what would steer a terminal, turn the direction of writing, or begin a line that a build
 * service takes for a command, is told by its code.
 */
export function visible(text: string): string {
  const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu
  return text.replace(STEERING, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Milliseconds after which work is worth a bar, and between two looks of it. */
const QUIET_MS = 500
const LOOK_MS = 100
const BAR_LENGTH = 20
const COLUMNS = 80

/** A line on a terminal that says how far work is, once it has taken half a second; none elsewhere. */
export class ProgressBar {
  readonly #err: Ends['err']
  readonly #begun = performance.now()
  #drawn = Number.NEGATIVE_INFINITY
  #isThere = false

  constructor({ err }: Pick<Ends, 'err'>) {
    this.#err = err
  }

  /** `done` of `all` parts; what is under way now. */
  show(done: number, all: number, what: string): void {
    const now = performance.now()
    if (this.#err.isTTY !== true || now - this.#begun < QUIET_MS || now - this.#drawn < LOOK_MS) return
    this.#drawn = now
    const full = Math.round((BAR_LENGTH * done) / Math.max(1, all))
    const bar = all > 1 ? `[${'#'.repeat(full)}${'.'.repeat(BAR_LENGTH - full)}] ${done}/${all} ` : ''
    const line = `${bar}${visible(what)}`.slice(0, (this.#err.columns ?? COLUMNS) - 1)
    this.#isThere = true
    this.#err.write(`\r\x1b[K${line}`)
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#isThere) this.#err.write('\r\x1b[K')
    this.#isThere = false
  }
}

/** Writes, and waits while the reader is slower; false when nobody reads any more. */
export async function writeTo(stream: Writable, bytes: Uint8Array | string): Promise<boolean> {
  if (stream.destroyed || stream.writableEnded) return false
  if (stream.write(bytes)) return true
  return new Promise((resolve) => {
    const end = (isRead: boolean) => () => {
      stream.off('drain', drained).off('close', closed).off('error', closed)
      resolve(isRead)
    }
    const [drained, closed] = [end(true), end(false)]
    stream.once('drain', drained).once('close', closed).once('error', closed)
  })
}
