// The plane: everything that is drawn, written again once a frame where something has changed.

import type { Desk } from './desk.ts'
import {
  createLabelSpace,
  drawHandles,
  drawMarks,
  highlightsOf,
  type LabelSpace,
  labelsOf,
  markElements,
  type OwnMark,
} from './overlay.ts'
import { byId } from './page-elements.ts'
import type { Handle } from './sketch/handles.ts'
import { shownBodies } from './sketch/legend.ts'
import type { Projection } from './sketch/projection.ts'
import type { Mark } from './sketch/question.ts'
import { isLine, linePath, rectangle, shapePath } from './sketch/shape-outline.ts'
import { positionOf, type Sketch, type SketchBody } from './sketch/sketch.ts'
import { minus, plus, times, unit, type Vec, type Vec2 } from './sketch/vector.ts'
import { setAttribute, svgElement } from './svg-elements.ts'
import type { Tints } from './tag-panel.ts'
import { corners, gridStep, toScreen, type View } from './view.ts'

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
  tints: Tints
  sketch: Sketch
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
    draw(bodies, view, { sketch: { selected, other }, highlighted, tints }) {
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
        const chosen = body.id === selected ? ' selected' : body.id === other ? ' other' : ''
        const marked = `${chosen}${highlighted.has(body.id) ? ' highlighted' : ''}`
        const tint = tints.of(body)
        const colour = tint === null ? '' : ` tint-${tint}`
        const classes = `body${colour}${isLine(body.shape) ? ' line' : ''}${body.sensor ? ' sensor' : ''}${marked}`
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

// Marks that only the plane draws so.

/** As wide as half-planes are drawn: nothing of the screen is beyond. */
const clamp = (value: number) => Math.max(-1e5, Math.min(1e5, value))
const drawable = ({ x, y }: Vec2): Vec2 => ({ x: clamp(x), y: clamp(y) })

const planeScreen = (view: View): Projection => ({
  width: view.width,
  height: view.height,
  at: (p) => drawable(toScreen(view, p)),
  scaleAt: () => view.scale,
  lines(points, closed) {
    const ring = points.map((p) => drawable(toScreen(view, p)))
    return points.length === 0 ? [] : [closed ? [...ring, ring[0]!] : ring]
  },
})

function planeElements(mark: OwnMark, view: View, space: LabelSpace): SVGElement[] {
  const screen = (p: Vec) => drawable(toScreen(view, p))
  const path = (name: string, d: string, at: Vec) => markElements(mark, name, d, at, space)
  switch (mark.kind) {
    case 'border': {
      const at = screen(mark.at)
      const { x, y } = unit(mark.normal)
      const far = times({ x: -y, y: view.yUp ? -x : x }, 4000)
      return path('border', linePath([minus(at, far), plus(at, far)], false), at)
    }
    case 'box': {
      const seen = corners(view)
      const margin = { x: view.width / view.scale, y: view.height / view.scale }
      const min = { x: mark.min.x ?? seen.min.x - margin.x, y: mark.min.y ?? seen.min.y - margin.y }
      const max = { x: mark.max.x ?? seen.max.x + margin.x, y: mark.max.y ?? seen.max.y + margin.y }
      return path('box', linePath(rectangle(min, max).map(screen), true), screen(max))
    }
    case 'ghost': {
      const at = toScreen(view, positionOf(mark.body))
      const degrees = ((mark.body.rotation ?? 0) * 180) / Math.PI
      const drawn = path(mark.name, shapePath(mark.body.shape), drawable(at))
      const flip = view.yUp ? -view.scale : view.scale
      drawn[0]!.setAttribute('transform', `matrix(${view.scale} 0 0 ${flip} ${at.x} ${at.y})rotate(${degrees})`)
      return drawn
    }
  }
}

interface Stage {
  element: SVGSVGElement
  /** Draws the marks of an answer. */
  setMarks(marks: readonly Mark[]): void
  /** Highlights bodies that a drag would overlap. */
  setAlarms(ids: ReadonlySet<string>): void
  /** Colours of bodies by their tags. */
  setTints(tints: Tints): void
  /** Where what is dragged would go. */
  setGuides(marks: readonly Mark[]): void
  /** Between which a picture of the scene belongs. */
  layers: { over: Element; under: Element }
  handles(): readonly Handle[]
  redraw(): void
}

export function createStage(desk: Desk<View>, makeHandles: () => readonly Handle[]): Stage {
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
  let tints: Tints = { of: () => null }
  let handles: readonly Handle[] = []
  let isWaiting = false

  const draw = () => {
    isWaiting = false
    const { sketch, view, settings } = desk
    const { lines, axes } = gridPaths(view)
    setAttribute(byId('grid-lines'), 'd', settings.grid ? lines : '')
    setAttribute(byId('axes'), 'd', settings.grid ? axes : '')
    const highlighted = new Set([...highlightsOf(marks), ...alarms])
    layer.draw(shownBodies(sketch), view, { sketch, highlighted, tints })
    const space = createLabelSpace(view)
    // what is dragged is looked at: where it would go is said first
    const screen = planeScreen(view)
    const own = (mark: OwnMark) => planeElements(mark, view, space)
    drawMarks(guideGroup, guides, screen, space, own)
    drawMarks(markGroup, marks, screen, space, own)
    handles = makeHandles()
    drawHandles(handleGroup, handles, screen)
    labels.replaceChildren(...labelsOf(sketch, screen, space))
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
    setTints(next) {
      tints = next
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
