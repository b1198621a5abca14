// The legend beside the picture: tags with their colours, each of which can be hidden.

import type { Desk } from './desk.ts'
import { byId } from './page-elements.ts'
import { type LegendEntry, legendOf, tintOf, withHidden } from './sketch/legend.ts'
import type { Sketch, SketchBody } from './sketch/sketch.ts'
import { setAttribute } from './svg-elements.ts'

export interface Tints {
  /** The number of a body's colour, null of one without tags. */
  of(body: SketchBody): number | null
}

/** `changed`: called when colours have. */
export function followTags(desk: Desk, changed: () => void = () => {}): Tints {
  const list = byId('tags')
  let legend: readonly LegendEntry[] = []
  let tints = new WeakMap<SketchBody, number | null>()
  let seen: Sketch | null = null
  let shown = ''

  const row = ({ tag, count, tint }: LegendEntry): HTMLLIElement => {
    const button = document.createElement('button')
    button.type = 'button'
    button.dataset.tag = tag
    const swatch = document.createElement('span')
    swatch.className = tint === null ? 'swatch' : `swatch tint-${tint}`
    button.append(swatch, `${tag} (${count})`)
    button.addEventListener('click', () => {
      const { sketch } = desk
      desk.show(withHidden(sketch, tag, !sketch.hidden.includes(tag)))
    })
    const item = document.createElement('li')
    item.append(button)
    return item
  }
  const update = () => {
    const { sketch } = desk
    if (sketch === seen) return
    const { bodies, hidden } = sketch
    const isListed = bodies === seen?.bodies
    seen = sketch
    if (!isListed) {
      legend = legendOf(bodies)
      const names = legend.map(({ tag, count, tint }) => `${tag} ${count} ${tint}`).join()
      if (names !== shown) {
        shown = names
        tints = new WeakMap()
        list.replaceChildren(...legend.map(row))
        byId('tag-panel').hidden = legend.length === 0
        changed()
      }
    }
    for (const button of list.querySelectorAll('button'))
      setAttribute(button, 'aria-pressed', String(!hidden.includes(button.dataset.tag!)))
  }
  desk.onChange(update)
  update()
  return {
    of(body) {
      const known = tints.get(body)
      if (known !== undefined) return known
      const tint = tintOf(body, legend)
      tints.set(body, tint)
      return tint
    },
  }
}
