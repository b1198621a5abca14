// The probe of a scene query: a point, a box, a body, or a body of the scene, decoded into a core body.

import type { SceneAabb, ScenePose } from '../../schemas/scenes/probe.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import type { FarSlices } from '../containers/far-call.ts'
import { vertexFeature } from '../core2d/feature.ts'
import { measureOuterBox } from '../core2d/queries/body-boxes.ts'
import { type Body, createBody, setCircle, setPose } from '../core2d/shape/body.ts'
import { type Describe, type DescribedBody, describeBody, describeOwn } from '../scene/queries/described-body.ts'
import { PLANE } from '../scene/state/geometry.ts'
import { plainShape } from '../scene/state/shape-text.ts'
import { findBody, type PlaneView, poseAt, posedBodyAt, sceneBodyAt } from '../scene/state/view.ts'
import { decodeBody, decodeConvex, SCHEMA_LIMITS, type ShapeLimits } from './body.ts'
import { type DecodeProblem, inRange, outOfRange, problemAt, under, vectorOutOfRange } from './decode-problem.ts'
import { decodeInSlices } from './scene-body.ts'

export interface Probe {
  /** Owned by the probe: the query may move it. */
  body: Body
  /** The slot of the scene's body that it is; −1 when it is none. */
  slot: number
  /** Its description for workers. */
  describe: Describe
}

interface ProbeRequest {
  point?: Vec2
  aabb?: SceneAabb
  body?: Body2d
  bodyId?: string
  pose?: ScenePose
}

/** Bodies of finished probes, for the next ones: creating a body takes longer than most queries. */
const spares: Body[] = []
const MOST_SPARES = 64
const MOST_SPARE_POINTS = 64

/** For shapes that were accepted before and are decoded only for a check of the pose. */
const ACCEPTED: ShapeLimits = { ...SCHEMA_LIMITS, isPlain: true }
const ORIGIN = { x: 0, y: 0 }
const PROBES = ['point', 'aabb', 'body', 'bodyId'] as const
const box = new Float64Array(4)
const MOVERS = ['body', 'bodyId'] as const

/** A place, a body, or a body of the scene, or the first problem, with pointers into the request. */
export function decodeProbe(
  view: PlaneView,
  request: ProbeRequest,
  limits: ShapeLimits,
): FarSlices<Probe | DecodeProblem> {
  return decode(view, request, PROBES, limits)
}

/** Decodes a probe that can move: a body, or a body of the scene. */
export function decodeMover(
  view: PlaneView,
  request: Pick<ProbeRequest, 'body' | 'bodyId' | 'pose'>,
  limits: ShapeLimits,
): FarSlices<Probe | DecodeProblem> {
  return decode(view, request, MOVERS, limits)
}

/** Returns the body of a probe for reuse. A probe that is not returned is collected as garbage. */
export function giveBack({ body }: Probe): void {
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
export function findSceneBody(view: PlaneView, id: string, pointer: string): number | DecodeProblem {
  const slot = findBody(view, id)
  if (slot >= 0) return slot
  return problemAt(pointer, 'body-not-found', `The scene has no body ${JSON.stringify(id)}.`)
}

/** The problem of a body without bounds, or null. */
export function checkBounded(request: { body?: Body2d }, body: Body): DecodeProblem | null {
  measureOuterBox(body, box, 0)
  if (box.every(Number.isFinite)) return null
  const pointer = request.body === undefined ? '/bodyId' : '/body/shape'
  return problemAt(pointer, 'shape-unbounded', 'What moves about must have bounds: half-planes have none.')
}

export function checkPoint(point: Vec2, pointer: string): DecodeProblem | null {
  return inRange(point.x) && inRange(point.y) ? null : vectorOutOfRange(point, pointer)
}

function oneOf(names: readonly string[]): string {
  const last = names.length - 1
  return `Give exactly one of ${names.slice(0, last).join(', ')} and ${names[last]}`
}

function* decode(
  view: PlaneView,
  request: ProbeRequest,
  names: readonly string[],
  limits: ShapeLimits,
): FarSlices<Probe | DecodeProblem> {
  const problem = checkOneOf(request, names)
  if (problem !== null) return problem
  const { point, aabb, body: wire, bodyId, pose } = request
  if (bodyId !== undefined) return decodeOwn(view, bodyId, pose)
  if (pose !== undefined) {
    return problemAt('/pose', 'schema-violation', 'pose is for a bodyId: other bodies have their own position.')
  }
  const body = spares.pop() ?? createBody()
  const wrong =
    point !== undefined
      ? decodePoint(point, body)
      : aabb !== undefined
        ? decodeAabb(aabb, body, limits)
        : under('/body', yield* decodeInSlices(wire as Body2d, body, limits, '/body'))
  return wrong ?? { body, slot: -1, describe: describe(request, body) }
}

/** The description for workers of a body that came with the request. */
function describe({ point, aabb, body: wire }: ProbeRequest, body: Body): Describe {
  if (point !== undefined) return describeOwn(PLANE, { type: 'point' }, [point.x, point.y, 0], body)
  if (aabb !== undefined)
    return describeOwn(PLANE, { type: 'aabb', min: aabb.min, max: aabb.max }, PLANE.restingPose, body)
  const { shape, position = ORIGIN, rotation = 0 } = wire as Body2d
  return describeOwn(PLANE, shape, [position.x, position.y, rotation], body)
}

function decodePoint(point: Vec2, out: Body): DecodeProblem | null {
  setPose(out, point.x, point.y, 0)
  setCircle(out, 0, vertexFeature(0))
  return checkPoint(point, '/point')
}

function decodeAabb({ min, max }: SceneAabb, out: Body, { maxVertices }: ShapeLimits): DecodeProblem | null {
  setPose(out, 0, 0, 0)
  return under('/aabb', decodeConvex({ type: 'aabb', min, max }, out, maxVertices))
}

function decodeOwn(view: PlaneView, id: string, pose: ScenePose = {}): Probe | DecodeProblem {
  const slot = findSceneBody(view, id, '/bodyId')
  if (typeof slot !== 'number') return slot
  const [ownX, ownY, ownTurn] = poseAt(view, slot)
  const { position = { x: ownX, y: ownY }, rotation = ownTurn } = pose
  const taken = [position.x, position.y, rotation]
  const body = spares.pop() ?? createBody()
  const misplaced = checkPose(view, slot, pose, body)
  if (misplaced !== null) return misplaced
  posedBodyAt(view, slot, taken, body)
  const describe = (): DescribedBody => {
    return { ...describeBody(view, slot), pose: taken, position: PLANE.positionOf(body) }
  }
  return { body, slot, describe }
}

/** `scratch` may be overwritten. */
function checkPose(
  view: PlaneView,
  slot: number,
  { position, rotation = 0 }: ScenePose,
  scratch: Body,
): DecodeProblem | null {
  const misplaced = position === undefined ? null : checkPoint(position, '/pose/position')
  if (misplaced !== null) return misplaced
  if (!inRange(rotation)) return outOfRange(rotation, '/pose/rotation', 'Angles')
  if (rotation === 0) return null
  // Not every shape takes a rotation.
  const shape = plainShape(sceneBodyAt(view, slot).shape)
  const problem = decodeBody({ shape, rotation } as Body2d, scratch, ACCEPTED)
  return problem === null ? null : problemAt('/pose/rotation', problem.code, problem.detail)
}

type Mover = Pick<ProbeRequest, 'body' | 'bodyId' | 'pose'>

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
