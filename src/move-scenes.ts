#!/usr/bin/env node
// The command that moves scenes from a data directory to a database, or back: `--from` and `--to` are a directory, or postgres.
// Ends with 0 when all are there, 1 when some were left out, 2 when it could not be done.

import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Config, databaseConnection, loadConfig } from './config.ts'
import { IdsTaken, type MovedScene, moveScenes } from './scene/keeper/move-scenes.ts'
import { openPostgresStore } from './scene/postgres/postgres-store.ts'
import { openFileStore } from './scene/store/file-store.ts'
import { type Adopting, type SceneStore, StoreError, StoreLocked } from './scene/store/store.ts'
import { SERVICE_NAME, SERVICE_VERSION } from './version.ts'
import { prepareShape } from './wire/scene-body.ts'

const USAGE = 'npm run move-scenes -- --from <directory or postgres> --to <directory or postgres> [--verify]'
const DATABASE = 'postgres'
const PROGRESS_MS = 2000
/** Ids that are named in one line. */
const NAMED_COUNT = 10

/** The reason why nothing can be moved, in one line for people. */
class CannotMove extends Error {}

const say = (line: string) => process.stdout.write(`${line}\n`)
const complain = (line: string) => process.stderr.write(`${line.replaceAll(/\s*\n\s*/g, ' ')}\n`)
const megabytes = (byteCount: number) => `${(byteCount / 1e6).toFixed(1)} MB`
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

interface Asked {
  from: string
  to: string
  isFolded: boolean
}

function readArguments(): Asked {
  const options = { from: { type: 'string' }, to: { type: 'string' }, verify: { type: 'boolean' } } as const
  try {
    const { from = '', to = '', verify = false } = parseArgs({ options }).values
    if (from === '' || to === '') throw new CannotMove('both --from and --to are needed')
    if ((from === DATABASE) === (to === DATABASE)) {
      throw new CannotMove('one of --from and --to is a directory, the other is postgres')
    }
    return { from, to, isFolded: verify }
  } catch (error) {
    throw new CannotMove(`${(error as Error).message}. Usage: ${USAGE}`)
  }
}

async function openStore(place: string): Promise<SceneStore & Adopting> {
  if (place !== DATABASE) {
    return openFileStore({
      directory: place,
      createdBy: `${SERVICE_NAME} ${SERVICE_VERSION}`,
      onFinding: ({ file, at, byteCount }) => complain(`${file} is damaged: ${byteCount} bytes, the first at ${at}`),
    })
  }
  const config = readConfig()
  const connection = databaseConnection(config)
  return openPostgresStore({ connection, hasPooler: config.DATABASE_POOLER, migrate: config.DATABASE_MIGRATE })
}

function readConfig(): Config {
  try {
    return loadConfig({ ...process.env, SCENE_STORE: DATABASE })
  } catch (error) {
    throw new CannotMove(`Configuration: ${(error as Error).message}`)
  }
}

async function assertDirectory(place: string): Promise<void> {
  if (place === DATABASE) return
  const found = await stat(place).catch(() => null)
  if (found?.isDirectory() !== true) throw new CannotMove(`There is no directory ${place}`)
}

/** Counts what became of scenes, and says so: of those that are not as they should be at once, of the others now and then. */
class Report {
  readonly counts = { moved: 0, there: 0, leftOut: 0 }
  private readonly startedAt = performance.now()
  private saidAt = performance.now()
  private done = 0
  private byteCount = 0

  readonly wrote = (byteCount: number): void => {
    this.byteCount += byteCount
    this.sayNowAndThen()
  }

  add({ id, outcome, done }: MovedScene): void {
    this.done = done
    if (outcome.result === 'moved') {
      this.counts.moved++
      for (const note of outcome.notes) say(`${id}: ${note}`)
    } else if (outcome.result === 'there') this.counts.there++
    else {
      this.counts.leftOut++
      complain(`${id}: ${outcome.result}: ${outcome.reason}`)
    }
    this.sayNowAndThen()
  }

  end(): void {
    const { moved, there, leftOut } = this.counts
    say(
      `${moved} moved (${megabytes(this.byteCount)} of entries), ${there} there already, ${leftOut} not moved as they should be, in ${seconds(this.startedAt)}`,
    )
  }

  private sayNowAndThen(): void {
    if (performance.now() - this.saidAt < PROGRESS_MS) return
    this.saidAt = performance.now()
    say(`${this.done} scenes, ${megabytes(this.byteCount)} of entries, ${seconds(this.startedAt)}`)
  }
}

/** The exit code. */
async function moveAll({ from, to, isFolded }: Asked): Promise<number> {
  await assertDirectory(from)
  const source = await openStore(from)
  try {
    const target = await openStore(to)
    try {
      const report = new Report()
      const options = { prepare: prepareShape, isFolded, onBytes: report.wrote }
      for await (const moved of moveScenes(source, target, options)) report.add(moved)
      report.end()
      return report.counts.leftOut === 0 ? 0 : 1
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof IdsTaken) {
    const { ids } = error
    const more = ids.length > NAMED_COUNT ? ` and ${ids.length - NAMED_COUNT} more` : ''
    return `Nothing was moved: the target has other scenes of the same ids: ${ids.slice(0, NAMED_COUNT).join(', ')}${more}`
  }
  if (error instanceof StoreLocked) return `${error.message}. Stop the service first`
  if (error instanceof StoreError) return `Scenes: ${error.message}`
  return (error as Error).message
}

try {
  process.exitCode = await moveAll(readArguments())
} catch (error) {
  complain(reasonOf(error))
  process.exitCode = 2
}
