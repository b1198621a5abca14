// Bodies as elements of SVG, one each, written again only where the body is another value. They are placed relative to a base near
// the middle of what is seen, since SVG is drawn in single precision: far from the origin pictures would tremble.

import { isLine, shapePath } from '../sketch/shape-outline.ts'
import { positionOf, type SketchBody } from '../sketch/sketch.ts'
import type { Vec2 } from '../sketch/vector.ts'
import { setAttribute, svgElement } from './svg-element.ts'
import { toScreen, type View } from './view.ts'

/** Pixels that the middle may go from the base. */
const FAR_FROM_BASE = 1e5

interface Drawn {
  element: SVGPathElement
  body: SketchBody
  classes: string
}

export interface BodyClasses {
  selected: string | null
  highlighted: ReadonlySet<string>
}

export interface BodyLayer {
  element: SVGGElement
  draw(bodies: readonly SketchBody[], view: View, classes: BodyClasses): void
}

const poseText = (body: SketchBody, base: Vec2): string => {
  const { x, y } = positionOf(body)
  const turn = body.rotation ? `rotate(${(body.rotation * 180) / Math.PI})` : ''
  return `translate(${x - base.x} ${y - base.y})${turn}`
}

/** The group's own transform: from lengths about the base to pixels. */
export function viewTransform(view: View, base: Vec2): string {
  const { x, y } = toScreen(view, base)
  return `matrix(${view.scale} 0 0 ${view.yUp ? -view.scale : view.scale} ${x} ${y})`
}

export function createBodyLayer(): BodyLayer {
  const element = svgElement('g', { class: 'bodies' })
  const drawn = new Map<string, Drawn>()
  let base: Vec2 = { x: 0, y: 0 }
  let last: readonly SketchBody[] = []

  const add = (body: SketchBody): Drawn => {
    const path = svgElement('path', { 'data-body': body.id, d: shapePath(body.shape), transform: poseText(body, base) })
    const title = svgElement('title')
    title.textContent = `${body.id}: ${body.shape.type}`
    path.append(title)
    element.append(path)
    const entry = { element: path, body, classes: '' }
    drawn.set(body.id, entry)
    return entry
  }
  const update = (entry: Drawn, body: SketchBody): void => {
    if (entry.body === body) return
    if (entry.body.shape !== body.shape) {
      setAttribute(entry.element, 'd', shapePath(body.shape))
      entry.element.firstChild!.textContent = `${body.id}: ${body.shape.type}`
    }
    setAttribute(entry.element, 'transform', poseText(body, base))
    entry.body = body
  }

  return {
    element,
    draw(bodies, view, { selected, highlighted }) {
      const { x, y } = view.center
      if (Math.max(Math.abs(x - base.x), Math.abs(y - base.y)) * view.scale > FAR_FROM_BASE) {
        base = view.center
        for (const entry of drawn.values()) entry.element.setAttribute('transform', poseText(entry.body, base))
      }
      setAttribute(element, 'transform', viewTransform(view, base))
      if (bodies !== last) {
        const present = new Set(bodies.map(({ id }) => id))
        for (const [id, entry] of drawn) {
          if (present.has(id)) continue
          entry.element.remove()
          drawn.delete(id)
        }
        last = bodies
      }
      for (const body of bodies) {
        const entry = drawn.get(body.id) ?? add(body)
        update(entry, body)
        const marked = `${body.id === selected ? ' selected' : ''}${highlighted.has(body.id) ? ' highlighted' : ''}`
        const classes = `body${isLine(body.shape) ? ' line' : ''}${body.sensor ? ' sensor' : ''}${marked}`
        if (entry.classes === classes) continue
        entry.classes = classes
        entry.element.setAttribute('class', classes)
      }
    },
  }
}
