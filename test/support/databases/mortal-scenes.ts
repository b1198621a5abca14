/** Scenes that expire, and a database whose rows are changed behind their stores. */

import type { SceneSummary } from '../../../src/scene/store/store.ts'
import { begin, lifeOf, type Stand } from '../services/written-scenes.ts'
import { sqlOn } from './sql-on.ts'
import type { Opened } from './stores.ts'

/** What is hard to keep: names with what JSON and SQL escape, the least and greatest numbers. */
export const summaryOf = (stand: Stand, more: Partial<SceneSummary> = {}): SceneSummary => ({
  id: stand.id,
  version: stand.version,
  digest: stand.digest,
  name: 'käse \u0000 \ud800 "quoted" \\ {}',
  dimension: 2,
  ttl: null,
  margin: 0.1,
  createdAt: 1,
  updatedAt: 2,
  bodyCount: 3,
  bounds: { min: { x: -1e-300, y: -Number.MAX_VALUE }, max: { x: 1 / 3, y: 5e-324 } },
  ...more,
})

/** Begins a scene of which it is told that it lives for so long, in seconds. */
export async function beginMortal(store: Opened, id: string, ttl: number): Promise<Stand> {
  const stand = await begin(store, id, 'x')
  await store.shared.summarise([{ ...lifeOf(stand), summary: summaryOf(stand, { ttl }) }])
  return stand
}

/** As if the scene had not been used for so many seconds. */
export const age = (url: string, id: string, seconds: number) =>
  sqlOn(url, `update tangent.scene set used_at = used_at - interval '${seconds} seconds' where id = '${id}'`)
