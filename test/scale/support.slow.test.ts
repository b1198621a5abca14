// The servers and the proxy that tests of scale are made with do what is said of them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseServer } from '../support/databases/database-server.ts'
import { missingDebianServer, startDebianServer } from '../support/databases/debian-server.ts'
import { startServer } from '../support/databases/embedded-server.ts'
import { freePort } from '../support/databases/free-port.ts'
import { missingPgbouncer, startPgbouncer } from '../support/databases/pgbouncer.ts'
import { isAlive } from '../support/databases/server-directory.ts'
import { startProxy, type TcpProxy } from '../support/databases/tcp-proxy.ts'

const INSTALL_PATIENCE_MS = 300_000

const numbersOf = async (server: DatabaseServer) =>
  (await server.query<{ n: number }>('select n from number order by n')).map(({ n }) => n)

const shown = async (server: DatabaseServer, setting: string) =>
  Object.values((await server.query(`show ${setting}`))[0] as object)[0]

describe('a PostgreSQL server', () => {
  let server: DatabaseServer
  beforeAll(async () => {
    server = await startServer({ settings: { work_mem: '5MB' }, files: { 'note.txt': 'kept' } })
    await server.query('create table number (n int primary key)')
  })
  afterAll(() => server.dispose())

  it('is version 18, flushes, listens on loopback alone, and has the settings asked for', async () => {
    expect(await shown(server, 'server_version')).toMatch(/^18\./)
    expect(await shown(server, 'fsync')).toBe('on')
    expect(await shown(server, 'listen_addresses')).toBe('127.0.0.1')
    expect(await shown(server, 'work_mem')).toBe('5MB')
    expect(readFileSync(join(server.directory, 'note.txt'), 'utf8')).toBe('kept')
    await server.change({ work_mem: '6MB' })
    expect(await shown(server, 'work_mem')).toBe('6MB')
  })

  it('sorts text in another order than its bytes', async () => {
    const rows = await server.query<{ t: string }>("select t from unnest(array['b', 'B', 'a', 'A']) t order by t")
    expect(rows.map(({ t }) => t)).toEqual(['a', 'A', 'b', 'B'])
  })

  it('keeps what was committed when it is killed or stopped in any way, and its port', async () => {
    const { port } = server
    const ends = [() => server.kill9(), () => server.stop('immediate'), () => server.stop('fast')]
    for (const [n, end] of ends.entries()) {
      await server.query('insert into number values ($1)', [n])
      await end()
      expect(server.isRunning).toBe(false)
      await expect(server.query('select 1')).rejects.toThrow('ECONNREFUSED')
      await server.start()
    }
    expect(server.port).toBe(port)
    expect(await numbersOf(server)).toEqual([0, 1, 2])
  })

  it('answers nobody while it is paused, and then those who have waited', async () => {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await server.pause()
    const answer = client.query('select 1 as one')
    const late = server.query('select 2 as two')
    expect(await Promise.race([answer, late, pause(150, 'silence')])).toBe('silence')
    server.resume()
    expect((await answer).rows).toEqual([{ one: 1 }])
    expect(await late).toEqual([{ two: 2 }])
    await client.end()
  })

  it('can be put back to what it was', async () => {
    const backup = await server.backup()
    await server.query('insert into number values (99)')
    await server.restore(backup)
    expect(await numbersOf(server)).toEqual([0, 1, 2])
  })

  it('has standbys that are read from, waited for, cut off and promoted', async () => {
    const proxy = await startProxy(server)
    const standby = await server.startStandby({ name: 'beside', through: proxy.port })
    await server.change({ synchronous_standby_names: 'beside', synchronous_commit: 'remote_apply' })
    await server.query('insert into number values (7)')
    expect(await numbersOf(standby)).toEqual([0, 1, 2, 7])
    await expect(standby.query('insert into number values (8)')).rejects.toThrow('read-only')
    await proxy.become('blackHole')
    const waiting = server.query('insert into number values (8)').then(() => 'written')
    expect(await Promise.race([waiting, pause(150, 'waiting')])).toBe('waiting')
    await server.change({ synchronous_standby_names: '' })
    expect(await waiting).toBe('written')
    await server.kill9()
    await standby.promote()
    await standby.query('insert into number values (9)')
    expect(await numbersOf(standby)).toEqual([0, 1, 2, 7, 9])
    await standby.dispose()
    await proxy.dispose()
    await server.start()
  })

  it('ends with the process that started it, although it is paused', async () => {
    const script = `
      import { startServer } from './test/support/databases/embedded-server.ts'
      const server = await startServer()
      await server.pause()
      console.log(JSON.stringify([server.directory, server.port]))
      setInterval(() => {}, 1000)
    `
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(child.stdout, 'data')
    const [directory, port] = JSON.parse(String(line)) as [string, number]
    const pid = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0])
    expect(await isAlive(pid)).toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => existsSync(dirname(directory))).toBe(false)
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(await isListening(port)).toBe(false)
  })
})

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return Promise.race([once(socket, 'connect').then(() => true), once(socket, 'close').then(() => false)]).catch(
    () => false,
  )
}

describe('PostgreSQL 15 of Debian', () => {
  it('does the same', { timeout: INSTALL_PATIENCE_MS }, async (context) => {
    const missing = await missingDebianServer()
    context.skip(missing !== null, missing ?? '')
    const server = await startDebianServer()
    expect(await shown(server, 'server_version')).toMatch(/^15\./)
    await server.query('create table number (n int)')
    await server.kill9()
    await server.start()
    expect(await numbersOf(server)).toEqual([])
    await server.dispose()
  })
})

describe('pgbouncer', () => {
  it('changes connections between transactions, and delivers no notifications', {
    timeout: INSTALL_PATIENCE_MS,
  }, async (context) => {
    const missing = await missingPgbouncer()
    context.skip(missing !== null, missing ?? '')
    const server = await startServer()
    const pooler = await startPgbouncer(server.port)
    const client = new pg.Client({ connectionString: pooler.url })
    await client.connect()
    let heard = 0
    client.on('notification', () => heard++)
    await client.query('listen word')
    // what it says itself, on the same connection of the server, comes back with the answer: that proves nothing
    await client.query("select pg_notify('word', 'own')")
    expect(heard).toBe(1)
    await server.query("select pg_notify('word', 'of another')")
    await pause(200)
    expect(heard).toBe(1)
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    await pooler.dispose()
    await server.dispose()
  })
})

describe('a proxy', () => {
  let proxy: TcpProxy
  let port = 0
  /** What the server has been sent, all connections together. */
  let arrived = ''
  const listener = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      arrived += chunk
      socket.write(`<${chunk}>`)
    })
  })
  beforeAll(async () => {
    port = await freePort()
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    proxy = await startProxy({ port })
  })
  afterAll(async () => {
    await proxy.dispose()
    listener.close()
  })

  /** A connection, and how it ended. */
  function client() {
    const socket: Socket = connect(proxy.port, '127.0.0.1')
    const state = { socket, heard: '', end: null as string | null }
    socket.on('data', (chunk) => {
      state.heard += chunk
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      state.end = code ?? 'error'
    })
    socket.on('close', () => {
      state.end ??= 'closed'
    })
    return state
  }

  it('passes, and counts', async () => {
    const { sent } = proxy
    const before = { ...sent }
    const one = client()
    one.socket.write('hello')
    await expect.poll(() => one.heard).toBe('<hello>')
    expect([sent.toServer - before.toServer, sent.toClient - before.toClient]).toEqual([5, 7])
    one.socket.end()
    await expect.poll(() => proxy.openCount).toBe(0)
  })

  it('refuses', async () => {
    const open = client()
    open.socket.write('a')
    await expect.poll(() => open.heard).toBe('<a>')
    await proxy.become('refuse')
    await expect.poll(() => open.end).toBe('ECONNRESET')
    const late = client()
    await expect.poll(() => late.end).toBe('ECONNREFUSED')
    await proxy.become('pass')
    const next = client()
    next.socket.write('b')
    await expect.poll(() => next.heard).toBe('<b>')
    next.socket.end()
  })

  it('swallows everything, in connections that stay until it ends', async () => {
    arrived = ''
    const open = client()
    const idle = client()
    open.socket.write('a')
    await expect.poll(() => open.heard).toBe('<a>')
    await proxy.become('blackHole')
    open.socket.write('b')
    const late = client()
    late.socket.write('c')
    await pause(50)
    expect([open.end, late.end, arrived, open.heard]).toEqual([null, null, 'a', '<a>'])
    await proxy.become('pass')
    await expect.poll(() => [open.end, late.end]).toEqual(['ECONNRESET', 'ECONNRESET'])
    idle.socket.write('d')
    await expect.poll(() => idle.heard).toBe('<d>')
    idle.socket.end()
  })

  it('cuts the answer off: the request arrives', async () => {
    arrived = ''
    const open = client()
    await once(open.socket, 'connect')
    await proxy.become('cutAnswer')
    open.socket.write('a')
    await expect.poll(() => open.end).toBe('closed')
    expect([arrived, open.heard]).toEqual(['a', ''])
    await proxy.become('pass')
  })

  it('is slow, and keeps the order', async () => {
    await proxy.become('slow', { latencyMs: 40, bytesPerSecond: 1000 })
    const open = client()
    const before = performance.now()
    open.socket.write('a'.repeat(20))
    await pause(10)
    await proxy.become('pass')
    open.socket.write('b')
    await expect.poll(() => open.heard.endsWith('b>')).toBe(true)
    expect(performance.now() - before).toBeGreaterThan(60)
    expect(open.heard).toMatch(/^<a{20}(><)?b>$/)
    open.socket.end()
  })

  it('resets what is open, at once, and goes on', async () => {
    const open = client()
    open.socket.write('a')
    await expect.poll(() => open.heard).toBe('<a>')
    proxy.reset()
    await expect.poll(() => open.end).toBe('ECONNRESET')
    const next = client()
    next.socket.write('b')
    await expect.poll(() => next.heard).toBe('<b>')
    next.socket.end()
    await expect.poll(() => proxy.openCount).toBe(0)
  })

  it('resets who comes while there is no server', async () => {
    proxy.target = { port: await freePort() }
    const lost = client()
    await expect.poll(() => lost.end).toMatch(/ECONNRESET|closed/)
    proxy.target = { port }
  })
})
