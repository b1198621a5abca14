// What sends requests where there may be no core for it: they are all ready before, and nothing but the status of an answer is looked at.

import { loadWell } from '../measuring/load-well.ts'

export interface Sent {
  readonly path: string
  readonly body: object
}

/** Answers a second. Each connection has requests of its own, which it sends one after the other, over and over. */
export async function load(url: string, connections: readonly (readonly Sent[])[], seconds: number): Promise<number> {
  let next = 0
  const { requests, duration } = await loadWell({
    url,
    method: 'POST',
    connections: connections.length,
    duration: seconds,
    setupClient: (client) => {
      client.setRequests(connections[next++]!.map(({ path, body }) => ({ path, body: JSON.stringify(body) })))
    },
  })
  return requests.total / duration
}

export const sum = (rates: readonly number[]) => rates.reduce((all, rate) => all + rate, 0)
