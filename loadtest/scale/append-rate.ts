// How fast entries of 200 bytes are appended to PostgreSQL: by one writer against a flush, by 64 writers of a scene each through one
// store, and by pgbench with the same statement and groups of 64, on one connection too. All in turns.
// npm run bench:append [-- ROUNDS]: on a server of its own, or the one at DATABASE_URL, whose schema tangent is filled.

import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { APPEND_STATEMENT } from '../../src/scene/postgres/append-group.ts'
import { openPostgresStore } from '../../src/scene/postgres/postgres-store.ts'
import { firstDigest } from '../../src/scene/store/checksum-frame.ts'
import type { SceneStore } from '../../src/scene/store/store.ts'
import { startServer } from '../../test/support/databases/embedded-server.ts'

const WRITER_COUNT = 64
const ENTRY_BYTE_COUNT = 200
const SLICE_SECONDS = 4
const WARM_UP_MS = 1000
const FLUSH_COUNT = 500

const digest = new Uint8Array(16).fill(7)
const bytes = new Uint8Array(ENTRY_BYTE_COUNT).fill(120)
const rounds = Number(process.argv[2] ?? '3')

/** A scene that an entry is appended to again and again. */
async function writer(store: SceneStore, id: string) {
  const first = {
    id,
    incarnation: null,
    expectedVersion: 0,
    expectedDigest: firstDigest(),
    entries: [{ bytes, digest }],
  }
  const { incarnation } = await store.append(first)
  let version = 1
  const append = async () => {
    const next = { id, incarnation, expectedVersion: version, expectedDigest: digest, entries: [{ bytes, digest }] }
    const answer = await store.append(next)
    if (answer.conflict) throw new Error(`${id} stands at ${answer.version}`)
    version = answer.version
  }
  return { append, incarnation }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]

/** Of a page, written anew to a file beside: what the disk takes by itself, in ms. */
async function flushMs(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tangent-flush-'))
  const file = await open(join(folder, 'file'), 'w')
  const page = Buffer.alloc(8192, 1)
  const times: number[] = []
  for (let k = 0; k < FLUSH_COUNT; k++) {
    const begun = performance.now()
    await file.write(page, 0, page.length, 0)
    await file.datasync()
    times.push(performance.now() - begun)
  }
  await file.close()
  await rm(folder, { recursive: true })
  return median(times)
}

async function confirmMs(store: SceneStore): Promise<number> {
  const times: number[] = []
  for (let k = 0; k < FLUSH_COUNT; k++) {
    const begun = performance.now()
    await store.shared?.confirm()
    times.push(performance.now() - begun)
  }
  return median(times)
}

async function aloneMs(store: SceneStore, id: string): Promise<number> {
  const { append } = await writer(store, id)
  const times: number[] = []
  for (const until = performance.now() + (SLICE_SECONDS / 2) * 1000; performance.now() < until; ) {
    const begun = performance.now()
    await append()
    times.push(performance.now() - begun)
  }
  return median(times)
}

/** Entries a second, and the size of a group. */
async function together(store: SceneStore, round: string): Promise<[rate: number, groupSize: number]> {
  const writers = await Promise.all(Array.from({ length: WRITER_COUNT }, (_, k) => writer(store, `${round}-${k}`)))
  const count = async (ms: number) => {
    const begun = performance.now()
    const commits = store.shared?.status().commits ?? 0
    let done = 0
    await Promise.all(
      writers.map(async ({ append }) => {
        for (; performance.now() - begun < ms; done++) await append()
      }),
    )
    const groups = (store.shared?.status().commits ?? 0) - commits
    return [(done / (performance.now() - begun)) * 1000, done / groups] as [number, number]
  }
  await count(WARM_UP_MS)
  return count(SLICE_SECONDS * 1000)
}

const list = (of: (k: number) => unknown) => `{${Array.from({ length: WRITER_COUNT }, (_, k) => of(k)).join(',')}}`

/** The same by pgbench: null where there is none. All that is sent to the server with a group is sent with this one too. */
async function byPgbench(store: SceneStore, url: string, round: string): Promise<number | null> {
  const writers = await Promise.all(Array.from({ length: WRITER_COUNT }, (_, k) => writer(store, `${round}-p${k}`)))
  const repeated = (text: string) => text.repeat(WRITER_COUNT)
  const values: Record<number, string> = {
    1: list((k) => `${round}-p${k}`),
    2: list((k) => writers[k].incarnation),
    5: list(() => 1),
    7: list(() => 0),
    8: list(() => 0),
    9: list(() => 'null'),
    10: list(() => 'null'),
    11: list((k) => k + 1),
    12: list(() => 1),
    13: list((k) => k * ENTRY_BYTE_COUNT),
    14: list(() => ENTRY_BYTE_COUNT),
    16: repeated('x'.repeat(ENTRY_BYTE_COUNT)),
    17: 'on',
  }
  const digests = `\\x${repeated('07'.repeat(16))}`
  for (const number of [4, 6, 15]) values[number] = digests
  const text = APPEND_STATEMENT.replace(/\$(\d+)/g, (_, number: string) => {
    if (number === '3') return `array_fill(:version::bigint, array[${WRITER_COUNT}])`
    return number === '16' ? "convert_to(:v16::text, 'UTF8')" : `:v${number}`
  })
  const folder = mkdtempSync(join(tmpdir(), 'tangent-pgbench-'))
  const script = join(folder, 'script.sql')
  writeFileSync(script, `${text.replaceAll('\n', ' ')};\n\\set version :version + 1\n`)
  const defined = Object.entries(values).flatMap(([number, value]) => ['-D', `v${number}=${value}`])
  try {
    const args = [
      '-n',
      '-M',
      'prepared',
      '-c',
      '1',
      '-T',
      `${SLICE_SECONDS}`,
      '-D',
      'version=1',
      ...defined,
      '-f',
      script,
    ]
    const { stdout } = await promisify(execFile)('pgbench', [...args, url])
    const transactions = Number(/actually processed: (\d+)/.exec(stdout)?.[1])
    const stands = (await store.head(`${round}-p0`))?.version
    if (stands !== transactions + 1) throw new Error(`Of ${transactions} groups ${stands} have landed`)
    return (transactions / SLICE_SECONDS) * WRITER_COUNT
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  } finally {
    await rm(folder, { recursive: true })
  }
}

const given = process.env.DATABASE_URL
const server = given === undefined ? await startServer({ settings: { shared_buffers: '256MB' } }) : null
const url = given ?? server?.url ?? ''
const store = await openPostgresStore({ connection: { url }, migrate: true })
const name = Date.now().toString(36)
for (let round = 1; round <= rounds; round++) {
  const flush = await flushMs()
  const confirm = await confirmMs(store)
  const alone = await aloneMs(store, `${name}-${round}-alone`)
  console.log(
    `flush of a page ${flush.toFixed(2)} ms, smallest commit ${confirm.toFixed(2)} ms, one writer p50 ${alone.toFixed(2)} ms`,
  )
  const [rate, size] = await together(store, `${name}-${round}`)
  const bench = await byPgbench(store, url, `${name}-${round}`)
  const ratio = bench === null ? '' : `, pgbench ${Math.round(bench)}: ${(rate / bench).toFixed(2)} of it`
  console.log(`${WRITER_COUNT} writers ${Math.round(rate)} entries/s in groups of ${size.toFixed(1)}${ratio}`)
}
await store.close()
await server?.dispose()
