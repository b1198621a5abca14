// The plane: everything that is drawn, written again once a frame where something has changed.

import type { Desk } from './desk.ts'
import { byId, setText } from './page-elements.ts'
import type { Handle } from './sketch/handles.ts'
import type { Mark } from './sketch/question.ts'
import { ellipsePath, isLine, linePath, rectangle, roundedPath, shapePath } from './sketch/shape-outline.ts'
import { positionOf, type SketchBody } from './sketch/sketch.ts'
import { lengthOf, middle, minus, ORIGIN, plus, times, toWorld, unit, type Vec2 } from './sketch/vector.ts'
import { corners, gridStep, setAttribute, svgElement, toScreen, type View } from './view.ts'

// Bodies as elements of SVG, one each, written again only where the body is another value. They are placed relative to a base near
// the middle of what is seen, since SVG is drawn in single precision: far from the origin pictures would tremble.

/** Pixels that the middle may go from the base. */
const FAR_FROM_BASE = 1e5

interface Drawn {
  element: SVGPathElement
  body: SketchBody
  classes: string
}

interface BodyClasses {
  selected: string | null
  highlighted: ReadonlySet<string>
}

interface BodyLayer {
  element: SVGGElement
  draw(bodies: readonly SketchBody[], view: View, classes: BodyClasses): void
}

const poseText = (body: SketchBody, base: Vec2): string => {
  const { x, y } = positionOf(body)
  const turn = body.rotation ? `rotate(${(body.rotation * 180) / Math.PI})` : ''
  return `translate(${x - base.x} ${y - base.y})${turn}`
}

/** The group's own transform: from lengths about the base to pixels. */
function viewTransform(view: View, base: Vec2): string {
  const { x, y } = toScreen(view, base)
  return `matrix(${view.scale} 0 0 ${view.yUp ? -view.scale : view.scale} ${x} ${y})`
}

function createBodyLayer(): BodyLayer {
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

// Lines of the grid and the two axes, as path data in pixels.

function gridPaths(view: View): { lines: string; axes: string } {
  const { min, max } = corners(view)
  const step = gridStep(view)
  let lines = ''
  // steps are some pixels apart, so there are as many lines as the stage has pixels over that
  for (let i = Math.ceil(min.x / step); i * step <= max.x; i++) {
    const { x } = toScreen(view, { x: i * step, y: 0 })
    lines += `M${x.toFixed(1)} 0V${view.height}`
    if ((i + 1) * step === i * step) break
  }
  for (let i = Math.ceil(min.y / step); i * step <= max.y; i++) {
    const { y } = toScreen(view, { x: 0, y: i * step })
    lines += `M0 ${y.toFixed(1)}H${view.width}`
    if ((i + 1) * step === i * step) break
  }
  const { x, y } = toScreen(view, { x: 0, y: 0 })
  let axes = ''
  if (x >= 0 && x <= view.width)
    axes += linePath(
      [
        { x, y: 0 },
        { x, y: view.height },
      ],
      false,
    )
  if (y >= 0 && y <= view.height)
    axes += linePath(
      [
        { x: 0, y },
        { x: view.width, y },
      ],
      false,
    )
  return { lines, axes }
}

// Handles as buttons of SVG: they take focus, have names, and are moved by the arrow keys too.

const RADIUS = { corner: 6, insert: 4, turn: 6, vector: 7 }

/** Elements are kept by their name, so that one that is dragged, or has the focus, stays. */
function drawHandles(group: SVGGElement, handles: readonly Handle[], view: View): void {
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

function drawMarks(group: SVGGElement, marks: readonly Mark[], view: View, space: LabelSpace): void {
  const shown = marks.filter((mark) => mark.kind !== 'highlight').slice(0, MOST_MARKS)
  group.replaceChildren(...shown.flatMap((mark) => elements(mark, view, space)))
}

function highlightsOf(marks: readonly Mark[]): Set<string> {
  return new Set(marks.flatMap((mark) => (mark.kind === 'highlight' ? [mark.id] : [])))
}

// Room for words on the plane, so that none is written over another. Monospaced letters: their size is known without asking the page.

/** Of a letter, in pixels. */
const WIDTH = 7.3
const HEIGHT = 14

interface LabelSpace {
  /** Whether the text would be seen whole with its left end and base line there; then nothing else is written over it. */
  takes(text: string, left: number, base: number): boolean
}

const widthOf = (text: string): number => text.length * WIDTH

function createLabelSpace({ width, height }: Pick<View, 'width' | 'height'>): LabelSpace {
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

/** Names of bodies, where there is room for them. */
function labelsOf(bodies: readonly SketchBody[], view: View, space: LabelSpace): SVGTextElement[] {
  return bodies.flatMap((body) => {
    const { id, shape } = body
    // of half-planes within, beside the line
    const inside = shape.type === 'halfplane' ? times(unit(shape.normal), shape.offset - HEIGHT / view.scale) : ORIGIN
    const { x, y } = toScreen(view, toWorld(body, inside))
    const name = id.length > MOST_LETTERS ? `${id.slice(0, MOST_LETTERS / 2)}…${id.slice(1 - MOST_LETTERS / 2)}` : id
    if (!space.takes(name, x - widthOf(name) / 2, y + 4)) return []
    const text = svgElement('text', { x, y: y + 4, class: 'label' })
    setText(text, name)
    return [text]
  })
}

interface Stage {
  element: SVGSVGElement
  /** Draws the marks of an answer. */
  setMarks(marks: readonly Mark[]): void
  /** Highlights bodies that a drag would overlap. */
  setAlarms(ids: ReadonlySet<string>): void
  /** Where what is dragged would go. */
  setGuides(marks: readonly Mark[]): void
  /** Between which a picture of the scene belongs. */
  layers: { over: Element; under: Element }
  handles(): readonly Handle[]
  redraw(): void
}

export function createStage(desk: Desk, makeHandles: () => readonly Handle[]): Stage {
  const element = byId<SVGSVGElement>('stage')
  element.tabIndex = 0
  const layer: BodyLayer = createBodyLayer()
  const labels = svgElement('g', { class: 'labels', 'aria-hidden': 'true' })
  const markGroup = svgElement('g', { class: 'marks' })
  const guideGroup = svgElement('g', { class: 'marks guides' })
  const handleGroup = svgElement('g', { class: 'handles' })
  element.append(layer.element, labels, markGroup, guideGroup, handleGroup)

  let marks: readonly Mark[] = []
  let guides: readonly Mark[] = []
  let alarms: ReadonlySet<string> = new Set()
  let handles: readonly Handle[] = []
  let isWaiting = false

  const draw = () => {
    isWaiting = false
    const { sketch, view, settings } = desk
    const { lines, axes } = gridPaths(view)
    setAttribute(byId('grid-lines'), 'd', settings.grid ? lines : '')
    setAttribute(byId('axes'), 'd', settings.grid ? axes : '')
    const highlighted = new Set([...highlightsOf(marks), ...alarms])
    layer.draw(sketch.bodies, view, { selected: sketch.selected, highlighted })
    const space = createLabelSpace(view)
    // what is dragged is looked at: where it would go is said first
    drawMarks(guideGroup, guides, view, space)
    drawMarks(markGroup, marks, view, space)
    handles = makeHandles()
    drawHandles(handleGroup, handles, view)
    drawLabels(space)
  }
  const drawLabels = (space: LabelSpace) => {
    const { bodies, selected } = desk.sketch
    const shown = bodies.length > MOST_LABELS ? [] : bodies.filter(({ id }) => id !== selected)
    const chosen = bodies.filter(({ id }) => id === selected)
    labels.replaceChildren(...labelsOf([...chosen, ...shown], desk.view, space))
  }
  const redraw = () => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(draw)
  }
  new ResizeObserver(() => {
    const { width, height } = element.getBoundingClientRect()
    desk.look({ ...desk.view, width, height })
  }).observe(element)
  desk.onChange(redraw)
  return {
    element,
    setMarks(next) {
      marks = next
      redraw()
    },
    setAlarms(next) {
      alarms = next
      redraw()
    },
    setGuides(next) {
      if (next.length === 0 && guides.length === 0) return
      guides = next
      redraw()
    },
    layers: { over: labels, under: layer.element },
    handles: () => handles,
    redraw,
  }
}
