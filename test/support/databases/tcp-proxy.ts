/**
 * A proxy between a client and a server that speak over TCP, and between which anything may go wrong. How it fares can be changed at
 * any moment; it holds for connections that are open and for those to come.
 */

import { once } from 'node:events'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

/**
 * - `pass`: everything goes through.
 * - `refuse`: nobody listens, and what was open is reset.
 * - `blackHole`: bytes go nowhere, in neither direction; connections are taken and stay.
 * - `cutAnswer`: what the client sends arrives; what the server answers does not, and the connection is closed instead.
 * - `cutSync`: of a statement the last message (`Sync`) is lost, and all that comes behind it, in both directions; nobody hears of it.
 * - `slow`: every piece comes later by a time, and no faster than a rate.
 */
export type ProxyMode = 'pass' | 'refuse' | 'blackHole' | 'cutAnswer' | 'cutSync' | 'slow'

export interface Slowness {
  latencyMs: number
  bytesPerSecond: number
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** What black holes have swallowed cannot be followed by anything. */
  isBroken: boolean
  /** Carries nothing more, whatever the mode. */
  isForgotten: boolean
}

export async function startProxy(target: { port: number; host?: string }): Promise<TcpProxy> {
  const proxy = new TcpProxy(await freePort(), target)
  await proxy.listen()
  return proxy
}

export class TcpProxy {
  readonly port: number
  /** Bytes that have gone through. */
  readonly sent = { toServer: 0, toClient: 0 }
  /** Connections that were taken. */
  connectionCount = 0
  #target: { port: number; host?: string }
  #mode: ProxyMode = 'pass'
  #slowness: Slowness = { latencyMs: 50, bytesPerSecond: 100_000 }
  #listener: Server | null = null
  readonly #pairs = new Set<Pair>()

  constructor(port: number, target: { port: number; host?: string }) {
    this.port = port
    this.#target = target
  }

  get mode(): ProxyMode {
    return this.#mode
  }

  /** Where connections that are made from now on lead. */
  set target(target: { port: number; host?: string }) {
    this.#target = target
  }

  get openCount(): number {
    return this.#pairs.size
  }

  async listen(): Promise<void> {
    if (this.#listener !== null) return
    const listener = createServer((client) => this.#take(client))
    this.#listener = listener
    listener.listen(this.port, '127.0.0.1')
    await once(listener, 'listening')
  }

  async #deafen(): Promise<void> {
    const listener = this.#listener
    this.#listener = null
    if (listener === null) return
    const closed = once(listener, 'close')
    listener.close()
    this.reset()
    await closed
  }

  /** Resolves when the mode holds. Leaving `blackHole` or `cutSync` resets connections from which bytes are lost. */
  async become(mode: ProxyMode, slowness?: Partial<Slowness>): Promise<void> {
    this.#mode = mode
    this.#slowness = { ...this.#slowness, ...slowness }
    for (const pair of this.#pairs)
      if (pair.isBroken && !pair.isForgotten && mode !== 'blackHole' && mode !== 'cutSync') this.#reset(pair)
    if (mode === 'refuse') await this.#deafen()
    else await this.listen()
  }

  /** Resets all connections that are open. */
  reset(): void {
    for (const pair of this.#pairs) this.#reset(pair)
  }

  /** Connections that are open lead nowhere from now on, and nobody hears of it; those to come are as the mode says. */
  forget(): void {
    for (const pair of this.#pairs) pair.isForgotten = true
  }

  /** Ends one direction of all connections that are open. */
  halfClose(direction: 'toServer' | 'toClient'): void {
    for (const { client, server } of this.#pairs) (direction === 'toServer' ? server : client).end()
  }

  async dispose(): Promise<void> {
    this.#mode = 'refuse'
    await this.#deafen()
    this.reset()
  }

  #take(client: Socket): void {
    this.connectionCount++
    const server = dial(this.#target.port, this.#target.host ?? '127.0.0.1')
    const pair: Pair = { client, server, isBroken: false, isForgotten: false }
    this.#pairs.add(pair)
    client.setNoDelay(true)
    server.setNoDelay(true)
    this.#carry(pair, client, server, 'toServer')
    this.#carry(pair, server, client, 'toClient')
  }

  #carry(pair: Pair, from: Socket, to: Socket, direction: 'toServer' | 'toClient'): void {
    /** Pieces go in order, however long each is held back. */
    let last: Promise<void> = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      if (this.#mode === 'blackHole') pair.isBroken = true
      if (pair.isBroken || pair.isForgotten) return
      if (this.#mode === 'cutSync' && direction === 'toServer' && endsWithSync(chunk)) {
        pair.isBroken = true
        to.write(chunk.subarray(0, -SYNC.length))
        return
      }
      if (this.#mode === 'cutAnswer' && direction === 'toClient') return this.#end(pair)
      from.pause()
      last = this.#pass(pair, chunk, to, direction).then(() => {
        from.resume()
      })
    })
    // in a black hole nobody hears that the other side has gone
    const swallowed = () => {
      if (pair.isForgotten) return true
      if (this.#mode === 'blackHole' && !to.destroyed) pair.isBroken = true
      return this.#mode === 'blackHole' || (this.#mode === 'cutSync' && pair.isBroken)
    }
    from.on('error', () => swallowed() || this.#reset(pair))
    from.on('close', () => {
      void last.then(() => swallowed() || this.#end(pair))
    })
  }

  async #pass(pair: Pair, chunk: Buffer, to: Socket, direction: 'toServer' | 'toClient'): Promise<void> {
    if (this.#mode === 'slow') {
      const { latencyMs, bytesPerSecond } = this.#slowness
      await new Promise((resolve) => setTimeout(resolve, latencyMs + (1000 * chunk.length) / bytesPerSecond))
      // what was underway when it turned into one
      if ((this.#mode as ProxyMode) === 'blackHole') {
        pair.isBroken = true
        return
      }
    }
    if (!to.writable) return
    this.sent[direction] += chunk.length
    if (to.write(chunk)) return
    await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => undefined)
  }

  #end(pair: Pair): void {
    this.#pairs.delete(pair)
    pair.client.destroySoon()
    pair.server.destroySoon()
  }

  #reset(pair: Pair): void {
    this.#pairs.delete(pair)
    reset(pair.client)
    reset(pair.server)
  }
}

const SYNC = Buffer.from([0x53, 0, 0, 0, 4])

/** Behind something else. */
const endsWithSync = (chunk: Buffer) => chunk.length > SYNC.length && chunk.subarray(-SYNC.length).equals(SYNC)

/** One that has said that it ends cannot be reset any more: the system would keep it for ever. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
