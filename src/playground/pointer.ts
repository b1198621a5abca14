// Fingers and the mouse: bodies and handles are dragged, the plane is panned and zoomed at the cursor, or by two fingers.

import type { Desk } from './desk.ts'
import type { Handle } from './sketch/handles.ts'
import { bodyOf, movedBody, positionOf, type Sketch, withBody } from './sketch/sketch.ts'
import { minus, snapped, type Vec2 } from './sketch/vector.ts'
import { fromScreen, gridStep, panned, zoomed } from './view.ts'

export interface Dragging {
  /** The body that is dragged now, null otherwise. */
  body: string | null
  /** Whether it is to snap: the button, or the other way while Alt is held. */
  snap: boolean
}

interface Hands {
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

/** Fingers that are down: where each is now, and where it came down. */
interface Finger {
  at: Vec2
  readonly start: Vec2
}

/** Farthest that a press may move and still be a click, in pixels. */
const CLICK_REACH = 4

export function followPointers(stage: SVGSVGElement, desk: Desk, hands: Hands): void {
  const pointers = new Pointers(stage, desk, hands)
  stage.addEventListener('pointerdown', (event) => pointers.down(event))
  stage.addEventListener('pointermove', (event) => pointers.move(event))
  for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
    stage.addEventListener(type, (event) => pointers.up(event))
  stage.addEventListener('wheel', (event) => pointers.wheel(event), { passive: false })
}

class Pointers {
  readonly #stage: SVGSVGElement
  readonly #desk: Desk
  readonly #hands: Hands
  readonly #fingers = new Map<number, Finger>()
  #gesture: Gesture | null = null
  /** Gestures that took hold of something, so far. */
  #count = 0

  constructor(stage: SVGSVGElement, desk: Desk, hands: Hands) {
    this.#stage = stage
    this.#desk = desk
    this.#hands = hands
  }

  down(event: PointerEvent): void {
    if (event.button !== 0 && event.pointerType === 'mouse') return
    this.#stage.setPointerCapture(event.pointerId)
    const at = this.#placeOf(event)
    this.#fingers.set(event.pointerId, { at, start: at })
    if (this.#fingers.size > 1) this.#finish()
    else this.#gesture = this.#begin(event, at)
  }

  move(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId)
    if (finger === undefined) return
    const place = this.#placeOf(event)
    if (this.#fingers.size === 2) this.#pinch(event.pointerId, finger.at, place)
    else if (this.#gesture !== null) this.#follow(this.#gesture, place, event)
    finger.at = place
  }

  up(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId)
    if (finger === undefined) return
    this.#fingers.delete(event.pointerId)
    if (this.#gesture?.kind === 'pan' && event.type === 'pointerup') {
      const { x, y } = minus(this.#placeOf(event), finger.start)
      const { sketch } = this.#desk
      if (Math.hypot(x, y) < CLICK_REACH && sketch.selected !== null) this.#desk.show({ ...sketch, selected: null })
    }
    this.#finish()
  }

  wheel(event: WheelEvent): void {
    event.preventDefault()
    const lines = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY
    const factor = Math.exp(-Math.max(-200, Math.min(200, lines)) * 0.0025)
    this.#desk.look(zoomed(this.#desk.view, factor, this.#placeOf(event)))
  }

  #placeOf(event: MouseEvent): Vec2 {
    const { left, top } = this.#stage.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }

  /** Whether to snap: Alt asks for the opposite of the button. */
  #snaps(event: MouseEvent): boolean {
    return this.#desk.settings.snap !== event.altKey
  }

  #step(event: MouseEvent): number {
    return this.#snaps(event) ? gridStep(this.#desk.view) : 0
  }

  #begin(event: Event, place: Vec2): Gesture {
    const desk = this.#desk
    const handleName = attributeAt(event, 'data-handle')
    const handle = this.#hands.handles().find(({ name }) => name === handleName)
    const body = bodyOf(desk.sketch, attributeAt(event, 'data-body'))
    if (handle === undefined && body === undefined) return { kind: 'pan', last: place }
    this.#count++
    if (handle !== undefined) {
      desk.begin()
      return { kind: 'handle', drag: handle.drag }
    }
    const { id } = body!
    const grip = minus(fromScreen(desk.view, place), positionOf(body!))
    desk.show({ ...desk.sketch, selected: id })
    desk.begin()
    return { kind: 'body', id, grip }
  }

  /** Two fingers pan and zoom; `before` and `place`: of the one that has moved. */
  #pinch(moved: number, before: Vec2, place: Vec2): void {
    const other = [...this.#fingers].find(([id]) => id !== moved)![1].at
    const spread = (p: Vec2) => Math.max(1, Math.hypot(p.x - other.x, p.y - other.y))
    const middle = (p: Vec2) => ({ x: (p.x + other.x) / 2, y: (p.y + other.y) / 2 })
    const view = panned(this.#desk.view, minus(middle(place), middle(before)))
    this.#desk.look(zoomed(view, spread(place) / spread(before), middle(place)))
  }

  #follow(gesture: Gesture, place: Vec2, event: PointerEvent): void {
    const desk = this.#desk
    if (gesture.kind === 'pan') {
      desk.look(panned(desk.view, minus(place, gesture.last)))
      gesture.last = place
      return
    }
    const world = fromScreen(desk.view, place)
    if (gesture.kind === 'handle') {
      desk.show(gesture.drag(desk.sketch, snapped(world, this.#step(event))))
      return
    }
    const body = bodyOf(desk.sketch, gesture.id)
    if (body === undefined) return
    const { dragging } = this.#hands
    dragging.body = gesture.id
    dragging.snap = this.#snaps(event)
    const to = minus(world, gesture.grip)
    const grid = this.#hands.snapsToBodies() ? 0 : this.#step(event)
    desk.show(withBody(desk.sketch, movedBody(body, minus(to, positionOf(body)), grid)))
  }

  #finish(): void {
    const desk = this.#desk
    const { dragging } = this.#hands
    const done = this.#gesture
    const moved = dragging.body
    this.#gesture = null
    dragging.body = null
    if (done === null || done.kind === 'pan') return
    if (moved === null) {
      desk.finish(desk.sketch)
      return
    }
    const dropped = desk.sketch
    const count = this.#count
    void this.#hands.settle(dropped, moved, dragging.snap).then((settled) => {
      // the next gesture has finished this one
      if (this.#count !== count) return
      // somebody may have done something else meanwhile
      desk.finish(desk.sketch === dropped ? settled : desk.sketch)
    })
  }
}

/** The attribute of the element under the pointer, or of the nearest one around it that has it. */
function attributeAt(event: Event, attribute: string): string | null {
  return (event.target as Element).closest(`[${attribute}]`)?.getAttribute(attribute) ?? null
}
