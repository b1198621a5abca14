// Server-sent events by fetch: read whatever the borders of the pieces are, and come again to wherever they broke off.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createEventParser,
  type EventStream,
  openEventStream,
  type StreamEvent,
} from '../../src/playground/event-stream.ts'
import { runCount, seed } from '../support/runs.ts'

interface Heard {
  events: (StreamEvent & { id: string })[]
  retries: number[]
  lastEventId: string
}

function hear(pieces: readonly string[], most?: number): Heard {
  const heard: Heard = { events: [], retries: [], lastEventId: '' }
  const parser = createEventParser(
    {
      event: (event) => heard.events.push({ ...event, id: parser.lastEventId }),
      retry: (milliseconds) => heard.retries.push(milliseconds),
    },
    '7',
    most,
  )
  for (const piece of pieces) parser.push(piece)
  return { ...heard, lastEventId: parser.lastEventId }
}

describe('reading a stream of events', () => {
  it.each<[string, string, (StreamEvent & { id: string })[]]>([
    ['an event', 'event: ready\nid: 3\ndata: {"version":3}\n\n', [{ type: 'ready', data: '{"version":3}', id: '3' }]],
    ['data of many lines', 'data: a\ndata\ndata:b\n\n', [{ type: 'message', data: 'a\n\nb', id: '7' }]],
    ['one space alone', 'data:  a \n\n', [{ type: 'message', data: ' a ', id: '7' }]],
    ['comments and unknown fields', ':\n\n: x\nfoo: bar\ndata: a\n\n', [{ type: 'message', data: 'a', id: '7' }]],
    ['no event without data', 'event: a\nid: 8\n\ndata: b\n\n', [{ type: 'message', data: 'b', id: '8' }]],
    ['no event without an end', 'data: a\n', []],
    ['an id that is taken back', 'id\ndata: a\n\n', [{ type: 'message', data: 'a', id: '' }]],
    ['no id with a null in it', 'id: 9\0\ndata: a\n\n', [{ type: 'message', data: 'a', id: '7' }]],
    ['CR alone', 'data: a\rdata: b\r\r', [{ type: 'message', data: 'a\nb', id: '7' }]],
  ])('%s', (_, text, expected) => {
    expect(hear([text]).events).toEqual(expected)
    expect(hear([...text]).events).toEqual(expected)
  })

  it('takes how long to wait, and what is no number not', () => {
    expect(hear(['retry: 250\nretry: soon\nretry: -1\nretry:\n']).retries).toEqual([250])
  })

  it('an id counts once its event is whole', () => {
    expect(hear(['id: 8\ndata: a']).lastEventId).toBe('7')
    expect(hear(['id: 8\ndata: a\n\n']).lastEventId).toBe('8')
  })

  it('gives up an event without end', () => {
    expect(() => hear(Array(20).fill('data: 0123456789'), 100)).toThrow('too long')
    expect(() => hear(Array(20).fill('data: 0123456789\n'), 100)).toThrow('too long')
    expect(hear(Array(20).fill('data: 0123456789\n\n'), 100).events).toHaveLength(20)
  })

  it('whatever ends lines, and wherever pieces end', () => {
    const word = fc.string({ maxLength: 6 }).map((text) => text.replace(/[\r\n\0]/g, ''))
    const event = fc.record({ type: word, id: word, data: fc.array(word, { minLength: 1, maxLength: 3 }) })
    const end = fc.constantFrom('\n', '\r', '\r\n')
    const stream = fc.array(fc.tuple(event, end, end, end), { maxLength: 6 })
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 12 }), { maxLength: 60 }), (events, cuts) => {
        const text = events
          .map(([{ type, id, data }, p, q, r]) => {
            const lines = data.map((line) => `data: ${line}${q}`).join('')
            return `: ${type}${p}event: ${type}${p}id: ${id}${q}${lines}${r}`
          })
          // a carriage return before a line feed would be one end of a line, not two
          .join(':\n')
        const pieces: string[] = []
        let at = 0
        for (const cut of cuts) {
          pieces.push(text.slice(at, at + cut))
          at += cut
        }
        pieces.push(text.slice(at))
        const whole = hear([text])
        expect(hear(pieces)).toEqual(whole)
      }),
      { numRuns: runCount(200), seed: seed() },
    )
  })
})

type Answer = (request: IncomingMessage, reply: ServerResponse) => void

describe('a stream that comes again', () => {
  let stream: EventStream | undefined
  let end: (() => void) | undefined
  afterEach(() => {
    stream?.close()
    end?.()
  })

  /** Each connection is answered by the next of these, and the last one then. */
  const follow = async (answers: Answer[], options: { silenceMs?: number } = {}) => {
    const asked: IncomingMessage['headers'][] = []
    const server = createServer((request, reply) => {
      asked.push(request.headers)
      answers[Math.min(asked.length, answers.length) - 1]!(request, reply)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    end = () => {
      server.closeAllConnections()
      server.close()
    }
    const heard: string[] = []
    const states: string[] = []
    stream = openEventStream({
      path: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
      headers: () => ({ authorization: `Bearer ${asked.length}` }),
      lastEventId: '4',
      take: ({ data }) => heard.push(data),
      state: (state, status) => states.push(status >= 400 ? `${state} ${status}` : state),
      ...options,
    })
    return { asked, heard, states }
  }
  const sends =
    (text: string, ...rest: ('end' | 'break')[]): Answer =>
    (_, reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.write(`retry: 20\n${text}`)
      if (rest.includes('end')) reply.end()
      // what was written is on its way before the connection is gone
      if (rest.includes('break')) setTimeout(() => reply.destroy(), 20)
    }

  it('from where it ended, and from where it broke off, with its headers', async () => {
    const { asked, heard, states } = await follow([
      sends('id: 5\ndata: five\n\nid: 6\ndata: si', 'break'),
      sends('id: 6\ndata: six\n\n', 'end'),
      sends('id: 7\ndata: seven\n\n'),
    ])
    await expect.poll(() => heard).toEqual(['five', 'six', 'seven'])
    expect(asked.map((headers) => headers['last-event-id'])).toEqual(['4', '5', '6'])
    expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer 0', 'Bearer 1', 'Bearer 2'])
    expect(states).toEqual(['live', 'waiting', 'live', 'waiting', 'live'])
  })

  it('where it has been silent for too long, but not while there are signs of life', async () => {
    let beats = 0
    const lively: Answer = (_, reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.write('retry: 20\n')
      const timer = setInterval(() => {
        if (beats++ < 8) reply.write(':\n\n')
        else clearInterval(timer)
      }, 100)
    }
    const { asked, heard } = await follow([lively, sends('data: a\n\n')], { silenceMs: 400 })
    await expect.poll(() => heard).toEqual(['a'])
    expect(beats).toBeGreaterThan(8)
    expect(asked.length).toBe(2)
  })

  it('after a refusal that passes, not before it is told to, and not after one that stays', async () => {
    const busy: Answer = (_, reply) => reply.writeHead(503, { 'retry-after': '1' }).end()
    const start = performance.now()
    const first = await follow([busy, sends('data: a\n\n')])
    await expect.poll(() => first.heard).toEqual(['a'])
    expect(performance.now() - start).toBeGreaterThan(950)
    stream?.close()
    end?.()
    const gone: Answer = (_, reply) => reply.writeHead(404).end()
    const second = await follow([gone, sends('data: a\n\n')])
    await expect.poll(() => second.states).toEqual(['refused 404'])
    stream!.again()
    await expect.poll(() => second.heard).toEqual(['a'])
    expect(second.asked).toHaveLength(2)
  })

  it('holds no connection while it is paused, and goes on from where it was', async () => {
    const { asked, heard, states } = await follow([sends('id: 5\ndata: five\n\n'), sends('data: six\n\n')])
    await expect.poll(() => heard).toEqual(['five'])
    stream!.pause()
    stream!.pause()
    await new Promise((done) => setTimeout(done, 100))
    expect([asked.length, states.at(-1)]).toEqual([1, 'paused'])
    stream!.again()
    await expect.poll(() => heard).toEqual(['five', 'six'])
    expect(asked[1]!['last-event-id']).toBe('5')
    stream!.close()
    await new Promise((done) => setTimeout(done, 100))
    expect(asked).toHaveLength(2)
  })
})
