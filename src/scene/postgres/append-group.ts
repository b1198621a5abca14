/**
 * What is put together of the calls that wait: for every scene a chain of calls, each building on the one before, which land together
 * or not at all. Calls of one scene stay in their order: behind one that does not build on what the chain leaves, none is taken.
 */

import { isSameDigest } from '../store/digest.ts'
import type { Append, Appended, SceneSummary, StoreError } from '../store/store.ts'
import {
  APPEND_KINDS,
  APPEND_STATEMENT,
  type AppendKind,
  BEGIN_STATEMENT,
  BEGIN_STATEMENT_1,
} from './append-statement.ts'
import type { Row, Statement } from './connection.ts'
import type { CheckedServer } from './server-check.ts'
import { summaryText } from './summary-text.ts'

export interface AppendCall {
  readonly append: Append
  readonly kind: AppendKind
  readonly byteCount: number
  readonly succeeded: (appended: Appended) => void
  readonly failed: (error: StoreError) => void
}

/** Calls of one scene, in their order. */
export interface Chain {
  /** Each builds on the one before. */
  readonly calls: AppendCall[]
  /** Those among them that do not, and lose when the chain lands: where it stands when it is their turn. */
  readonly losers: { readonly call: AppendCall; readonly behind: number; readonly version: number }[]
  entryCount: number
}

const GROUP_BYTE_COUNT = 8 * 2 ** 20
const CHAIN_ENTRY_COUNT = 256
const GROUP_CALL_COUNT = 2048
/** Of a scene that more is asked of than goes into a group, so many are passed over in search of others. */
const PASSED_OVER_COUNT = 4096

/** Takes calls out of `waiting`, which keeps the rest in order. At least one is taken, if there is any. */
export function takeGroup(waiting: AppendCall[]): Chain[] {
  const chains = new Map<string, Chain>()
  const closed = new Set<string>()
  const rest: AppendCall[] = []
  let byteCount = 0
  let at = 0
  const isRoom = () =>
    byteCount < GROUP_BYTE_COUNT && rest.length < PASSED_OVER_COUNT && at - rest.length < GROUP_CALL_COUNT
  for (; at < waiting.length && isRoom(); at++) {
    const call = waiting[at]
    const { id } = call.append
    const fits = byteCount === 0 || byteCount + call.byteCount <= GROUP_BYTE_COUNT
    const chain = chains.get(id)
    if (!closed.has(id) && chain === undefined && fits) {
      chains.set(id, { calls: [call], losers: [], entryCount: call.append.entries.length })
      byteCount += call.byteCount
    } else if (!closed.has(id) && chain !== undefined && isLoser(chain, call)) {
      const { calls, entryCount } = chain
      chain.losers.push({ call, behind: calls.length, version: calls[0].append.expectedVersion + entryCount })
    } else if (!closed.has(id) && chain !== undefined && fits && hasRoom(chain, call)) {
      chain.calls.push(call)
      chain.entryCount += call.append.entries.length
      byteCount += call.byteCount
    } else {
      closed.add(id)
      rest.push(call)
    }
  }
  waiting.splice(0, at, ...rest)
  return [...chains.values()]
}

const hasRoom = (chain: Chain, { append }: AppendCall) =>
  !isEnded(chain) && chain.entryCount + append.entries.length <= CHAIN_ENTRY_COUNT

/** Of a scene that is dropped, nothing can be said before it is. */
const isEnded = ({ calls }: Chain) => calls[calls.length - 1].kind !== APPEND_KINDS.append

/** Whether the call is wrong when the chain has landed. */
function isLoser(chain: Chain, { append }: AppendCall): boolean {
  const first = chain.calls[0].append
  const last = chain.calls[chain.calls.length - 1].append
  // of one that is begun the number is not known yet
  const isThisLife = first.incarnation !== null && append.incarnation === first.incarnation
  const buildsOn =
    isThisLife &&
    append.expectedVersion === first.expectedVersion + chain.entryCount &&
    isSameDigest(append.expectedDigest, digestAfter(last))
  return !buildsOn && !isEnded(chain)
}

/** All calls of a chain, in their order. */
export function callsOf({ calls, losers }: Chain): AppendCall[] {
  const all = [...calls]
  for (const { call, behind } of losers.toReversed()) all.splice(behind, 0, call)
  return all
}

export function digestAfter({ entries, expectedDigest }: Append): Uint8Array {
  return entries.length === 0 ? expectedDigest : entries[entries.length - 1].digest
}

/** The statement of a group. `isNamed`: prepared once. */
export function groupStatement(
  chains: readonly Chain[],
  { synchronousCommit, schema }: Pick<CheckedServer, 'synchronousCommit' | 'schema'>,
  isNamed: boolean,
): Statement {
  const lists: (number | string)[][] = Array.from({ length: 13 }, () => [])
  const [ids, scenes, expected, counts, kinds, summaryVersions, ttls, summaries, places, nths, starts, sizes, mosts] =
    lists
  const expectedDigests: Uint8Array[] = []
  const lastDigests: Uint8Array[] = []
  const digests: Uint8Array[] = []
  const payloads: Uint8Array[] = []
  let start = 0
  let isBegun = false
  for (const [index, { calls, entryCount }] of chains.entries()) {
    const { append: first } = calls[0]
    const { append: last, kind } = calls[calls.length - 1]
    isBegun ||= begins(calls[0])
    ids.push(quoted(first.id))
    scenes.push(first.incarnation ?? 'null')
    expected.push(first.expectedVersion)
    expectedDigests.push(first.expectedDigest)
    counts.push(entryCount)
    lastDigests.push(digestAfter(last))
    kinds.push(kind)
    mosts.push(first.maxScenes ?? 'null')
    const summary = newestSummary(calls)
    summaryVersions.push(summary?.version ?? 0)
    ttls.push(summary?.ttl ?? 'null')
    summaries.push(summary === undefined ? 'null' : quoted(summaryText(summary)))
    let nth = 0
    for (const { append } of calls) {
      for (const { digest, bytes } of append.entries) {
        places.push(index + 1)
        nths.push(++nth)
        starts.push(start)
        sizes.push(bytes.length)
        digests.push(digest)
        payloads.push(bytes)
        start += bytes.length
      }
    }
  }
  const values = [ids, scenes, expected, Buffer.concat(expectedDigests), counts, Buffer.concat(lastDigests), kinds]
  values.push(summaryVersions, ttls, summaries, places, nths, starts, sizes, Buffer.concat(digests))
  values.push(Buffer.concat(payloads, start))
  const sent = [...values.map((value) => (Array.isArray(value) ? `{${value.join(',')}}` : value)), synchronousCommit]
  const text = isBegun ? (schema === 1 ? BEGIN_STATEMENT_1 : BEGIN_STATEMENT) : APPEND_STATEMENT
  return {
    text,
    values: isBegun ? [...sent, `{${mosts.join(',')}}`] : sent,
    ...(isNamed && { name: isBegun ? 'begin' : 'append' }),
  }
}

function begins({ append, kind }: AppendCall): boolean {
  return append.expectedVersion === 0 && append.incarnation === null && kind === APPEND_KINDS.append
}

function newestSummary(calls: readonly AppendCall[]): SceneSummary | undefined {
  return calls.findLast(({ append }) => append.summary !== undefined)?.append.summary
}

/** As an element of an array. */
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Tells the calls of a chain what became of them. Those that are to be judged once more are returned. */
export function settleChain(chain: Chain, row: Row): AppendCall[] {
  const [hasLanded, scene, version, digest, fits] = row as [boolean, number | null, number, string | null, boolean]
  if (hasLanded) {
    settleLanded(chain, scene as number)
    return []
  }
  const all = callsOf(chain)
  const [first] = all
  if (begins(first) && scene === null) {
    // Somebody has begun it just now, and it is not to be seen yet: it will be.
    if (fits) return all
    first.succeeded({ version: 0, conflict: true, incarnation: 0, isTooMany: true })
    return all.slice(1)
  }
  // What the first has lost to may be itself, written before: then those behind it build on that.
  const standing = digest === null ? null : Buffer.from(digest, 'hex')
  for (const [index, { append, succeeded }] of all.entries()) {
    const { incarnation, expectedVersion, expectedDigest } = append
    const isThisLife = incarnation === scene || incarnation === null
    const wouldLand =
      incarnation === scene &&
      standing !== null &&
      expectedVersion === version &&
      isSameDigest(expectedDigest, standing)
    if (index > 0 && wouldLand) return all.slice(index)
    succeeded({
      version: isThisLife ? version : 0,
      conflict: true,
      incarnation: incarnation ?? scene ?? 0,
      ...(isThisLife && standing !== null && { digest: standing }),
    })
  }
  return []
}

function settleLanded({ calls, losers }: Chain, scene: number): void {
  for (const { append, succeeded } of calls) {
    succeeded({ version: append.expectedVersion + append.entries.length, conflict: false, incarnation: scene })
  }
  for (const { call, version } of losers) {
    const incarnation = call.append.incarnation ?? scene
    call.succeeded({ version: incarnation === scene ? version : 0, conflict: true, incarnation })
  }
}
