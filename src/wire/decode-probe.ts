// The probe of a scene query: a point, a box, a body, or a body of the scene, decoded into a core body.

import type { SceneAabb, SceneAabb3d } from '../../schemas/scenes/probe.ts'
import type { Vec2, Vec3 } from '../../schemas/vector.ts'
import type { FarSlices } from '../containers/far-call.ts'
import { vertexFeature } from '../core2d/feature.ts'
import { type Body as PlaneBody, setCircle, setPose } from '../core2d/shape/body.ts'
import { type Body as SpaceBody, setPose as setPose3d } from '../core3d/shape/body.ts'
import { setPoint } from '../core3d/shape/shapes.ts'
import { angleOf, cleaned, product, type Turn } from '../core3d/shape/turn.ts'
import { type Describe, type DescribedBody, describeBody, describeOwn } from '../scene/queries/described-body.ts'
import type { Geometry, Kinds, Plane, Space } from '../scene/state/geometry.ts'
import type { SceneBody } from '../scene/state/operation.ts'
import { findBody, type PlaneView, poseAt, posedBodyAt, sceneBodyAt, shapeAt, type View } from '../scene/state/view.ts'
import { decodeConvex, SCHEMA_LIMITS, type ShapeLimits } from './body.ts'
import { decodeConvex as decodeConvex3d } from './body-3d.ts'
import { checkVector, type DecodeProblem, isProblem, problemAt, under } from './decode-problem.ts'
import { checkFields, checkPose, decodeInSlices, poseNumbers, type WireBody } from './scene-body.ts'

export interface Probe<K extends Kinds = Plane> {
  geometry: Geometry<K>
  /** Owned by the probe: the query may move it. */
  body: K['body']
  /** The slot of the scene's body that it is; −1 when it is none. */
  slot: number
  /** Its description for workers. */
  describe: Describe
  /** Its shape as it was sent, or packed. */
  shape: () => object
}

/** Vectors of either dimension. */
interface AnyVector {
  x: number
  y: number
  z?: number
}

type Pose = Partial<Pick<SceneBody, 'position' | 'rotation' | 'orientation'>>

export interface ProbeRequest {
  point?: AnyVector
  aabb?: { min: AnyVector; max: AnyVector }
  body?: WireBody
  bodyId?: string
  pose?: Pose
}

/** What decoding does in a dimension. */
interface Decoding<K extends Kinds> {
  /** Bodies of finished probes, for the next ones: creating a body takes longer than most queries. */
  readonly spares: K['body'][]
  /** What has no bounds. */
  readonly unbounded: string
  setPoint(point: AnyVector, out: K['body']): void
  decodeAabb(aabb: { min: AnyVector; max: AnyVector }, out: K['body'], maxVertices: number): DecodeProblem | null
}

const IN_PLANE: Decoding<Plane> = {
  spares: [] as PlaneBody[],
  unbounded: 'half-planes',
  setPoint({ x, y }, out) {
    setPose(out, x, y, 0)
    setCircle(out, 0, vertexFeature(0))
  },
  decodeAabb(aabb, out, maxVertices) {
    setPose(out, 0, 0, 0)
    return decodeConvex({ type: 'aabb', ...(aabb as SceneAabb) }, out, maxVertices)
  },
}

const IN_SPACE: Decoding<Space> = {
  spares: [] as SpaceBody[],
  unbounded: 'half-spaces',
  setPoint(point, out) {
    const { x, y, z } = point as Vec3
    setPose3d(out, { position: [x, y, z] })
    setPoint(out)
  },
  decodeAabb(aabb, out, maxVertices) {
    setPose3d(out, { position: [0, 0, 0] })
    return decodeConvex3d({ type: 'aabb', ...(aabb as SceneAabb3d) }, out, maxVertices)
  },
}

function decodingOf<K extends Kinds>({ dimension }: Geometry<K>): Decoding<K> {
  return (dimension === 2 ? IN_PLANE : IN_SPACE) as Decoding<Kinds> as Decoding<K>
}

const MOST_SPARES = 64
const MOST_SPARE_POINTS = 64

/** For shapes that were accepted before and are decoded only for a check of the pose. */
const ACCEPTED: ShapeLimits = { ...SCHEMA_LIMITS, isPlain: true }
const POINT = { type: 'point' }
const PROBES = ['point', 'aabb', 'body', 'bodyId'] as const
const box = new Float64Array(6)
const MOVERS = ['body', 'bodyId'] as const

/** A place, a body, or a body of the scene, or the first problem, with pointers into the request. */
export function decodeProbe<K extends Kinds>(
  view: View<K>,
  request: ProbeRequest,
  limits: ShapeLimits,
): FarSlices<Probe<K> | DecodeProblem> {
  return decode(view, request, PROBES, limits)
}

/** Decodes a probe that can move: a body, or a body of the scene. */
export function decodeMover<K extends Kinds>(
  view: View<K>,
  request: Mover,
  limits: ShapeLimits,
): FarSlices<Probe<K> | DecodeProblem> {
  return decode(view, request, MOVERS, limits)
}

/** One of which it is known that there is no problem. */
export function* knownMover<K extends Kinds>(view: View<K>, request: Mover, limits: ShapeLimits): FarSlices<Probe<K>> {
  const mover = yield* decodeMover(view, request, limits)
  if (isProblem(mover)) throw new Error(mover.detail)
  return mover
}

/** Returns the body of a probe for reuse. A probe that is not returned is collected as garbage. */
export function giveBack<K extends Kinds>({ geometry, body }: Probe<K>): void {
  const { spares } = decodingOf(geometry)
  if (spares.length < MOST_SPARES && body.composite === null && body.count <= MOST_SPARE_POINTS) spares.push(body)
}

/** The problem of a request that does not have exactly one of the fields, or null. */
export function checkOneOf(request: object, names: readonly string[]): DecodeProblem | null {
  let given: string | null = null
  for (const name of names) {
    if ((request as Record<string, unknown>)[name] === undefined) continue
    if (given !== null)
      return problemAt(`/${name}`, 'schema-violation', `${oneOf(names)}, not both ${given} and ${name}.`)
    given = name
  }
  return given === null ? problemAt('', 'schema-violation', `${oneOf(names)}: none is there.`) : null
}

/** The slot of a body, or the problem that there is none. */
export function findSceneBody(view: View, id: string, pointer: string): number | DecodeProblem {
  const slot = findBody(view, id)
  if (slot >= 0) return slot
  return problemAt(pointer, 'body-not-found', `The scene has no body ${JSON.stringify(id)}.`)
}

/** The problem of a body without bounds, or null. */
export function checkBounded<K extends Kinds>(
  request: { body?: object },
  { geometry, body }: Pick<Probe<K>, 'geometry' | 'body'>,
): DecodeProblem | null {
  geometry.measureOuterBox(body, box, 0)
  if (box.subarray(0, 2 * geometry.axes).every(Number.isFinite)) return null
  const pointer = request.body === undefined ? '/bodyId' : '/body/shape'
  const { unbounded } = decodingOf(geometry)
  return problemAt(pointer, 'shape-unbounded', `What moves about must have bounds: ${unbounded} have none.`)
}

export function checkPoint(point: Vec2 | Vec3, pointer: string): DecodeProblem | null {
  return checkVector(point, pointer)
}

function oneOf(names: readonly string[]): string {
  const last = names.length - 1
  return `Give exactly one of ${names.slice(0, last).join(', ')} and ${names[last]}`
}

function* decode<K extends Kinds>(
  view: View<K>,
  request: ProbeRequest,
  names: readonly string[],
  limits: ShapeLimits,
): FarSlices<Probe<K> | DecodeProblem> {
  const problem = checkOneOf(request, names)
  if (problem !== null) return problem
  const { point, aabb, body: wire, bodyId, pose } = request
  if (bodyId !== undefined) return decodeOwn(view, bodyId, pose)
  if (pose !== undefined) {
    return problemAt('/pose', 'schema-violation', 'pose is for a bodyId: other bodies have their own position.')
  }
  const { geometry } = view.table
  const { spares, setPoint: setPointAt, decodeAabb } = decodingOf(geometry)
  const body: K['body'] = spares.pop() ?? geometry.createBody()
  let wrong: DecodeProblem | null
  if (point !== undefined) {
    setPointAt(point, body)
    wrong = checkVector(point, '/point')
  } else if (aabb !== undefined) wrong = under('/aabb', decodeAabb(aabb, body, limits.maxVertices))
  else wrong = under('/body', yield* decodeInSlices(geometry, wire as WireBody, body, limits, '/body'))
  if (wrong !== null) return wrong
  const shape = () => shapeOf(request)
  const describe: Describe = () => {
    const place = point === undefined ? wire : { position: point }
    return describeOwn(geometry, shape(), poseNumbers(geometry, place ?? {}), body)()
  }
  return { geometry, body, slot: -1, describe, shape }
}

/** The shape of what came with a request. */
function shapeOf({ point, aabb, body }: ProbeRequest): object {
  if (point !== undefined) return POINT
  return aabb === undefined ? (body as WireBody).shape : { type: 'aabb', min: aabb.min, max: aabb.max }
}

function decodeOwn<K extends Kinds>(view: View<K>, id: string, pose: Pose = {}): Probe<K> | DecodeProblem {
  const slot = findSceneBody(view, id, '/bodyId')
  if (typeof slot !== 'number') return slot
  const misplaced = checkOwnPose(view, slot, pose)
  if (misplaced !== null) return misplaced
  const { geometry } = view.table
  const { axes } = geometry
  const own = poseAt(view, slot)
  const given = poseNumbers(geometry, pose)
  const turns = pose.rotation !== undefined || pose.orientation !== undefined
  const taken = given.map((number, k) => ((k < axes ? pose.position !== undefined : turns) ? number : own[k]))
  const body: K['body'] = decodingOf(geometry).spares.pop() ?? geometry.createBody()
  posedBodyAt(view, slot, taken, body)
  const describe = (): DescribedBody => {
    return { ...describeBody(view, slot), pose: taken, position: geometry.positionOf(body) }
  }
  return { geometry, body, slot, describe, shape: () => shapeAt(view, slot) }
}

/** Not every shape takes a turn. */
function checkOwnPose(view: View, slot: number, pose: Pose): DecodeProblem | null {
  const { position: _, ...turn } = pose
  const misplaced = under('/pose', checkFields(pose))
  if (misplaced !== null || ((turn.rotation ?? 0) === 0 && turn.orientation === undefined)) return misplaced
  const { id, shape } = sceneBodyAt(view, slot)
  return under('/pose', checkPose(view.table.geometry.dimension, { id, shape, ...turn }, ACCEPTED))
}

/** What a request says of a body that can move. */
export type Mover = Pick<ProbeRequest, 'body' | 'bodyId' | 'pose'>

/** Ratio of the added turns below which their sum counts as 0. */
const NO_TURN_RATIO = 2 ** -48

/**
 * The problem of a body that cannot be turned, worded for the member of the request that asks for the turn; other problems
 * stay as they are.
 */
export function cannotTurn(problem: DecodeProblem, member: 'align' | 'rotate'): DecodeProblem {
  if (problem.code !== 'aabb-rotated') return problem
  const detail = `${member} turns the body, and an aabb does not turn: leave ${member} out, or use a box or a polygon.`
  return problemAt(`/${member}`, 'aabb-rotated', detail)
}

/** The request with its body, or its body of the scene, turned about its position. `turn`: radians, counter-clockwise. */
export function turnedMover(view: PlaneView, request: Mover, turn: number): Mover {
  if (turn === 0) return request
  const { body, bodyId, pose } = request
  const rotation = turnedRotation(view, request, turn)
  if (body !== undefined) return { body: { ...body, rotation } }
  return { ...(bodyId !== undefined && { bodyId }), pose: { ...pose, rotation } }
}

/** Its rotation then, in radians. */
export function turnedRotation(view: PlaneView, { body, bodyId, pose }: Mover, turn: number): number {
  const own = body?.rotation ?? pose?.rotation ?? ownRotation(view, bodyId)
  const turned = own + turn
  return Math.abs(turned) <= NO_TURN_RATIO * (Math.abs(own) + Math.abs(turn)) ? 0 : turned
}

function ownRotation(view: PlaneView, id: string | undefined): number {
  const slot = id === undefined ? -1 : findBody(view, id)
  return slot < 0 ? 0 : (sceneBodyAt(view, slot).rotation ?? 0)
}

/** The request with its body, or its body of the scene, at another position, or turned otherwise, in space. */
export function withPose(
  { body, bodyId, pose }: Mover,
  { position, orientation }: { position?: Vec3; orientation?: Turn | null },
): Mover {
  const given: Pose = { ...(position !== undefined && { position }) }
  if (orientation != null) {
    const [x, y, z, w] = orientation
    given.orientation = { x, y, z, w }
  }
  if (body !== undefined) return { body: { ...body, ...given } }
  return { ...(bodyId !== undefined && { bodyId }), pose: { ...pose, ...given } }
}

/** How the body stands that the request gives, in space. */
export function orientationOf(view: View<Space>, { body, bodyId, pose }: Mover): Turn {
  const given = body === undefined ? pose?.orientation : (body.orientation ?? UNTURNED)
  if (given !== undefined) return [given.x, given.y, given.z, given.w]
  const [, , , x, y, z, w] = poseAt(view, findBody(view, bodyId as string))
  return [x, y, z, w]
}

const UNTURNED = { x: 0, y: 0, z: 0, w: 1 }

/** How it stands turned about its position, in space. */
export function turnedOrientation(view: View<Space>, request: Mover, turn: Turn): Turn {
  const own = orientationOf(view, request)
  if (angleOf(turn) === 0) return own
  const [x, y, z, w] = cleaned(product(turn, own))
  // the same turn; adding 0 turns −0 into 0
  return w < 0 ? [0 - x, 0 - y, 0 - z, 0 - w] : [x + 0, y + 0, z + 0, w + 0]
}
