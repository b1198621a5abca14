// A query of a scene and its response → their picture without the bodies of the scene. Runs on another thread.

import type { PictureView } from '../../../schemas/picture.ts'
import type { SceneQueryOp } from '../../../schemas/scenes/exchanges.ts'
import type { FarTask } from '../../containers/far-call.ts'
import type { SceneDimension } from '../../scene/state/geometry.ts'
import { drawPanel, type Panel } from '../draw-picture.ts'
import { addToBox, boxCentre, boxSize, type DrawnBox, isEmpty, joinBox } from '../outline.ts'
import type { ShapeRole } from '../palette.ts'
import { addKey, type Picture, shortName } from '../picture.ts'
import { createFrame, type PictureFrame, viewBox, visibleBox } from '../view-box.ts'
import { lintDrawing } from './draw-lint.ts'
import { nearestDrawing, overlapDrawing, pairsDrawing } from './draw-meetings.ts'
import { shapeCastDrawing, timeOfImpactDrawing, trajectoryDrawing } from './draw-motions.ts'
import { dropDrawing, moveDrawing, placeDrawing, separateDrawing } from './draw-placing.ts'
import { lineOfSightDrawing, rayCastDrawing } from './draw-rays.ts'
import { sectorsDrawing } from './draw-sectors.ts'
import { snapDrawing } from './draw-snap.ts'
import { shownBounds } from './level-of-detail.ts'
import { around, boxPart, type Outlook, originSeen, partsAt, seenBox } from './outlook.ts'
import { type KnownBody, type ProbeFields, readTold, type SceneDrawing, type Tally, type ToldBody } from './question.ts'
import { canvasOf, type Sides } from './scene-canvas.ts'

/** A plain record that another thread receives; see `Question`. */
export interface DrawQuestionTask extends FarTask {
  readonly kind: 'draw-question'
  readonly op: SceneQueryOp
  readonly dimension: SceneDimension
  /** Where a scene of space is looked at from. */
  readonly view: PictureView
  readonly request: object
  readonly answer: object
  readonly tally: Tally
  readonly probe: ToldBody | null
  /** The bodies asked about and those in the answer, with their roles. */
  readonly bodies: readonly (ToldBody & { readonly role: ShapeRole })[]
  /** Whether the filter excludes bodies. */
  readonly isFiltered: boolean
  /** Box of the bodies of the scene. */
  readonly sceneBox: Sides | null
  /** The part of the plane to show; null: chosen by the answer. */
  readonly bounds: DrawnBox | null
  readonly yDown: boolean
  /** Text before the heading. */
  readonly prefix: string
}

export interface DrawnQuestion {
  readonly panel: Panel
  readonly frame: PictureFrame
  readonly outlook: Outlook
}

/** Maximum number of names. */
const MOST_NAMES = 40
const NAME_SIZE = 16
/** Bounds leave no margin. */
const NO_MARGIN = 0

export function isQuestionTask(task: FarTask): task is DrawQuestionTask {
  return task.kind === 'draw-question'
}

export function drawQuestion(task: DrawQuestionTask): DrawnQuestion {
  const { op, tally, yDown, bounds, sceneBox, isFiltered, dimension, view } = task
  const known = task.bodies.map((told) => ({ ...readTold(told), role: told.role }))
  const question = {
    request: task.request as never,
    answer: task.answer as never,
    tally,
    probe: task.probe === null ? null : readTold(task.probe),
    bodies: new Map(known.map((body) => [body.id, body])),
  }
  const canvas = sceneDrawing(op).draw(question, canvasOf(dimension, view))
  const met = known.filter(({ role }) => role !== 'asked')
  const metBoxes = met.flatMap(({ box }) => (box === null ? [] : [box]))
  canvas.surround(metBoxes)
  if (sceneBox !== null) canvas.surround([sceneBox])
  const picture = canvas.finish()
  const outlook = canvas.outlook()
  picture.heading = `${task.prefix}${picture.heading}`
  const scene = sceneBox === null ? null : seenBox(outlook, sceneBox)
  const inView = metBoxes.map((box) => seenBox(outlook, box))
  const sight = bounds === null ? sightOf(picture, inView, scene) : boundsSeen(bounds, sceneBox, outlook)
  const origin = originSeen(outlook)
  const reach = 2 * Math.max(Math.abs(origin.x), Math.abs(origin.y)) || 4
  const frame = createFrame(sight, reach, yDown, NO_MARGIN)
  addNames(picture, outlook, met)
  const own = known.find(({ role }) => role === 'asked')?.box ?? null
  const isMoved = (task.request as ProbeFields).pose !== undefined
  if (own !== null && isMoved && areOver(seenBox(outlook, own), visibleBox(frame))) {
    addKey(picture, 'asked', 'where it stands in the scene')
  }
  if (isFiltered) addKey(picture, 'passed-over', 'not looked at')
  return { panel: drawPanel(picture, frame), frame, outlook }
}

/** Bounds in the plane, relative to the origin. */
function boundsSeen(bounds: DrawnBox, sceneBox: Sides | null, outlook: Outlook): DrawnBox {
  const scene = sceneBox === null ? null : boxOfSides(sceneBox)
  return around(shownBounds(bounds, scene), originSeen(outlook))
}

function boxOfSides([minX, minY, maxX, maxY]: Sides): DrawnBox {
  return { minX, minY, maxX, maxY }
}

function areOver(p: DrawnBox, q: DrawnBox): boolean {
  return p.minX <= q.maxX && q.minX <= p.maxX && p.minY <= q.maxY && q.minY <= p.maxY
}

function addNames(picture: Picture, outlook: Outlook, met: readonly (KnownBody & { role: ShapeRole })[]): void {
  picture.nameSize = NAME_SIZE
  for (const { id, body, box, role } of met.slice(0, MOST_NAMES)) {
    const parts = body !== null ? partsAt(outlook, body as never) : box === null ? [] : [boxPart(outlook, box)]
    picture.shapes.push({ parts, role, name: shortName(id), aside: true, elsewhere: true })
  }
}

// The part of the world that is shown: all of the query and of the answer with some surroundings, and as much of the bodies in the
// answer as leaves the rest visible. Frame: relative to the picture's origin.

/** Bodies larger than this many times the query are shown in part, with a margin around the query relative to its size. */
const LARGE = 1.3
const AROUND = 0.35
/** Margin around everything, relative to its size. */
const MARGIN = 0.12
/** Part of the scene to show around a single point. */
const LONELY = 0.25

/** `met`: boxes of the bodies in the answer; `scene`: box of the scene, null without bodies. */
function sightOf(picture: Picture, met: readonly DrawnBox[], scene: DrawnBox | null): DrawnBox {
  const view = viewBox(picture)
  const size = boxSize(view)
  if (size === 0) {
    for (const box of met) joinBox(view, box)
  } else {
    const around = grown(view, AROUND * size)
    for (const box of met) {
      if (boxSize(box) <= LARGE * size) joinBox(view, box)
      else joinCommon(view, around, box)
    }
  }
  if (isEmpty(view))
    return scene === null ? { minX: -1, minY: -1, maxX: 1, maxY: 1 } : grown(scene, MARGIN * boxSize(scene))
  const own = boxSize(view)
  return grown(view, own > 0 ? MARGIN * own : LONELY * (scene === null ? 0 : boxSize(scene)) || lonely(view))
}

/** A scale for a single point: its distance from the world's origin. */
function lonely(view: DrawnBox): number {
  const { x, y } = boxCentre(view)
  return Math.max(Math.abs(x), Math.abs(y)) || 1
}

function joinCommon(view: DrawnBox, p: DrawnBox, q: DrawnBox): void {
  const [minX, maxX] = [Math.max(p.minX, q.minX), Math.min(p.maxX, q.maxX)]
  const [minY, maxY] = [Math.max(p.minY, q.minY), Math.min(p.maxY, q.maxY)]
  if (minX > maxX || minY > maxY) return
  addToBox(view, minX, minY)
  addToBox(view, maxX, maxY)
}

function grown({ minX, minY, maxX, maxY }: DrawnBox, by: number): DrawnBox {
  return { minX: minX - by, minY: minY - by, maxX: maxX + by, maxY: maxY + by }
}

const DRAWINGS: { readonly [Op in SceneQueryOp]: SceneDrawing<Op> } = {
  overlap: overlapDrawing,
  'ray-cast': rayCastDrawing,
  'shape-cast': shapeCastDrawing,
  nearest: nearestDrawing,
  pairs: pairsDrawing,
  'time-of-impact': timeOfImpactDrawing,
  trajectory: trajectoryDrawing,
  move: moveDrawing,
  separate: separateDrawing,
  snap: snapDrawing,
  place: placeDrawing,
  drop: dropDrawing,
  'line-of-sight': lineOfSightDrawing,
  sectors: sectorsDrawing,
  lint: lintDrawing,
}

export function sceneDrawing<Op extends SceneQueryOp>(op: Op): SceneDrawing<Op> {
  return DRAWINGS[op]
}
