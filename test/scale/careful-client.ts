/**
 * A client as it should be: it asks any replica, asks another one when it loses patience or the connection, sends a write again only
 * with its Idempotency-Key, and reads nothing older than what it has seen.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Operation } from '../../src/scene/state/operation.ts'
import { type Attempt, type History, isDone, type ReadRecord, type WriteRecord } from './history.ts'
import { type Replica, scenesOf } from './replica.ts'

/** Of a body as it is sent, in JSON. */
export type Sent = Readonly<Record<string, unknown>>

interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: Sent
}

/** Most times one request is sent, and how long it is tried. */
const MOST_ATTEMPTS = 60
const MOST_MS = 30_000

/** Problems that say that a replica cannot at the moment, and that nothing came of it; or that it is not known, which a key makes good. */
const PASSING = new Set([
  'store-unavailable',
  'outcome-unknown',
  'version-not-reached',
  'starting',
  'draining',
  'overloaded',
])

export class CarefulClient {
  readonly number: number
  readonly #replicas: readonly Replica[]
  readonly #history: History
  readonly #random: () => number
  /** Version of each scene that it has seen, and the tag of it. */
  readonly #seen = new Map<string, { version: number; tag: string }>()
  #count = 0

  constructor(number: number, replicas: readonly Replica[], history: History, random: () => number) {
    this.number = number
    this.#replicas = replicas
    this.#history = history
    this.#random = random
  }

  seen(scene: string): { version: number; tag: string } {
    return this.#seen.get(scene) ?? { version: 0, tag: '"0"' }
  }

  /** Of this client, another one each time. */
  mark(): string {
    return `${this.number}.${++this.#count}`
  }

  /** Several operations in one write, with a key. Null: it is not known what came of it. */
  async operate(
    scene: string,
    operations: Operation[],
    { mark, ifTag }: { mark: string; ifTag?: { version: number; tag: string } },
  ): Promise<Attempt | null> {
    const record: WriteRecord = {
      client: this.number,
      scene,
      mark,
      key: `key-${mark}`,
      ifVersion: ifTag?.version ?? null,
      operations,
      attempts: [],
    }
    this.#history.writes.push(record)
    const headers = { 'idempotency-key': `key-${mark}`, ...(ifTag && { 'if-match': ifTag.tag }) }
    const request = { method: 'POST', path: `/${scene}/operations`, headers, body: { operations } }
    return this.#insist(scene, request, record.attempts)
  }

  /** One change of one body, without a key: it is sent once. */
  async change(method: 'PUT' | 'PATCH' | 'DELETE', scene: string, bodyId: string, operation: Operation, body?: Sent) {
    const data = body?.data as { mark?: string } | undefined
    const record: WriteRecord = {
      client: this.number,
      scene,
      mark: data?.mark ?? null,
      key: null,
      ifVersion: null,
      operations: [operation],
      attempts: [],
    }
    this.#history.writes.push(record)
    const request = { method, path: `/${scene}/bodies/${bodyId}`, headers: {}, ...(body && { body }) }
    const answer = this.#attempt(scene, this.#replica(), request, record.attempts)
    // it is not waited for without end; what comes of it is written down all the same
    await Promise.race([answer, pause(5000, null, { ref: false })])
  }

  async read(scene: string, bodyId: string | null): Promise<Attempt | null> {
    const { version: atLeast } = this.seen(scene)
    const record: ReadRecord = { client: this.number, scene, atLeast, bodyId, attempts: [] }
    this.#history.reads.push(record)
    const path = bodyId === null ? `/${scene}` : `/${scene}/bodies/${bodyId}`
    const headers = { 'if-version-at-least': String(atLeast) }
    return this.#insist(scene, { method: 'GET', path, headers }, record.attempts)
  }

  /** Makes a scene that nobody else uses, until it is there. */
  create(scene: string, attempts: Attempt[]): Promise<Attempt | null> {
    return this.#insist(scene, { method: 'PUT', path: `/${scene}`, headers: {}, body: {} }, attempts)
  }

  /** Deletes it, until it is gone. */
  drop(scene: string, attempts: Attempt[]): Promise<Attempt | null> {
    return this.#insist(scene, { method: 'DELETE', path: `/${scene}`, headers: {} }, attempts)
  }

  /** Sends a shape to be kept, until it is. */
  async keep(shape: object): Promise<void> {
    for (;;) {
      const sent = this.#replica().send('POST', '/v1/3d/shapes', {}, JSON.stringify(shape))
      const { status } = await sent.catch(() => ({ status: 0 }))
      if (status === 200 || status === 201) return
      await pause(50)
    }
  }

  #replica(): Replica {
    return this.#replicas[Math.floor(this.#random() * this.#replicas.length)] as Replica
  }

  /** Sends a request that may be sent again until it is answered for good; attempts that are still under way go on beside. */
  async #insist(scene: string, request: Request, attempts: Attempt[]): Promise<Attempt | null> {
    const deadline = performance.now() + MOST_MS
    const open = new Set<Promise<Attempt>>()
    while (attempts.length < MOST_ATTEMPTS && performance.now() < deadline) {
      const attempt = this.#attempt(scene, this.#replica(), request, attempts)
      open.add(attempt)
      void attempt.then(() => open.delete(attempt))
      const patience = pause(200 + this.#random() * 1500, null)
      const first = await Promise.race([...open, patience])
      if (first === null) continue
      if (first.status !== null && !PASSING.has(first.code ?? '')) return first
      await pause(10 + this.#random() * 10 * 2 ** Math.min(attempts.length, 5))
    }
    return null
  }

  async #attempt(scene: string, replica: Replica, request: Request, attempts: Attempt[]): Promise<Attempt> {
    const attempt: Attempt = {
      replica: replica.number,
      startedAt: performance.now(),
      endedAt: null,
      status: null,
      code: null,
      version: null,
      digest: null,
      body: null,
    }
    attempts.push(attempt)
    const { method, path, headers, body } = request
    try {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const answer = await replica.send(method, `${scenesOf(scene)}${path}`, headers, text)
      attempt.status = answer.status
      attempt.body = answer.text === '' ? null : JSON.parse(answer.text)
      if (answer.status >= 400) attempt.code = attempt.body?.code ?? null
      const [, version, digest] = /^"(\d+)(?:\.([0-9a-f]{8}))?"$/.exec(answer.etag ?? '') ?? []
      if (version !== undefined) attempt.version = Number(version)
      attempt.digest = digest ?? null
      if (isDone(attempt) && attempt.version !== null) this.#see(scene, attempt.version, answer.etag as string)
    } catch {
      // lost: the status stays null
    }
    attempt.endedAt = performance.now()
    return attempt
  }

  #see(scene: string, version: number, tag: string): void {
    if (version > this.seen(scene).version) this.#seen.set(scene, { version, tag })
  }
}
