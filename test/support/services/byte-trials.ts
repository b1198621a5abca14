// Damages the files of a service at random, starts it on them, and asks everything: each scene is as it was, or said to be damaged;
// or the start ends with one line.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Keeper } from '../../../src/scene/keeper/keeper.ts'
import { openFileStore } from '../../../src/scene/store/file-store.ts'
import { creation, KEPT_SHAPES, prepare, randomOperations, seeded, spaceShape } from './kept-scenes.ts'
import { endServer, type SceneServer, startServer } from './scene-server.ts'

/** A start that takes longer hangs. */
const START_MS = 60_000
/** Processes at a time. */
const WORKER_COUNT = 4
const SCENES = ['quiet', 'busy', 'old', 'late', 'bulk']
/** Two of them are of space, with kept shapes. */
const dimensionOf = (id: string) => (id === 'busy' || id === 'late' ? 3 : 2)
const pathOf = (id: string) => `/v1/${dimensionOf(id)}d/scenes/${id}`

export interface ByteReport {
  trials: number
  /** Trials in which every scene was served as it was. */
  unharmed: number
  /** Trials in which scenes were said to be damaged, and how many scenes that were. */
  damaged: number
  damagedScenes: number
  /** Starts that ended with one line. */
  refused: number
}

/** Throws at the first crash, hang, or scene that is not what it was. */
export async function byteTrials(trials: number, seed: number, tell: (line: string) => void): Promise<ByteReport> {
  const random = seeded(seed)
  const original = mkdtempSync(join(tmpdir(), 'tangent-bytes-'))
  const report: ByteReport = { trials: 0, unharmed: 0, damaged: 0, damagedScenes: 0, refused: 0 }
  try {
    await fill(original, random)
    const whole = mkdtempSync(join(tmpdir(), 'tangent-bytes-'))
    copy(original, whole)
    const truth = await asked(whole).finally(() => rmSync(whole, { recursive: true, force: true }))
    if (typeof truth === 'string' || truth.size !== SCENES.length) throw new Error('The scenes are not there')
    let begun = 0
    const work = async () => {
      while (begun++ < trials) await trial()
    }
    const trial = async () => {
      const directory = mkdtempSync(join(tmpdir(), 'tangent-bytes-'))
      try {
        copy(original, directory)
        const what = damage(directory, random)
        const found = await asked(directory).catch((error) => {
          throw new Error(`After ${what}: ${(error as Error).message}`)
        })
        judge(truth, found, what, report, tell)
        report.trials++
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    }
    const workers = Array.from({ length: WORKER_COUNT }, work)
    // One that fails ends all, once the others have ended their processes.
    await Promise.all(workers).finally(() => {
      begun = trials
      return Promise.allSettled(workers)
    })
    return report
  } finally {
    rmSync(original, { recursive: true, force: true })
  }
}

/** Scenes with and without snapshots, in several files, some of it dropped and trimmed; then a service that is killed. */
async function fill(directory: string, random: () => number): Promise<void> {
  const store = await openFileStore({ directory, fileByteCount: 2 ** 16 })
  const keeper = await Keeper.open({ store, prepare, tailByteCount: 30_000 })
  const ids = new Map(SCENES.map((id) => [id, new Set<string>()]))
  for (const id of [...SCENES.slice(0, 3), 'gone']) await keeper.create(creation(id, { dimension: dimensionOf(id) }))
  await keeper.drop('gone')
  for (let write = 0; write < 1500; write++) {
    const id = write < 100 ? 'old' : write % 40 === 0 ? 'quiet' : 'busy'
    const operations = randomOperations(random, ids.get(id) as Set<string>, dimensionOf(id))
    // The service keeps data as text.
    for (const each of operations) {
      if (each.op === 'put' && each.body.data !== undefined) each.body.data = JSON.stringify(each.body.data)
    }
    await keeper.write(id, { at: write, operations })
  }
  await keeper.close()
  const server = await startServer({ DATA_DIR: directory })
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const { ok, status } = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!ok) throw new Error(`${method} ${path} is answered with ${status}`)
  }
  for (const { text } of KEPT_SHAPES) await send('POST', '/v1/3d/shapes', JSON.parse(text))
  for (const id of ['late', 'bulk']) await send('PUT', pathOf(id), {})
  const body = (n: number, id: string) => ({
    shape: dimensionOf(id) === 2 ? { type: 'circle', radius: 1 + n } : spaceShape(n),
    position: { x: n, y: -n, ...(dimensionOf(id) === 3 && { z: 2 * n }) },
    data: { n },
  })
  for (let n = 0; n < 60; n++) await send('PUT', `${pathOf(SCENES[n % 4])}/bodies/late-${n}`, body(n, SCENES[n % 4]))
  const operations = Array.from({ length: 2000 }, (_, n) => ({ op: 'put', body: { id: `b${n}`, ...body(n, 'bulk') } }))
  await send('POST', `${pathOf('bulk')}/operations`, { operations })
  await endServer(server, 'SIGKILL')
}

const isData = (path: string) => !/\/owner\.\d+$/.test(path)
const copy = (from: string, to: string) => cpSync(from, to, { recursive: true, filter: isData })

/** Damages one file; what was done, in words. */
function damage(directory: string, random: () => number): string {
  const below = (end: number) => Math.floor(random() * end)
  const all = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const names = all.map(({ parentPath, name }) => relative(directory, join(parentPath, name))).sort()
  const name = names[below(names.length)]
  const path = join(directory, name)
  const { size } = statSync(path)
  // What a lock leaves behind has no bytes; something else may lie in its place.
  if (random() < 0.05) {
    writeFileSync(join(directory, `owner.${1 + below(3)}`), Buffer.alloc(1 + below(100), below(256)))
    return 'something in the place of the lock'
  }
  const bytes = readFileSync(path)
  const from = below(size)
  const count = 1 + below(Math.min(size - from, random() < 0.5 ? 64 : 8192))
  const kind = below(10)
  if (kind < 6) {
    const flips = 1 + below(64)
    for (let k = 0; k < flips; k++) bytes[(from + (random() < 0.5 ? k : below(size))) % size] ^= 1 << below(8)
    writeFileSync(path, bytes)
    return `${flips} flipped bytes of ${name} from ${from}`
  }
  if (kind < 8) {
    writeFileSync(path, bytes.subarray(0, from))
    return `${name} cut at ${from} of ${size}`
  }
  writeFileSync(path, bytes.fill(0, from, from + count))
  return `${count} zeros in ${name} from ${from}`
}

/** All answers about each scene, or why it is damaged; a string: what the start ended with. */
async function asked(directory: string): Promise<Map<string, string> | string> {
  const server = await startServer({ DATA_DIR: directory, LOG_LEVEL: 'info' }, { isReady: false })
  try {
    const url = await readyUrl(server)
    if (url === null) return lastLine(server, await server.closed)
    const found = new Map<string, string>()
    for (const id of SCENES) found.set(id, await sceneAnswers(url, id))
    const gone = await fetch(`${url}/v1/2d/scenes/gone`)
    if (gone.status !== 404) throw new Error(`a scene that was dropped is answered with ${gone.status}`)
    const fresh = await fetch(`${url}/v1/2d/scenes/fresh`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    if (fresh.status !== 201) throw new Error(`a new scene is answered with ${fresh.status}`)
    assertPlain(server, directory)
    return found
  } finally {
    await endServer(server, 'SIGKILL')
  }
}

/** Where it listens once it is ready; null when it has ended. Throws when it hangs, or ends by a signal. */
async function readyUrl({ child, output }: SceneServer): Promise<string | null> {
  const started = performance.now()
  while (performance.now() - started < START_MS) {
    if (child.signalCode !== null) throw new Error(`the process ended by ${child.signalCode}`)
    if (child.exitCode !== null) return null
    const url = /"address":"([^"]+)"/.exec(output.out)?.[1]
    if (url !== undefined && (await fetch(`${url}/readyz`).catch(() => null))?.ok) return url
    await pause(10)
  }
  throw new Error('the start hangs')
}

function lastLine({ output }: SceneServer, code: number | null): string {
  const lines = output.err.trimEnd().split('\n')
  if (code !== 1 || lines.length !== 1 || !lines[0].startsWith('Scenes: ')) {
    throw new Error(`the start ended with ${code}: ${output.err}${output.out}`)
  }
  return lines[0]
}

/** No stack traces, and no paths but the directory's own. */
function assertPlain({ output }: SceneServer, directory: string): void {
  const told = `${output.out}${output.err}`.replaceAll(directory, '').replaceAll(/"url":"[^"]*"/g, '')
  const paths = told.match(/(?<![:/\w])\/[\w.-]+\/[\w./-]+/g) ?? []
  if (output.err !== '' || output.out.includes('    at ') || paths.length > 0) {
    throw new Error(`the log says ${output.err}${output.out}`)
  }
}

async function sceneAnswers(url: string, id: string): Promise<string> {
  const texts: string[] = []
  for (let path: string | null = ''; path !== null; ) {
    const response = await fetch(`${url}${pathOf(id)}${path}`)
    const text = await response.text()
    const answer = JSON.parse(text)
    if (response.status === 500 && answer.code === 'scene-damaged') return `damaged: ${answer.detail}`
    if (response.status !== 200) throw new Error(`scene ${id} is answered with ${response.status}: ${text}`)
    texts.push(text)
    const next: string | null = path === '' ? '' : (answer.next ?? null)
    path = next === null ? null : `/bodies?content=true&limit=1000${next === '' ? '' : `&cursor=${next}`}`
  }
  return texts.join('\n')
}

function judge(
  truth: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string> | string,
  what: string,
  report: ByteReport,
  tell: (line: string) => void,
): void {
  if (typeof found === 'string') {
    report.refused++
    tell(`${what}: ${found}`)
    return
  }
  const damaged = SCENES.filter((id) => found.get(id)?.startsWith('damaged: '))
  for (const id of SCENES) {
    if (found.get(id) === truth.get(id) || damaged.includes(id)) continue
    throw new Error(`After ${what}: scene ${id} is not what it was: ${found.get(id)?.slice(0, 300)}`)
  }
  report.damagedScenes += damaged.length
  if (damaged.length === 0) report.unharmed++
  else report.damaged++
  if (damaged.length > 0) tell(`${what}: ${damaged.map((id) => found.get(id)).join(' ')}`)
}
