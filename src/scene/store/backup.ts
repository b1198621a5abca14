/**
 * A copy of a data directory while a process writes to it, and the way back.
 *
 * Method: nothing of the process is asked for. Its log is only ever added to at its end, and its other files are replaced, never changed. So the
 * ledger is copied first and the log last, its newest file as far as it goes then: each scene of the copy is at the version that it had
 * when that file was read, or at one that it had since the copy began. A last entry of which only a part was there is cut off by recovery, as after
 * a kill. If the process has compacted the log or taken a snapshot meanwhile, the copy
 * begins again. Older files are linked where the copy is on the
 * same file system, which takes no time and no room.
 */

import { constants, type Stats } from 'node:fs'
import { copyFile, link, lstat, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { LEDGER_NAME } from './ledger.ts'
import { numberOfLog, snapshotOfName } from './log-files.ts'
import { StoreError } from './store.ts'

/** What was put into a copy. */
export interface Copied {
  files: number
  linked: number
  bytes: number
}

/** Compactions and snapshots after which a copy is given up. */
const MOST_TRIES = 20
/** Where kept shapes are, in files that are never changed. */
const SHAPES = 'shapes'

/** A fault of what was named, such as a folder without scenes, which whoever asked can mend. */
export class BackupRefused extends StoreError {}

/** Copies the scenes of a data directory to a folder that is not there yet, which appears when the copy is whole and durable. */
export async function backUp(directory: string, folder: string): Promise<Copied> {
  if (await exists(folder)) throw new BackupRefused(`${folder} exists already: name a folder that does not.`)
  await namesIn(directory)
  const target = resolve(folder)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // of a name that nothing else has
    const unfinished = await mkdtemp(`${target}.new-`)
    try {
      const copied = await copyOnce(directory, unfinished)
      if (copied === null) continue
      await flushed(unfinished)
      await rename(unfinished, target)
      await flushed(dirname(target))
      return copied
    } finally {
      await rm(unfinished, { recursive: true, force: true })
    }
  }
  throw new BackupRefused(`The log of ${directory} was compacted again and again; try again when less is written.`)
}

/** Null where the log was compacted, or a snapshot taken, meanwhile. */
async function copyOnce(directory: string, target: string): Promise<Copied | null> {
  const names = await namesIn(directory)
  const logs = names.filter((name) => numberOfLog(name) !== null)
  logs.sort((a, b) => (numberOfLog(a) as number) - (numberOfLog(b) as number))
  const last = logs.at(-1)
  if (last === undefined)
    throw new BackupRefused(`${directory} has no scenes: it is no data directory of this release.`)
  const copied: Copied = { files: 0, linked: 0, bytes: 0 }
  const seen = new Map<string, Stats>()
  try {
    for (const name of logs) seen.set(name, await stat(join(directory, name)))
    if (names.includes(LEDGER_NAME)) await take(directory, target, LEDGER_NAME, copied, false)
    for (const name of snapshotsIn(names)) await take(directory, target, name, copied, true)
    for (const name of logs) await take(directory, target, name, copied, name !== last)
    for (const name of logs) {
      const { ino } = await stat(join(directory, name))
      if (ino !== seen.get(name)?.ino) return null
    }
    // what a new snapshot stands for may have been forgotten in the end of the log
    if (snapshotsIn(await namesIn(directory)).join() !== snapshotsIn(names).join()) return null
  } catch (error) {
    // a file that has gone was replaced by another
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  await takeShapes(directory, target, copied)
  return copied
}

function snapshotsIn(names: readonly string[]): string[] {
  return names.filter((name) => snapshotOfName(name) !== null).sort()
}

/** `isFixed`: it is never changed, and may be the same file in both places. */
async function take(from: string, to: string, name: string, copied: Copied, isFixed: boolean): Promise<void> {
  const target = join(to, name)
  const isLinked = isFixed && (await linked(join(from, name), target))
  if (!isLinked) {
    await copyFile(join(from, name), target, constants.COPYFILE_FICLONE)
    await flushed(target)
  }
  copied.files++
  copied.linked += +isLinked
  copied.bytes += (await stat(target)).size
}

/** False on file systems, and between them, where there are no links. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    return false
  }
}

/** Scenes hold what they refer to: a shape that is deleted meanwhile is no loss. */
async function takeShapes(directory: string, target: string, copied: Copied): Promise<void> {
  const names = await readdir(join(directory, SHAPES)).catch(() => [])
  if (names.length === 0) return
  await mkdir(join(target, SHAPES), { mode: 0o700 })
  for (const name of names) {
    await take(join(directory, SHAPES), join(target, SHAPES), name, copied, true).catch((error) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    })
  }
}

/** Copies a backup to a data directory that is empty or not there yet. Files are copied: the process goes on writing to them. */
export async function putBack(source: string, directory: string): Promise<Copied> {
  const names = await namesIn(source)
  if (!names.some((name) => numberOfLog(name) !== null))
    throw new BackupRefused(`${source} is no backup: it has no log.`)
  if ((await exists(directory)) && (await namesIn(directory)).length > 0) {
    throw new BackupRefused(`${directory} is not empty: name a data directory that is, or that does not exist.`)
  }
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const copied: Copied = { files: 0, linked: 0, bytes: 0 }
  for (const name of names) {
    if (name === SHAPES) continue
    await take(source, directory, name, copied, false)
  }
  if (names.includes(SHAPES)) {
    await mkdir(join(directory, SHAPES), { mode: 0o700 })
    for (const name of await readdir(join(source, SHAPES))) {
      await take(join(source, SHAPES), join(directory, SHAPES), name, copied, false)
    }
  }
  await flushed(directory)
  return copied
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    throw new BackupRefused(`${directory} cannot be read: ${(error as Error).message}`)
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

async function flushed(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
