// A stream of server-sent events over fetch, which sends headers where EventSource cannot: a token. It comes again where it broke off,
// at growing intervals; also where nothing was heard for long, since a connection may be gone without a word. While it is paused it
// holds no connection: browsers open six to a host at most over HTTP/1.1, for all tabs together.

interface EventStreamOptions {
  /** Asked for anew at each attempt. */
  path(): string
  headers(): Record<string, string>
  /** Id of the last event known at the start. */
  lastEventId: string
  take(event: StreamEvent): void
  /** `status`: with which the stream was refused. `again` brings it back from there. */
  state(state: 'live' | 'waiting' | 'paused' | 'refused', status: number): void
  /** Nothing heard for so long means that the connection is gone. */
  silenceMs?: number
  /** Between two attempts at most. */
  mostPauseMs?: number
}

export interface EventStream {
  pause(): void
  /** Goes on after a pause or a refusal, at once instead of when it would by itself. */
  again(): void
  close(): void
}

/** Three heartbeats of the default interval of the service. */
const SILENCE_MS = 45_000
const PAUSE_MS = 1000
const MOST_PAUSE_MS = 30_000

/** Coming again changes nothing: the request is wrong, not the moment. */
const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 408 && status !== 429

export function openEventStream(options: EventStreamOptions): EventStream {
  const { silenceMs = SILENCE_MS, mostPauseMs = MOST_PAUSE_MS } = options
  let { lastEventId } = options
  let pauseMs = PAUSE_MS
  let failures = 0
  /** Ends the attempts that are under way. */
  let run: AbortController | null = null

  /** One connection, until it ends. Answers how long to wait at least before the next, or null after a refusal. */
  const connect = async (signal: AbortSignal): Promise<number | null> => {
    const connection = new AbortController()
    const end = () => connection.abort()
    signal.addEventListener('abort', end)
    let silence = setTimeout(end, silenceMs)
    try {
      const headers = { accept: 'text/event-stream', 'last-event-id': lastEventId, ...options.headers() }
      const response = await fetch(options.path(), { headers, signal: connection.signal })
      if (!response.ok || response.body === null) {
        void response.body?.cancel()
        if (signal.aborted) return 0
        if (!isRefusal(response.status)) return secondsOf(response.headers.get('retry-after')) * 1000
        options.state('refused', response.status)
        return null
      }
      const parser = createEventParser(
        {
          retry: (milliseconds) => {
            pauseMs = Math.min(milliseconds, mostPauseMs)
          },
          event: (event) => {
            failures = 0
            // what is taken now may close or pause the stream: nothing is taken after that
            if (signal.aborted) return
            options.take(event)
            lastEventId = parser.lastEventId
          },
        },
        lastEventId,
      )
      options.state('live', response.status)
      const reader = response.body.getReader()
      const decoder = new TextDecoder()
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        clearTimeout(silence)
        silence = setTimeout(end, silenceMs)
        parser.push(decoder.decode(piece.value, { stream: true }))
        if (!signal.aborted) ({ lastEventId } = parser)
      }
    } catch {
      // broken off, too long silent, or no event: as if it had ended
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', end)
      connection.abort()
    }
    return 0
  }

  const start = async () => {
    run?.abort()
    run = new AbortController()
    const { signal } = run
    while (!signal.aborted) {
      const least = await connect(signal)
      if (signal.aborted) return
      if (least === null) {
        run = null
        return
      }
      options.state('waiting', 0)
      // doubled with each failure, and scattered, so that pages that lost the service together do not come back together
      const pause = Math.min(mostPauseMs, pauseMs * 2 ** Math.min(failures, 10))
      failures++
      await sleep(Math.max(least, pause * (0.5 + Math.random() / 2)), signal)
    }
  }
  const stop = () => {
    run?.abort()
    run = null
  }
  void start()
  return {
    pause() {
      if (run === null) return
      stop()
      options.state('paused', 0)
    },
    again() {
      failures = 0
      void start()
    },
    close: stop,
  }
}

/** As `Retry-After` has it; a date, or none, is 0. */
export const secondsOf = (text: string | null): number => Math.min(60, Math.max(0, Number(text ?? 0) || 0))

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}

// Server-sent events out of text that comes in pieces, whose borders may lie anywhere (HTML Living Standard, 9.2.6). Lines end in CR,
// LF or both; data may have many lines; lines with a colon first are comments.

export interface StreamEvent {
  /** `message` where the stream names none. */
  type: string
  data: string
}

interface EventParser {
  push(text: string): void
  /** Of the last event that was whole; as it was given at first before the first one. */
  readonly lastEventId: string
}

interface EventTaker {
  event(event: StreamEvent): void
  /** How long to wait before coming again, milliseconds. */
  retry(milliseconds: number): void
}

/** Characters of one event: the service sends less than half. What has more is no stream of events. */
const MOST_CHARACTERS = 16_000_000

/** Throws where an event is longer than `most`. */
export function createEventParser(taker: EventTaker, firstId: string, most = MOST_CHARACTERS): EventParser {
  /** A line whose end has not come. */
  let rest = ''
  let skipsLineFeed = false
  let type = ''
  let data: string[] = []
  let size = 0
  let idOfNext = firstId
  let lastEventId = firstId

  const dispatch = () => {
    lastEventId = idOfNext
    const event = { type: type === '' ? 'message' : type, data: data.join('\n') }
    const isEmpty = data.length === 0
    type = ''
    data = []
    size = 0
    if (!isEmpty) taker.event(event)
  }
  const line = (text: string) => {
    if (text === '') {
      dispatch()
      return
    }
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') type = value
    else if (field === 'id' && !value.includes('\0')) idOfNext = value
    else if (field === 'retry' && /^[0-9]+$/.test(value)) taker.retry(Number(value))
  }

  return {
    get lastEventId() {
      return lastEventId
    },
    push(text) {
      if (text === '') return
      let start = skipsLineFeed && text.startsWith('\n') ? 1 : 0
      skipsLineFeed = text.endsWith('\r')
      const ends = /\r\n|\r|\n/g
      ends.lastIndex = start
      for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
        const whole = rest + text.slice(start, end.index)
        rest = ''
        start = ends.lastIndex
        size += whole.length
        if (size > most) throw new RangeError('The event is too long.')
        line(whole)
      }
      rest += text.slice(start)
      if (size + rest.length > most) throw new RangeError('The event is too long.')
    },
  }
}
