/**
 * A scene's bodies as they will be once the entries in flight are applied: what a write is checked against that comes
 * before those are durable. Holds only what differs from the scene below.
 */

import { Pace, type Slices } from '../../containers/pace.ts'
import {
  type BodyStore,
  bodyIdOf,
  changedBody,
  type Operation,
  type SceneBody,
  takeEffect,
} from '../table/operation.ts'

/** Cost of adding a change and forgetting it, in points of bodies. */
const CHANGE_POINTS = 16
const FORGET_POINTS = 4

/** The complaint about a body that an operation would leave, or null. `isKnownShape`: its shape was accepted before. */
export type BodyCheck = (body: SceneBody, index: number, isKnownShape: boolean) => object | null

/** The base of an overlay: a scene, or another overlay. */
export interface Below {
  /** Bodies. */
  count(): number
  has(id: string): boolean
  body(id: string): SceneBody | undefined
}

export class PendingBodies implements Below {
  private readonly below: Below
  /** The body as the entry of that version left it; null: removed. */
  private readonly changed = new Map<string, { version: number; body: SceneBody | null }>()
  /** Version of the last entry that cleared the scene; 0: none. */
  private clearedAt = 0

  private total: number

  constructor(below: Below) {
    this.below = below
    this.total = below.count()
  }

  /** The base has changed by entries that were not added. No added entry may be left. */
  rebase(): void {
    this.total = this.below.count()
  }

  count(): number {
    return this.total
  }

  has(id: string): boolean {
    const change = this.changed.get(id)
    if (change !== undefined) return change.body !== null
    return this.clearedAt === 0 && this.below.has(id)
  }

  body(id: string): SceneBody | undefined {
    const change = this.changed.get(id)
    if (change !== undefined) return change.body ?? undefined
    return this.clearedAt === 0 ? this.below.body(id) : undefined
  }

  /**
   * Adds the operations of the entry `version`, whose bodies are known to be there. `check` sees each body that an
   * operation makes out of another; the first complaint ends it.
   */
  add(version: number, operations: readonly Operation[], check?: BodyCheck): object | null {
    const work = this.addInSlices(version, operations, new Pace(), check)
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
    }
  }

  /** Adds an entry with pauses, in which nobody else may add anything. */
  *addInSlices(
    version: number,
    operations: readonly Operation[],
    pace: Pace,
    check?: BodyCheck,
  ): Slices<object | null> {
    let fault: object | null = null
    let index = 0
    const { changed } = this
    const store: BodyStore = {
      put: (body) => {
        if (!this.has(body.id)) this.total++
        changed.set(body.id, { version, body })
      },
      change: (id, fields) => {
        const body = changedBody(this.body(id) as SceneBody, fields)
        fault = check?.(body, index, fields.shape === undefined) ?? null
        if (fault === null) changed.set(id, { version, body })
      },
      remove: (id) => {
        this.total--
        changed.set(id, { version, body: null })
      },
      clear: () => {
        changed.clear()
        this.clearedAt = version
        this.total = 0
      },
    }
    for (; index < operations.length; index++) {
      takeEffect(operations[index], store)
      if (fault !== null) return fault
      if (pace.isDue(CHANGE_POINTS)) yield
    }
    return null
  }

  /** The latest state of each added body; null: removed. In the order in which they were first added since the last clear. */
  *changes(): Iterable<SceneBody | null> {
    for (const { body } of this.changed.values()) yield body
  }

  /** Ids of the bodies that operations which have been added are about, since all were cleared. */
  changedIds(): Iterable<string> {
    return this.changed.keys()
  }

  /** Whether an operation that has been added is about the body. */
  isAbout(id: string): boolean {
    return this.changed.has(id)
  }

  /** Whether nothing that was below is left but what has been added. */
  get isCleared(): boolean {
    return this.clearedAt !== 0
  }

  /** The entry `version`, which was added, is part of the scene below now. */
  forget(version: number, operations: readonly Operation[]): void {
    const work = this.forgetInSlices(version, operations, new Pace())
    while (work.next().done !== true);
  }

  /** Works with pauses, in which the overlay reads the same as before and after. */
  *forgetInSlices(version: number, operations: readonly Operation[], pace: Pace): Slices<void> {
    if (this.clearedAt === version) this.clearedAt = 0
    for (const operation of operations) {
      const id = bodyIdOf(operation)
      if (id !== null && this.changed.get(id)?.version === version) this.changed.delete(id)
      if (pace.isDue(FORGET_POINTS)) yield
    }
  }
}
