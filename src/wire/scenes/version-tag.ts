/**
 * Versions of scenes as clients name them: `12.1f3a9c07`, the version and the first digits of its digest, by which it is told from
 * another twelfth version, of a scene that was begun anew or put back to an earlier state. `12` alone says less, and is taken too.
 */

import { shownDigest } from '../../scene/store/digest.ts'

export interface NamedVersion {
  readonly version: number
  /** The digits. */
  readonly digest?: string
}

/** Where a scene stands. `digest` null: it is not known. */
export interface Stand {
  readonly version: number
  readonly digest: Uint8Array | null
}

/** The ETag of a version. */
export function tagOf(stand: Stand): string {
  return `"${nameOf(stand)}"`
}

/** The same without quotes. */
export function nameOf({ version, digest }: Stand): string {
  return digest === null ? `${version}` : `${version}.${shownDigest(digest)}`
}

const TAG = /(?:W\/)?"([^"]*)"/g
const NAME = /^(0|[1-9][0-9]{0,15})(?:\.([0-9a-f]{8}))?$/

/** One that may be in quotes; null: it is none. */
export function parseName(text: string): NamedVersion | null {
  const match = NAME.exec(text.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
  if (match === null) return null
  const version = Number(match[1])
  return match[2] === undefined ? { version } : { version, digest: match[2] }
}

/** Those of a list of tags; what else is in it is passed over. */
export function parseTags(text: string): NamedVersion[] {
  const tags: NamedVersion[] = []
  for (const [, name] of text.matchAll(TAG)) {
    const named = parseName(name)
    if (named !== null) tags.push(named)
  }
  return tags
}

export function isNamed(stand: Stand, { version, digest }: NamedVersion): boolean {
  if (version !== stand.version) return false
  return digest === undefined || stand.digest === null || digest === shownDigest(stand.digest)
}
