// Keeps the bodies of the page and those of a scene the same: steps are written, what others write is done to the page's own. Of a
// scene that is too large to be drawn, the bodies that are seen are kept, and the service's picture stands for the rest.

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

export interface SceneTelling {
  /** Whether events arrive. */
  state(state: EventsState): void
  log(text: string): void
  /** What is wrong. */
  fail(reply: Reply): void
  waiting(): void
  /** How many of the scene's bodies can be taken hold of; called when that changes. */
  shown(count: number, all: number): void
}

export interface SceneSync {
  /** Null where it is open; what is shown besides its bodies is in `sketch`. */
  open(scene: string, sketch?: Partial<Sketch>): Promise<Reply | null>
  /** Of the scene that is open, where it is read in part. */
  bounds(): Box | null
  /** Hears what becomes of it. */
  listen(): void
  /** With another token. */
  again(): void
  close(): void
}

export function createSceneSync(desk: Desk, dragged: () => string | null, tell: SceneTelling): SceneSync {
  let following: Following | null = null
  /** That of the bodies as they were read: events up to it are known. */
  let version = 0
  /** Versions that the page's own writes made. */
  const own = new Set<number>()
  /** Bodies that they were about: kept though they are not seen, for undo. */
  const touched = new Set<string>()
  /** Writes that are not answered. Until they are, nobody knows which events are theirs. */
  let pending = 0
  let deferred: { at: number; operations: Operation[] }[] = []
  let writing: Promise<void> = Promise.resolve()
  /** Null where all bodies are here. */
  let large: { count: number; bounds: Box | null } | null = null
  let seen: View | null = null
  let lookTimer: ReturnType<typeof setTimeout> | undefined
  let refreshTimer: ReturnType<typeof setTimeout> | undefined
  /** The last version that was written here. */
  let lastOwn = 0

  const isOpen = (scene: string) => desk.sketch.scene === scene

  /** What others wrote; what is held by a hand stays in it. */
  const receiveOthers = () => {
    if (pending > 0) return
    const operations = deferred.filter(({ at }) => !own.delete(at)).flatMap((entry) => entry.operations)
    deferred = []
    if (operations.length === 0) return
    if (large !== null) lookAgain()
    const next = applied(desk.sketch.bodies, operations)
    receive(large === null ? next : next.filter(({ id }) => bodyOf(desk.sketch, id) !== undefined))
  }
  const receive = (bodies: readonly SketchBody[], isNews = true) => {
    const held = bodyOf(desk.sketch, dragged())
    const next = { ...desk.sketch, bodies }
    desk.receive(held ? withBody(next, held) : next, isNews)
  }

  /** Bodies as they are now in place of those that were known: too much was missed, or a write was lost. */
  const refresh = async (scene: string): Promise<void> => {
    if (!isOpen(scene)) return
    const read = await (large === null ? readWhole(scene) : readSeen(scene, corners(desk.view)))
    if (!isOpen(scene)) return
    if ('status' in read) {
      tell.fail(read)
      if (isPassing(read)) refreshLater(scene, RETRY_MS)
      return
    }
    // what is being written is not in it
    if (pending > 0) {
      refreshLater(scene, LOOK_PAUSE_MS)
      return
    }
    version = read.version
    deferred = []
    receive(large === null ? read.bodies : withTouched(read))
    if (following !== null) listen()
  }

  const refreshLater = (scene: string, pause: number) => {
    clearTimeout(refreshTimer)
    refreshTimer = setTimeout(() => void refresh(scene), pause)
  }

  const withTouched = ({ bodies, whole }: ReadBodies): SketchBody[] => {
    const { selected } = desk.sketch
    const present = new Set(bodies.map(({ id }) => id))
    const kept = desk.sketch.bodies.filter(({ id }) => !present.has(id) && (touched.has(id) || id === selected))
    if (large !== null) tell.shown(whole ? bodies.length : 0, large.count)
    return [...bodies, ...kept]
  }

  const look = latestCall(
    async (scene: string) => readSeen(scene, corners(desk.view)),
    (scene, read) => {
      if (!isOpen(scene) || large === null || 'status' in read) return
      // what is being written, or has been since, is not in it
      if (pending > 0 || dragged() !== null || lastOwn > read.version) lookAgain()
      else receive(withTouched(read), false)
    },
  )
  const lookAgain = () => {
    clearTimeout(lookTimer)
    lookTimer = setTimeout(() => {
      const { scene } = desk.sketch
      if (scene !== null && large !== null) look(scene)
    }, LOOK_PAUSE_MS)
  }
  desk.onChange(() => {
    if (large === null || desk.sketch.scene === null || desk.view === seen) return
    seen = desk.view
    lookAgain()
  })

  function listen(): void {
    const { scene } = desk.sketch
    following?.close()
    following = null
    if (scene === null) return
    following = followEvents(scene, version, {
      reset: () => void refresh(scene),
      operations(at, operations) {
        tell.log(`${at}: ${operations.slice(0, 5).map(operationText).join(', ')}${operations.length > 5 ? ' …' : ''}`)
        if (at <= version || !isOpen(scene)) return
        deferred.push({ at, operations })
        receiveOthers()
      },
      overlap: (kind, a, b, at) => tell.log(`${at}: ${a} and ${b} ${kind === 'began' ? 'meet' : 'part'}`),
      state: tell.state,
    })
  }

  desk.onStep((before, now) => {
    const { scene } = now
    if (scene === null || before.scene !== scene) return
    const operations = operationsBetween(before, now)
    if (operations.length === 0) return
    for (const { id, body } of operations) touched.add((id ?? (body as SketchBody).id) as string)
    pending++
    writing = writing.then(() => send(scene, operations))
  })
  const send = async (scene: string, operations: Operation[]) => {
    const reply = await write(scene, operations, tell.waiting)
    pending--
    if (!isOpen(scene)) return
    if (reply.ok) {
      lastOwn = reply.value.version
      own.add(lastOwn)
      receiveOthers()
      // asked again: what was answered while it was written is of the version before
      desk.receive({ ...desk.sketch })
      return
    }
    await refresh(scene)
    tell.fail(reply)
  }

  return {
    async open(scene, sketch) {
      const info = await readScene(scene)
      if ('status' in info) return info
      let read: ReadBodies = { bodies: [], version: info.version, whole: false }
      if (info.bodyCount <= MOST_WHOLE) {
        const whole = await readWhole(scene)
        if ('status' in whole) return whole
        // bodies with very many vertices are few to a page: too many to be drawn as well
        if (whole.whole) read = whole
      }
      this.close()
      version = read.version
      lastOwn = 0
      deferred = []
      own.clear()
      touched.clear()
      large = read.whole ? null : { count: info.bodyCount, bounds: info.bounds }
      seen = null
      desk.set({ backdrop: large !== null })
      desk.open({ ...EMPTY_SKETCH, question: 'scene overlap', ...sketch, scene, bodies: read.bodies })
      tell.shown(read.bodies.length, info.bodyCount)
      return null
    },
    bounds: () => large?.bounds ?? null,
    listen,
    again: () => following?.again(),
    close() {
      following?.close()
      following = null
      clearTimeout(refreshTimer)
      large = null
      desk.set({ backdrop: false })
    },
  }
}

function operationText({ op, id, body }: Operation): string {
  return `${op} ${(id ?? (body as { id?: string } | undefined)?.id ?? '') as string}`.trim()
}
