// Server-sent events out of text that comes in pieces, whose borders may lie anywhere (HTML Living Standard, 9.2.6). Lines end in CR,
// LF or both; data may have many lines; lines with a colon first are comments.

export interface StreamEvent {
  /** `message` where the stream names none. */
  type: string
  data: string
}

export interface EventParser {
  push(text: string): void
  /** Of the last event that was whole; as it was given at first before the first one. */
  readonly lastEventId: string
}

export interface EventTaker {
  event(event: StreamEvent): void
  /** How long to wait before coming again, milliseconds. */
  retry(milliseconds: number): void
}

/** Characters of one event: the service sends less than half. What has more is no stream of events. */
export const MOST_CHARACTERS = 16_000_000

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
