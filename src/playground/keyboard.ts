// Keys: everything that the mouse does. Those that type something are left alone.

import type { Desk } from './desk.ts'
import type { Handle } from './sketch/handles.ts'
import { turnedOn } from './sketch/question.ts'
import { bodyOf, freeId, movedBody, selecting, withBody, withoutBody } from './sketch/sketch.ts'
import { plus, type Vec } from './sketch/vector.ts'

const ARROWS: Record<string, Vec> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
}

interface Keys {
  handles(): readonly Handle[]
  fit(): void
  fall(): void
  /** What an arrow key moves a handle or a body by; `way`: on the screen, y up, of length 1. */
  step(way: Vec, fine: boolean): Vec
  /** Without a body or handle to move: the view goes that way. True where the body walks instead. */
  walk(way: Vec): boolean
  pan(way: Vec): void
  zoom(factor: number): void
  /** About the line of sight, radians. */
  turn(angle: number): number | Vec
  /** Further keys of the page, by `key`; true where it is one. */
  other?(event: KeyboardEvent): boolean
}

export function followKeys(desk: Desk, keys: Keys): void {
  const turn = (angle: number) => {
    const body = bodyOf(desk.sketch, desk.sketch.selected)
    if (body) desk.commit(withBody(desk.sketch, turnedOn(body, keys.turn(angle))))
  }
  const focused = () => {
    const name = document.activeElement?.getAttribute('data-handle')
    return name ? keys.handles().find((handle) => handle.name === name) : undefined
  }
  const arrow = (way: Vec, fine: boolean) => {
    const { sketch } = desk
    const handle = focused()
    const body = bodyOf(sketch, sketch.selected)
    const sense = (way.x + way.y) / (fine ? 10 : 1)
    if (handle?.nudge) desk.commit(handle.nudge(sketch, sense))
    else if (handle) desk.commit(handle.drag(sketch, plus(handle.at, keys.step(way, fine))))
    else if (keys.walk(way)) return
    else if (body) desk.commit(withBody(sketch, movedBody(body, keys.step(way, fine), 0)))
    else keys.pan(way)
  }
  const erase = () => {
    const handle = focused()
    if (handle?.remove) desk.commit(handle.remove(desk.sketch))
    else if (desk.sketch.selected !== null) desk.commit(withoutBody(desk.sketch, desk.sketch.selected))
  }
  const duplicate = () => {
    const body = bodyOf(desk.sketch, desk.sketch.selected)
    if (!body) return
    const id = freeId(desk.sketch)
    const by = keys.step({ x: 1, y: -1 }, false)
    desk.commit(selecting(withBody(desk.sketch, { ...movedBody(body, by, 0), id }), id))
  }
  const choose = (step: number) => {
    const { bodies, selected } = desk.sketch
    const index = bodies.findIndex(({ id }) => id === selected)
    const next = bodies.at((index + step + (index < 0 && step < 0 ? 1 : 0)) % bodies.length)
    if (next) desk.show(selecting(desk.sketch, next.id))
  }
  document.addEventListener('keydown', (event) => {
    const target = event.target as Element
    if (target.closest('input, textarea, select, dialog')) return
    const command = event.ctrlKey || event.metaKey
    const way = ARROWS[event.key]
    const key = event.key.toLowerCase()
    if (keys.other?.(event)) event.preventDefault()
    if (event.defaultPrevented) return
    if (way && !command) arrow(way, event.shiftKey)
    else if (command && key === 'z') event.shiftKey ? desk.redo() : desk.undo()
    else if (command && key === 'y') desk.redo()
    else if (command && key === 'd') duplicate()
    else if (command || event.altKey) return
    else if (event.key === 'Delete' || event.key === 'Backspace') erase()
    else if (event.key === '+' || event.key === '=') keys.zoom(1.25)
    else if (event.key === '-') keys.zoom(0.8)
    else if (key === '0') keys.fit()
    else if (key === 'q') turn(Math.PI / 36)
    else if (key === 'e') turn(-Math.PI / 36)
    else if (key === 'n') choose(1)
    else if (key === 'p') choose(-1)
    else if (key === 'd') keys.fall()
    else if (key === 'g') desk.set({ snap: !desk.settings.snap })
    else if (event.key === 'Escape') desk.show(selecting(desk.sketch, null))
    else if (event.key === 'Tab' || event.key === 'Enter' || event.key === ' ') return
    else return
    event.preventDefault()
  })
}
