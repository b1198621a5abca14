// A query of a scene as it is drawn, with its response and the bodies of both: how it is passed to another thread, and marks that the
// drawings of several queries share.

import type { SceneQueryOp, SceneQueryRequest, SceneQueryResponse } from '../../../schemas/scenes/exchanges.ts'
import type { SceneAabb, ScenePose } from '../../../schemas/scenes/probe.ts'
import type { Body2d, MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { createMotion } from '../../core2d/shape/motion.ts'
import { type DescribedShape, describeBody, shapeOfDescribed } from '../../scene/queries/described-body.ts'
import { hasCostlyShape } from '../../scene/queries/scene-tasks.ts'
import { canonicalText, farText, PackedShape } from '../../scene/state/shape-text.ts'
import { boxAt, findBody, idAt, motionAt, type PlaneView } from '../../scene/state/view.ts'
import { boxCentre, boxSize, type DrawnBox, isEmpty, partsBox } from '../outline.ts'
import type { ArrowRole, ShapeRole } from '../palette.ts'
import {
  addBody,
  addDirection,
  addDot,
  addKey,
  addLabel,
  createPictureAt,
  type Picture,
  type ShapeMark,
  shortName,
} from '../picture.ts'
import { type Pose, poseOf } from '../pose.ts'
import { drawnParts } from '../shape-parts.ts'

// Bodies as records for the thread that draws; world frame

export interface ToldBody {
  readonly id: string
  /** Null for a body that is costly to draw. */
  readonly shape: DescribedShape | null
  readonly x: number
  readonly y: number
  readonly rotation: number
  readonly vx: number
  readonly vy: number
  readonly spin: number
  /** Null if the body has no bounds or is not of the scene. */
  readonly box: DrawnBox | null
}

export interface KnownBody {
  readonly id: string
  /** Null if its shape was not passed. */
  readonly body: MovingBody2d | null
  readonly box: DrawnBox | null
}

/** Overrides of the placement and velocity of a body of the scene. */
interface Stands {
  position?: { x: number; y: number }
  rotation?: number
  velocity?: { x: number; y: number }
}

const motion = createMotion()
const box = new Float64Array(4)

/** A body of the scene. `isWhole`: with its shape, even if it is costly. */
export function tellBody(view: PlaneView, slot: number, isWhole: boolean, stands: Stands = {}): ToldBody {
  const { shape, pose } = describeBody(view, slot)
  const { position: { x, y } = { x: pose[0], y: pose[1] }, rotation = pose[2], velocity } = stands
  motionAt(view, slot, motion)
  const { vx, vy, spin } = motion
  boxAt(view, slot, box)
  const [minX, minY, maxX, maxY] = box
  return {
    id: idAt(view, slot),
    shape: isWhole || !hasCostlyShape(view, slot) ? shape : null,
    x,
    y,
    rotation,
    vx: velocity?.x ?? vx,
    vy: velocity?.y ?? vy,
    spin,
    box: box.every(Number.isFinite) ? { minX, minY, maxX, maxY } : null,
  }
}

/** A body of a request, whose shape may be packed. */
function tellOwn({ shape, position, rotation = 0, velocity, angularVelocity = 0 }: MovingBody2d): ToldBody {
  const form = (shape as object) instanceof PackedShape ? (shape as unknown as PackedShape).form : canonicalText(shape)
  return {
    id: '',
    shape: { form: farText(form), numbers: new Float64Array(0), isPlain: true },
    x: position?.x ?? 0,
    y: position?.y ?? 0,
    rotation,
    vx: velocity?.x ?? 0,
    vy: velocity?.y ?? 0,
    spin: angularVelocity,
    box: null,
  }
}

export function readTold({ id, shape, x, y, rotation, vx, vy, spin, box }: ToldBody): KnownBody {
  if (shape === null) return { id, body: null, box }
  const read = shapeOfDescribed(shape) as Shape2d
  const body = { shape: read, position: { x, y }, rotation, velocity: { x: vx, y: vy }, angularVelocity: spin }
  return { id, body, box }
}

/** An estimate of the number of corners without reading the shape; 0 if the shape was not passed. */
export function toldCorners({ shape }: ToldBody): number {
  if (shape === null) return 0
  const { form, numbers } = shape
  return numbers.length + (typeof form === 'string' ? form.length : form.bytes.length) / CHARACTERS
}

/** Minimum length of a shape's text per corner, in characters. */
const CHARACTERS = 12

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
interface Question<Op extends SceneQueryOp> {
  readonly request: SceneQueryRequest<Op>
  readonly answer: SceneQueryResponse<Op>
  readonly tally: Tally
  /** The body or box asked about. */
  readonly probe: KnownBody | null
  /** The first bodies of the answer, by id. */
  readonly bodies: ReadonlyMap<string, KnownBody>
}

/** A highlighted body of the scene and its role; the last role of a body counts. */
type Involved = readonly [id: string, role: ShapeRole]

export interface SceneDrawing<Op extends SceneQueryOp> {
  /** The bodies of the answer, in its order; there may be very many. */
  involved(request: SceneQueryRequest<Op>, answer: SceneQueryResponse<Op>): Iterable<Involved>
  /** Draws everything but the bodies of the scene, which are drawn behind it. */
  draw(question: Question<Op>): Picture
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
export function tellProbe(view: PlaneView, request: ProbeFields): ToldBody | null {
  const { aabb, body, bodyId, pose, velocity } = request
  if (aabb !== undefined) return tellOwn({ shape: { type: 'aabb', min: aabb.min, max: aabb.max } })
  if (body !== undefined) return tellOwn(body)
  const slot = bodyId === undefined ? -1 : findBody(view, bodyId)
  if (slot < 0) return null
  return tellBody(view, slot, true, { ...pose, ...(velocity !== undefined && { velocity }) })
}

interface Probed {
  readonly request: ProbeFields
  readonly probe: KnownBody | null
}

const ZERO: Vec2 = { x: 0, y: 0 }

/** A picture with its origin at the probe. */
export function probePicture({ request: { point, aabb }, probe }: Probed): Picture {
  return createPictureAt(point ?? aabb?.min ?? probe?.body?.position ?? ZERO)
}

/** The body asked about, at the pose asked about. */
export function probeBody({ probe }: Probed): MovingBody2d {
  return probe?.body ?? { shape: { type: 'point' } }
}

/** The probe as the subject of a sentence. */
export function probeName({ point, aabb, bodyId }: ProbeFields): string {
  if (point !== undefined) return 'The point'
  if (aabb !== undefined) return 'The box'
  return bodyId === undefined ? 'The body' : shortName(bodyId)
}

/** The label of the probe. */
function shownName({ aabb, bodyId }: ProbeFields): string {
  if (bodyId !== undefined) return shortName(bodyId)
  return aabb === undefined ? 'body' : 'box'
}

/** The body of the scene that is asked about. */
export function ownInvolved({ bodyId }: ProbeFields): (readonly [string, ShapeRole])[] {
  return bodyId === undefined ? [] : [[bodyId, 'asked']]
}

interface ProbeOptions {
  role?: ShapeRole
  pose?: Pose
  name?: string
}

/** Draws the probe; returns the mark of a body. */
export function addProbe(picture: Picture, asked: Probed, options: ProbeOptions = {}): ShapeMark | null {
  const { request } = asked
  if (request.point !== undefined) {
    addDot(picture, request.point, 'start')
    addKey(picture, 'start', 'the point')
    return null
  }
  const { role = 'a', pose, name = shownName(request) } = options
  return addBody(picture, probeBody(asked), role, { name, ...(pose !== undefined && { pose }) })
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
  point: Vec2
  normal: Vec2 | null
  /** Label of the point; none when empty. */
  text: string
  /** Role and meaning of the normal. */
  role?: ArrowRole
  meaning?: string
}

/** A place where two bodies touch. */
export function addMeeting(picture: Picture, { point, normal, text, role = 'normal', meaning }: Meeting): void {
  addDirection(picture, point, normal, role)
  if (normal !== null && meaning !== undefined) addKey(picture, role, meaning)
  addDot(picture, point, 'point')
  if (text !== '') addLabel(picture, point, text, normal ?? undefined)
}

/** A circle wider than this many times its body is not drawn: only an arc of it would be visible. */
const WIDE = 12

/** The circle that bounds a search around a point, or around the position of a body. */
export function addReach(picture: Picture, about: Vec2 | Body2d, radius: number): void {
  const isBody = 'shape' in about
  const size = isBody ? sizeOf(about, picture.origin) : 0
  if (!(radius > 0) || (size > 0 && 2 * radius > WIDE * size)) return
  const position = isBody ? (about.position ?? { x: 0, y: 0 }) : about
  addBody(picture, { shape: { type: 'circle', radius }, position }, 'reach')
  addKey(picture, 'reach', isBody ? 'so far from its position' : 'so far from it')
}

function sizeOf(body: Body2d, origin: Vec2): number {
  return boxSize(partsBox(drawnParts(body.shape, poseOf(body, origin))))
}

/** The middle of a body, relative to the picture's origin. */
export function middleOf(body: Body2d, origin: Vec2): Vec2 {
  const pose = poseOf(body, origin)
  const box = partsBox(drawnParts(body.shape, pose))
  return isEmpty(box) ? pose : boxCentre(box)
}
