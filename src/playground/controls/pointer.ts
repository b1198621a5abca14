// Fingers and the mouse: bodies and handles are dragged, the plane is panned and zoomed at the cursor, or by two fingers.

import { fromScreen, gridStep, panned, zoomed } from '../drawing/view.ts'
import type { Handle } from '../sketch/handles.ts'
import { bodyOf, movedBody, positionOf, type Sketch, withBody } from '../sketch/sketch.ts'
import { minus, snapped, type Vec2 } from '../sketch/vector.ts'
import type { Desk } from './desk.ts'

export interface Dragging {
  /** The body that is dragged now, null otherwise. */
  body: string | null
}

type Gesture =
  | { kind: 'pan'; last: Vec2 }
  | { kind: 'body'; id: string; grip: Vec2; before: Sketch }
  | { kind: 'handle'; name: string; before: Sketch; drag: Handle['drag'] }

export function followPointers(
  stage: SVGSVGElement,
  desk: Desk,
  handles: () => readonly Handle[],
  dragging: Dragging,
  settle: (sketch: Sketch) => Promise<Sketch>,
): void {
  const fingers = new Map<number, Vec2>()
  let gesture: Gesture | null = null

  const at = (event: MouseEvent): Vec2 => {
    const { left, top } = stage.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  /** Alt asks for the other of snap and no snap. */
  const step = (event: MouseEvent) => (desk.settings.snap !== event.altKey ? gridStep(desk.view) : 0)
  const named = (event: Event, attribute: string) =>
    (event.target as Element).closest(`[${attribute}]`)?.getAttribute(attribute) ?? null

  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 && event.pointerType === 'mouse') return
    stage.setPointerCapture(event.pointerId)
    const place = at(event)
    fingers.set(event.pointerId, place)
    if (fingers.size > 1) {
      finish()
      return
    }
    const handleName = named(event, 'data-handle')
    const handle = handles().find(({ name }) => name === handleName)
    const bodyId = named(event, 'data-body')
    const body = bodyOf(desk.sketch, bodyId)
    if (handle !== undefined) gesture = { kind: 'handle', name: handle.name, before: desk.sketch, drag: handle.drag }
    else if (body !== undefined) {
      const grip = minus(fromScreen(desk.view, place), positionOf(body))
      desk.show({ ...desk.sketch, selected: body.id })
      gesture = { kind: 'body', id: body.id, grip, before: desk.sketch }
    } else gesture = { kind: 'pan', last: place }
  })

  stage.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId)
    if (before === undefined) return
    const place = at(event)
    if (fingers.size === 2) {
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, p]) => p)
      const spread = (p: Vec2) => Math.max(1, Math.hypot(p.x - other!.x, p.y - other!.y))
      const middle = (p: Vec2) => ({ x: (p.x + other!.x) / 2, y: (p.y + other!.y) / 2 })
      const view = panned(desk.view, minus(middle(place), middle(before)))
      desk.look(zoomed(view, spread(place) / spread(before), middle(place)))
    } else if (gesture !== null) follow(gesture, place, event)
    fingers.set(event.pointerId, place)
  })

  function follow(now: Gesture, place: Vec2, event: PointerEvent): void {
    if (now.kind === 'pan') {
      desk.look(panned(desk.view, minus(place, now.last)))
      now.last = place
      return
    }
    const world = fromScreen(desk.view, place)
    if (now.kind === 'handle') {
      desk.show(now.drag(desk.sketch, snapped(world, step(event))))
      return
    }
    const body = bodyOf(desk.sketch, now.id)
    if (body === undefined) return
    dragging.body = now.id
    const to = minus(world, now.grip)
    desk.show(withBody(desk.sketch, movedBody(body, minus(to, positionOf(body)), step(event))))
  }

  function finish(): void {
    const done = gesture
    gesture = null
    dragging.body = null
    if (done === null || done.kind === 'pan') return
    if (done.kind === 'body' && desk.sketch.bodies !== done.before.bodies) {
      const dropped = desk.sketch
      void settle(dropped).then((settled) => {
        // somebody may have done something else meanwhile
        desk.commit(desk.sketch === dropped ? settled : desk.sketch, done.before)
      })
      return
    }
    // choosing a body is no step
    if (desk.sketch.bodies !== done.before.bodies || done.kind === 'handle') desk.commit(desk.sketch, done.before)
  }

  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return
    if (gesture?.kind === 'pan' && event.type === 'pointerup') {
      const { x, y } = at(event)
      const start = starts.get(event.pointerId)
      if (start && Math.hypot(x - start.x, y - start.y) < 4 && desk.sketch.selected !== null)
        desk.show({ ...desk.sketch, selected: null })
    }
    finish()
  }
  const starts = new Map<number, Vec2>()
  stage.addEventListener('pointerdown', (event) => starts.set(event.pointerId, at(event)), { capture: true })
  stage.addEventListener('pointerup', up)
  stage.addEventListener('pointercancel', up)
  stage.addEventListener('lostpointercapture', up)
  stage.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const lines = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY
      desk.look(zoomed(desk.view, Math.exp(-Math.max(-200, Math.min(200, lines)) * 0.0025), at(event)))
    },
    { passive: false },
  )
}
