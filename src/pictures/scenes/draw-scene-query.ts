/**
 * A question about a scene and its answer → a picture of the two with the scene around them.
 *
 * Method: what the question and the answer say is drawn on another thread, which also says what is in sight; then the bodies that are
 * in sight are drawn behind it, as in a picture of the scene (`scenes/render-scene.ts`), those that the answer speaks of so that they
 * stand out. All of it is of one view. Work is done in slices.
 */

import type { SceneQueryOp } from '../../../schemas/scenes/exchanges.ts'
import { callFar, type FarSlices } from '../../containers/far-call.ts'
import { Pace, type Slices } from '../../containers/pace.ts'
import type { Bounds } from '../../core2d/measures/bounds.ts'
import { type BodyFilter, compileFilter } from '../../scene/state/filter.ts'
import { findBody, type View } from '../../scene/state/view.ts'
import type { DrawnBox } from '../marks/outline.ts'
import type { ShapeRole } from '../marks/palette.ts'
import type { Panel } from '../svg/draw-picture.ts'
import { visibleBox } from '../svg/view-box.ts'
import { drawBodies } from './draw-bodies.ts'
import { type DrawnQuestion, type DrawQuestionTask, sceneDrawing } from './draw-question.ts'
import { chooseDetail, detailText } from './level-of-detail.ts'
import {
  briefAnswer,
  briefRequest,
  type ProbeFields,
  type ToldBody,
  tallyOf,
  tellBody,
  tellProbe,
  toldCorners,
} from './question.ts'

/** What may be said of such a picture. */
export interface SceneQueryPicture {
  /** What is shown, in the world; what the answer asks for when null. */
  bounds: Bounds | null
  yDown: boolean
  /** Written before what the answer says. */
  prefix: string
  /** How many there are of them in a document, which share what one may hold. */
  pictures: number
}

export interface DrawnSceneQuery {
  panel: Panel
  /** The bodies of the scene. */
  backdrop: readonly string[]
  description: string
}

/** Bodies of the answer that are told of, those that are drawn whole in any case, and corners of the former. */
const MOST_TOLD = 200
const MOST_WHOLE = 1000
const MOST_CORNERS = 30_000
/** Points of work for an id that is looked up. */
const ID_POINTS = 2

export interface AskedAndAnswered {
  op: SceneQueryOp
  /** One that was answered. */
  request: object
  answer: object
}

/** `sceneBounds`: of the bodies that have bounds. The view must stay open until the end. */
export function* drawSceneQuery(
  view: View,
  sceneBounds: Bounds | null,
  { op, request, answer }: AskedAndAnswered,
  { bounds, yDown, prefix, pictures }: SceneQueryPicture,
): FarSlices<DrawnSceneQuery> {
  const { filter } = request as { filter?: BodyFilter }
  const roles = yield* rolesOf(view, op, request, answer)
  const task: DrawQuestionTask = {
    kind: 'draw-question',
    op,
    request: briefRequest(request),
    answer: briefAnswer(answer),
    tally: tallyOf(answer),
    probe: tellProbe(view, request as ProbeFields),
    bodies: yield* tellBodies(view, roles),
    isFiltered: filter !== undefined,
    sceneBox: sceneBounds,
    bounds,
    yDown,
    prefix,
  }
  const { panel, frame, origin } = yield* callFar<DrawnQuestion>(task)
  const seen = visibleBox(frame)
  const sight: DrawnBox = {
    minX: seen.minX + origin.x,
    minY: seen.minY + origin.y,
    maxX: seen.maxX + origin.x,
    maxY: seen.maxY + origin.y,
  }
  const first = firstOf(roles, MOST_WHOLE / pictures)
  const detail = yield* chooseDetail(view, {
    accepts: () => true,
    sight,
    scale: frame.width / frame.span,
    first,
    pictures,
  })
  const accepts = filter === undefined ? null : compileFilter(view, filter)
  const roleAt = (slot: number): ShapeRole | null =>
    roles.get(slot) ?? (accepts === null || accepts(slot) ? null : 'passed-over')
  const { drawn, boxed } = yield* drawBodies(view, detail, { roleAt, hasIds: false, origin, frame })
  return { panel, backdrop: drawn, description: `${panel.description} ${detailText(detail, boxed)}` }
}

/** How bodies look that the answer speaks of, by slot, in its order. */
function* rolesOf(view: View, op: SceneQueryOp, request: object, answer: object): Slices<Map<number, ShapeRole>> {
  const pace = new Pace()
  const roles = new Map<number, ShapeRole>()
  for (const [id, role] of sceneDrawing(op).involved(request as never, answer as never)) {
    const slot = findBody(view, id)
    if (slot >= 0) roles.set(slot, role)
    if (pace.isDue(ID_POINTS)) yield
  }
  return roles
}

function* tellBodies(view: View, roles: ReadonlyMap<number, ShapeRole>): Slices<(ToldBody & { role: ShapeRole })[]> {
  const pace = new Pace()
  const told: (ToldBody & { role: ShapeRole })[] = []
  let corners = 0
  for (const [slot, role] of roles) {
    if (told.length === MOST_TOLD) break
    const body = tellBody(view, slot, false)
    const own = toldCorners(body)
    const fits = corners + own <= MOST_CORNERS
    if (fits) corners += own
    told.push({ ...body, role, ...(!fits && { shape: null }) })
    if (pace.isDue(own)) yield
  }
  return told
}

function firstOf(roles: ReadonlyMap<number, ShapeRole>, most: number): Set<number> {
  const first = new Set<number>()
  for (const slot of roles.keys()) {
    if (first.size >= most) break
    first.add(slot)
  }
  return first
}
