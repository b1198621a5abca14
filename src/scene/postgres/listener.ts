/**
 * Hears of commits of other processes: by notifications, and by a poll where they may be late, lost or absent.
 *
 * `Listener` has a connection of its own. It sends `NOTIFY` after the commit, never with it, because that holds a lock over the whole
 * server until its own commit is done (which therefore does not wait for the disk). It opens no transaction beyond a single statement:
 * while one is open, the server keeps all notifications. It proves that it hears, by notifying itself over another connection: a pooler
 * that lends connections for a transaction accepts a `LISTEN` but delivers only what comes while a statement is under way. Every other
 * second it asks whether the connection is alive.
 *
 * `Poll` asks again and again for the versions of known scenes; only differences are sent back.
 */

import { randomUUID } from 'node:crypto'
import type { Appended, Follower, Standing } from '../store/store.ts'
import { Connection, type ConnectionSettings, type Notification } from './connection.ts'
import type { OnEvent } from './database-error.ts'
import type { ReadPool } from './read-pool.ts'
import { InterruptiblePause, Reconnecting } from './reconnecting.ts'

export interface ListenerOptions {
  readonly settings: ConnectionSettings
  /** As `SessionOptions.isLent`. */
  readonly isLent: boolean
  /** Sends `NOTIFY_STATEMENT` on some other connection. */
  readonly notifyElsewhere: (payload: string) => Promise<unknown>
  /** Whether the proof is tried again and again where it has failed. */
  readonly isProofRepeated: boolean
  readonly onTold: (incarnation: number, version: number) => void
  /** Earlier notifications may have been missed. */
  readonly onConnected: () => void
  /** It is connected again. */
  readonly onFound: () => void
  readonly onEvent: OnEvent
}

const ASK_MS = 2000
const PROOF_MS = 2000
const REPEATED_PROOF_MS = 30_000
/** The server takes less than 8,000. */
const PAYLOAD_BYTE_COUNT = 7900
/** Notifications kept while there is no connection to send them; the rest is found by a poll. */
const GATHERED_COUNT = 10_000
const PROOF = 'proof:'

/** After it, nobody waits for the disk. */
export const NOTIFY_STATEMENT = "select pg_notify('tangent', $1), set_config('synchronous_commit', 'off', true)"

export class Listener {
  private readonly options: ListenerOptions
  private readonly link: Reconnecting
  private readonly gathered = new Map<number, number>()
  private mode: 'notify' | 'poll' | null = null
  private running: Promise<void> | null = null
  private awaitedProof: string | null = null
  private isProven = false
  private readonly pause = new InterruptiblePause()
  private readonly silence = new InterruptiblePause()
  private isClosed = false

  constructor(options: ListenerOptions) {
    this.options = options
    const { onEvent } = options
    this.link = new Reconnecting({
      connect: () => this.connected(),
      onLost: (reason) => {
        for (const pause of [this.pause, this.silence]) pause.interrupt()
        onEvent({ event: 'database-lost', connection: 'listen', reason })
        this.follow('poll', reason)
      },
      onFound: (awayMs) => {
        onEvent({ event: 'database-back', connection: 'listen', awayMs })
        options.onFound()
      },
      onFailed: ({ message }) => this.follow('poll', message),
    })
  }

  /** Whether it hears what others tell. */
  get isHearing(): boolean {
    return this.mode === 'notify'
  }

  start(): void {
    this.running ??= this.run()
  }

  /** Tells the others, as soon as may be. */
  announce(appended: readonly Appended[]): void {
    for (const { incarnation, version } of appended) {
      if (this.gathered.size < GATHERED_COUNT || this.gathered.has(incarnation)) this.gathered.set(incarnation, version)
    }
    this.pause.interrupt()
  }

  /** Somebody else has found the database again. */
  seekNow(): void {
    this.link.seekNow()
  }

  /** Another connection has heard nothing for too long: it is asked now whether it is there. */
  doubt(): void {
    this.pause.interrupt()
  }

  async close(): Promise<void> {
    this.isClosed = true
    for (const pause of [this.pause, this.silence]) pause.interrupt()
    await Promise.all([this.running, this.link.close()])
  }

  private async run(): Promise<void> {
    while (!this.isClosed) {
      const connection = await this.link.found()
      if (connection === null) return
      try {
        await this.serve(connection)
      } catch (error) {
        connection.destroy((error as Error).message)
      }
    }
  }

  private async connected(): Promise<Connection> {
    const { settings, isLent, onConnected } = this.options
    const connection = await Connection.open(settings, { isLent })
    connection.onNotification = (notification) => this.hear(notification, connection)
    try {
      await this.prove(connection)
    } catch (error) {
      await connection.end()
      throw error
    }
    onConnected()
    return connection
  }

  private async serve(connection: Connection): Promise<void> {
    let provenAt = performance.now()
    while (!this.isClosed) {
      if (this.gathered.size > 0) await this.tell(connection)
      else {
        await this.pause.wait(ASK_MS)
        if (this.gathered.size === 0 && !this.isClosed) await connection.query({ text: 'select 1' }, ASK_MS)
      }
      const isDue = this.mode === 'poll' && performance.now() - provenAt >= REPEATED_PROOF_MS
      if (!isDue || !this.options.isProofRepeated) continue
      await this.prove(connection)
      provenAt = performance.now()
    }
    if (this.gathered.size > 0) await this.tell(connection)
  }

  private async prove(connection: Connection): Promise<void> {
    const text = `${PROOF}${randomUUID()}`
    this.awaitedProof = text
    this.isProven = false
    await connection.query({ text: 'listen tangent' }, ASK_MS)
    await this.options.notifyElsewhere(text)
    if (!this.isProven && !this.isClosed) await this.silence.wait(PROOF_MS)
    this.awaitedProof = null
    if (this.isProven) this.follow('notify', '')
    else if (!this.isClosed) {
      this.follow('poll', 'a notification to itself did not come')
      await connection.query({ text: 'unlisten tangent' }, ASK_MS)
    }
  }

  private hear({ payload, processId }: Notification, connection: Connection): void {
    if (payload.startsWith(PROOF)) {
      if (payload !== this.awaitedProof) return
      this.isProven = true
      this.silence.interrupt()
      return
    }
    if (processId === connection.processId) return
    for (const pair of payload.split(',')) {
      const [incarnation, version] = pair.split(':').map(Number)
      if (Number.isSafeInteger(incarnation) && Number.isSafeInteger(version)) this.options.onTold(incarnation, version)
    }
  }

  /** Sends as much of what is gathered as goes into one notification. */
  private async tell(connection: Connection): Promise<void> {
    let payload = ''
    for (const [incarnation, version] of this.gathered) {
      const pair = `${incarnation}:${version}`
      if (payload.length + pair.length >= PAYLOAD_BYTE_COUNT) break
      payload += payload === '' ? pair : `,${pair}`
      this.gathered.delete(incarnation)
    }
    await connection.query({ text: NOTIFY_STATEMENT, values: [payload] }, ASK_MS)
  }

  private follow(mode: 'notify' | 'poll', reason: string): void {
    if (this.mode === mode) return
    this.mode = mode
    if (mode === 'notify') this.options.onEvent({ event: 'following-by-notification' })
    else this.options.onEvent({ event: 'following-by-poll', reason })
  }
}

const PART_COUNT = 5000
/** Where there are no notifications. */
const ALONE_MS = 100
/** A poll that takes no longer leaves the age of what is known at 0. */
const PATIENCE_MS = 1500
/** Of the most age that is allowed: between two polls, and for each to take. */
const SHARE = 1 / 3

// $1 scenes, $2 versions, $3 digests, one behind the other
const DIFFERENT = `select g.k, s.version, encode(s.digest, 'hex'), s.dropped_at is not null
  from unnest($1::bigint[], $2::bigint[]) with ordinality as g (scene, version, k)
    left join tangent.scene s on s.scene = g.scene
  where s.scene is null or s.version <> g.version or s.dropped_at is not null
    or s.digest <> substring($3::bytea from (g.k::int - 1) * 16 + 1 for 16)`

export class Poll {
  private readonly pool: ReadPool
  private readonly intervalMs: number
  private readonly isHearing: () => boolean
  private readonly patienceMs: number
  private follower: Follower | null = null
  private running: Promise<void> | null = null
  private readonly pause = new InterruptiblePause()
  private isAsked = false
  private isClosed = false
  private isCurrent = true
  /** When the last poll that went well began. */
  private knownAt = performance.now()

  /** `maxStalenessMs`: what is older is not to be told for new; 0: it does not matter. */
  constructor(pool: ReadPool, intervalMs: number, isHearing: () => boolean, maxStalenessMs = 0) {
    const most = maxStalenessMs === 0 ? Infinity : SHARE * maxStalenessMs
    this.pool = pool
    this.intervalMs = Math.min(intervalMs, most)
    this.patienceMs = Math.min(PATIENCE_MS, most)
    this.isHearing = isHearing
  }

  get isFollowing(): boolean {
    return this.follower !== null
  }

  /** Since when it is not known what others have written; 0 while it is. */
  get staleMs(): number {
    if (this.follower === null) return 0
    const ageMs = performance.now() - this.knownAt
    return this.isCurrent && ageMs <= this.waitMs() + this.patienceMs ? 0 : ageMs
  }

  follow(follower: Follower): void {
    if (this.follower !== null) throw new Error('Somebody follows already')
    this.follower = follower
    this.knownAt = performance.now()
    this.running = this.run(follower)
  }

  /** The next poll is now. */
  soon(): void {
    this.isAsked = true
    this.pause.interrupt()
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.pause.interrupt()
    await this.running
  }

  private waitMs(): number {
    return this.isHearing() ? this.intervalMs : Math.min(this.intervalMs, ALONE_MS)
  }

  private async run(follower: Follower): Promise<void> {
    while (!this.isClosed) {
      const begun = performance.now()
      this.isAsked = false
      try {
        await this.poll(follower)
        this.knownAt = begun
        this.isCurrent = true
      } catch {
        // the next one comes soon, and says so if it goes well
        this.isCurrent = false
      }
      if (!this.isAsked && !this.isClosed) await this.pause.wait(this.waitMs())
    }
  }

  private async poll(follower: Follower): Promise<void> {
    const known = [...follower.standings()]
    // Nothing is known: then whether it would be.
    if (known.length === 0) await this.pool.query('select 1')
    for (let at = 0; at < known.length && !this.isClosed; at += PART_COUNT) {
      await this.pollPart(follower, known.slice(at, at + PART_COUNT))
    }
  }

  private async pollPart(follower: Follower, known: readonly Standing[]): Promise<void> {
    const rows = await this.pool.prepared('poll', DIFFERENT, [
      `{${known.map(({ incarnation }) => incarnation)}}`,
      `{${known.map(({ version }) => version)}}`,
      Buffer.concat(known.map(({ digest }) => digest)),
    ])
    for (const [k, version, digest, isDropped] of rows) {
      const standing = known[Number(k) - 1]
      if (version === null) follower.found(standing, null)
      else {
        follower.found(standing, {
          version: Number(version),
          digest: new Uint8Array(Buffer.from(digest as string, 'hex')),
          isDropped: isDropped as boolean,
        })
      }
    }
  }
}
