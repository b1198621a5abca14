// Fingers and the mouse: bodies and handles are dragged, the plane is panned and zoomed at the cursor, or by two fingers.

import type { Handle } from '../sketch/handles.ts'
import { bodyOf, movedBody, positionOf, type Sketch, withBody } from '../sketch/sketch.ts'
import { minus, snapped, type Vec2 } from '../sketch/vector.ts'
import type { Desk } from './desk.ts'
import { fromScreen, gridStep, panned, zoomed } from './view.ts'

export interface Dragging {
  /** The body that is dragged now, null otherwise. */
  body: string | null
  /** Whether it is to snap: the button, or the other way while Alt is held. */
  snap: boolean
}

export interface Hands {
  handles(): readonly Handle[]
  dragging: Dragging
  /** Whether bodies snap to others, once they are let go of, rather than to the grid on the way. */
  snapsToBodies(): boolean
  /** Where the body that was dragged goes when it is let go of. */
  settle(sketch: Sketch, id: string, snap: boolean): Promise<Sketch>
}

type Gesture =
  | { kind: 'pan'; last: Vec2 }
  | { kind: 'body'; id: string; grip: Vec2 }
  | { kind: 'handle'; drag: Handle['drag'] }

export function followPointers(stage: SVGSVGElement, desk: Desk, hands: Hands): void {
  const { handles, dragging } = hands
  const fingers = new Map<number, Vec2>()
  let gesture: Gesture | null = null
  let gestures = 0

  const at = (event: MouseEvent): Vec2 => {
    const { left, top } = stage.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  /** Alt asks for the other of snap and no snap. */
  const snaps = (event: MouseEvent) => desk.settings.snap !== event.altKey
  const step = (event: MouseEvent) => (snaps(event) ? gridStep(desk.view) : 0)
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
    if (handle !== undefined || body !== undefined) gestures++
    if (handle !== undefined) {
      desk.begin()
      gesture = { kind: 'handle', drag: handle.drag }
    } else if (body !== undefined) {
      const grip = minus(fromScreen(desk.view, place), positionOf(body))
      desk.show({ ...desk.sketch, selected: body.id })
      desk.begin()
      gesture = { kind: 'body', id: body.id, grip }
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
    dragging.snap = snaps(event)
    const to = minus(world, now.grip)
    const grid = hands.snapsToBodies() ? 0 : step(event)
    desk.show(withBody(desk.sketch, movedBody(body, minus(to, positionOf(body)), grid)))
  }

  function finish(): void {
    const done = gesture
    const moved = dragging.body
    gesture = null
    dragging.body = null
    if (done === null || done.kind === 'pan') return
    if (moved === null) {
      desk.finish(desk.sketch)
      return
    }
    const dropped = desk.sketch
    const count = gestures
    void hands.settle(dropped, moved, dragging.snap).then((settled) => {
      // the next gesture has finished this one
      if (gestures !== count) return
      // somebody may have done something else meanwhile
      desk.finish(desk.sketch === dropped ? settled : desk.sketch)
    })
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
