/**
 * A scene → one picture of it or of a part of it, of any size of scene.
 *
 * Frame: the picture's plot is the whole of it; y upwards unless asked otherwise. Layers, from the back: the grid, specks and boxes
 * (`level-of-detail.ts`), bodies in the order of their slots, those that are asked for, the tree, ids.
 * Work is done in slices; shapes that are dear to read, and the places of the labels, are drawn elsewhere.
 */
import type { Vec2 } from '../../../schemas/vector.ts'
import { callFar, type FarSlices } from '../../containers/far-call.ts'
import type { Bounds } from '../../core2d/measures/bounds.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import { findBody, sceneBodyAt, type View, visitUnbounded } from '../../scene/state/view.ts'
import { PackedShape } from '../../scene/table/packed-shape.ts'
import type { DrawnBox } from '../marks/outline.ts'
import { createPicture } from '../marks/picture.ts'
import { fittedFrame, visibleBox } from '../svg/frame.ts'
import { viewBox } from '../svg/view-box.ts'
import { element, escapeXml } from '../svg/xml.ts'
import { drawBackground, drawScales } from './background.ts'
import { drawBodies, partsAt } from './draw-bodies.ts'
import { drawTree } from './draw-tree.ts'
import { chooseDetail, detailText } from './level-of-detail.ts'
import { around, rectanglePart } from './rectangles.ts'
import { shownBounds } from './shown-bounds.ts'

export interface RenderOptions {
  /** Title of the picture. */
  title: string
  /** What is shown, in the world; all of the scene when null. */
  bounds: Bounds | null
  /** Of the picture, in pixels; the height follows from what is shown when null. */
  width: number
  height: number | null
  accepts: Accepts
  /** Ids. */
  highlight: readonly string[]
  bodies: boolean
  labels: boolean
  tree: boolean
  background: boolean
  yDown: boolean
}

/** Left free around a whole scene, of its size. */
const MARGIN = 0.04
/** Heights that follow from the width, as a part of it. */
const LEAST_RATIO = 0.25
const GREATEST_RATIO = 2
/** Of those that no box bounds, that decide what a picture of all takes in. */
const MOST_UNBOUNDED = 50
const ZERO: Vec2 = { x: 0, y: 0 }
const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif"

/** `sceneBounds`: of the bodies that have bounds. SVG text. The view must stay open until the end. */
export function* renderScene(view: View, sceneBounds: Bounds | null, options: RenderOptions): FarSlices<string> {
  const { width, yDown, accepts } = options
  const shown = options.bounds === null ? boxOfAll(view, sceneBounds) : shownBounds(options.bounds, sceneBounds)
  const height = options.height ?? fittingHeight(shown, width)
  const origin = { x: shown.minX + (shown.maxX - shown.minX) / 2, y: shown.minY + (shown.maxY - shown.minY) / 2 }
  const frame = fittedFrame(around(shown, origin), width, height, yDown)
  const seen = visibleBox(frame)
  const sight = {
    minX: seen.minX + origin.x,
    minY: seen.minY + origin.y,
    maxX: seen.maxX + origin.x,
    maxY: seen.maxY + origin.y,
  }
  // the tree is the scene's own, as it is now
  const tree = options.tree ? drawTree(view.table.tree, origin, sight, frame) : []
  const highlighted = new Set(options.highlight.map((id) => findBody(view, id)).filter((slot) => slot >= 0))
  const query = { accepts, sight, scale: width / frame.span, first: highlighted }
  const detail = options.bodies ? yield* chooseDetail(view, query) : null
  const plot: string[] = []
  let text = 'No bodies are drawn.'
  const labels: string[] = []
  if (detail !== null) {
    const { drawn, ids, boxed } = yield* drawBodies(view, detail, {
      roleAt: (slot) => (highlighted.has(slot) ? 'highlight' : null),
      hasIds: options.labels,
      origin,
      frame,
    })
    plot.push(...drawn)
    if (options.labels) labels.push(...(yield* callFar<string[]>(ids)))
    text = detailText(detail, boxed)
  }
  const place = { width, height, viewBox: `${-width / 2} ${-height / 2} ${width} ${height}` }
  const content = [
    element('title', {}, escapeXml(options.title)),
    element('desc', {}, escapeXml(text)),
    ...(options.background ? drawBackground(frame, origin) : []),
    ...plot,
    ...tree,
    ...(options.labels ? drawScales(frame, origin) : []),
    ...labels,
  ]
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...place, role: 'img', 'font-family': FONTS },
    `\n${content.join('\n')}\n`,
  )}\n`
}

/** With what is near of half-planes, as in pictures of queries. */
function boxOfAll(view: View, sceneBounds: Bounds | null): DrawnBox {
  const picture = createPicture([])
  if (sceneBounds !== null) picture.shapes.push({ parts: [rectanglePart(sceneBounds)], role: 'of-scene' })
  let left = MOST_UNBOUNDED
  visitUnbounded(view, (slot) => {
    const body = left-- > 0 ? sceneBodyAt(view, slot) : null
    if (body === null || body.shape instanceof PackedShape) return
    picture.shapes.push({ parts: partsAt(body, ZERO), role: 'of-scene' })
  })
  const { minX, minY, maxX, maxY } = viewBox(picture)
  if (!(minX <= maxX)) return { minX: -1, minY: -1, maxX: 1, maxY: 1 }
  // a single place has no size to go by but how far out it lies
  const size = Math.max(maxX - minX, maxY - minY)
  const margin = size > 0 ? MARGIN * size : Math.max(Math.abs(minX), Math.abs(minY)) || 1
  return { minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin }
}

function fittingHeight({ minX, minY, maxX, maxY }: DrawnBox, width: number): number {
  const ratio = (maxY - minY) / (maxX - minX)
  return Math.round(width * Math.min(GREATEST_RATIO, Math.max(LEAST_RATIO, Number.isNaN(ratio) ? 1 : ratio)))
}
