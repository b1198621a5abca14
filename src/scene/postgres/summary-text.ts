/** What is listed of a scene, as it lies in its row: JSON, in ASCII, so that no encoding of a database changes a name. */

import type { SceneSummary } from '../store/store.ts'

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

export function summaryText(summary: SceneSummary): string {
  const { digest, ...rest } = summary
  const text = JSON.stringify({ ...rest, digest: Buffer.from(digest).toString('hex') })
  return text.replace(/[\u007f-\uffff]/g, escaped)
}

/** The summary that `summaryText` made the text of. */
export function parsedSummary(text: string): SceneSummary {
  const { digest, ...rest } = JSON.parse(text) as Omit<SceneSummary, 'digest'> & { digest: string }
  return { ...rest, digest: new Uint8Array(Buffer.from(digest, 'hex')) }
}

/** Of a scene about which nothing has been told yet but that it was begun. */
export function bareSummary(id: string, begunAt: number): SceneSummary {
  return {
    id,
    version: 0,
    digest: new Uint8Array(16),
    name: null,
    dimension: 2,
    ttl: null,
    margin: 0,
    createdAt: begunAt,
    updatedAt: begunAt,
    bodyCount: 0,
    bounds: null,
  }
}
