/**
 * A scene of any size → a picture of it or of a part of it.
 *
 * Frame: the picture's plot is the whole of it; y upwards unless asked otherwise. Layers, from the back: the grid, specks and boxes
 * (`level-of-detail.ts`), bodies in the order of their slots, highlighted ones, the tree, ids.
 * Work is done in slices; costly shapes and the placement of labels run on another thread.
 */

import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { callFar, type FarSlices } from '../../containers/far-call.ts'
import type { DynamicTree } from '../../core/dynamic-tree.ts'
import type { Bounds } from '../../core2d/queries/bounds.ts'
import type { Accepts } from '../../scene/state/filter.ts'
import { PackedShape, shownBody } from '../../scene/state/shape-text.ts'
import { findBody, type PlaneView, sceneBodyAt, visitUnbounded } from '../../scene/state/view.ts'
import { drawRun } from '../draw-marks.ts'
import { scalesOf, type Tick } from '../grid.ts'
import type { DrawnBox } from '../outline.ts'
import { GRID, GRID_AXIS, MUTED, PAPER, type ShapeRole } from '../palette.ts'
import { createPicture } from '../picture.ts'
import { fittedFrame, type PictureFrame, viewBox, visibleBox } from '../view-box.ts'
import { element, escapeXml, group } from '../xml.ts'
import { around, drawBodies, partsAt, rectangleData, rectanglePart } from './draw-bodies.ts'
import { chooseDetail, detailText, shownBounds } from './level-of-detail.ts'

interface RenderOptions {
  /** Title of the picture. */
  title: string
  /** The part of the world to show; the whole scene when null. */
  bounds: Bounds | null
  /** Size of the picture, in pixels; a null height follows from the part shown. */
  width: number
  height: number | null
  accepts: Accepts
  /** Whether to write ids. */
  highlight: readonly string[]
  bodies: boolean
  labels: boolean
  tree: boolean
  background: boolean
  yDown: boolean
}

/** Margin around a whole scene, relative to its size. */
const MARGIN = 0.04
/** Bounds of a derived height, relative to the width. */
const LEAST_RATIO = 0.25
const GREATEST_RATIO = 2
/** Maximum number of unbounded bodies that influence the part shown. */
const MOST_UNBOUNDED = 50
const ZERO: Vec2 = { x: 0, y: 0 }
const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif"

/** Returns SVG text. `sceneBounds`: box of the bodies that have bounds. The view must stay open until the end. */
export function* renderScene(view: PlaneView, sceneBounds: Bounds | null, options: RenderOptions): FarSlices<string> {
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
  // the scene's own tree in its present state
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

/** The box of the scene with the nearest points of half-planes, as in pictures of queries. */
function boxOfAll(view: PlaneView, sceneBounds: Bounds | null): DrawnBox {
  const picture = createPicture([])
  if (sceneBounds !== null) picture.shapes.push({ parts: [rectanglePart(sceneBounds)], role: 'of-scene' })
  let left = MOST_UNBOUNDED
  visitUnbounded(view, (slot) => {
    const body = left-- > 0 ? shownBody(sceneBodyAt(view, slot)) : null
    if (body === null || body.shape instanceof PackedShape) return
    picture.shapes.push({ parts: partsAt(body, ZERO), role: 'of-scene' })
  })
  const { minX, minY, maxX, maxY } = viewBox(picture)
  if (!(minX <= maxX)) return { minX: -1, minY: -1, maxX: 1, maxY: 1 }
  // a scale for a single point: its distance from the origin
  const size = Math.max(maxX - minX, maxY - minY)
  const margin = size > 0 ? MARGIN * size : Math.max(Math.abs(minX), Math.abs(minY)) || 1
  return { minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin }
}

function fittingHeight({ minX, minY, maxX, maxY }: DrawnBox, width: number): number {
  const ratio = (maxY - minY) / (maxX - minX)
  return Math.round(width * Math.min(GREATEST_RATIO, Math.max(LEAST_RATIO, Number.isNaN(ratio) ? 1 : ratio)))
}

// Background: paper, grid, and the numbers of the grid along two sides

const NAMES = { across: 'x', up: 'y' }
const TICK_SIZE = 12
/** Gap between numbers and the sides, in pixels. */
const GAP = 5
const HALO = { stroke: PAPER, 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }

function drawBackground(frame: PictureFrame, origin: Vec2): string[] {
  const { width, height } = frame
  const { x, y } = scalesOf(frame, origin, NAMES)
  const across = (tick: Tick) => `M${round(tick.at)} ${-height / 2}v${height}`
  const along = (tick: Tick) => `M${-width / 2} ${round(tick.at)}h${width}`
  const lines = [...x.map((tick) => ({ tick, d: across(tick) })), ...y.map((tick) => ({ tick, d: along(tick) }))]
  const path = (isZero: boolean, stroke: string) => {
    const d = lines.filter(({ tick }) => tick.isZero === isZero).map((line) => line.d)
    return d.length === 0 ? [] : [element('path', { d: d.join(''), stroke, fill: 'none' })]
  }
  const paper = element('rect', { x: -width / 2, y: -height / 2, width, height, fill: PAPER })
  return [paper, ...path(false, GRID), ...path(true, GRID_AXIS)]
}

/** Numbers at the lower and the left side, with their common offset at the top. */
function drawScales(frame: PictureFrame, origin: Vec2): string[] {
  const { width, height } = frame
  const { x, y, note } = scalesOf(frame, origin, NAMES)
  const texts: string[] = []
  const write = (text: string, px: number, py: number, anchor: string) =>
    texts.push(element('text', { x: round(px), y: round(py), 'text-anchor': anchor }, escapeXml(text)))
  for (const { at, text } of x) if (at > 4 * TICK_SIZE - width / 2) write(text, at, height / 2 - GAP, 'middle')
  for (const { at, text } of y) {
    if (at < height / 2 - 2 * TICK_SIZE) write(text, GAP - width / 2, at + TICK_SIZE / 3, 'start')
  }
  if (note !== '') write(note, width / 2 - GAP, TICK_SIZE + GAP - height / 2, 'end')
  return group('g', { 'font-size': TICK_SIZE, fill: MUTED, ...HALO }, texts)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

// The boxes of a dynamic tree, from its root down to the smallest distinguishable ones. Leaves show the margin that lets their bodies
// move a little.

/** Boxes smaller than this, in picture units, are not descended into. */
const LEAST_SIZE = 4
const MOST_NODES = 10_000

/** `origin`: the picture's origin; `sight`: the visible part of the world. */
function drawTree(tree: DynamicTree, origin: Vec2, sight: DrawnBox, frame: PictureFrame): string[] {
  if (tree.count === 0) return []
  const { boxes, child } = tree
  const scale = frame.width / frame.span
  const data: Record<'tree-node' | 'tree-leaf', string[]> = { 'tree-node': [], 'tree-leaf': [] }
  const nodes = [0]
  // breadth-first, so that the smallest boxes are omitted
  for (let k = 0; k < nodes.length && k < MOST_NODES; k++) {
    const node = nodes[k]
    const [minX, minY, maxX, maxY] = boxes.subarray(4 * node, 4 * node + 4)
    if (minX > sight.maxX || maxX < sight.minX || minY > sight.maxY || maxY < sight.minY) continue
    const isLeaf = child[node] < 0
    data[isLeaf ? 'tree-leaf' : 'tree-node'].push(rectangleData(minX, minY, maxX, maxY, origin, frame))
    if (!isLeaf && Math.max(maxX - minX, maxY - minY) * scale >= LEAST_SIZE) nodes.push(child[node], child[node] + 1)
  }
  spend(nodes.length)
  return Object.entries(data).flatMap(([role, parts]) =>
    parts.length === 0 ? [] : drawRun(role as ShapeRole, [element('path', { d: parts.join('') })]),
  )
}
