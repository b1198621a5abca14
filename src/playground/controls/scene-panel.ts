// The panel of scenes: opens them, makes them from examples and editors' files, watches and leaves them, and saves them as files.

import { type EventsState, formatOf, importFiles, makeScene, scenePath, write } from '../service/scene-session.ts'
import { fetchFile, problemText, type Reply, serviceFeatures } from '../service/service.ts'
import type { Example } from '../sketch/gallery.ts'
import { EMPTY_SKETCH, type Sketch } from '../sketch/sketch.ts'
import type { Desk } from './desk.ts'
import { byId, notice, setText } from './page-elements.ts'
import { SceneSync } from './scene-sync.ts'
import { fit } from './toolbar.ts'
import { fitted } from './view.ts'

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
  readonly #sync: SceneSync

  constructor(desk: Desk, dragged: () => string | null) {
    this.#desk = desk
    this.#sync = new SceneSync(desk, dragged, {
      state: showState,
      log,
      fail,
      waiting: () => notice('The service does not answer. Your changes are written as soon as it does.'),
      shown: showCount,
    })
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
    setText(byId('scene-name'), scene)
    if (sketch === undefined) this.fit()
    void this.#watch()
  }

  async openExample({ name, sketch, asScene }: Example): Promise<void> {
    if (asScene !== true) {
      this.#leave()
      this.#desk.open(sketch)
      fit(this.#desk)
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
    fit(this.#desk)
  }

  /** Fits the whole scene to the plane, also one that is read in part. */
  fit(): void {
    const { view } = this.#desk
    const bounds = this.#sync.bounds()
    if (bounds === null) fit(this.#desk)
    else if (view.width > 0) this.#desk.look(fitted(view, bounds.min, bounds.max))
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
    byId<HTMLInputElement>('tree').disabled = !features.has('render.svg')
    if (this.#desk.sketch.scene !== scene) return
    if (features.has('events')) this.#sync.listen()
    else setText(byId('events-state'), 'This service sends no events')
  }

  #leave(): void {
    this.#sync.close()
    for (const id of ['scene-name', 'scene-count', 'events-state']) setText(byId(id), '')
    this.#desk.open({ ...this.#desk.sketch, scene: null, question: EMPTY_SKETCH.question })
  }

  /** Imports files into the open scene, or into a new one. */
  async #import(files: readonly File[]): Promise<void> {
    const found = await mainOf(files)
    if (found === null) {
      notice('No file of Tiled, LDtk, GeoJSON or SVG, and none saved here')
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
    // files are drawn as their editors draw them: y down
    if (format !== 'json') this.#desk.look({ ...this.#desk.view, yUp: format === 'geojson' })
    await this.open(scene)
    // after the list of events is emptied for the scene
    await serviceFeatures()
    const { added, updated, removed, skipped } = report.value
    const text = `${main.name}: ${added} added, ${updated} updated, ${removed} removed, ${skipped.length} skipped`
    log(text)
    notice(text)
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

const FORMATS = [
  ['json', 'JSON', 'json'],
  ['geojson', 'GeoJSON', 'geojson'],
  ['svg', 'SVG', 'svg'],
] as const

/** Buttons that save the scene as a file, where the service exports scenes. */
export function followSaving(desk: Desk): void {
  const row = byId('save')
  for (const [format, name, end] of FORMATS) {
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
