import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that systems give to outgoing connections: a server that is down for a moment finds its port free when it comes back,
 * however many connections are made meanwhile.
 */
const FIRST = 20_000
const COUNT = 10_000

const given = new Set<number>()

/** A port on loopback that nothing listens on; another one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    if (given.has(port)) continue
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    given.add(port)
    return port
  }
}
