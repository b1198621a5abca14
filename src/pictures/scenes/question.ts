// A query of a scene as it is drawn, with its response and the bodies of both: how it is passed to another thread, and marks that the
// drawings of several queries share.

import type { SceneQueryOp, SceneQueryRequest, SceneQueryResponse } from '../../../schemas/scenes/exchanges.ts'
import type { SceneAabb, ScenePose } from '../../../schemas/scenes/probe.ts'
import type { MovingBody2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { type DescribedShape, describeBody, shapeOfDescribed } from '../../scene/queries/described-body.ts'
import type { SceneBody } from '../../scene/state/operation.ts'
import { canonicalText, farText, PackedShape } from '../../scene/state/shape-text.ts'
import { boxAt, findBody, idAt, motionAt, poseAt, type View } from '../../scene/state/view.ts'
import type { ArrowRole, ShapeRole } from '../palette.ts'
import { addKey, type Picture, quantity, type ShapeMark, shortName } from '../picture.ts'
import type { Body, Either, OpenCanvas, SceneCanvas, Sides, Vector } from './scene-canvas.ts'

// Bodies as records for the thread that draws; world frame

/** Where a body stands and how it moves: its fields in requests. */
type Standing = Partial<Pick<SceneBody, 'position' | 'rotation' | 'orientation' | 'velocity' | 'angularVelocity'>>

export interface ToldBody {
  readonly id: string
  /** Null for a body that takes long to draw. */
  readonly shape: DescribedShape | null
  readonly standing: Standing
  /** Null if the body has no bounds or is not of the scene. */
  readonly box: Sides | null
}

export interface KnownBody {
  readonly id: string
  /** Null if its shape was not passed. */
  readonly body: Body | null
  readonly box: Sides | null
}

const box = new Float64Array(6)

/** A body of the scene. `isWhole`: with its shape; `standing`: what replaces its own. */
export function tellBody(view: View, slot: number, isWhole: boolean, standing: Standing = {}): ToldBody {
  const { geometry } = view.table
  boxAt(view, slot, box)
  const sides = [...box.subarray(0, 2 * geometry.axes)]
  return {
    id: idAt(view, slot),
    shape: isWhole ? describeBody(view, slot).shape : null,
    standing: { ...poseFields([...poseAt(view, slot)]), ...motionFields(view, slot), ...standing },
    box: sides.every(Number.isFinite) ? sides : null,
  }
}

function poseFields([x, y, ...rest]: readonly number[]): Standing {
  if (rest.length === 1) return { position: { x, y }, rotation: rest[0] }
  const [z, qx, qy, qz, w] = rest
  return { position: { x, y, z }, orientation: { x: qx, y: qy, z: qz, w } }
}

function motionFields(view: View, slot: number): Standing {
  const motion = view.table.geometry.createMotion()
  motionAt(view, slot, motion)
  // in the plane it has a spin, in space an angular velocity with three coordinates
  const { vx, vy, vz, spin, wx, wy, wz } = motion as Record<string, number>
  if (spin !== undefined) return { velocity: { x: vx, y: vy }, angularVelocity: spin }
  return { velocity: { x: vx, y: vy, z: vz }, angularVelocity: { x: wx, y: wy, z: wz } }
}

/** A body of a request, whose shape may be packed. */
function tellOwn({ shape, ...standing }: { shape: object } & Standing): ToldBody {
  const form = shape instanceof PackedShape ? shape.form : canonicalText(shape)
  const told = { form: farText(form), numbers: new Float64Array(0), isPlain: true }
  return { id: '', shape: told, standing, box: null }
}

export function readTold({ id, shape, standing, box }: ToldBody): KnownBody {
  if (shape === null) return { id, body: null, box }
  return { id, body: { shape: shapeOfDescribed(shape), ...standing } as unknown as Body, box }
}

// Requests and answers, shortened to what a picture has room for: lists may have a million items

/** Maximum number of items kept of a list, and of lists within its items. */
const MOST_ITEMS = 500
const MOST_INNER = 40
/** Nesting depth of lists that are kept. */
const DEPTH = 4

/** Lengths of the lists of an answer, by field. `full`: the number of rays that hit something, or of free lines of sight. */
export type Tally = Readonly<Record<string, { readonly count: number; readonly full: number }>>

/** Fields of requests that may be long and are not drawn, or are passed separately. */
const LEFT_OUT = ['filter', 'body']

export function briefRequest(request: object): object {
  const kept = Object.entries(request).filter(([name]) => !LEFT_OUT.includes(name))
  return brief(Object.fromEntries(kept), MOST_ITEMS, DEPTH) as object
}

export function briefAnswer(answer: object): object {
  return brief(answer, MOST_ITEMS, DEPTH) as object
}

function brief(value: unknown, most: number, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    if (depth === 0) return []
    const inner = Math.min(most, MOST_INNER)
    return value.slice(0, most).map((item) => brief(item, inner, depth - 1))
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, brief(field, most, depth)]))
}

export function tallyOf(answer: object): Tally {
  const lists = Object.entries(answer).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  return Object.fromEntries(lists.map(([name, list]) => [name, { count: list.length, full: fullCount(name, list) }]))
}

/** Counts only lists that are no longer than a list of the request. */
function fullCount(name: string, list: readonly unknown[]): number {
  if (name === 'results') return count(list as readonly { hits: readonly unknown[] }[], ({ hits }) => hits.length > 0)
  return name === 'sights' ? count(list as readonly { visible: boolean }[], ({ visible }) => visible) : 0
}

function count<Item>(list: readonly Item[], holds: (item: Item) => boolean): number {
  let found = 0
  for (const item of list) if (holds(item)) found++
  return found
}

/** Lists of the request and of the answer may be shortened: `tally` has their lengths. */
export interface Question<Op extends SceneQueryOp> {
  readonly request: Either<SceneQueryRequest<Op>>
  readonly answer: Either<SceneQueryResponse<Op>>
  readonly tally: Tally
  /** The body or box asked about. */
  readonly probe: KnownBody | null
  /** The first bodies of the answer, by id. */
  readonly bodies: ReadonlyMap<string, KnownBody>
}

/** A highlighted body of the scene and its role; the last role of a body counts. */
type Involved = readonly [id: string, role: ShapeRole]

/** One text for scenes of the plane and of space. */
export interface SceneDrawing<Op extends SceneQueryOp> {
  /** The bodies of the answer, in its order; there may be very many. */
  involved(request: SceneQueryRequest<Op>, answer: SceneQueryResponse<Op>): Iterable<Involved>
  /** Draws everything but the bodies of the scene, which are drawn behind it, on a canvas that it opens. */
  draw(question: Question<Op>, open: OpenCanvas): SceneCanvas
}

// The probe of a query: a point, a box, a body of the request, or a body of the scene

export interface ProbeFields {
  point?: Vec2
  aabb?: SceneAabb
  body?: MovingBody2d
  bodyId?: string
  pose?: ScenePose
  velocity?: Vec2
}

/** The record of the probe; null for a point, and for a query without a probe. */
export function tellProbe(view: View, request: ProbeFields): ToldBody | null {
  const { aabb, body, bodyId, pose, velocity } = request
  if (aabb !== undefined) return tellOwn({ shape: { type: 'aabb', min: aabb.min, max: aabb.max } })
  if (body !== undefined) return tellOwn(body)
  const slot = bodyId === undefined ? -1 : findBody(view, bodyId)
  if (slot < 0) return null
  return tellBody(view, slot, true, { ...pose, ...(velocity !== undefined && { velocity }) })
}

/** A request that asks about a probe, in either dimension. */
type ProbeWords = Pick<Either<ProbeFields>, 'point' | 'aabb' | 'bodyId'>

interface Probed {
  readonly request: ProbeWords
  readonly probe: KnownBody | null
}

/** A canvas with its origin at the probe. */
export function openAtProbe({ request: { point, aabb }, probe }: Probed, open: OpenCanvas): SceneCanvas {
  const body = probe?.body as { position?: Vector } | null | undefined
  return open(point ?? aabb?.min ?? body?.position ?? null)
}

/** The body asked about, at the pose asked about. */
export function probeBody({ probe }: Probed): Body {
  return probe?.body ?? ({ shape: { type: 'point' } } as unknown as Body)
}

/** The probe as the subject of a sentence. */
export function probeName({ point, aabb, bodyId }: ProbeWords): string {
  if (point !== undefined) return 'The point'
  if (aabb !== undefined) return 'The box'
  return bodyId === undefined ? 'The body' : shortName(bodyId)
}

/** The label of the probe. */
function shownName({ aabb, bodyId }: ProbeWords): string {
  if (bodyId !== undefined) return shortName(bodyId)
  return aabb === undefined ? 'body' : 'box'
}

/** The body of the scene that is asked about. */
export function ownInvolved({ bodyId }: ProbeFields): (readonly [string, ShapeRole])[] {
  return bodyId === undefined ? [] : [[bodyId, 'asked']]
}

/** Draws the probe; returns the mark of a body. */
export function addProbe(canvas: SceneCanvas, asked: Probed, role: ShapeRole = 'a'): ShapeMark | null {
  const { request } = asked
  if (request.point !== undefined) {
    canvas.addDot(request.point, 'start')
    addKey(canvas.picture, 'start', 'the point')
    return null
  }
  return canvas.addBody(probeBody(asked), role, { name: shownName(request) })
}

// Text and marks that several queries share

/** Maximum number of ids in one line. */
const MOST_IDS = 8

export function tellTruncated(picture: Picture, { truncated }: { truncated: boolean }): void {
  if (truncated) picture.details.push('The answer is cut short by the limit: there are more.')
}

/** `a, b, c and 4 more`. `count`: the number of all ids. */
export function idsText(ids: readonly string[], count = ids.length): string {
  const shown = ids.slice(0, MOST_IDS).map((id) => shortName(id))
  const more = count - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

interface Meeting {
  point: Vector
  normal: Vector | null
  /** Label of the point; none when empty. */
  text: string
  /** Role and meaning of the normal. */
  role?: ArrowRole
  meaning?: string
}

/** A place where two bodies touch. */
export function addMeeting(canvas: SceneCanvas, { point, normal, text, role = 'normal', meaning }: Meeting): void {
  canvas.addDirection(point, normal, role)
  if (normal !== null && meaning !== undefined) addKey(canvas.picture, role, meaning)
  canvas.addDot(point, 'point')
  if (text !== '') canvas.addLabel(point, text, normal ?? undefined)
}

/** An arrow by a translation of a body, from its middle, with its length. */
export function addTranslation(canvas: SceneCanvas, tail: Vector, translation: Vector, distance: number): void {
  const head = canvas.plus(tail, translation)
  canvas.addArrow(tail, head, 'translation')
  canvas.addLabel(canvas.midway(tail, head), quantity(distance))
}

/** A ball wider than this many times its body is not drawn: only a part of it would be visible. */
const WIDE = 12

/** What bounds a search around a point, or around the position of a body. */
export function addReach(canvas: SceneCanvas, { point, body }: { point?: Vector; body: Body }, radius: number): void {
  const size = point === undefined ? canvas.sizeOf(body) : 0
  if (!(radius > 0) || (size > 0 && 2 * radius > WIDE * size)) return
  canvas.addBody(canvas.ball(point ?? canvas.positionOf(body), radius), 'reach')
  addKey(canvas.picture, 'reach', point === undefined ? 'so far from its position' : 'so far from it')
}
