// The panel of scenes: opens them, makes them from examples and editors' files, watches and leaves them, and saves them as files.

import type { Desk } from './desk.ts'
import { type ImportReport, reportText, showReport } from './import-report.ts'
import type { Outlook } from './outlook.ts'
import { byId, DIMENSION, makeScrollable, notice, setText } from './page-elements.ts'
import {
  applied,
  type EventsState,
  type Following,
  followEvents,
  formatOf,
  importFiles,
  MOST_WHOLE,
  makeScene,
  type Operation,
  operationsBetween,
  type ReadBodies,
  readScene,
  readSeen,
  readWhole,
  scenePath,
  write,
} from './scene-session.ts'
import { fetchFile, isPassing, latestCall, problemText, type Reply, serviceFeatures } from './service.ts'
import type { Example } from './sketch/example.ts'
import type { Box } from './sketch/free-place.ts'
import { bodyOf, emptySketch, type Sketch, type SketchBody, withBody } from './sketch/sketch.ts'

// Keeps the bodies of the page and those of a scene the same: the page writes its steps to the scene and applies what others write. Of a
// scene that is too large to draw, the page holds the bodies in view and shows the service's picture of the rest.

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
class SceneSync {
  readonly #desk: Desk
  readonly #outlook: Outlook
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
  #seen: unknown = null
  #lookTimer: ReturnType<typeof setTimeout> | undefined
  #refreshTimer: ReturnType<typeof setTimeout> | undefined
  readonly #look = latestCall(
    (scene: string) => readSeen(scene, this.#outlook.seen()),
    (scene, read) => this.#showSeen(scene, read),
  )

  constructor(desk: Desk, outlook: Outlook, dragged: () => string | null, tell: SceneTelling) {
    this.#desk = desk
    this.#outlook = outlook
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
    this.#desk.open({ ...emptySketch(DIMENSION), question: 'scene overlap', ...sketch, scene, bodies: read.bodies })
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
    const { scene } = this.#desk.sketch
    // events name kept shapes by their ids: what they hold is read
    if (scene !== null && operations.some(namesKeptShape)) {
      void this.#refresh(scene)
      return
    }
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
    const read = await (this.#large === null ? readWhole(scene) : readSeen(scene, this.#outlook.seen()))
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

const namesKeptShape = (operation: Operation): boolean => JSON.stringify(operation).includes('"type":"ref"')

function operationText({ op, id, body }: Operation): string {
  return `${op} ${(id ?? (body as { id?: string } | undefined)?.id ?? '') as string}`.trim()
}

const MOST_EVENTS = 100

const STATES: Record<EventsState, string> = {
  live: 'Events arrive',
  waiting: 'The service does not answer. Waiting for events',
  paused: 'Events wait while the page is hidden',
  gone: 'The scene is gone. Leave goes on with its bodies, without it',
  token: 'Events need a token: see More',
  none: 'No events arrive',
}

/** Opens scenes, makes them from examples and files, watches and leaves them. */
export class ScenePanel {
  readonly #desk: Desk
  readonly #outlook: Outlook
  readonly #sync: SceneSync

  constructor(desk: Desk, outlook: Outlook, dragged: () => string | null) {
    this.#desk = desk
    this.#outlook = outlook
    this.#sync = new SceneSync(desk, outlook, dragged, {
      state: showState,
      log,
      fail,
      waiting: () => notice('The service does not answer. Your changes are written as soon as it does.'),
      shown: showCount,
    })
    makeScrollable('events')
    this.#followControls()
    this.#followFiles()
  }

  /** Reads a scene and fits it to the plane. `sketch`: what to show besides its bodies; then the view stays as it is. */
  async open(scene: string, sketch?: Partial<Sketch>): Promise<void> {
    const failure = await this.#sync.open(scene, sketch)
    if (failure !== null) {
      fail(failure)
      return
    }
    byId<HTMLDetailsElement>('scene-panel').open = true
    notice('')
    showReport(null)
    setText(byId('scene-name'), scene)
    if (sketch === undefined) this.fit()
    void this.#watch()
  }

  async openExample({ name, sketch, asScene }: Example): Promise<void> {
    if (asScene !== true) {
      this.#leave()
      this.#desk.open(sketch)
      this.#outlook.fit(null)
      return
    }
    const scene = fresh(name.toLowerCase())
    const made = await makeScene(scene)
    const bodies = sketch.bodies.map((body) => ({ op: 'put', body }))
    const put = made.ok ? await write(scene, bodies) : made
    if (!put.ok) {
      fail(put)
      return
    }
    await this.open(scene, sketch)
    this.#outlook.fit(null)
  }

  /** Fits the whole scene to the plane, also one that is read in part. */
  fit(): void {
    this.#outlook.fit(this.#sync.bounds())
  }

  /** Asks again for events that were refused for want of a token. */
  again(): void {
    this.#sync.again()
  }

  async #watch(): Promise<void> {
    const { scene } = this.#desk.sketch
    byId('events').replaceChildren()
    setText(byId('events-state'), '')
    const features = await serviceFeatures()
    byId<HTMLInputElement>('tree').disabled = !features.has(DIMENSION === '2d' ? 'render.svg' : 'tree')
    if (this.#desk.sketch.scene !== scene) return
    if (features.has('events')) this.#sync.listen()
    else setText(byId('events-state'), 'This service sends no events')
  }

  #leave(): void {
    this.#sync.close()
    for (const id of ['scene-name', 'scene-count', 'events-state']) setText(byId(id), '')
    this.#desk.open({ ...this.#desk.sketch, scene: null, question: emptySketch(DIMENSION).question })
  }

  /** Imports files into the open scene, or into a new one. */
  async #import(files: readonly File[]): Promise<void> {
    const found = await mainOf(files)
    if (found === null) {
      notice(`None of these can be imported: ${files.map(({ name }) => name).join(', ')}. ${IMPORTED}`)
      return
    }
    const { main, format } = found
    notice(`Importing ${main.name} …`, true)
    const scene = this.#desk.sketch.scene ?? fresh(main.name)
    if (this.#desk.sketch.scene === null) {
      const made = await makeScene(scene)
      if (!made.ok) {
        fail(made)
        return
      }
    }
    const report = await importFiles(scene, format, [main, ...files.filter((file) => file !== main)])
    if (!report.ok) {
      fail(report)
      return
    }
    this.#outlook.showAs(format)
    await this.open(scene)
    // after the list of events is emptied for the scene
    await serviceFeatures()
    const text = reportText(main.name, report.value as ImportReport)
    log(text)
    notice(text)
    showReport(report.value as ImportReport)
  }

  #followControls(): void {
    byId('scene-form').addEventListener('submit', (event) => {
      event.preventDefault()
      void this.open(byId<HTMLInputElement>('scene-id').value)
    })
    const tree = byId<HTMLInputElement>('tree')
    tree.addEventListener('change', () => this.#desk.set({ tree: tree.checked }))
    byId('scene-leave').addEventListener('click', () => this.#leave())
  }

  #followFiles(): void {
    const file = byId<HTMLInputElement>('file')
    file.addEventListener('change', () => {
      void this.#import([...(file.files ?? [])])
      file.value = ''
    })
    // anywhere on the page: outside the plane a browser would leave the page for the file
    document.addEventListener('dragover', (event) => event.preventDefault())
    document.addEventListener('drop', (event) => {
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) void this.#import(files)
    })
  }
}

function fail(reply: Reply): void {
  byId<HTMLDetailsElement>('scene-panel').open = true
  notice(problemText(reply))
}

/** Adds a line to the list of events. */
function log(text: string): void {
  const item = document.createElement('li')
  item.textContent = text
  const list = byId('events')
  list.prepend(item)
  while (list.children.length > MOST_EVENTS) list.lastChild!.remove()
}

function showState(state: EventsState): void {
  setText(byId('events-state'), STATES[state])
  byId('events-state').dataset.state = state
  if (state === 'gone') notice('The scene is gone: somebody has deleted it, or it has expired.')
}

function showCount(count: number, all: number): void {
  const few = `${count} of ${all} bodies can be taken hold of`
  const far = `${all} bodies: zoom in to take hold of one`
  setText(byId('scene-count'), count === all ? `${all} bodies` : count > 0 ? few : far)
}

/** What may be dropped on the page. */
const IMPORTED =
  DIMENSION === '2d'
    ? 'Drop a map or world of Tiled, LDtk, GeoJSON, SVG, a scene of Godot, or one saved here as JSON.'
    : 'Drop glTF, OBJ, STL, a map of Quake, a scene of Godot, or one saved here as JSON.'

const fresh = (name: string) =>
  `${name.replace(/[^A-Za-z0-9._:-]+/g, '-').slice(0, 60)}-${Math.random().toString(36).slice(2, 8)}`

/** The first file that is no part of another. */
async function mainOf(files: readonly File[]): Promise<{ main: File; format: string } | null> {
  for (const main of files) {
    const format = await formatOf(main)
    if (format !== null) return { main, format }
  }
  return null
}

const SAVED = {
  '2d': [
    ['json', 'JSON', 'json'],
    ['geojson', 'GeoJSON', 'geojson'],
    ['svg', 'SVG', 'svg'],
  ],
  '3d': [
    ['json', 'JSON', 'json'],
    ['gltf', 'glTF', 'glb'],
    ['obj', 'OBJ', 'obj'],
  ],
} as const

/** Buttons that save the scene as a file, where the service exports scenes. */
export function followSaving(desk: Desk): void {
  const row = byId('save')
  for (const [format, name, end] of SAVED[DIMENSION]) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = name
    button.addEventListener('click', () => {
      const { scene } = desk.sketch
      if (scene !== null) void save(scene, format, `${scene}.${end}`)
    })
    row.append(button)
  }
  let seen: string | null = null
  desk.onChange(() => {
    const { scene } = desk.sketch
    if (scene === seen) return
    seen = scene
    row.hidden = true
    if (scene === null) return
    void serviceFeatures().then((features) => {
      row.hidden = desk.sketch.scene === null || !features.has('export')
    })
  })
}

async function save(scene: string, format: string, name: string): Promise<void> {
  notice('Saving …', true)
  const file = await fetchFile(`${scenePath(scene)}/export?format=${format}`)
  if ('status' in file) {
    notice(problemText(file))
    return
  }
  notice('')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // the download has begun by then
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
