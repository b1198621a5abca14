// What lies over the bodies of either page as elements of SVG: handles, marks of answers, and names.

import { setText } from './page-elements.ts'
import type { Handle } from './sketch/handles.ts'
import { shownBodies } from './sketch/legend.ts'
import type { Projection } from './sketch/projection.ts'
import type { Mark } from './sketch/question.ts'
import { ellipsePath, linePath, roundedPath } from './sketch/shape-outline.ts'
import { positionOf, type Sketch } from './sketch/sketch.ts'
import { lengthOf, middle, minus, plus, times, toWorld, unit, type Vec, type Vec2 } from './sketch/vector.ts'
import { setAttribute, svgElement } from './svg-elements.ts'

// Handles as buttons of SVG: they take focus, have names, and are moved by the arrow keys too.

/** Pixels. */
const OUT_OF_SIGHT: Vec2 = { x: -1e4, y: -1e4 }

const RADIUS = { corner: 6, insert: 4, turn: 6, vector: 7, x: 7, y: 7, z: 7 }

/** Elements are kept by their name, so that one that is dragged, or has the focus, stays. */
export function drawHandles(group: SVGGElement, handles: readonly Handle[], screen: Projection): void {
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
    const at = screen.at(handle.at) ?? OUT_OF_SIGHT
    const trail = handle.trail ?? (handle.from ? [handle.from, handle.at] : [])
    const leader = screen
      .lines(trail, false)
      .map((line) => linePath(line, false))
      .join('')
    setAttribute(element.children[0]!, 'd', leader)
    for (const circle of [element.children[1]!, element.children[2]!]) {
      setAttribute(circle, 'cx', at.x.toFixed(2))
      setAttribute(circle, 'cy', at.y.toFixed(2))
    }
  }
  for (const element of kept.values()) element.remove()
}

// Marks of answers as elements of SVG, in pixels; each says what it is in `data-mark` and `data-name`.

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

/** Marks that each dimension draws in a way of its own. */
export type OwnMark = Extract<Mark, { kind: 'border' | 'box' | 'ghost' }>
type CommonMark = Exclude<Mark, OwnMark | { kind: 'highlight' }>

/** A path of SVG, and its text beside `at`. */
export function markElements(mark: Mark, name: string, d: string, at: Vec2 | null, space: LabelSpace): SVGElement[] {
  const attributes = { 'data-mark': mark.kind, 'data-name': name, class: `mark ${mark.kind} ${name}`, d }
  const drawn: SVGElement[] = [svgElement('path', attributes)]
  if ('label' in mark && mark.label !== undefined && at !== null) drawn.push(textAt(at, mark.label, space))
  return drawn
}

function commonElements(mark: CommonMark, screen: Projection, space: LabelSpace): SVGElement[] {
  const path = (name: string, d: string, at: Vec2 | null) => markElements(mark, name, d, at, space)
  const straight = (points: readonly Vec[], closed = false) =>
    screen
      .lines(points, closed)
      .map((line) => linePath(line, false))
      .join('')
  switch (mark.kind) {
    case 'point': {
      const at = screen.at(mark.at)
      return at === null ? [] : path(mark.name ?? 'point', ellipsePath(4, 4, at), at)
    }
    case 'arrow':
    case 'normal': {
      const from = mark.kind === 'arrow' ? mark.from : mark.at
      const to =
        mark.kind === 'arrow'
          ? mark.to
          : plus(from, times(unit(mark.along), THUMB / Math.max(1e-12, screen.scaleAt(from))))
      const [line] = screen.lines([from, to], false)
      if (line === undefined) return []
      const [p, q] = [line[0]!, line.at(-1)!]
      const name = mark.kind === 'arrow' ? mark.name : 'normal'
      return path(name, arrowPath(p, q), mark.kind === 'arrow' ? middle(p, q) : q)
    }
    case 'line': {
      const { points, closed = false, radius = 0 } = mark
      const at = screen.at(middle(points[0]!, points.at(-1)!))
      if (radius === 0) return path(mark.name, straight(points, closed), at)
      const ring = points.flatMap((point) => screen.at(point) ?? [])
      return path(mark.name, roundedPath(ring, radius * screen.scaleAt(points[0]!)), at)
    }
  }
}

/** At most as many as can be told apart. */
const MOST_MARKS = 600

/** `own`: draws the marks that each dimension draws in a way of its own. */
export function drawMarks(
  group: SVGGElement,
  marks: readonly Mark[],
  screen: Projection,
  space: LabelSpace,
  own: (mark: OwnMark, space: LabelSpace) => SVGElement[],
): void {
  const shown = marks.filter((mark) => mark.kind !== 'highlight').slice(0, MOST_MARKS)
  const isOwn = (mark: Mark): mark is OwnMark => mark.kind === 'border' || mark.kind === 'box' || mark.kind === 'ghost'
  group.replaceChildren(
    ...shown.flatMap((mark) => (isOwn(mark) ? own(mark, space) : commonElements(mark, screen, space))),
  )
}

export function highlightsOf(marks: readonly Mark[]): Set<string> {
  return new Set(marks.flatMap((mark) => (mark.kind === 'highlight' ? [mark.id] : [])))
}

// Room for words on the plane, so that none is written over another. Monospaced letters: their size is known without asking the page.

/** Of a letter, in pixels. */
const WIDTH = 7.3
const HEIGHT = 14

export interface LabelSpace {
  /** Whether the text would be seen whole with its left end and base line there; then nothing else is written over it. */
  takes(text: string, left: number, base: number): boolean
}

const widthOf = (text: string): number => text.length * WIDTH

export function createLabelSpace({ width, height }: Pick<Projection, 'width' | 'height'>): LabelSpace {
  const taken: { left: number; right: number; base: number }[] = []
  return {
    takes(text, left, base) {
      const right = left + widthOf(text)
      if (left < 0 || right > width || base < HEIGHT || base > height) return false
      const meets = taken.some(
        (other) => left < other.right && right > other.left && Math.abs(base - other.base) < HEIGHT,
      )
      if (!meets) taken.push({ left, right, base })
      return !meets
    },
  }
}

/** Names of more bodies could not be read. */
const MOST_LABELS = 300
const MOST_LETTERS = 20

/** Names of bodies, where there is room for them; of the selected one first. */
export function labelsOf(sketch: Sketch, screen: Projection, space: LabelSpace): SVGTextElement[] {
  const { selected } = sketch
  const bodies = shownBodies(sketch)
  const others = bodies.length > MOST_LABELS ? [] : bodies.filter(({ id }) => id !== selected)
  return [...bodies.filter(({ id }) => id === selected), ...others].flatMap((body) => {
    const { id, shape } = body
    const at = screen.at(positionOf(body))
    if (at === null) return []
    // of what has no end within, beside the border
    const isEndless = shape.type === 'halfplane' || shape.type === 'halfspace'
    const back = isEndless ? shape.offset - HEIGHT / screen.scaleAt(positionOf(body)) : 0
    const { x, y } = (isEndless ? screen.at(toWorld(body, times(unit(shape.normal), back))) : null) ?? at
    const name = id.length > MOST_LETTERS ? `${id.slice(0, MOST_LETTERS / 2)}…${id.slice(1 - MOST_LETTERS / 2)}` : id
    if (!space.takes(name, x - widthOf(name) / 2, y + 4)) return []
    const text = svgElement('text', { x, y: y + 4, class: 'label' })
    setText(text, name)
    return [text]
  })
}
