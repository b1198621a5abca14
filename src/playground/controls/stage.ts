// The plane: everything that is drawn, written again once a frame where something has changed.

import type { Mark } from '../questions/question.ts'
import type { Handle } from '../sketch/handles.ts'
import type { SketchBody } from '../sketch/sketch.ts'
import { ORIGIN, times, toWorld, unit } from '../sketch/vector.ts'
import type { Desk } from './desk.ts'
import {
  type BodyLayer,
  createBodyLayer,
  createLabelSpace,
  drawHandles,
  drawMarks,
  gridPaths,
  highlightsOf,
  type LabelSpace,
  widthOf,
} from './layers.ts'
import { byId, setText } from './page-elements.ts'
import { setAttribute, svgElement, toScreen, type View } from './view.ts'

/** Names of more bodies could not be read. */
const MOST_LABELS = 300
const MOST_LETTERS = 20
/** Of a line of text, in pixels. */
const HEIGHT = 14

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
