// Fingers and the mouse: bodies and handles are dragged, the view is panned or turned, and zoomed at the cursor, or by two fingers.

import type { Desk } from './desk.ts'
import type { Handle } from './sketch/handles.ts'
import { bodyOf, movedBody, positionOf, type Sketch, type SketchBody, selecting, withBody } from './sketch/sketch.ts'
import { middle, minus, snapped, times, type Vec, type Vec2 } from './sketch/vector.ts'

export interface Dragging {
  /** The body that is dragged now, null otherwise. */
  body: string | null
  /** Whether it is to snap: the button, or the other way while Alt is held. */
  snap: boolean
}

/** Where what is held goes with the hand, `place` in pixels. */
type Follow = (place: Vec2, event: MouseEvent) => Vec

interface Hands {
  handles(): readonly Handle[]
  dragging: Dragging
  /** The body under the pointer, null where there is none. */
  bodyAt(event: PointerEvent, place: Vec2): string | null
  /** Takes hold of a body: answers where its position is to be, for each place of the hand. */
  holdBody(body: SketchBody, place: Vec2): Follow
  /** Takes hold of a handle: answers where it is to be. */
  holdHandle(handle: Handle, place: Vec2): Follow
  /** What a drag of nothing does; `by`: pixels. */
  drift(by: Vec2, event: PointerEvent): void
  /** Two fingers. */
  pinch(by: Vec2, factor: number, at: Vec2): void
  zoom(factor: number, at: Vec2): void
  /** The step of the grid. */
  step(): number
  /** Whether buttons of the mouse besides the first one turn what is seen. */
  takesAllButtons: boolean
  /** Whether bodies snap to others, once they are let go of, rather than to the grid on the way. */
  snapsToBodies(): boolean
  /** Where the body that was dragged goes when it is let go of. */
  settle(sketch: Sketch, id: string, snap: boolean): Promise<Sketch>
}

type Gesture =
  | { kind: 'pan'; last: Vec2 }
  | { kind: 'body'; id: string; follow: Follow }
  | { kind: 'handle'; drag: Handle['drag']; follow: Follow }

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
    const isOther = event.button !== 0 && event.pointerType === 'mouse'
    if (isOther && !this.#hands.takesAllButtons) return
    this.#stage.setPointerCapture(event.pointerId)
    const at = this.#placeOf(event)
    this.#fingers.set(event.pointerId, { at, start: at })
    if (this.#fingers.size > 1) this.#finish()
    else this.#gesture = isOther ? { kind: 'pan', last: at } : this.#begin(event, at)
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
      if (Math.hypot(x, y) < CLICK_REACH && sketch.selected !== null) this.#desk.show(selecting(sketch, null))
    }
    this.#finish()
  }

  wheel(event: WheelEvent): void {
    event.preventDefault()
    const lines = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY
    const factor = Math.exp(-Math.max(-200, Math.min(200, lines)) * 0.0025)
    this.#hands.zoom(factor, this.#placeOf(event))
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
    return this.#snaps(event) ? this.#hands.step() : 0
  }

  #begin(event: PointerEvent, place: Vec2): Gesture {
    const desk = this.#desk
    const hands = this.#hands
    const handleName = attributeAt(event, 'data-handle')
    const handle = hands.handles().find(({ name }) => name === handleName)
    const body = handle === undefined ? bodyOf(desk.sketch, hands.bodyAt(event, place)) : undefined
    if (handle !== undefined) {
      this.#count++
      desk.begin()
      return { kind: 'handle', drag: handle.drag, follow: hands.holdHandle(handle, place) }
    }
    if (body === undefined) return { kind: 'pan', last: place }
    this.#count++
    desk.show(selecting(desk.sketch, body.id))
    desk.begin()
    return { kind: 'body', id: body.id, follow: hands.holdBody(body, place) }
  }

  /** Two fingers pan and zoom; `before` and `place`: of the one that has moved. */
  #pinch(moved: number, before: Vec2, place: Vec2): void {
    const other = [...this.#fingers].find(([id]) => id !== moved)![1].at
    const spread = (p: Vec2) => Math.max(1, Math.hypot(p.x - other.x, p.y - other.y))
    const by = times(minus(place, before), 1 / 2)
    this.#hands.pinch(by, spread(place) / spread(before), middle(place, other))
  }

  #follow(gesture: Gesture, place: Vec2, event: PointerEvent): void {
    const desk = this.#desk
    if (gesture.kind === 'pan') {
      this.#hands.drift(minus(place, gesture.last), event)
      gesture.last = place
      return
    }
    const to = gesture.follow(place, event)
    if (gesture.kind === 'handle') {
      desk.show(gesture.drag(desk.sketch, snapped(to, this.#step(event))))
      return
    }
    const body = bodyOf(desk.sketch, gesture.id)
    if (body === undefined) return
    const { dragging } = this.#hands
    dragging.body = gesture.id
    dragging.snap = this.#snaps(event)
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
export function attributeAt(event: Event, attribute: string): string | null {
  return (event.target as Element).closest(`[${attribute}]`)?.getAttribute(attribute) ?? null
}
