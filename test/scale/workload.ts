/** What clients do all the time while faults come: writes of every kind to a few scenes that all share, races, reads, short lives of scenes. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Operation } from '../../src/scene/state/operation.ts'
import { KEPT_SHAPES, spaceShape } from '../support/services/kept-scenes.ts'
import type { CarefulClient, Sent } from './careful-client.ts'
import { type History, isDone, type LifeRecord } from './history.ts'
import { isOfSpace } from './replica.ts'

/** Scenes that are there from the beginning to the end: of the plane, and of space. */
export const LASTING_SCENES = ['first', 'second', 'space']
/** A body that all clients race for. */
export const COUNTER = 'counter'
const BODIES_OF_A_CLIENT = 8
/** Between two requests of one client; it is not the load that is tried. */
const MOST_PAUSE_MS = 30

/** Many of those of space name kept shapes. */
const shapeOf = (scene: string, value: number): object => {
  if (isOfSpace(scene)) return spaceShape(Math.floor(24 * value))
  return value < 0.5
    ? { type: 'circle', radius: 1 + Math.floor(4 * value) }
    : { type: 'box', width: 1, height: 1 + value }
}

export class Worker {
  readonly #client: CarefulClient
  readonly #history: History
  readonly #random: () => number
  #lives = 0

  constructor(client: CarefulClient, history: History, random: () => number) {
    this.#client = client
    this.#history = history
    this.#random = random
  }

  /** Until it is told to stop; what is under way is finished then. */
  async work(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const scene = LASTING_SCENES[Math.floor(this.#random() * LASTING_SCENES.length)] as string
      const choice = this.#random()
      if (choice < 0.35) await this.#writeMany(scene)
      else if (choice < 0.5) await this.#writeOne(scene)
      else if (choice < 0.65) await this.#race(scene)
      else if (choice < 0.96) await this.#client.read(scene, choice < 0.9 ? this.#body() : null)
      else await this.#live()
      await pause(this.#random() * MOST_PAUSE_MS)
    }
  }

  #body(): string {
    return `c${this.#client.number}.${Math.floor(this.#random() * BODIES_OF_A_CLIENT)}`
  }

  #place(scene: string): { x: number; y: number; z?: number } {
    const number = () => Math.floor(this.#random() * 800) / 8
    return { x: number(), y: number(), ...(isOfSpace(scene) && { z: number() }) }
  }

  async #writeMany(scene: string): Promise<void> {
    const mark = this.#client.mark()
    const id = this.#body()
    const body = { id, shape: shapeOf(scene, this.#random()), position: this.#place(scene), data: { mark } }
    const operations: Operation[] = [{ op: 'put', body }]
    if (this.#random() < 0.5) {
      const turn = isOfSpace(scene) ? { orientation: { x: 0, y: 0, z: 1, w: 0 } } : { rotation: this.#random() }
      operations.push({ op: 'move', id, position: this.#place(scene), ...turn })
    }
    if (this.#random() < 0.3) operations.push({ op: 'patch', id, fields: { tags: ['wall'] } })
    if (this.#random() < 0.2) {
      const gone = `gone-${mark}`
      operations.push({ op: 'put', body: { id: gone, shape: shapeOf(scene, 0) } }, { op: 'remove', id: gone })
    }
    await this.#client.operate(scene, operations, { mark })
  }

  async #writeOne(scene: string): Promise<void> {
    const id = this.#body()
    const data = { mark: this.#client.mark() }
    const choice = this.#random()
    if (choice < 0.6) {
      const body: Sent = { shape: shapeOf(scene, this.#random()), position: this.#place(scene), data }
      await this.#client.change('PUT', scene, id, { op: 'put', body: { id, ...body } as never }, body)
    } else if (choice < 0.9) {
      const fields = { position: this.#place(scene), data }
      await this.#client.change('PATCH', scene, id, { op: 'patch', id, fields }, fields)
    } else await this.#client.change('DELETE', scene, id, { op: 'remove', id })
  }

  /** Reads a number and writes the next one, unless somebody else has written meanwhile. */
  async #race(scene: string): Promise<void> {
    const read = await this.#client.read(scene, COUNTER)
    if (read === null || !isDone(read) || read.version === null) return
    const mark = this.#client.mark()
    const n = (read.body.body.data.n as number) + 1
    const body = { id: COUNTER, shape: shapeOf(scene, 0), data: { mark, n } }
    const tag = `"${read.version}${read.digest === null ? '' : `.${read.digest}`}"`
    await this.#client.operate(scene, [{ op: 'put', body }], { mark, ifTag: { version: read.version, tag } })
  }

  async #live(): Promise<void> {
    const life = `life-${this.#client.number}-${++this.#lives}`
    const scene = this.#lives % 2 === 0 ? life : `space-${life}`
    const record: LifeRecord = { client: this.#client.number, scene, creations: [], deletions: [] }
    this.#history.lives.push(record)
    const created = await this.#client.create(scene, record.creations)
    if (created === null || !isDone(created)) return
    for (let count = 0; count < 3; count++) await this.#writeMany(scene)
    await this.#client.read(scene, null)
    if (this.#random() < 0.8) await this.#client.drop(scene, record.deletions)
  }
}

/** Makes the scenes that last, and the body in each that clients race for. */
export async function begin(client: CarefulClient, history: History): Promise<void> {
  for (const { text } of KEPT_SHAPES) await client.keep(JSON.parse(text))
  for (const scene of LASTING_SCENES) {
    const record: LifeRecord = { client: client.number, scene, creations: [], deletions: [] }
    history.lives.push(record)
    await client.create(scene, record.creations)
    const mark = client.mark()
    const body = { id: COUNTER, shape: shapeOf(scene, 0), data: { mark, n: 0 } }
    const written = await client.operate(scene, [{ op: 'put', body }], { mark })
    if (written === null || !isDone(written)) throw new Error(`Scene ${scene} cannot be begun: ${written?.code}`)
  }
}
