/**
 * The bodies of a scene → SVG, each as its level of detail says, in slices.
 *
 * Costly shapes, and the labels, are drawn on another thread (`DrawingTask`).
 */

import type { Vec2 } from '../../../schemas/vector.ts'
import { Pace } from '../../containers/budget.ts'
import { callFar, type FarSlices, type FarTask } from '../../containers/far-call.ts'
import { type DescribedBody, describeBody } from '../../scene/queries/described-body.ts'
import { hasCostlyShape } from '../../scene/queries/scene-tasks.ts'
import type { SceneBody } from '../../scene/state/operation.ts'

import { shownBody } from '../../scene/state/shape-text.ts'
import { boxAt, idAt, sceneBodyAt, shapeNumbersAt, type View } from '../../scene/state/view.ts'

import { namePlace } from '../draw-labels.ts'
import { drawArrow, drawParts, drawRun } from '../draw-marks.ts'
import type { DrawnBox, DrawnPart } from '../outline.ts'
import { INK, PAPER, type ShapeRole } from '../palette.ts'
import { type ArrowMark, type ShapeMark, shortName } from '../picture.ts'
import { shapeCorners } from '../shape-parts.ts'
import { type PictureFrame, short, toPicture } from '../view-box.ts'
import { element, escapeXml, group, labelWidth } from '../xml.ts'
import type { Detail } from './level-of-detail.ts'
import { boxPart, boxRing, motionSeen, nearness, type Outlook, partsAt, partsOfDescribed, seenBox } from './outlook.ts'

/** Approximate limit on the corners of all bodies that are drawn whole; bodies that exceed it are drawn as boxes. */
const MOST_CORNERS = 200_000
/** Numbers of a shape from which on another thread draws it. */
const LARGE_COUNT = 2 ** 12
const MOST_IDS = 120
const MOST_ARROWS = 200
/** Length of velocity arrows, in pixels. */
const ARROW_LENGTH = 28
/** Fixed cost of drawing a body, in corners. */
const BODY_POINTS = 16

/** Layers, from the back. */
const LAYERS: readonly ShapeRole[] = [
  'passed-over',
  'box-of-body',
  'of-scene',
  'sensor',
  'mover',
  'asked',
  'result',
  'touched',
  'met',
  'highlight',
]
/** Roles that replace those of bodies drawn as boxes. */
const SMALL = {
  plain: { speck: 'speck', box: 'box-of-body' },
  met: { speck: 'speck-of-met', box: 'box-of-met' },
} as const

/** Frame and options of the drawing. */
interface Sheet {
  /** The role of a highlighted body, by slot; null for other bodies. */
  roleAt(slot: number): ShapeRole | null
  hasIds: boolean
  outlook: Outlook
  frame: PictureFrame
}

/** Elements, labels that are still to be placed, and the number of bodies that had to be drawn as boxes. */
export function* drawBodies(
  view: View,
  detail: Detail,
  { roleAt, hasIds, outlook, frame }: Sheet,
): FarSlices<{ drawn: string[]; ids: DrawIdsTask; boxed: number }> {
  const pace = new Pace()
  const back = yield* drawSmall(view, detail, { roleAt, outlook, frame })
  const runs = new Map<ShapeRole, string[]>(LAYERS.map((role) => [role, []]))
  const ranks = hasIds ? largest(detail, MOST_IDS) : new Map<number, number>()
  const named: ShapeMark[] = []
  const arrows: ArrowMark[] = []
  let corners = 0
  let boxed = 0
  for (const slot of outlook.dimension === 2 ? detail.whole : fromBehind(view, detail.whole, outlook)) {
    const isBox = corners + shapeNumbersAt(view, slot) > MOST_CORNERS
    const { drawn, parts, role, points, arrow } = yield* drawBody(view, slot, {
      own: roleAt(slot),
      isBox,
      outlook,
      frame,
    })
    if (isBox) boxed++
    corners += points
    const id = idAt(view, slot)
    if (drawn.length > 0) runs.get(role)?.push(element('g', { 'data-id': id }, drawn.join('')))
    const rank = ranks.get(slot)
    if (rank !== undefined) named[rank] = { parts, role, name: id }
    if (arrow !== null && arrows.length < MOST_ARROWS) arrows.push(arrow)
    if (pace.isDue(BODY_POINTS + points)) yield
  }
  const heads = arrows.map((arrow) => drawArrow(arrow, ARROW_LENGTH, frame))
  const bodies = [...runs].flatMap(([role, drawn]) => drawRun(role, drawn))
  return {
    drawn: [...back, ...bodies, ...heads],
    ids: { kind: 'draw-ids', shapes: named.filter((mark) => mark !== undefined), frame },
    boxed,
  }
}

/** In space the nearer bodies cover the farther ones. */
function fromBehind(view: View, slots: readonly number[], outlook: Outlook): number[] {
  const near = new Map<number, number>()
  for (const slot of slots) {
    boxAt(view, slot, box)
    near.set(slot, nearness(outlook, box))
  }
  return slots.toSorted((a, b) => (near.get(a) as number) - (near.get(b) as number) || a - b)
}

interface DrawnBody {
  /** Elements. */
  drawn: string[]
  /** For its label. */
  parts: readonly DrawnPart[]
  role: ShapeRole
  points: number
  arrow: ArrowMark | null
}

interface Pen {
  /** The role of a highlighted body. */
  own: ShapeRole | null
  isBox: boolean
  outlook: Outlook
  frame: PictureFrame
}

function* drawBody(view: View, slot: number, { own, isBox, outlook, frame }: Pen): FarSlices<DrawnBody> {
  const isLarge = hasCostlyShape(view, slot) || shapeNumbersAt(view, slot) >= LARGE_COUNT
  if (isBox || isLarge) return yield* drawLarge(view, slot, { own, isBox, outlook, frame })
  const body = shownBody(sceneBodyAt(view, slot))
  const parts = partsAt(outlook, body)
  const { tail, direction } = motionSeen(outlook, body)
  const role = own ?? (body.sensor === true ? 'sensor' : isMoving(body) ? 'mover' : 'of-scene')
  const arrow: ArrowMark | null = direction === null ? null : { form: 'direction', tail, direction, role: 'motion' }
  const points = shapeCorners(body.shape as never)
  return { drawn: drawParts(parts, role, frame), parts, role, points, arrow }
}

function isMoving({ velocity, angularVelocity = 0 }: SceneBody): boolean {
  const spin = typeof angularVelocity === 'number' ? [angularVelocity] : Object.values(angularVelocity)
  return [...Object.values(velocity ?? {}), ...spin].some((rate) => rate !== 0)
}

/** Draws the body as its box, or whole on another thread. */
function* drawLarge(view: View, slot: number, { own, isBox, outlook, frame }: Pen): FarSlices<DrawnBody> {
  boxAt(view, slot, box)
  const sides = box.subarray(0, 2 * view.table.geometry.axes)
  const parts = sides.every(Number.isFinite) ? [boxPart(outlook, sides)] : []
  const role = own ?? (isBox ? 'box-of-body' : 'of-scene')
  if (isBox) return { drawn: drawParts(parts, role, frame), parts, role, points: 4, arrow: null }
  const task: DrawShapeTask = { kind: 'draw-shape', body: describeBody(view, slot), role, outlook, frame }
  const points = shapeNumbersAt(view, slot)
  return { drawn: yield* callFar<string[]>(task), parts, role, points, arrow: null }
}

const box = new Float64Array(6)

/** Draws boxes and specks. */
function* drawSmall(
  view: View,
  detail: Detail,
  { roleAt, outlook, frame }: Omit<Sheet, 'hasIds'>,
): FarSlices<string[]> {
  const pace = new Pace()
  const specks = { plain: createSpecks(frame), met: createSpecks(frame) }
  const boxes: { plain: string[]; met: string[] } = { plain: [], met: [] }
  for (const slot of detail.specks) {
    if (pace.isDue(1)) yield
    boxAt(view, slot, box)
    const { minX, minY } = seenBox(outlook, box)
    addSpeck(specks[kindOf(roleAt(slot))], { x: minX, y: minY }, frame)
  }
  for (const slot of detail.boxes) {
    if (pace.isDue(2)) yield
    boxAt(view, slot, box)
    boxes[kindOf(roleAt(slot))].push(boxData(outlook, box, frame))
  }
  const drawn: string[] = []
  for (const kind of ['plain', 'met'] as const) {
    const { speck, box: boxRole } = SMALL[kind]
    const dots = detail.specks.length === 0 ? '' : specksData(specks[kind], frame)
    if (dots !== '') drawn.push(...drawRun(speck, [element('path', { d: dots })]))
    if (boxes[kind].length > 0) drawn.push(...drawRun(boxRole, [element('path', { d: boxes[kind].join('') })]))
  }
  return drawn
}

function kindOf(role: ShapeRole | null): 'plain' | 'met' {
  return role === null || role === 'passed-over' ? 'plain' : 'met'
}

/** The slots of the largest bodies, up to `most`, with their ranks. */
function largest({ whole, sizes }: Detail, most: number): Map<number, number> {
  const sizeOf = (slot: number) => sizes.get(slot) as number
  const sorted = [...whole].sort((a, b) => (sizeOf(a) === sizeOf(b) ? a - b : sizeOf(b) - sizeOf(a)))
  return new Map(sorted.slice(0, most).map((slot, rank) => [slot, rank]))
}

// Specks: bodies too small to be visible mark the cells of a lattice over the plot, which become one path

/** Size of a cell, in picture units; it bounds the length of the path. */
const CELL = 3

interface Specks {
  readonly columns: number
  readonly rows: number
  readonly marks: Uint8Array
}

function createSpecks({ width, height }: PictureFrame): Specks {
  const columns = Math.ceil(width / CELL)
  const rows = Math.ceil(height / CELL)
  return { columns, rows, marks: new Uint8Array(columns * rows) }
}

/** `at`: relative to the picture's origin. */
function addSpeck({ columns, rows, marks }: Specks, at: Vec2, frame: PictureFrame): void {
  const { x, y } = toPicture(frame, at)
  const column = Math.min(columns - 1, Math.max(0, Math.floor((x + frame.width / 2) / CELL)))
  const row = Math.min(rows - 1, Math.max(0, Math.floor((y + frame.height / 2) / CELL)))
  marks[row * columns + column] = 1
}

/** Adjacent cells of a row become one rectangle. */
function specksData({ columns, rows, marks }: Specks, { width, height }: PictureFrame): string {
  let data = ''
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (marks[row * columns + column] === 0) continue
      const start = column
      while (column + 1 < columns && marks[row * columns + column + 1] === 1) column++
      const along = (column + 1 - start) * CELL
      data += `M${short(start * CELL - width / 2)} ${short(row * CELL - height / 2)}h${along}v${CELL}h${-along}z`
    }
  }
  return data
}

// Ids, written into the shapes as far as there is room

const SIZE = 12
/** Gaps between a point and its id, and between two ids, in pixels. */
const GAP = 8
const SPACE = 2
const HALO = { stroke: PAPER, 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }

interface Place {
  x: number
  y: number
  halfWidth: number
}

/** Places ids in order and omits those that would cover earlier ones. */
function drawIds(shapes: readonly ShapeMark[], frame: PictureFrame): string[] {
  const taken: Place[] = []
  const texts: string[] = []
  for (const { parts, name = '' } of shapes) {
    const place = namePlace(parts, [], frame)
    if (place === null) continue
    const text = shortName(name)
    const halfWidth = labelWidth(text, SIZE) / 2
    const most = frame.width / 2 - halfWidth
    const x = Math.min(most, Math.max(-most, place.at.x + (place.inside ? 0 : GAP + halfWidth)))
    const own = { x, y: place.at.y, halfWidth }
    if (most < 0 || taken.some((other) => covers(own, other))) continue
    taken.push(own)
    texts.push(element('text', { x: short(x), y: short(place.at.y + SIZE * 0.35) }, escapeXml(text)))
  }
  return group('g', { 'font-size': SIZE, fill: INK, 'text-anchor': 'middle', ...HALO }, texts)
}

function covers(p: Place, q: Place): boolean {
  return Math.abs(p.x - q.x) < p.halfWidth + q.halfWidth + SPACE && Math.abs(p.y - q.y) < SIZE + SPACE
}

// Boxes as paths

/** Boxes are clipped to this distance from the middle of the plot, in picture units, which is out of sight. */
const FAR = 20_000

/** The outline of a box of the world. */
export function boxData(outlook: Outlook, box: ArrayLike<number>, frame: PictureFrame): string {
  if (outlook.dimension === 2) return rectangleData(seenBox(outlook, box), frame)
  const corners = boxRing(outlook, box).map((corner) => toPicture(frame, corner))
  return `M${corners.map(({ x, y }) => `${short(near(x))} ${short(near(y))}`).join('L')}Z`
}

function rectangleData({ minX, minY, maxX, maxY }: DrawnBox, frame: PictureFrame): string {
  const p = toPicture(frame, { x: minX, y: minY })
  const q = toPicture(frame, { x: maxX, y: maxY })
  const [left, right] = [near(p.x), near(q.x)]
  const [top, bottom] = [near(Math.min(p.y, q.y)), near(Math.max(p.y, q.y))]
  return `M${short(left)} ${short(top)}H${short(right)}V${short(bottom)}H${short(left)}Z`
}

function near(value: number): number {
  return Math.min(FAR, Math.max(-FAR, value))
}

// Tasks for another thread

/** Draws a body with a costly shape: its elements. */
interface DrawShapeTask extends FarTask {
  readonly kind: 'draw-shape'
  readonly body: DescribedBody
  readonly role: ShapeRole
  readonly outlook: Outlook
  readonly frame: PictureFrame
}

/** Draws the ids of shapes: their elements. */
interface DrawIdsTask extends FarTask {
  readonly kind: 'draw-ids'
  readonly shapes: readonly ShapeMark[]
  readonly frame: PictureFrame
}

type DrawingTask = DrawShapeTask | DrawIdsTask

export function isDrawingTask(task: FarTask): task is DrawingTask {
  return task.kind === 'draw-shape' || task.kind === 'draw-ids'
}

export function doDrawingTask(task: DrawingTask): string[] {
  if (task.kind === 'draw-ids') return drawIds(task.shapes, task.frame)
  const { body, role, outlook, frame } = task
  return drawParts(partsOfDescribed(outlook, body), role, frame)
}
