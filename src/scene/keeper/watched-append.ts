/** What a scene appends to its store, for others to watch. */

import { tracingChannel } from 'node:diagnostics_channel'
import { watched } from '../../watched.ts'
import type { Append, Appended } from '../store/store.ts'

/** What the channel `tangent:append` says of entries: from when they are sent to the store until they are durable. */
export interface WatchedAppend {
  readonly scene: string
  readonly byteLength: number
}

const APPENDS = tracingChannel<object, WatchedAppend>('tangent:append')

/** Appends as `appending` does. */
export function watchedAppend({ id, entries }: Append, appending: () => Promise<Appended>): Promise<Appended> {
  const messageOf = () => ({ scene: id, byteLength: entries.reduce((sum, { bytes }) => sum + bytes.length, 0) })
  return watched(APPENDS, messageOf, appending)
}
