// Keys: everything that the mouse does. Those that type something are left alone.

import type { Desk } from './desk.ts'
import type { Handle } from './sketch/handles.ts'
import { bodyOf, freeId, movedBody, withBody, withoutBody } from './sketch/sketch.ts'
import { plus, times, type Vec2 } from './sketch/vector.ts'
import { gridStep, panned, zoomed } from './view.ts'

const ARROWS: Record<string, Vec2> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
}

interface Keys {
  handles(): readonly Handle[]
  fit(): void
  /** True where the arrow keys walk instead of moving; `by`: of length 1, world frame. */
  walk(by: Vec2): boolean
  /** True where something falls. */
  fall(): boolean
}

export function followKeys(desk: Desk, keys: Keys): void {
  const turn = (angle: number) => {
    const body = bodyOf(desk.sketch, desk.sketch.selected)
    if (body) desk.commit(withBody(desk.sketch, { ...body, rotation: (body.rotation ?? 0) + angle }))
  }
  const focused = () => {
    const name = document.activeElement?.getAttribute('data-handle')
    return name ? keys.handles().find((handle) => handle.name === name) : undefined
  }
  const arrow = (way: Vec2, fine: boolean) => {
    const { view, sketch } = desk
    const by = { x: way.x, y: view.yUp ? way.y : -way.y }
    const step = times(by, gridStep(view) / (fine ? 10 : 1))
    const handle = focused()
    const body = bodyOf(sketch, sketch.selected)
    if (handle) desk.commit(handle.drag(sketch, plus(handle.at, step)))
    else if (keys.walk(by)) return
    else if (body) desk.commit(withBody(sketch, movedBody(body, step, 0)))
    else desk.look(panned(view, { x: -way.x * 40, y: way.y * 40 }))
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
    const by = times({ x: 1, y: -1 }, gridStep(desk.view))
    desk.commit({ ...withBody(desk.sketch, { ...movedBody(body, by, 0), id }), selected: id })
  }
  const choose = (step: number) => {
    const { bodies, selected } = desk.sketch
    const index = bodies.findIndex(({ id }) => id === selected)
    const next = bodies.at((index + step + (index < 0 && step < 0 ? 1 : 0)) % bodies.length)
    if (next) desk.show({ ...desk.sketch, selected: next.id })
  }
  const zoom = (factor: number) => {
    const { view } = desk
    desk.look(zoomed(view, factor, { x: view.width / 2, y: view.height / 2 }))
  }

  document.addEventListener('keydown', (event) => {
    const target = event.target as Element
    if (target.closest('input, textarea, select, dialog')) return
    const command = event.ctrlKey || event.metaKey
    const way = ARROWS[event.key]
    const key = event.key.toLowerCase()
    if (way && !command) arrow(way, event.shiftKey)
    else if (command && key === 'z') event.shiftKey ? desk.redo() : desk.undo()
    else if (command && key === 'y') desk.redo()
    else if (command && key === 'd') duplicate()
    else if (command || event.altKey) return
    else if (event.key === 'Delete' || event.key === 'Backspace') erase()
    else if (event.key === '+' || event.key === '=') zoom(1.25)
    else if (event.key === '-') zoom(0.8)
    else if (key === '0') keys.fit()
    else if (key === 'q') turn(Math.PI / 36)
    else if (key === 'e') turn(-Math.PI / 36)
    else if (key === 'n') choose(1)
    else if (key === 'p') choose(-1)
    else if (key === 'd') keys.fall()
    else if (key === 'g') desk.set({ snap: !desk.settings.snap })
    else if (event.key === 'Escape') desk.show({ ...desk.sketch, selected: null })
    else if (event.key === 'Tab' || event.key === 'Enter' || event.key === ' ') return
    else return
    event.preventDefault()
  })
}
