/**
 * A scene's bodies as they will be once the entries in flight are applied: what a write is checked against that comes
 * before those are durable. Holds only what differs from the scene below.
 */

import { movedBody, type Operation, patchedBody, type SceneBody } from './operation.ts'

/** What is wrong with a body that an operation would leave, or null. */
export type BodyCheck = (body: SceneBody, index: number) => object | null

/** What an overlay lies over: a scene, or another one. */
export interface Below {
  /** Bodies. */
  count(): number
  has(id: string): boolean
  body(id: string): SceneBody | undefined
}

export class Overlay implements Below {
  private readonly below: Below
  /** What the entry of that version left of a body last; null: removed. */
  private readonly changed = new Map<string, { version: number; body: SceneBody | null }>()
  /** Version of the last entry that cleared the scene; 0: none. */
  private clearedAt = 0

  constructor(below: Below) {
    this.below = below
  }

  /** Cost O(what differs from below). */
  count(): number {
    const isThere = (id: string) => this.clearedAt === 0 && this.below.has(id)
    let count = this.clearedAt === 0 ? this.below.count() : 0
    for (const [id, { body }] of this.changed) count += Number(body !== null) - Number(isThere(id))
    return count
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
    for (let index = 0; index < operations.length; index++) {
      const operation = operations[index]
      switch (operation.op) {
        case 'put':
          this.changed.set(operation.body.id, { version, body: operation.body })
          break
        case 'move':
        case 'patch': {
          const before = this.body(operation.id) as SceneBody
          const body = operation.op === 'move' ? movedBody(before, operation) : patchedBody(before, operation.fields)
          const fault = check?.(body, index) ?? null
          if (fault !== null) return fault
          this.changed.set(operation.id, { version, body })
          break
        }
        case 'remove':
          this.changed.set(operation.id, { version, body: null })
          break
        case 'clear':
          this.changed.clear()
          this.clearedAt = version
      }
    }
    return null
  }

  /** The entry `version`, which was added, is part of the scene below now. */
  forget(version: number, operations: readonly Operation[]): void {
    if (this.clearedAt === version) this.clearedAt = 0
    for (const operation of operations) {
      const id = operation.op === 'put' ? operation.body.id : 'id' in operation ? operation.id : undefined
      if (id !== undefined && this.changed.get(id)?.version === version) this.changed.delete(id)
    }
  }
}
