// The bodies by name, for those who do not see the picture: buttons that select, in the panel beside it.

import type { Desk } from '../desk.ts'
import { byId, setText } from '../page-elements.ts'
import { type Sketch, type SketchBody, selecting } from '../sketch/sketch.ts'
import { setAttribute } from '../svg-elements.ts'

/** More are not listed: `N` and `P` go through all of them. */
const MOST_LISTED = 200

export function listBodies(desk: Desk): void {
  const list = byId('bodies')
  byId('bodies-panel').hidden = false
  let shown = ''
  let seen: Sketch | null = null
  const item = ({ id, shape }: SketchBody): HTMLLIElement => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = `${id}: ${shape.type}`
    button.dataset.body = id
    button.addEventListener('click', () => desk.show(selecting(desk.sketch, id)))
    const row = document.createElement('li')
    row.append(button)
    return row
  }
  const update = () => {
    if (desk.sketch === seen) return
    seen = desk.sketch
    const { bodies, selected, other } = desk.sketch
    const listed = bodies.slice(0, MOST_LISTED)
    const names = listed.map(({ id, shape }) => `${id} ${shape.type}`).join()
    if (shown !== names) list.replaceChildren(...listed.map(item))
    shown = names
    setText(
      byId('bodies-count'),
      bodies.length > MOST_LISTED ? `${MOST_LISTED} of ${bodies.length}` : `${bodies.length}`,
    )
    for (const button of list.querySelectorAll('button')) {
      const { body } = button.dataset
      setAttribute(button, 'aria-pressed', String(body === selected || body === other))
    }
  }
  desk.onChange(update)
  update()
}
