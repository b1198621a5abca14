// tangent backup and tangent restore: a copy of a data directory, also while a service writes to it, and the way back.

import { backUp, type Copied, putBack } from '../scene/store/backup.ts'
import { openFileStore } from '../scene/store/file-store.ts'
import { StoreError } from '../scene/store/store.ts'
import type { Flag } from './flags.ts'
import { type Asked, CLEAN, FOUND, type Subcommand } from './subcommand.ts'
import { Refused } from './terminal.ts'

const DATA_DIR: Flag = {
  name: 'dataDir',
  flag: 'data-dir',
  type: 'text',
  value: 'folder',
  description: 'The data directory; ./data when absent, or the variable DATA_DIR.',
}

function folders({ operands, values, ends }: Asked, what: string): { folder: string; dataDir: string } {
  const [folder, ...more] = operands
  if (folder === undefined || more.length > 0) throw new Refused(`Name one folder: ${what}.`)
  return { folder, dataDir: values.get('dataDir')?.at(-1) ?? ends.env.DATA_DIR ?? './data' }
}

function toldOf({ files, linked, bytes }: Copied): string {
  return `${files} files, ${(bytes / 2 ** 20).toFixed(1)} MiB${linked > 0 ? `, ${linked} of them linked` : ''}`
}

async function orRefused<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    // of the file system: a full disk, a folder that may not be written
    const isTold = error instanceof StoreError || (error as NodeJS.ErrnoException).syscall !== undefined
    throw isTold ? new Refused((error as Error).message) : error
  }
}

export const backup: Subcommand = {
  usage: 'FOLDER [--data-dir DIR]',
  about:
    'Copies the scenes of a data directory to a new folder, also while a service writes to them: each scene is at a version that it had meanwhile. Files that are never changed are linked where that is possible. Scenes in PostgreSQL are backed up with the tools of the database.',
  example: 'tangent backup backups/monday --data-dir ./data',
  flags: [DATA_DIR],
  async run(asked) {
    const { folder, dataDir } = folders(asked, 'where the copy goes')
    const copied = await orRefused(backUp(dataDir, folder))
    asked.ends.out.write(`${folder}: ${toldOf(copied)}\n`)
    return CLEAN
  },
}

export const restore: Subcommand = {
  usage: 'FOLDER [--data-dir DIR]',
  about:
    'Copies a backup to an empty data directory, and reads every scene of it: exits with 1, and names them, if any is damaged.',
  example: 'tangent restore backups/monday --data-dir ./restored',
  flags: [DATA_DIR],
  async run(asked) {
    const { folder, dataDir } = folders(asked, 'the backup')
    const copied = await orRefused(putBack(folder, dataDir))
    const { scenes, damaged } = await orRefused(lookThrough(dataDir))
    const { out, err } = asked.ends
    out.write(`${dataDir}: ${toldOf(copied)}, ${scenes} ${scenes === 1 ? 'scene' : 'scenes'}\n`)
    for (const line of damaged) err.write(`${line}\n`)
    return damaged.length > 0 ? FOUND : CLEAN
  },
}

/** How many scenes there are, and a line for each that cannot be read to its end. */
async function lookThrough(directory: string): Promise<{ scenes: number; damaged: string[] }> {
  const store = await openFileStore({ directory })
  const damaged: string[] = []
  try {
    const scenes = await store.list()
    for (const scene of scenes) {
      const from = (scene.snapshots[0] ?? 0) + 1
      if (from > scene.version) continue
      for await (const { version, bytes, damage } of store.read(scene, from)) {
        if (bytes !== null) continue
        damaged.push(`Scene ${scene.id}, version ${version}: ${damage ?? 'it is missing'}.`)
        break
      }
    }
    return { scenes: scenes.length, damaged }
  } finally {
    await store.close()
  }
}
