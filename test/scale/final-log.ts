/** What lies in the database, read by statements of its own: every life of every scene with its entries. */

import { decodeEntry } from '../../src/scene/keeper/stored-forms.ts'
import type { Entry } from '../../src/scene/state/operation.ts'
import type { DatabaseServer } from '../support/databases/database-server.ts'

export interface LoggedEntry {
  readonly seq: number
  readonly digest: Buffer
  readonly bytes: Buffer
  /** Or what is wrong with it. */
  readonly entry: Entry | string
}

export interface LoggedLife {
  readonly incarnation: number
  readonly id: string
  readonly version: number
  readonly digest: Buffer
  /** The first entry that is still there. */
  readonly first: number
  readonly isDropped: boolean
  readonly entries: readonly LoggedEntry[]
}

interface SceneRow {
  scene: string
  id: string
  version: string
  digest: Buffer
  first: string
  dropped: boolean
}

interface EntryRow {
  scene: string
  seq: string
  digest: Buffer
  bytes: Buffer
}

export async function readFinalLog(database: DatabaseServer): Promise<LoggedLife[]> {
  const scenes = await database.query<SceneRow>(
    'select scene, id, version, digest, first, dropped_at is not null as dropped from tangent.scene order by scene',
  )
  const entries = await database.query<EntryRow>(
    'select scene, seq, digest, bytes from tangent.entry order by scene, seq',
  )
  const byScene = new Map<string, LoggedEntry[]>()
  for (const { scene, seq, digest, bytes } of entries) {
    const list = byScene.get(scene) ?? []
    byScene.set(scene, list)
    list.push({ seq: Number(seq), digest, bytes, entry: decoded(Number(seq), bytes) })
  }
  return scenes.map(({ scene, id, version, digest, first, dropped }) => ({
    incarnation: Number(scene),
    id,
    version: Number(version),
    digest,
    first: Number(first),
    isDropped: dropped,
    entries: byScene.get(scene) ?? [],
  }))
}

function decoded(seq: number, bytes: Buffer): Entry | string {
  try {
    return decodeEntry(seq, bytes)
  } catch (error) {
    return (error as Error).message
  }
}
