/** Writing to stores of scenes as their keeper does, with any bytes for entries. */

import { firstDigest, nextDigest, randomWriteId } from '../../../src/scene/store/checksum-frame.ts'
import type { Append, Appended, NewEntry, SceneLife, SceneStore, Standing } from '../../../src/scene/store/store.ts'

export const bytesOf = (text: string) => new Uint8Array(Buffer.from(text))
export const textOf = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString())

/** Where a scene stands that somebody writes; incarnation null: it is not begun. */
export interface Stand {
  readonly id: string
  readonly incarnation: number | null
  readonly version: number
  readonly digest: Uint8Array
}

export const unbegun = (id: string): Stand => ({ id, incarnation: null, version: 0, digest: firstDigest() })

/** Entries of these payloads behind `digest`. */
export function entriesBehind(digest: Uint8Array, payloads: readonly (string | Uint8Array)[]): NewEntry[] {
  let before = digest
  return payloads.map((payload) => {
    const bytes = typeof payload === 'string' ? bytesOf(payload) : payload
    before = nextDigest(before, randomWriteId(), bytes)
    return { bytes, digest: before }
  })
}

export function appendTo(stand: Stand, payloads: readonly (string | Uint8Array)[]): Append {
  const { id, incarnation, version, digest } = stand
  const entries = entriesBehind(digest, payloads)
  return { id, incarnation, expectedVersion: version, expectedDigest: digest, entries }
}

/** Where the scene stands when the append has landed. */
export function standAfter({ id, entries, expectedDigest }: Append, { incarnation, version }: Appended): Stand {
  return { id, incarnation, version, digest: entries.at(-1)?.digest ?? expectedDigest }
}

/** Adds entries where the scene stands; throws when that is a conflict. */
export async function grow(store: SceneStore, stand: Stand, ...payloads: (string | Uint8Array)[]): Promise<Stand> {
  const append = appendTo(stand, payloads)
  const appended = await store.append(append)
  if (appended.conflict) throw new Error(`The scene ${stand.id} stands at ${appended.version}`)
  return standAfter(append, appended)
}

/** Begins a scene with these entries. */
export const begin = (store: SceneStore, id: string, ...payloads: (string | Uint8Array)[]) =>
  grow(store, unbegun(id), ...payloads)

/** Where a scene stands by what the store says of it. */
export async function standOf(store: SceneStore, id: string): Promise<Stand> {
  const head = await store.head(id)
  return head === null ? unbegun(id) : { ...head, digest: head.digest ?? firstDigest() }
}

/** Of a scene that is begun. */
export const lifeOf = ({ id, incarnation }: Stand): SceneLife => ({ id, incarnation: incarnation as number })

export const standingOf = (stand: Stand): Standing => ({ ...stand, incarnation: stand.incarnation as number })

export function dropOf(store: SceneStore, stand: Stand): Promise<Appended> {
  return store.drop(lifeOf(stand), appendTo(stand, ['gone']))
}
