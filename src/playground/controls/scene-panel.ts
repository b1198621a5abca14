// Scenes: opened, made from an example or from an editor's file, watched, left.

import { type EventsState, formatOf, importFiles, makeScene, scenePath, write } from '../service/scene-session.ts'
import { fetchFile, problemText, type Reply, serviceFeatures } from '../service/service.ts'
import type { Example } from '../sketch/gallery.ts'
import { EMPTY_SKETCH, type Sketch } from '../sketch/sketch.ts'
import type { Desk } from './desk.ts'
import { byId, notice, setText } from './page-elements.ts'
import { createSceneSync } from './scene-sync.ts'
import { fit } from './toolbar.ts'
import { fitted } from './view.ts'

const MOST_EVENTS = 100

const STATES: Record<EventsState, string> = {
  live: 'Events arrive',
  waiting: 'The service does not answer. Events are waited for',
  paused: 'Events wait while the page is hidden',
  gone: 'The scene is gone. Leave goes on with its bodies, without it',
  token: 'Events need a token: see More',
  none: 'No events arrive',
}

export interface ScenePanel {
  openExample(example: Example): Promise<void>
  /** Reads a scene and fits it to the plane; `sketch`: what else is shown of it, and then how it is looked at stays. */
  open(scene: string, sketch?: Partial<Sketch>): Promise<void>
  /** All that there is, of a scene that is read in part too. */
  fit(): void
  /** What was refused for want of a token is asked for again. */
  again(): void
}

export function createScenePanel(desk: Desk, dragged: () => string | null): ScenePanel {
  const panel = byId<HTMLDetailsElement>('scene-panel')
  const fail = (reply: Reply) => {
    panel.open = true
    notice(problemText(reply))
  }
  const log = (text: string) => {
    const item = document.createElement('li')
    item.textContent = text
    const list = byId('events')
    list.prepend(item)
    while (list.children.length > MOST_EVENTS) list.lastChild!.remove()
  }
  const state = (now: EventsState) => {
    setText(byId('events-state'), STATES[now])
    byId('events-state').dataset.state = now
    if (now === 'gone') notice('The scene is gone: somebody has deleted it, or its time was over.')
  }
  const sync = createSceneSync(desk, dragged, {
    state,
    log,
    fail,
    waiting: () => notice('The service does not answer. What was done is written when it does.'),
    shown: (count, all) => {
      const few = `${count} of ${all} bodies can be taken hold of`
      setText(
        byId('scene-count'),
        count === all ? `${all} bodies` : count > 0 ? few : `${all} bodies: zoom in to take hold of one`,
      )
    },
  })

  const watch = async () => {
    const { scene } = desk.sketch
    byId('events').replaceChildren()
    setText(byId('events-state'), '')
    const features = await serviceFeatures()
    byId<HTMLInputElement>('tree').disabled = !features.has('render.svg')
    if (desk.sketch.scene !== scene) return
    if (features.has('events')) sync.listen()
    else setText(byId('events-state'), 'This service sends no events')
  }

  const fitAll = () => {
    const bounds = sync.bounds()
    if (bounds === null) fit(desk)
    else if (desk.view.width > 0) desk.look(fitted(desk.view, bounds.min, bounds.max))
  }

  const open: ScenePanel['open'] = async (scene, sketch) => {
    const failure = await sync.open(scene, sketch)
    if (failure !== null) {
      fail(failure)
      return
    }
    panel.open = true
    notice('')
    setText(byId('scene-name'), scene)
    if (sketch === undefined) fitAll()
    void watch()
  }

  const leave = () => {
    sync.close()
    setText(byId('scene-name'), '')
    setText(byId('scene-count'), '')
    setText(byId('events-state'), '')
    desk.open({ ...desk.sketch, scene: null, question: EMPTY_SKETCH.question })
  }

  const take = async (files: File[]) => {
    const found = await mainOf(files)
    if (found === null) {
      notice('No file of Tiled, LDtk, GeoJSON or SVG, and none saved here')
      return
    }
    const { main, format } = found
    notice(`Importing ${main.name} …`, true)
    const scene = desk.sketch.scene ?? fresh(main.name)
    if (desk.sketch.scene === null) {
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
    if (format !== 'json') desk.look({ ...desk.view, yUp: format === 'geojson' })
    await open(scene)
    // after the list of events is emptied for the scene
    await serviceFeatures()
    const { added, updated, removed, skipped } = report.value
    const text = `${main.name}: ${added} added, ${updated} updated, ${removed} removed, ${skipped.length} skipped`
    log(text)
    notice(text)
  }

  byId('scene-form').addEventListener('submit', (event) => {
    event.preventDefault()
    void open(byId<HTMLInputElement>('scene-id').value)
  })
  const tree = byId<HTMLInputElement>('tree')
  tree.addEventListener('change', () => desk.set({ tree: tree.checked }))
  byId('scene-leave').addEventListener('click', leave)
  const file = byId<HTMLInputElement>('file')
  file.addEventListener('change', () => {
    void take([...(file.files ?? [])])
    file.value = ''
  })
  // anywhere on the page: beside the plane a browser would leave the page for the file
  document.addEventListener('dragover', (event) => event.preventDefault())
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length > 0) void take(files)
  })

  return {
    open,
    async openExample({ name, sketch, asScene }) {
      if (asScene !== true) {
        leave()
        desk.open(sketch)
        fit(desk)
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
      await open(scene, sketch)
      fit(desk)
    },
    fit: fitAll,
    again: sync.again,
  }
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

// A scene as a file, in the formats that the service writes; where it writes none, nothing is offered.

const FORMATS = [
  ['json', 'JSON', 'json'],
  ['geojson', 'GeoJSON', 'geojson'],
  ['svg', 'SVG', 'svg'],
] as const

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
