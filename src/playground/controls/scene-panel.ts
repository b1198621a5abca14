// Scenes: opened, made from an example or from an editor's file, written to at every step, watched, and walked in.

import { questionOf } from '../questions/all-questions.ts'
import { subject } from '../questions/question.ts'
import { serviceFeatures } from '../service/features.ts'
import { latestCall } from '../service/latest-call.ts'
import { followEvents } from '../service/scene-events.ts'
import {
  applied,
  formatOf,
  importFiles,
  makeScene,
  type Operation,
  operationsBetween,
  readBodies,
  write,
} from '../service/scene-session.ts'
import { call, problemText, type Reply } from '../service/service.ts'
import type { Example } from '../sketch/gallery.ts'
import { bodyOf, EMPTY_SKETCH, positionOf, type Sketch, withBody } from '../sketch/sketch.ts'
import { times, type Vec2 } from '../sketch/vector.ts'
import type { Desk } from './desk.ts'
import { byId, setText } from './page-elements.ts'
import { fit } from './toolbar.ts'

const MOST_EVENTS = 100

export interface ScenePanel {
  openExample(example: Example): Promise<void>
  /** Reads a scene and fits it to the plane; `sketch`: what else is shown of it, and then how it is looked at stays. */
  open(scene: string, sketch?: Partial<Sketch>): Promise<void>
  walk(by: Vec2): boolean
}

export function createScenePanel(
  desk: Desk,
  dragged: () => string | null,
  alarm: (ids: Set<string>) => void,
): ScenePanel {
  let stopEvents: (() => void) | null = null
  /** That of the bodies as they were read: events up to it are known. */
  let version = 0
  /** Versions that the page's own writes made. */
  const own = new Set<number>()
  /** Writes that are not answered. Until they are, nobody knows which events are theirs. */
  let pending = 0
  let deferred: { at: number; operations: Operation[] }[] = []
  let writing: Promise<void> = Promise.resolve()

  const say = (text: string) => setText(byId('events-state'), text)
  const fail = (reply: Reply) => say(problemText(reply))

  const log = (text: string) => {
    const item = document.createElement('li')
    item.textContent = text
    const list = byId('events')
    list.prepend(item)
    while (list.children.length > MOST_EVENTS) list.lastChild!.remove()
  }

  /** What others wrote; what is held by a hand stays in it. */
  const receiveOthers = () => {
    if (pending > 0) return
    const operations = deferred.filter(({ at }) => !own.has(at)).flatMap((write) => write.operations)
    deferred = []
    if (operations.length === 0) return
    const held = bodyOf(desk.sketch, dragged())
    const next = { ...desk.sketch, bodies: applied(desk.sketch.bodies, operations) }
    desk.receive(held ? withBody(next, held) : next)
  }

  const watch = async (scene: string) => {
    stopEvents?.()
    stopEvents = null
    byId('events').replaceChildren()
    const features = await serviceFeatures()
    byId<HTMLInputElement>('tree').disabled = !features.has('render.svg')
    if (!features.has('events')) {
      if (byId('events-state').textContent === '') say('This service sends no events')
      return
    }
    if (desk.sketch.scene !== scene) return
    stopEvents = followEvents(scene, version, {
      reset: () => void open(scene, desk.sketch),
      operations(at, operations) {
        log(
          `${at}: ${operations
            .map(({ op, id, body }) => `${op} ${id ?? (body as { id?: string })?.id ?? ''}`)
            .slice(0, 5)
            .join(', ')}`,
        )
        if (at <= version || desk.sketch.scene !== scene) return
        deferred.push({ at, operations })
        receiveOthers()
      },
      overlap: (kind, a, b, at) => log(`${at}: ${a} and ${b} ${kind === 'began' ? 'meet' : 'part'}`),
      state: (state) =>
        say(
          { live: 'Events arrive', none: 'No events arrive', waiting: 'Waiting for events', gone: 'The scene is gone' }[
            state
          ],
        ),
    })
  }

  const open: ScenePanel['open'] = async (scene, sketch) => {
    const read = await readBodies(scene)
    if ('status' in read) {
      fail(read)
      return
    }
    version = read.version
    deferred = []
    own.clear()
    desk.open({ ...EMPTY_SKETCH, question: 'scene overlap', ...sketch, scene, bodies: read.bodies })
    byId<HTMLDetailsElement>('scene-panel').open = true
    say(read.whole ? '' : `The first ${read.bodies.length} bodies`)
    if (sketch === undefined) fit(desk)
    void watch(scene)
  }

  const leave = () => {
    stopEvents?.()
    stopEvents = null
    desk.open({ ...desk.sketch, scene: null, question: EMPTY_SKETCH.question })
  }

  desk.onStep((before, now) => {
    const { scene } = now
    if (scene === null || before.scene !== scene) return
    const operations = operationsBetween(before, now)
    if (operations.length === 0) return
    pending++
    writing = writing.then(() => send(scene, operations))
  })
  const send = async (scene: string, operations: Operation[]) => {
    const reply = await write(scene, operations)
    pending--
    if (reply.ok) {
      own.add(reply.value.version)
      receiveOthers()
      // asked again: what was answered while it was written is of the version before
      if (desk.sketch.scene === scene) desk.receive({ ...desk.sketch })
      return
    }
    await open(scene, { question: desk.sketch.question, selected: desk.sketch.selected })
    fail(reply)
  }

  const rehearse = latestCall(
    ({ scene, id, position, rotation = 0 }: { scene: string; id: string; position: Vec2; rotation?: number }) =>
      write(scene, [{ op: 'move', id, position, rotation }], true),
    (_, reply) => {
      const changes: { newOverlaps: string[] }[] = reply.value?.changes ?? []
      alarm(new Set(dragged() === null ? [] : changes.flatMap(({ newOverlaps }) => newOverlaps)))
    },
  )
  let rehearsed: Sketch | null = null
  desk.onChange(() => {
    const { sketch } = desk
    setText(byId('scene-name'), sketch.scene ?? '')
    const body = bodyOf(sketch, dragged())
    if (sketch === rehearsed || sketch.scene === null) return
    rehearsed = sketch
    if (body === undefined) alarm(new Set())
    else
      rehearse({
        scene: sketch.scene,
        id: body.id,
        position: positionOf(body),
        ...(body.rotation && { rotation: body.rotation }),
      })
  })

  const fresh = (name: string) =>
    `${name.replace(/[^A-Za-z0-9._:-]+/g, '-').slice(0, 60)}-${Math.random().toString(36).slice(2, 8)}`

  const take = async (files: File[]) => {
    const main = files.find(({ name }) => formatOf(name) !== null)
    if (main === undefined) {
      say('No file of Tiled, LDtk, GeoJSON or SVG')
      return
    }
    const scene = desk.sketch.scene ?? fresh(main.name)
    if (desk.sketch.scene === null) {
      const made = await makeScene(scene)
      if (!made.ok) {
        fail(made)
        return
      }
    }
    say('Importing …')
    const report = await importFiles(scene, formatOf(main.name)!, [main, ...files.filter((file) => file !== main)])
    if (!report.ok) {
      byId<HTMLDetailsElement>('scene-panel').open = true
      fail(report)
      return
    }
    // files are drawn as their editors draw them: y down
    desk.look({ ...desk.view, yUp: main.name.endsWith('.geojson') })
    await open(scene)
    // after the list of events is emptied for the scene
    await serviceFeatures()
    const { added, updated, removed, skipped } = report.value
    log(`${main.name}: ${added} added, ${updated} updated, ${removed} removed, ${skipped.length} skipped`)
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
  const room = byId('room')
  room.addEventListener('dragover', (event) => event.preventDefault())
  room.addEventListener('drop', (event) => {
    event.preventDefault()
    void take([...(event.dataTransfer?.files ?? [])])
  })

  const step = latestCall(
    ({ scene, id, translation }: { scene: string; id: string; translation: Vec2 }) =>
      call({ path: `/v1/2d/scenes/${encodeURIComponent(scene)}/move`, body: { bodyId: id, translation } }),
    ({ scene, id }, reply) => {
      const body = bodyOf(desk.sketch, id)
      if (reply.ok && body && desk.sketch.scene === scene)
        desk.commit(withBody(desk.sketch, { ...body, position: reply.value.position }))
    },
  )

  return {
    open,
    async openExample({ name, sketch, asScene }) {
      if (asScene !== true) {
        stopEvents?.()
        desk.open(sketch)
        fit(desk)
        return
      }
      const scene = fresh(name.toLowerCase())
      const made = await makeScene(scene)
      const put = made.ok
        ? await write(
            scene,
            sketch.bodies.map((body) => ({ op: 'put', body })),
          )
        : made
      if (!put.ok) {
        byId<HTMLDetailsElement>('scene-panel').open = true
        fail(put)
        return
      }
      await open(scene, sketch)
      fit(desk)
    },
    walk(by) {
      const { sketch } = desk
      const body = subject(sketch)
      if (sketch.scene === null || body === undefined || questionOf(sketch).name !== 'scene move') return false
      step({ scene: sketch.scene, id: body.id, translation: times(by, 0.5) })
      return true
    },
  }
}
