/**
 * Groups of waiting calls, and the statement that commits a group. Each scene has a chain of calls, each building on the one before,
 * which land together or not at all. Calls of a scene stay in order: a call that does not build on the end of its chain waits, and so do
 * the calls behind it.
 *
 * The statement adds entries to many scenes in one round trip and one flush, and each scene wins or loses alone. It locks the rows of
 * scenes in their order, so that groups never wait for each other in a circle; scenes that begin come after all of these, in order of
 * ids. The expected version is compared with the row as it was when its lock was taken (`locked`), not with the row that the update
 * finds: that one belongs to the statement's snapshot, in which commits made meanwhile are not visible, and the comparison would report
 * conflicts that are none.
 *
 * Rows to be locked are looked up one by one, by subqueries that the planner cannot merge with their surroundings, and the test whether
 * a scene is alive is written so that no index of living scenes answers it: a plan made while the table was small would otherwise read
 * all of that index, or of the table, for every row.
 *
 * All payloads travel as one bytea, and all digests as another: arrays of bytea would be sent as hexadecimal digits.
 */

import type { Caller } from '../../watched.ts'
import { isSameDigest } from '../store/checksum-frame.ts'
import type { Append, Appended, SceneSummary, StoreError } from '../store/store.ts'
import type { Row, Statement } from './connection.ts'
import { summaryText } from './scene-rows.ts'
import type { CheckedServer } from './server-check.ts'

/** As `kind` of a scene in a group. */
export const APPEND_KINDS = { append: 0, drop: 1, dropExpired: 2 } as const
export type AppendKind = (typeof APPEND_KINDS)[keyof typeof APPEND_KINDS]

const DIGEST = (blob: string, position: string) => `substring(${blob} from (${position}::int - 1) * 16 + 1 for 16)`

// $1 ids, $2 incarnations or null, $3 expected versions, $4 their digests, $5 counts of entries, $6 digests of the last, $7 kinds,
// $8 versions of the summaries, $9 times to live, $10 summaries; for every entry $11 its scene's place in the group, $12 its place
// among those of its scene, $13 where it begins and $14 how long it is in $16, $15 digests; $17 the setting of synchronous_commit
const given = (found: string) => `given as materialized (
  select k, id collate "C" as id, scene, expected, ${DIGEST('$4::bytea', 'k')} as expected_digest, entry_count,
    ${DIGEST('$6::bytea', 'k')} as digest, kind, summary_version, ttl, summary
  from unnest($1::text[], $2::bigint[], $3::bigint[], $5::int[], $7::int[], $8::bigint[], $9::float8[], $10::text[])
    with ordinality as g (id, scene, expected, entry_count, kind, summary_version, ttl, summary, k)
),
${found}locked as materialized (
  select f.k, s.scene, s.version, s.digest, s.used_at, s.ttl
  from (select k, scene from ${found === '' ? 'given' : 'found'} order by scene offset 0) f cross join lateral (
    select scene, version, digest, used_at, ttl from tangent.scene s
    where s.scene = f.scene and coalesce(s.dropped_at, 'infinity') = 'infinity'
    for no key update
  ) s
),
moved as (
  update tangent.scene s set
    version = g.expected + g.entry_count,
    digest = g.digest,
    used_at = greatest(s.used_at, now()),
    dropped_at = case when g.kind > 0 then now() end,
    summary_version = case when g.summary_version > s.summary_version then g.summary_version else s.summary_version end,
    ttl = case when g.summary_version > s.summary_version then g.ttl else s.ttl end,
    summary = case when g.summary_version > s.summary_version then g.summary::json else s.summary end
  from locked l join given g on g.k = l.k
  where s.scene = l.scene and g.scene = l.scene and l.version = g.expected and l.digest = g.expected_digest
    and (g.kind < 2 or l.used_at + make_interval(secs => l.ttl) <= now())
  returning g.k, s.scene, g.expected
)`

// Of scenes that are to be begun: one that is there.
const FOUND = `found as materialized (
  select g.k, coalesce(g.scene, s.scene) as scene
  from given g left join lateral (
    select scene from tangent.scene where g.scene is null and id = g.id and dropped_at is null offset 0
  ) s on true
),
`

/** Of schema 1: counted no further than it matters. */
const COUNTED =
  '(select count(*) from (select from tangent.scene where dropped_at is null limit (select max(m) from unnest($18::bigint[]) m)) live)'
const TALLIED = '(select sum(scenes) from tangent.tally where slot < 64)'

// $18 most scenes that there may be.
const begun = (count: string) => `wanted as materialized (
  select k, id, limit_count is null or nth + ${count} <= limit_count as fits
  from (
    select g.k, g.id, row_number() over (order by g.id) as nth, ($18::bigint[])[g.k] as limit_count
    from given g
    where g.expected = 0 and g.scene is null and g.kind = 0 and (select count(*) from locked) >= 0
      and not exists (select from locked l where l.k = g.k)
  ) w
),
begun as (
  insert into tangent.scene (id, version, digest, summary_version, ttl, summary)
  select g.id, g.entry_count, g.digest, g.summary_version, g.ttl, g.summary::json
  from wanted w join given g on g.k = w.k
  where w.fits
  order by g.id
  on conflict (id) where dropped_at is null do nothing
  returning id, scene
),
landed as (
  select k, scene, expected from moved
  union all
  select w.k, b.scene, 0 from begun b join wanted w on w.id = b.id
)`

const put = (landed: string) => `put as (
  insert into tangent.entry (scene, seq, digest, bytes)
  select m.scene, m.expected + e.n, ${DIGEST('$15::bytea', 'e.i')}, substring($16::bytea from e.start + 1 for e.size)
  from unnest($11::int[], $12::int[], $13::int[], $14::int[]) with ordinality as e (k, n, start, size, i)
    join ${landed} m on m.k = e.k
)`

const answer = (
  landed: string,
  fits: string,
  more: string,
) => `select m.k is not null, coalesce(m.scene, l.scene)::float8,
  coalesce(l.version, 0)::float8, encode(l.digest, 'hex'), ${fits}, set_config('synchronous_commit', $17, true)
from given g left join locked l on l.k = g.k left join ${landed} m on m.k = g.k${more}
order by g.k`

const BEGUN_ANSWER = answer('landed', 'coalesce(w.fits, true)', ' left join wanted w on w.k = g.k')

/**
 * Rows in the order of the scenes given: whether it has landed, the scene, where it stood (0: nowhere) and with what digest; whether
 * one that was to be begun fits.
 */
export const APPEND_STATEMENT = `with ${given('')},\n${put('moved')}\n${answer('moved', 'true', '')}`

/** The statement for groups that may begin scenes. */
export const BEGIN_STATEMENT = `with ${given(FOUND)},\n${begun(TALLIED)},\n${put('landed')}\n${BEGUN_ANSWER}`

/** The statement for groups that may begin scenes, in schema 1. */
const BEGIN_STATEMENT_1 = `with ${given(FOUND)},\n${begun(COUNTED)},\n${put('landed')}\n${BEGUN_ANSWER}`

export interface AppendCall {
  readonly append: Append
  readonly kind: AppendKind
  readonly byteCount: number
  /** Who has submitted it, where statements are watched. */
  readonly caller: Caller | null
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

function digestAfter({ entries, expectedDigest }: Append): Uint8Array {
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
  // the first may have lost to itself, written before: then those behind it build on that
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
