// Handles as buttons of SVG: they take focus, have names, and are moved by the arrow keys too.

import type { Handle } from '../sketch/handles.ts'
import { linePath } from '../sketch/shape-outline.ts'
import { setAttribute, svgElement } from './svg-element.ts'
import { toScreen, type View } from './view.ts'

const RADIUS = { corner: 6, insert: 4, turn: 6, vector: 7 }

/** Elements are kept by their name, so that one that is dragged, or has the focus, stays. */
export function drawHandles(group: SVGGElement, handles: readonly Handle[], view: View): void {
  const kept = new Map([...group.children].map((element) => [element.getAttribute('data-handle')!, element]))
  for (const handle of handles) {
    let element = kept.get(handle.name)
    if (element === undefined) {
      element = svgElement('g', {
        'data-handle': handle.name,
        class: `handle ${handle.kind}`,
        role: 'button',
        tabindex: 0,
        'aria-label': `${handle.name}${handle.remove ? ', Delete removes it' : ''}`,
      })
      const target = svgElement('circle', { r: 14, class: 'target' })
      element.append(svgElement('path', { class: 'leader' }), target, svgElement('circle', { r: RADIUS[handle.kind] }))
      group.append(element)
    }
    kept.delete(handle.name)
    const at = toScreen(view, handle.at)
    const leader = handle.from ? linePath([toScreen(view, handle.from), at], false) : ''
    setAttribute(element.children[0]!, 'd', leader)
    for (const circle of [element.children[1]!, element.children[2]!]) {
      setAttribute(circle, 'cx', at.x.toFixed(2))
      setAttribute(circle, 'cy', at.y.toFixed(2))
    }
  }
  for (const element of kept.values()) element.remove()
}
