/** Streams of events over a socket, as they come. */

import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HeardEvent, parseEvents } from './event-listener.ts'
import type { SceneClient } from './scene-client.ts'

export interface EventRequest {
  status: number
  headers: IncomingMessage['headers']
  text: () => string
  /** Resolves with all events once there are so many. */
  events(count: number): Promise<HeardEvent[]>
  ended: Promise<void>
  close(): void
}

/** Opens a stream of events, below /v1/2d/scenes. */
export function openEvents(
  { app }: Pick<SceneClient, 'app'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventRequest> {
  const { port } = app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ port, host: '127.0.0.1', path: `/v1/2d/scenes${path}`, headers }, (response) => {
      let text = ''
      let notice = () => {}
      response.on('error', () => undefined)
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        notice()
      })
      const ended = new Promise<void>((done) => response.on('close', done))
      const events = async (count: number) => {
        for (;;) {
          const { events: heard } = parseEvents(text)
          if (heard.length >= count) return heard
          await new Promise<void>((done) => {
            notice = done
          })
        }
      }
      const { statusCode: status = 0, headers: got } = response
      resolve({ status, headers: got, text: () => text, events, ended, close: () => asked.destroy() })
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** What was told, without digests. */
export const said = (events: readonly HeardEvent[]) =>
  events.map(({ event, id }) => `${event} ${id.replace(/\.[0-9a-f]{8}$/, '')}`)
