/**
 * A scene of any size → a picture of it or of a part of it.
 *
 * Frame: the picture's plot is the whole of it; y upwards unless asked otherwise. Layers, from the back: the grid, specks and boxes
 * (`level-of-detail.ts`), bodies in the order of their slots, highlighted ones, the tree, ids.
 * Work is done in slices; costly shapes and the placement of labels run on another thread.
 */

import type { PictureView } from '../../../schemas/picture.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { spend } from '../../containers/budget.ts'
import { callFar, type FarSlices } from '../../containers/far-call.ts'
import type { DynamicTree } from '../../core/dynamic-tree.ts'
import type { Bounds } from '../../core2d/queries/bounds.ts'
import type { Accepts } from '../../scene/state/filter.ts'

import { PackedShape, shownBody } from '../../scene/state/shape-text.ts'
import { findBody, sceneBodyAt, type View, visitUnbounded } from '../../scene/state/view.ts'

import { drawRun } from '../draw-marks.ts'
import { drawAxes, leaningScales } from '../draw-picture.ts'
import { type Scales, scalesOf, type Tick } from '../grid.ts'
import type { DrawnBox } from '../outline.ts'
import { GRID, GRID_AXIS, MUTED, PAPER, type ShapeRole } from '../palette.ts'
import { createPicture } from '../picture.ts'
import { axesOf } from '../picture-of-space.ts'
import { VIEWS } from '../stand.ts'
import { fittedFrame, type PictureFrame, viewBox, visibleBox } from '../view-box.ts'
import { element, escapeXml, group } from '../xml.ts'
import { boxData, drawBodies } from './draw-bodies.ts'
import { chooseDetail, detailText, shownBounds } from './level-of-detail.ts'
import { around, type Outlook, originSeen, partsAt, rectanglePart, seenBox, spaceOutlook } from './outlook.ts'

interface RenderOptions {
  /** Title of the picture. */
  title: string
  /** The part of the plane to show; the whole scene when null. */
  bounds: Bounds | null
  /** Where a scene of space is looked at from. */
  view: PictureView
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

/** Returns SVG text. `sceneBox`: box of the bodies that have bounds. The view must stay open until the end. */
export function* renderScene(view: View, sceneBox: Float64Array | null, options: RenderOptions): FarSlices<string> {
  const { width, yDown, accepts } = options
  const { outlook, shown, ratio } =
    view.table.geometry.dimension === 2
      ? lookAtPlane(view, sceneBox, options.bounds)
      : lookAtSpace(view, sceneBox, options.view)
  const height = options.height ?? fittingHeight(ratio, width)
  const frame = fittedFrame(shown, width, height, yDown)
  const sight = visibleBox(frame)
  // the scene's own tree in its present state
  const tree = options.tree ? drawTree(view.table.tree, outlook, sight, frame) : []
  const highlighted = new Set(options.highlight.map((id) => findBody(view, id)).filter((slot) => slot >= 0))
  const query = { accepts, outlook, sight, scale: width / frame.span, first: highlighted }
  const detail = options.bodies ? yield* chooseDetail(view, query) : null
  const plot: string[] = []
  let text = 'No bodies are drawn.'
  const labels: string[] = []
  if (detail !== null) {
    const { drawn, ids, boxed } = yield* drawBodies(view, detail, {
      roleAt: (slot) => (highlighted.has(slot) ? 'highlight' : null),
      hasIds: options.labels,
      outlook,
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
    ...(options.background ? drawBackground(frame, outlook) : []),
    ...plot,
    ...tree,
    ...(options.labels ? drawScales(frame, outlook) : []),
    ...labels,
  ]
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...place, role: 'img', 'font-family': FONTS },
    `\n${content.join('\n')}\n`,
  )}\n`
}

/** What is shown, relative to the image of the origin, and its height, relative to its width. */
interface Shown {
  outlook: Outlook
  shown: DrawnBox
  ratio: number
}

function lookAtPlane(view: View, sceneBox: Float64Array | null, bounds: Bounds | null): Shown {
  const sceneBounds = sceneBox === null ? null : seenBox({ dimension: 2, origin: ZERO }, sceneBox)
  const shown = bounds === null ? boxOfAll(view, sceneBounds) : shownBounds(bounds, sceneBounds)
  const { minX, minY, maxX, maxY } = shown
  const origin = { x: minX + (maxX - minX) / 2, y: minY + (maxY - minY) / 2 }
  return { outlook: { dimension: 2, origin }, shown: around(shown, origin), ratio: (maxY - minY) / (maxX - minX) }
}

function lookAtSpace(view: View, sceneBox: Float64Array | null, from: PictureView): Shown {
  const outlook = spaceOutlook(sceneBox, from)
  const { minX, minY, maxX, maxY } = seenBox(outlook, sceneBox ?? NO_BOX)
  let margin = MARGIN * Math.max(maxX - minX, maxY - minY)
  // patches of half-spaces stand out
  visitUnbounded(view, () => {
    margin = PATCH_MARGIN * Math.max(maxX - minX, maxY - minY)
  })
  if (!(margin > 0)) margin = Math.max(...(sceneBox ?? NO_BOX).map(Math.abs)) || 1
  const shown = { minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin }
  return { outlook, shown, ratio: (shown.maxY - shown.minY) / (shown.maxX - shown.minX) }
}

const NO_BOX = new Float64Array(6)
const PATCH_MARGIN = 0.2

/** The box of the scene with the nearest points of half-planes, as in pictures of queries. */
function boxOfAll(view: View, sceneBounds: DrawnBox | null): DrawnBox {
  const picture = createPicture([])
  if (sceneBounds !== null) picture.shapes.push({ parts: [rectanglePart(sceneBounds)], role: 'of-scene' })
  let left = MOST_UNBOUNDED
  visitUnbounded(view, (slot) => {
    const body = left-- > 0 ? shownBody(sceneBodyAt(view, slot)) : null
    if (body === null || body.shape instanceof PackedShape) return
    picture.shapes.push({ parts: partsAt({ dimension: 2, origin: ZERO }, body), role: 'of-scene' })
  })
  const { minX, minY, maxX, maxY } = viewBox(picture)
  if (!(minX <= maxX)) return { minX: -1, minY: -1, maxX: 1, maxY: 1 }
  // a scale for a single point: its distance from the origin
  const size = Math.max(maxX - minX, maxY - minY)
  const margin = size > 0 ? MARGIN * size : Math.max(Math.abs(minX), Math.abs(minY)) || 1
  return { minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin }
}

function fittingHeight(ratio: number, width: number): number {
  return Math.round(width * Math.min(GREATEST_RATIO, Math.max(LEAST_RATIO, Number.isNaN(ratio) ? 1 : ratio)))
}

// Background: paper, grid, and the numbers of the grid along two sides

const NAMES = { across: 'x', up: 'y' }
const TICK_SIZE = 12
/** Gap between numbers and the sides, in pixels. */
const GAP = 5
const HALO = { stroke: PAPER, 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }

/** The scales of a picture along two axes; none of one that sees three. */
function scalesSeen(frame: PictureFrame, outlook: Outlook): Scales {
  const names = outlook.dimension === 2 ? NAMES : VIEWS[outlook.view].axes
  return names === null ? leaningScales(frame) : scalesOf(frame, originSeen(outlook), names)
}

function drawBackground(frame: PictureFrame, outlook: Outlook): string[] {
  const { width, height } = frame
  const { x, y } = scalesSeen(frame, outlook)
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
function drawScales(frame: PictureFrame, outlook: Outlook): string[] {
  const { width, height } = frame
  const { x, y, note } = scalesSeen(frame, outlook)
  const texts: string[] = []
  const write = (text: string, px: number, py: number, anchor: string) =>
    texts.push(element('text', { x: round(px), y: round(py), 'text-anchor': anchor }, escapeXml(text)))
  for (const { at, text } of x) if (at > 4 * TICK_SIZE - width / 2) write(text, at, height / 2 - GAP, 'middle')
  for (const { at, text } of y) {
    if (at < height / 2 - 2 * TICK_SIZE) write(text, GAP - width / 2, at + TICK_SIZE / 3, 'start')
  }
  if (note !== '') write(note, width / 2 - GAP, TICK_SIZE + GAP - height / 2, 'end')
  const axes = outlook.dimension === 2 ? null : axesOf(VIEWS[outlook.view])
  if (axes?.form === 'plane') {
    write(`${axes.across} →`, width / 2 - GAP, height / 2 - GAP, 'end')
    write(`↑ ${axes.up}`, GAP - width / 2, TICK_SIZE + GAP - height / 2, 'start')
  }
  const leaning = axes?.form === 'leaning' ? drawAxes(axes, AXES_PLACE - width / 2, height / 2 - AXES_PLACE, frame) : []
  return group('g', { 'font-size': TICK_SIZE, fill: MUTED, ...HALO }, [...texts, ...leaning])
}

/** Distance of the middle of the three axes from the sides, in pixels. */
const AXES_PLACE = 40

function round(value: number): number {
  return Math.round(value * 10) / 10
}

// The boxes of a dynamic tree, from its root down to the smallest distinguishable ones. Leaves show the margin that lets their bodies
// move a little.

/** Boxes smaller than this, in picture units, are not descended into. */
const LEAST_SIZE = 4
const MOST_NODES = 10_000

/** `sight`: what is visible, relative to the picture's origin. */
function drawTree(tree: DynamicTree, outlook: Outlook, sight: DrawnBox, frame: PictureFrame): string[] {
  if (tree.count === 0) return []
  const { boxes, child } = tree
  const scale = frame.width / frame.span
  const data: Record<'tree-node' | 'tree-leaf', string[]> = { 'tree-node': [], 'tree-leaf': [] }
  const sides = 2 * outlook.dimension
  const nodes = [0]
  // breadth-first, so that the smallest boxes are omitted
  for (let k = 0; k < nodes.length && k < MOST_NODES; k++) {
    const node = nodes[k]
    const box = boxes.subarray(sides * node, sides * (node + 1))
    const { minX, minY, maxX, maxY } = seenBox(outlook, box)
    if (minX > sight.maxX || maxX < sight.minX || minY > sight.maxY || maxY < sight.minY) continue
    const isLeaf = child[node] < 0
    data[isLeaf ? 'tree-leaf' : 'tree-node'].push(boxData(outlook, box, frame))
    if (!isLeaf && Math.max(maxX - minX, maxY - minY) * scale >= LEAST_SIZE) nodes.push(child[node], child[node] + 1)
  }
  spend(nodes.length)
  return Object.entries(data).flatMap(([role, parts]) =>
    parts.length === 0 ? [] : drawRun(role as ShapeRole, [element('path', { d: parts.join('') })]),
  )
}
