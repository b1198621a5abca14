// What the log of scenes costs: one writer against many through the keeper, bulk writes, and coming back after a restart.
// npm run bench:scenes [-- [--dimension=2|3] [DIRECTORY]]

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Keeper } from '../src/scene/keeper/keeper.ts'
import type { Operation, SceneBody } from '../src/scene/state/operation.ts'
import { openFileStore } from '../src/scene/store/file-store.ts'
import { prepareShape } from '../src/wire/scene-body.ts'

const WRITER_COUNTS = [1, 64, 1, 64, 1, 64]
const SLICE_MS = 2000
const BATCH_COUNT = 10
const BATCH_BODY_COUNT = 100_000
/** Enough for a snapshot of what was written. */
const SNAPSHOT_MS = 15_000

const { values, positionals } = parseArgs({
  options: { dimension: { type: 'string', default: '2' } },
  allowPositionals: true,
})
const dimension = values.dimension === '3' ? 3 : 2
const directory = mkdtempSync(join(positionals[0] ?? '.', 'scene-log-'))
const open = async () =>
  Keeper.open({ store: await openFileStore({ directory }), prepare: prepareShape, onEvent: console.log })
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

/** What the process holds: its own memory, and pages of files, which the system takes back when it needs them. */
function memory() {
  const status = readFileSync('/proc/self/status', 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024
  return { own: of('RssAnon'), mapped: of('RssFile') }
}

/** Measures from now on. */
function clock() {
  const started = performance.now()
  const cpu = process.cpuUsage()
  const before = memory()
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    const { own, mapped } = memory()
    const wall = ((performance.now() - started) / 1000).toFixed(2)
    const busy = ((user + system) / 1e6).toFixed(2)
    return `${wall} s (${busy} s of CPU), ${megabytes(own - before.own)} MB more of its own, ${megabytes(mapped - before.mapped)} MB mapped`
  }
}

const body = (n: number): SceneBody => ({
  id: `body-${n}`,
  ...(dimension === 2 ? inPlane(n) : inSpace(n)),
  tags: [n % 2 === 0 ? 'wall' : 'floor'],
})
const inPlane = (n: number) => ({
  shape: { type: 'box', width: 1 + (n % 16) / 8, height: 1 },
  position: { x: (n % 1000) * 3, y: Math.floor(n / 1000) * 3 },
})
const inSpace = (n: number) => ({
  shape: { type: 'box', size: { x: 1 + (n % 16) / 8, y: 1, z: 1 } },
  position: { x: (n % 100) * 3, y: (Math.floor(n / 100) % 100) * 3, z: Math.floor(n / 10_000) * 3 },
})

async function writersOf(keeper: Keeper, count: number): Promise<number> {
  const started = performance.now()
  let done = 0
  const write = async (writer: number) => {
    while (performance.now() - started < SLICE_MS) {
      const operations: Operation[] = [
        { op: 'put', body: { ...body(writer), position: { ...body(0).position, x: done, y: writer } } },
      ]
      await keeper.write('small', { at: Date.now(), operations })
      done++
    }
  }
  await Promise.all(Array.from({ length: count }, (_, writer) => write(writer)))
  return done / ((performance.now() - started) / 1000)
}

try {
  let keeper = await open()
  await keeper.create({ op: 'create', sceneId: 'small', dimension, at: Date.now() })
  await keeper.create({ op: 'create', sceneId: 'large', dimension, at: Date.now() })
  for (const count of WRITER_COUNTS) {
    console.log(`${count} writers: ${Math.round(await writersOf(keeper, count))} writes a second`)
  }
  const loaded = clock()
  for (let batch = 0; batch < BATCH_COUNT; batch++) {
    const first = batch * BATCH_BODY_COUNT
    const operations = Array.from(
      { length: BATCH_BODY_COUNT },
      (_, n): Operation => ({ op: 'put', body: body(first + n) }),
    )
    const written = clock()
    await keeper.write('large', { at: Date.now(), operations })
    console.log(`batch of ${BATCH_BODY_COUNT}: ${written()}`)
  }
  console.log(`loaded: ${loaded()}`)
  const closed = clock()
  await keeper.close()
  console.log(`closed: ${closed()}`)
  for (const what of ['what there was', 'a snapshot']) {
    const back = clock()
    keeper = await open()
    console.log(`back from ${what}: ${keeper.loaded('large')!.table.count} bodies, ${back()}`)
    await new Promise((resolve) => setTimeout(resolve, SNAPSHOT_MS))
    console.log(`${megabytes(keeper.usage().bytes)} MB stored; a while later: ${back()}`)
    await keeper.close()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
