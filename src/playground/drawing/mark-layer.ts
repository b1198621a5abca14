// Marks of answers as elements of SVG, in pixels; each says what it is in `data-mark` and `data-name`.

import type { Mark } from '../questions/mark.ts'
import { ellipsePath, linePath, rectangle, roundedPath, shapePath } from '../sketch/shape-outline.ts'
import { positionOf } from '../sketch/sketch.ts'
import { lengthOf, middle, minus, plus, times, unit, type Vec2 } from '../sketch/vector.ts'
import { type LabelSpace, widthOf } from './label-space.ts'
import { svgElement } from './svg-element.ts'
import { corners, toScreen, type View } from './view.ts'

const THUMB = 44
const HEAD = 9

function arrowPath(from: Vec2, to: Vec2): string {
  const way = minus(to, from)
  if (lengthOf(way) < 1) return linePath([from, to], false)
  const { x, y } = unit(way)
  const back = minus(to, times({ x, y }, HEAD))
  const side = times({ x: -y, y: x }, HEAD / 2)
  return `${linePath([from, to], false)}${linePath([plus(back, side), to, minus(back, side)], false)}`
}

/** Where a text goes beside its place: the first of these that is free, else the first. */
const SIDES = [
  { x: 8, y: -8 },
  { x: 8, y: 16 },
  { x: -8, y: -8 },
  { x: -8, y: 16 },
  { x: 12, y: 30 },
  { x: -12, y: -22 },
] as const

function textAt(at: Vec2, text: string, space: LabelSpace): SVGTextElement {
  const places = SIDES.map(({ x, y }) => ({ x: at.x + (x < 0 ? x - widthOf(text) : x), y: at.y + y }))
  const { x, y } = places.find((place) => space.takes(text, place.x, place.y)) ?? places[0]!
  const element = svgElement('text', { x, y, class: 'mark-text' })
  element.textContent = text
  return element
}

/** As wide as half-planes are drawn: nothing of the screen is beyond. */
const clamp = (value: number) => Math.max(-1e5, Math.min(1e5, value))
const drawable = ({ x, y }: Vec2): Vec2 => ({ x: clamp(x), y: clamp(y) })

function elements(mark: Exclude<Mark, { kind: 'highlight' }>, view: View, space: LabelSpace): SVGElement[] {
  const screen = (p: Vec2) => drawable(toScreen(view, p))
  const path = (name: string, d: string, label?: string, at?: Vec2): SVGElement[] => {
    const attributes = { 'data-mark': mark.kind, 'data-name': name, class: `mark ${mark.kind} ${name}`, d }
    const drawn: SVGElement[] = [svgElement('path', attributes)]
    if (label !== undefined && at !== undefined) drawn.push(textAt(at, label, space))
    return drawn
  }
  switch (mark.kind) {
    case 'point': {
      const at = screen(mark.at)
      return path(mark.name ?? 'point', ellipsePath(4, 4, at), mark.label, at)
    }
    case 'arrow': {
      const [from, to] = [screen(mark.from), screen(mark.to)]
      return path(mark.name, arrowPath(from, to), mark.label, middle(from, to))
    }
    case 'normal': {
      const at = screen(mark.at)
      const { x, y } = unit(mark.along)
      const to = plus(at, times({ x, y: view.yUp ? -y : y }, THUMB))
      return path('normal', arrowPath(at, to), mark.label, to)
    }
    case 'line': {
      const points = mark.points.map(screen)
      const d = mark.radius ? roundedPath(points, mark.radius * view.scale) : linePath(points, mark.closed === true)
      return path(mark.name, d, mark.label, middle(points[0]!, points.at(-1)!))
    }
    case 'axis': {
      const at = screen(mark.at)
      const { x, y } = unit(mark.along)
      const far = times({ x, y: view.yUp ? -y : y }, 4000)
      return path('axis', linePath([minus(at, far), plus(at, far)], false), mark.label, at)
    }
    case 'box': {
      const seen = corners(view)
      const margin = { x: view.width / view.scale, y: view.height / view.scale }
      const min = { x: mark.min.x ?? seen.min.x - margin.x, y: mark.min.y ?? seen.min.y - margin.y }
      const max = { x: mark.max.x ?? seen.max.x + margin.x, y: mark.max.y ?? seen.max.y + margin.y }
      return path('box', linePath(rectangle(min, max).map(screen), true), mark.label, screen(max))
    }
    case 'ghost': {
      const at = toScreen(view, positionOf(mark.body))
      const degrees = ((mark.body.rotation ?? 0) * 180) / Math.PI
      const drawn = path(mark.name, shapePath(mark.body.shape), mark.label, drawable(at))
      const flip = view.yUp ? -view.scale : view.scale
      drawn[0]!.setAttribute('transform', `matrix(${view.scale} 0 0 ${flip} ${at.x} ${at.y})rotate(${degrees})`)
      return drawn
    }
  }
}

/** At most as many as can be told apart. */
const MOST_MARKS = 600

export function drawMarks(group: SVGGElement, marks: readonly Mark[], view: View, space: LabelSpace): void {
  const shown = marks.filter((mark) => mark.kind !== 'highlight').slice(0, MOST_MARKS)
  group.replaceChildren(...shown.flatMap((mark) => elements(mark, view, space)))
}

export function highlightsOf(marks: readonly Mark[]): Set<string> {
  return new Set(marks.flatMap((mark) => (mark.kind === 'highlight' ? [mark.id] : [])))
}
