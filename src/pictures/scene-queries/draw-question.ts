// A question about a scene and its answer → everything of their picture but the bodies of the scene. Done on another thread.

import type { SceneQueryOp, SceneQueryRequest, SceneQueryResponse } from '../../../schemas/scenes/exchanges.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import type { FarTask } from '../../containers/far-call.ts'
import type { DrawnBox } from '../marks/outline.ts'
import type { ShapeRole } from '../marks/palette.ts'
import { addKey, type Picture } from '../marks/picture.ts'
import { shortName } from '../marks/picture-text.ts'
import { poseOf } from '../marks/pose.ts'
import { drawnParts } from '../marks/shape-parts.ts'
import { around, rectanglePart } from '../scenes/rectangles.ts'
import { shownBounds } from '../scenes/shown-bounds.ts'
import { drawPanel, type Panel } from '../svg/draw-picture.ts'
import { createFrame, type PictureFrame, visibleBox } from '../svg/frame.ts'
import type { Tally } from './brief.ts'
import type { ProbeFields } from './probe.ts'
import { sceneDrawing } from './scene-drawings.ts'
import { sightOf } from './sight.ts'
import { type KnownBody, readTold, type ToldBody } from './told-body.ts'

/** A plain record: see `question.ts` for what it says. */
export interface DrawQuestionTask extends FarTask {
  readonly kind: 'draw-question'
  readonly op: SceneQueryOp
  readonly request: object
  readonly answer: object
  readonly tally: Tally
  readonly probe: ToldBody | null
  /** How each looks, and whether it is one that the answer speaks of. */
  readonly bodies: readonly (ToldBody & { readonly role: ShapeRole })[]
  /** Bodies that the filter leaves out are in the scene. */
  readonly isFiltered: boolean
  /** Around the bodies of the scene. */
  readonly sceneBox: DrawnBox | null
  /** What is shown, in the world; what the answer asks for when null. */
  readonly bounds: DrawnBox | null
  readonly yDown: boolean
  /** Written before what the answer says. */
  readonly prefix: string
}

export interface DrawnQuestion {
  readonly panel: Panel
  readonly frame: PictureFrame
  readonly origin: Vec2
}

/** Names of bodies that are written. */
const MOST_NAMES = 40
const NAME_SIZE = 16
/** Of what is shown by bounds, left free: nothing. */
const NO_MARGIN = 0

export function isQuestionTask(task: FarTask): task is DrawQuestionTask {
  return task.kind === 'draw-question'
}

export function drawQuestion(task: DrawQuestionTask): DrawnQuestion {
  const { op, tally, yDown, bounds, sceneBox, isFiltered } = task
  const known = task.bodies.map((told) => ({ ...readTold(told), role: told.role }))
  const picture = sceneDrawing(op).draw({
    request: task.request as SceneQueryRequest<never>,
    answer: task.answer as SceneQueryResponse<never>,
    tally,
    probe: task.probe === null ? null : readTold(task.probe),
    bodies: new Map(known.map((body) => [body.id, body])),
  })
  picture.heading = `${task.prefix}${picture.heading}`
  const { origin } = picture
  const met = known.filter(({ role }) => role !== 'asked')
  const boxes = met.flatMap(({ box }) => (box === null ? [] : [around(box, origin)]))
  const scene = sceneBox === null ? null : around(sceneBox, origin)
  const sight = bounds === null ? sightOf(picture, boxes, scene) : around(shownBounds(bounds, sceneBox), origin)
  const reach = 2 * Math.max(Math.abs(origin.x), Math.abs(origin.y)) || 4
  const frame = createFrame(sight, reach, yDown, NO_MARGIN)
  addNames(picture, met)
  const own = known.find(({ role }) => role === 'asked')?.box ?? null
  const isMoved = (task.request as ProbeFields).pose !== undefined
  if (own !== null && isMoved && areOver(around(own, origin), visibleBox(frame))) {
    addKey(picture, 'asked', 'where it stands in the scene')
  }
  if (isFiltered) addKey(picture, 'passed-over', 'not looked at')
  return { panel: drawPanel(picture, frame), frame, origin }
}

function areOver(p: DrawnBox, q: DrawnBox): boolean {
  return p.minX <= q.maxX && q.minX <= p.maxX && p.minY <= q.maxY && q.minY <= p.maxY
}

function addNames(picture: Picture, met: readonly (KnownBody & { role: ShapeRole })[]): void {
  picture.nameSize = NAME_SIZE
  for (const { id, body, box, role } of met.slice(0, MOST_NAMES)) {
    const parts =
      body !== null
        ? drawnParts(body.shape, poseOf(body, picture.origin))
        : box === null
          ? []
          : [rectanglePart(around(box, picture.origin))]
    picture.shapes.push({ parts, role, name: shortName(id), aside: true, elsewhere: true })
  }
}
