// The command that moves scenes, run as it is run, between services that keep them in a directory and in a database.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseServer } from './support/databases/database-server.ts'
import { startServer } from './support/databases/embedded-server.ts'
import { databaseUrl, newSceneDatabase } from './support/databases/scene-databases.ts'
import { sqlOn } from './support/databases/sql-on.ts'
import { bundled } from './support/services/bundled.ts'
import { type HeardEvent, parseEvents } from './support/services/event-listener.ts'
import { type SceneClient, startScenes } from './support/services/scene-client.ts'

let server: DatabaseServer
let script = ''
beforeAll(async () => {
  server = await startServer()
  script = await bundled('src/move-scenes.ts')
})
afterAll(async () => {
  await server?.dispose()
})

const directories: string[] = []
const clients: SceneClient[] = []
const children = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const client of clients.splice(0)) await client.close()
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tangent-move-'))
  directories.push(directory)
  return directory
}

const newDatabase = async () => databaseUrl(server.url, await newSceneDatabase(server))

async function serve(env: Record<string, string>): Promise<SceneClient> {
  const client = await startScenes(env)
  clients.push(client)
  return client
}
const serveDirectory = (directory: string) => serve({ SCENE_STORE: 'file', DATA_DIR: directory })
const serveDatabase = (url: string) => serve({ SCENE_STORE: 'postgres', DATABASE_URL: url })

function begin(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  const ended = once(child, 'close').then(([code]) => {
    children.delete(child)
    return { code: code as number | null, ...output }
  })
  return { child, ended }
}
const run = (args: readonly string[], env?: Record<string, string>) => begin(args, env).ended

/** What is heard of a scene until its `last` version. */
async function eventsBehind(client: SceneClient, id: string, lastEventId: string, last: number): Promise<HeardEvent[]> {
  const { url } = client as SceneClient & { url?: string }
  const address = url ?? (await client.app.listen({ host: '127.0.0.1', port: 0 }))
  Object.assign(client, { url: address })
  const gone = new AbortController()
  const response = await fetch(`${address}/v1/2d/scenes/${id}/events`, {
    headers: { 'last-event-id': lastEventId },
    signal: gone.signal,
  })
  if (response.body === null) throw new Error(`${response.status}`)
  const heard: HeardEvent[] = []
  let text = ''
  try {
    for await (const chunk of response.body) {
      text += Buffer.from(chunk).toString()
      const { events, rest } = parseEvents(text)
      heard.push(...events)
      text = rest
      if (heard.some(({ event, data }) => event === 'reset' || data.version >= last)) break
    }
  } finally {
    gone.abort()
  }
  return heard
}

/** Ids of events have digests where the log of the store has them. */
const versionsOnly = (events: readonly HeardEvent[]) =>
  events.map((event) => ({ ...event, id: event.id.replace(/\..*/, '') }))

const circles = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, k) => ({
    id: `${prefix}${k}`,
    shape: { type: 'circle', radius: 1 },
    position: { x: 3 * k, y: -0 },
    tags: ['ring'],
    data: { k, text: 'ü' },
  }))

describe('scenes that were moved', () => {
  it('are exported byte for byte as before, know repeated requests, and go on with their events', async () => {
    const directory = newDirectory()
    let client = await serveDirectory(directory)
    const ids = [
      await client.createScene(circles(1500, 'many'), { name: 'large', ttl: 7200 }),
      await client.createScene(circles(3, 'few')),
      await client.createScene(),
    ]
    const operations = { operations: [{ op: 'move', id: 'few0', position: { x: 0.1, y: 9 } }] }
    const key = { 'idempotency-key': 'only-once' }
    const first = await client.send('POST', `/${ids[1]}/operations`, operations, key)
    expect(first.status).toBe(200)
    for (let k = 0; k < 20; k++) await client.put(ids[1], circles(2, `later${k}`))
    const last = first.body.version + 20
    const look = async ({ send }: SceneClient) =>
      Promise.all(
        ids.map(async (id) => {
          const { status, headers, text } = await send('GET', `/${id}/export?format=json`)
          const settings = await send('GET', `/${id}`)
          return { status, tag: headers.etag, text, settings: settings.text }
        }),
      )
    const before = await look(client)
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200])
    // with its digest
    const told = String(first.headers.etag).replaceAll('"', '')
    expect(told).toMatch(/^\d+\.[0-9a-f]{8}$/)
    const heard = versionsOnly(await eventsBehind(client, ids[1], told, last))
    expect(heard.filter(({ event }) => event === 'operations')).toHaveLength(20)
    await client.close()

    const url = await newDatabase()
    const there = await run(['--from', directory, '--to', 'postgres', '--verify'], { DATABASE_URL: url })
    expect(there).toMatchObject({ code: 0, err: '' })
    expect(there.out).toMatch(/^3 moved \([\d.]+ MB of entries\), 0 there already, 0 not moved/)
    const check = async (served: SceneClient) => {
      expect(await look(served)).toEqual(before)
      const listed = (await served.send('GET', '')).body
      expect(JSON.stringify(listed)).toContain('large')
      const again = await served.send('POST', `/${ids[1]}/operations`, operations, key)
      expect([again.status, again.body.version]).toEqual([200, first.body.version])
      expect(versionsOnly(await eventsBehind(served, ids[1], told, last))).toEqual(heard)
    }
    client = await serveDatabase(url)
    await check(client)
    await client.close()

    const back = newDirectory()
    expect(await run(['--from', 'postgres', '--to', back], { DATABASE_URL: url })).toMatchObject({ code: 0, err: '' })
    client = await serveDirectory(back)
    await check(client)
    await client.put(ids[2], circles(1, 'new'))
  })

  it('go on where they were when the process was killed', async () => {
    const directory = newDirectory()
    const client = await serveDirectory(directory)
    for (let k = 0; k < 40; k++) await client.createScene(circles(400, 'b'))
    await client.close()
    const url = await newDatabase()
    const args = ['--from', directory, '--to', 'postgres']
    const killed = begin(args, { DATABASE_URL: url })
    const count = async () => {
      const text = 'select count(*)::int as count from tangent.scene where dropped_at is null'
      return (await sqlOn<{ count: number }>(url, text))[0].count
    }
    while ((await count()) < 3 && killed.child.exitCode === null) await pause(5)
    killed.child.kill('SIGKILL')
    expect((await killed.ended).code).toBeNull()
    const moved = await count()
    expect(moved).toBeLessThan(40)
    const again = await run(args, { DATABASE_URL: url })
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toContain(`${40 - moved} moved`)
    expect(again.out).toContain(`${moved} there already`)
    expect(await count()).toBe(40)
  })
})

describe('what is said, and how it ends', () => {
  it('refuses a directory that a service owns', async () => {
    const directory = newDirectory()
    await serveDirectory(directory)
    const { code, out, err } = await run(['--from', directory, '--to', 'postgres'], {
      DATABASE_URL: await newDatabase(),
    })
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^[^\n]*in use by process \d+[^\n]*Stop the service first\n$/i)
  })

  it('names damaged scenes, and moves the others', async () => {
    const directory = newDirectory()
    const client = await serveDirectory(directory)
    const ids = [await client.createScene(circles(2, 'x')), await client.createScene(circles(2, 'y'))]
    await client.close()
    const log = join(directory, readdirSync(directory).find((name) => name.startsWith('log-')) as string)
    const bytes = readFileSync(log)
    bytes[bytes.indexOf('"x1"') + 1] ^= 1
    writeFileSync(log, bytes)
    const url = await newDatabase()
    const { code, out, err } = await run(['--from', directory, '--to', 'postgres'], { DATABASE_URL: url })
    expect(code).toBe(1)
    expect(out).toMatch(/^1 moved .* 1 not moved as they should be/)
    expect(err).toMatch(new RegExp(`^log-\\d+ is damaged: .*\\n${ids[0]}: damaged: its entry 2 is damaged: .*\\n$`))
    expect(await sqlOn(url, 'select id from tangent.scene')).toEqual([{ id: ids[1] }])
  })

  it('moves nothing where there are others of the same ids', async () => {
    const directory = newDirectory()
    const client = await serveDirectory(directory)
    const id = await client.createScene(circles(2, 'x'))
    await client.createScene()
    await client.close()
    const url = await newDatabase()
    const other = await serveDatabase(url)
    expect((await other.send('PUT', `/${id}`, {})).status).toBe(201)
    const { code, err } = await run(['--from', directory, '--to', 'postgres'], { DATABASE_URL: url })
    expect([code, err]).toEqual([2, `Nothing was moved: the target has other scenes of the same ids: ${id}\n`])
    expect(await sqlOn(url, 'select id from tangent.scene')).toEqual([{ id }])
  })

  it.each([
    [[], {}, /^both --from and --to are needed\. Usage: /],
    [
      ['--from', 'postgres', '--to', 'postgres'],
      {},
      /^one of --from and --to is a directory, the other is postgres\. Us/,
    ],
    [['--from', '/tmp', '--to', 'postgres', '--force'], {}, /'--force'.*Usage: /],
    [['--from', '/no/such/place', '--to', 'postgres'], {}, /^There is no directory \/no\/such\/place$/],
    [['--from', 'postgres', '--to', 'DIRECTORY'], {}, /^Configuration: DATABASE_URL or DATABASE_URL_FILE must say/],
    [
      ['--from', 'postgres', '--to', 'DIRECTORY'],
      { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b' },
      /^Scenes: .*reached/,
    ],
  ])('says in a line what is wrong: %j', async (args, env, line) => {
    const directory = join(newDirectory(), 'new')
    const placed = args.map((word) => (word === 'DIRECTORY' ? directory : word))
    const { code, out, err } = await run(placed, env as Record<string, string>)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^[^\n]+\n$/)
    expect(err.trimEnd()).toMatch(line)
    expect(err).not.toContain('secret')
    expect(existsSync(directory)).toBe(false)
  })
})
