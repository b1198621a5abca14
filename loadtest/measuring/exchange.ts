// One request and what became of it: answered, refused, cut off, or left without an answer.

import { type Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

/** Bytes of an answer that are kept unless more are asked for, enough for any problem. */
const KEPT_BYTES = 4096

export interface Sent {
  method: string
  url: string
  /** Content type of the body. */
  type?: string | undefined
  accept?: string | undefined
  /** Besides those. */
  headers?: Readonly<Record<string, string>> | undefined
  body?: Buffer | undefined
}

export interface Outcome {
  /** `cut`: the connection ended before the answer did, or before there was any. `late`: given up. */
  end: 'answered' | 'cut' | 'late'
  /** 0 without one. */
  status: number
  /** None without an answer. */
  headers: IncomingHttpHeaders
  /** Of a problem. */
  code: string | null
  /** To the last byte, or until it was given up. */
  milliseconds: number
  /** The longest time without a byte of the answer, from the first byte sent. */
  longestGap: number
  bytes: number
  /** How it begins. */
  text: string
  /** What the system said of a connection that was cut. */
  error: string | null
}

export interface Patience {
  /** For all of the answer. */
  milliseconds: number
  /** Streams: between its bytes, and `milliseconds` only end the exchange, without a fault. */
  gap?: number | undefined
  agent?: Agent | false | undefined
  /** Bytes of the answer that are kept. */
  kept?: number | undefined
}

/** Never rejects. */
export function exchange(
  { method, url, type, accept, headers: more, body }: Sent,
  patience: Patience,
): Promise<Outcome> {
  const headers: Record<string, string | number> = { ...more }
  if (body !== undefined) {
    headers['content-type'] = type ?? 'application/json'
    headers['content-length'] = body.length
  }
  if (accept !== undefined) headers.accept = accept
  return new Promise((resolve) => {
    const outgoing = request(url, { method, headers, agent: patience.agent ?? false })
    listen(outgoing, patience, resolve)
    outgoing.end(body)
  })
}

function listen(
  outgoing: ClientRequest,
  { milliseconds: limit, gap, kept: most = KEPT_BYTES }: Patience,
  done: (outcome: Outcome) => void,
): void {
  const start = performance.now()
  let lastByte = start
  let longestGap = 0
  let bytes = 0
  let response: IncomingMessage | null = null
  let error: string | null = null
  let isDone = false
  const kept: Buffer[] = []

  const finish = (end: Outcome['end']) => {
    if (isDone) return
    isDone = true
    clearInterval(timer)
    const milliseconds = performance.now() - start
    const text = Buffer.concat(kept).toString('utf8')
    const status = response?.statusCode ?? 0
    longestGap = Math.max(longestGap, performance.now() - lastByte)
    const headers = response?.headers ?? {}
    done({ end, status, headers, code: codeOf(response, text), milliseconds, longestGap, bytes, text, error })
    if (end === 'late') outgoing.destroy()
  }
  const timer = setInterval(() => {
    const at = performance.now()
    if (gap !== undefined) {
      if (at - lastByte > gap) finish('late')
      // A stream may go on for ever: it has held so far.
      else if (at - start > limit && response !== null) finish('answered')
      if (isDone) outgoing.destroy()
    } else if (at - start > limit) finish('late')
  }, 50)

  outgoing.on('response', (message) => {
    response = message
    message.on('data', (chunk: Buffer) => {
      const at = performance.now()
      longestGap = Math.max(longestGap, at - lastByte)
      lastByte = at
      if (bytes < most) kept.push(chunk.subarray(0, most - bytes))
      bytes += chunk.length
    })
    message.on('end', () => finish('answered'))
    message.on('error', (cause) => {
      error = cause.message
      finish('cut')
    })
    message.on('close', () => finish(message.complete ? 'answered' : 'cut'))
  })
  outgoing.on('error', (cause) => {
    error ??= cause.message
    // A refusal may have come before the body had gone out: it is read first.
    if (response === null) setTimeout(() => finish('cut'), 200)
  })
}

function codeOf(response: IncomingMessage | null, text: string): string | null {
  if (!response?.headers['content-type']?.startsWith('application/problem+json')) return null
  return /"code":"([a-z-]+)"/.exec(text)?.[1] ?? null
}
