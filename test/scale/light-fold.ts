/** Bodies as a log leaves them at every version: as plain values, by nothing that the service folds with. */

import type { Entry, Operation, SceneBody } from '../../src/scene/state/operation.ts'
import type { LoggedLife } from './final-log.ts'

export type LightBody = Record<string, unknown>

/** The bodies of a life at versions that are asked for in ascending order. */
export class LightFold {
  readonly #entries: readonly { seq: number; entry: Entry | string }[]
  readonly bodies = new Map<string, LightBody>()
  #next = 0

  constructor(life: LoggedLife) {
    if (life.first !== 1) throw new Error(`The log of ${life.id} was trimmed`)
    this.#entries = life.entries
  }

  advanceTo(version: number): void {
    for (; this.#next < this.#entries.length; this.#next++) {
      const { seq, entry } = this.#entries[this.#next] as { seq: number; entry: Entry | string }
      if (seq > version) return
      if (typeof entry !== 'string') for (const operation of entry.operations) this.#apply(operation)
    }
  }

  #apply(operation: Operation): void {
    switch (operation.op) {
      case 'put':
        this.bodies.set(operation.body.id, plain(operation.body))
        return
      case 'patch': {
        const body = { ...this.bodies.get(operation.id) }
        for (const [name, value] of Object.entries(plain(operation.fields))) {
          if (value === null) delete body[name]
          else body[name] = value
        }
        this.bodies.set(operation.id, body)
        return
      }
      case 'move': {
        const { op: _, id, ...pose } = operation
        this.bodies.set(id, { ...this.bodies.get(id), ...plain(pose) })
        return
      }
      case 'remove':
        this.bodies.delete(operation.id)
        return
      case 'clear':
        this.bodies.clear()
    }
  }
}

/** As it is read over HTTP: in a log `data` is text, and shapes may be packed. */
function plain(value: object): LightBody {
  const copy = JSON.parse(JSON.stringify(value)) as LightBody
  if (typeof copy.data === 'string') copy.data = JSON.parse(copy.data)
  return copy
}

/** The body without what depends on how it is written. */
export function comparable(body: LightBody | SceneBody | undefined): string {
  if (body === undefined) return 'none'
  const { shape: _, ...rest } = body as LightBody
  return JSON.stringify(Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))))
}
