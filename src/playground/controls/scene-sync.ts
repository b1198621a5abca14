// Keeps the bodies of the page and those of a scene the same: the page writes its steps to the scene and applies what others write. Of a
// scene that is too large to draw, the page holds the bodies in view and shows the service's picture of the rest.

import {
  applied,
  type Box,
  type EventsState,
  type Following,
  followEvents,
  MOST_WHOLE,
  type Operation,
  operationsBetween,
  type ReadBodies,
  readScene,
  readSeen,
  readWhole,
  write,
} from '../service/scene-session.ts'
import { isPassing, latestCall, type Reply } from '../service/service.ts'
import { bodyOf, EMPTY_SKETCH, type Sketch, type SketchBody, withBody } from '../sketch/sketch.ts'
import type { Desk } from './desk.ts'
import { corners, type View } from './view.ts'

/** After the view has come to rest, or others have written. */
const LOOK_PAUSE_MS = 120
const RETRY_MS = 2000

interface SceneTelling {
  /** Whether events arrive. */
  state(state: EventsState): void
  log(text: string): void
  /** Shows a refusal or a failure. */
  fail(reply: Reply): void
  waiting(): void
  /** How many of the scene's bodies can be taken hold of; called when that changes. */
  shown(count: number, all: number): void
}

/** The scene that is open on the desk, kept in step with the one of the service. */
export class SceneSync {
  readonly #desk: Desk
  readonly #dragged: () => string | null
  readonly #tell: SceneTelling
  #following: Following | null = null
  /** Of the bodies as they were read: events up to it are known. */
  #version = 0
  /** Versions that this page's own writes made. */
  readonly #own = new Set<number>()
  #lastOwn = 0
  /** Bodies that these writes changed: kept, even out of sight, so that undo finds them. */
  readonly #touched = new Set<string>()
  /** Writes without an answer yet. While there are any, nobody can tell which events are theirs. */
  #pending = 0
  #deferred: { at: number; operations: Operation[] }[] = []
  #writing: Promise<void> = Promise.resolve()
  /** Null where all bodies of the scene are here. */
  #large: { count: number; bounds: Box | null } | null = null
  #seen: View | null = null
  #lookTimer: ReturnType<typeof setTimeout> | undefined
  #refreshTimer: ReturnType<typeof setTimeout> | undefined
  readonly #look = latestCall(
    (scene: string) => readSeen(scene, corners(this.#desk.view)),
    (scene, read) => this.#showSeen(scene, read),
  )

  constructor(desk: Desk, dragged: () => string | null, tell: SceneTelling) {
    this.#desk = desk
    this.#dragged = dragged
    this.#tell = tell
    desk.onChange(() => this.#followView())
    desk.onStep((before, now) => this.#writeStep(before, now))
  }

  /** Null where it is open; `sketch`: what to show besides the bodies of the scene. */
  async open(scene: string, sketch?: Partial<Sketch>): Promise<Reply | null> {
    const info = await readScene(scene)
    if ('status' in info) return info
    let read: ReadBodies = { bodies: [], version: info.version, whole: false }
    if (info.bodyCount <= MOST_WHOLE) {
      const whole = await readWhole(scene)
      if ('status' in whole) return whole
      // bodies with very many vertices are few to a page: too many to draw as well
      if (whole.whole) read = whole
    }
    this.close()
    this.#version = read.version
    this.#lastOwn = 0
    this.#deferred = []
    this.#own.clear()
    this.#touched.clear()
    this.#large = read.whole ? null : { count: info.bodyCount, bounds: info.bounds }
    this.#seen = null
    this.#desk.set({ backdrop: this.#large !== null })
    this.#desk.open({ ...EMPTY_SKETCH, question: 'scene overlap', ...sketch, scene, bodies: read.bodies })
    this.#tell.shown(read.bodies.length, info.bodyCount)
    return null
  }

  /** Bounds of the open scene where only a part of it is here. */
  bounds(): Box | null {
    return this.#large?.bounds ?? null
  }

  /** Subscribes to the events of the open scene. */
  listen(): void {
    const { scene } = this.#desk.sketch
    this.#following?.close()
    this.#following = null
    if (scene === null) return
    this.#following = followEvents(scene, this.#version, {
      reset: () => void this.#refresh(scene),
      operations: (at, operations) => this.#takeEvent(scene, at, operations),
      overlap: (kind, a, b, at) => this.#tell.log(`${at}: ${a} and ${b} ${kind === 'began' ? 'meet' : 'part'}`),
      state: this.#tell.state,
    })
  }

  /** Connects again, with another token. */
  again(): void {
    this.#following?.again()
  }

  close(): void {
    this.#following?.close()
    this.#following = null
    clearTimeout(this.#refreshTimer)
    this.#large = null
    this.#desk.set({ backdrop: false })
  }

  #isOpen(scene: string): boolean {
    return this.#desk.sketch.scene === scene
  }

  #takeEvent(scene: string, at: number, operations: Operation[]): void {
    const few = operations.slice(0, 5).map(operationText).join(', ')
    this.#tell.log(`${at}: ${few}${operations.length > 5 ? ' …' : ''}`)
    if (at <= this.#version || !this.#isOpen(scene)) return
    this.#deferred.push({ at, operations })
    this.#receiveOthers()
  }

  /** Applies what others wrote. */
  #receiveOthers(): void {
    if (this.#pending > 0) return
    const operations = this.#deferred.filter(({ at }) => !this.#own.delete(at)).flatMap((entry) => entry.operations)
    this.#deferred = []
    if (operations.length === 0) return
    if (this.#large !== null) this.#lookAgain()
    const { sketch } = this.#desk
    const next = applied(sketch.bodies, operations)
    this.#receive(this.#large === null ? next : next.filter(({ id }) => bodyOf(sketch, id) !== undefined))
  }

  /** Takes over the bodies; the one that is being dragged stays in the hand. */
  #receive(bodies: readonly SketchBody[], isNews = true): void {
    const held = bodyOf(this.#desk.sketch, this.#dragged())
    const next = { ...this.#desk.sketch, bodies }
    this.#desk.receive(held ? withBody(next, held) : next, isNews)
  }

  /** Replaces the bodies by those of the service: too much was missed, or a write was lost. */
  async #refresh(scene: string): Promise<void> {
    if (!this.#isOpen(scene)) return
    const read = await (this.#large === null ? readWhole(scene) : readSeen(scene, corners(this.#desk.view)))
    if (!this.#isOpen(scene)) return
    if ('status' in read) {
      this.#tell.fail(read)
      if (isPassing(read)) this.#refreshLater(scene, RETRY_MS)
      return
    }
    // writes that are under way are not in it
    if (this.#pending > 0) {
      this.#refreshLater(scene, LOOK_PAUSE_MS)
      return
    }
    this.#version = read.version
    this.#deferred = []
    this.#receive(this.#large === null ? read.bodies : this.#withTouched(read))
    if (this.#following !== null) this.listen()
  }

  #refreshLater(scene: string, pause: number): void {
    clearTimeout(this.#refreshTimer)
    this.#refreshTimer = setTimeout(() => void this.#refresh(scene), pause)
  }

  #withTouched({ bodies, whole }: ReadBodies): SketchBody[] {
    const { selected, bodies: known } = this.#desk.sketch
    const present = new Set(bodies.map(({ id }) => id))
    const kept = known.filter(({ id }) => !present.has(id) && (this.#touched.has(id) || id === selected))
    if (this.#large !== null) this.#tell.shown(whole ? bodies.length : 0, this.#large.count)
    return [...bodies, ...kept]
  }

  #followView(): void {
    const { sketch, view } = this.#desk
    if (this.#large === null || sketch.scene === null || view === this.#seen) return
    this.#seen = view
    this.#lookAgain()
  }

  #lookAgain(): void {
    clearTimeout(this.#lookTimer)
    this.#lookTimer = setTimeout(() => {
      const { scene } = this.#desk.sketch
      if (scene !== null && this.#large !== null) this.#look(scene)
    }, LOOK_PAUSE_MS)
  }

  #showSeen(scene: string, read: ReadBodies | Reply): void {
    if (!this.#isOpen(scene) || this.#large === null || 'status' in read) return
    // writes that are under way, or that came later, are not in it
    if (this.#pending > 0 || this.#dragged() !== null || this.#lastOwn > read.version) this.#lookAgain()
    else this.#receive(this.#withTouched(read), false)
  }

  #writeStep(before: Sketch, now: Sketch): void {
    const { scene } = now
    if (scene === null || before.scene !== scene) return
    const operations = operationsBetween(before, now)
    if (operations.length === 0) return
    for (const { id, body } of operations) this.#touched.add((id ?? (body as SketchBody).id) as string)
    this.#pending++
    this.#writing = this.#writing.then(() => this.#send(scene, operations))
  }

  async #send(scene: string, operations: Operation[]): Promise<void> {
    const reply = await write(scene, operations, this.#tell.waiting)
    this.#pending--
    if (!this.#isOpen(scene)) return
    if (reply.ok) {
      this.#lastOwn = reply.value.version
      this.#own.add(this.#lastOwn)
      this.#receiveOthers()
      // ask again: an answer that came during the write is of the version before
      this.#desk.receive({ ...this.#desk.sketch })
      return
    }
    await this.#refresh(scene)
    this.#tell.fail(reply)
  }
}

function operationText({ op, id, body }: Operation): string {
  return `${op} ${(id ?? (body as { id?: string } | undefined)?.id ?? '') as string}`.trim()
}
