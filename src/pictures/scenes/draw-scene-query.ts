/**
 * A query of a scene and its response → a picture of both with the scene around them.
 *
 * Method: another thread draws the query and the response and chooses the visible part of the world. The visible bodies of the scene are
 * then drawn behind it, as in `render-scene.ts`, with the bodies of the answer highlighted. All of it uses one view. Work is done in slices.
 */

import type { PictureView } from '../../../schemas/picture.ts'
import type { SceneQueryOp } from '../../../schemas/scenes/exchanges.ts'
import { Pace, type Slices } from '../../containers/budget.ts'
import { callFar, type FarSlices } from '../../containers/far-call.ts'
import type { Bounds } from '../../core2d/queries/bounds.ts'
import { hasCostlyShape } from '../../scene/queries/scene-tasks.ts'
import { type BodyFilter, compileFilter } from '../../scene/state/filter.ts'
import { findBody, shapeNumbersAt, type View } from '../../scene/state/view.ts'
import type { Panel } from '../draw-picture.ts'
import type { ShapeRole } from '../palette.ts'
import { visibleBox } from '../view-box.ts'
import { drawBodies } from './draw-bodies.ts'
import { type DrawnQuestion, type DrawQuestionTask, sceneDrawing } from './draw-question.ts'
import { chooseDetail, detailText } from './level-of-detail.ts'
import { briefAnswer, briefRequest, type ProbeFields, type ToldBody, tallyOf, tellBody, tellProbe } from './question.ts'

/** Options of the picture of a scene query. */
export interface SceneQueryPicture {
  /** The part of the plane to show; null: chosen by the answer. */
  bounds: Bounds | null
  /** Where a scene of space is looked at from. */
  view: PictureView
  yDown: boolean
  /** Text before the heading. */
  prefix: string
  /** Number of pictures in the document, which share its size limit. */
  pictures: number
}

interface DrawnSceneQuery {
  panel: Panel
  /** The bodies of the scene. */
  backdrop: readonly string[]
  description: string
}

/** Maximum number of bodies passed to the other thread, of bodies always drawn whole, and of corners passed. */
const MOST_TOLD = 200
const MOST_WHOLE = 1000
const MOST_CORNERS = 30_000
/** Cost of looking up an id. */
const ID_POINTS = 2

interface AskedAndAnswered {
  op: SceneQueryOp
  /** A request with a response. */
  request: object
  answer: object
}

/** `sceneBox`: of the bodies that have bounds. The view must stay open until the end. */
export function* drawSceneQuery(
  view: View,
  sceneBox: Float64Array | null,
  { op, request, answer }: AskedAndAnswered,
  { bounds, view: from, yDown, prefix, pictures }: SceneQueryPicture,
): FarSlices<DrawnSceneQuery> {
  const { filter } = request as { filter?: BodyFilter }
  const roles = yield* rolesOf(view, op, request, answer)
  const task: DrawQuestionTask = {
    kind: 'draw-question',
    op,
    dimension: view.table.geometry.dimension,
    view: from,
    request: briefRequest(request),
    answer: briefAnswer(answer),
    tally: tallyOf(answer),
    probe: tellProbe(view, request as ProbeFields),
    bodies: yield* tellBodies(view, roles),
    isFiltered: filter !== undefined,
    sceneBox: sceneBox === null ? null : [...sceneBox],
    bounds,
    yDown,
    prefix,
  }
  const { panel, frame, outlook } = yield* callFar<DrawnQuestion>(task)
  const sight = visibleBox(frame)
  const first = firstOf(roles, MOST_WHOLE / pictures)
  const detail = yield* chooseDetail(view, {
    accepts: () => true,
    outlook,
    sight,
    scale: frame.width / frame.span,
    first,
    pictures,
  })
  const accepts = filter === undefined ? null : compileFilter(view, filter)
  const roleAt = (slot: number): ShapeRole | null =>
    roles.get(slot) ?? (accepts === null || accepts(slot) ? null : 'passed-over')
  const { drawn, boxed } = yield* drawBodies(view, detail, { roleAt, hasIds: false, outlook, frame })
  return { panel, backdrop: drawn, description: `${panel.description} ${detailText(detail, boxed)}` }
}

/** Roles of the bodies in the answer, by slot, in order. */
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
    const own = shapeNumbersAt(view, slot)
    const fits = !hasCostlyShape(view, slot) && corners + own <= MOST_CORNERS
    if (fits) corners += own
    told.push({ ...tellBody(view, slot, fits), role })
    if (pace.isDue(fits ? own : 1)) yield
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
