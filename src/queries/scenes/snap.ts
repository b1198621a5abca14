// The query `snap` of scenes.

import type { ProblemCode } from '../../../schemas/problem.ts'
import type {
  SnapFeature,
  SnapFeature3d,
  SnapCandidate as WireCandidate,
  SnapCandidate3d as WireCandidate3d,
} from '../../../schemas/scenes/snap.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import type { FarSlices } from '../../containers/far-call.ts'
import { NO_FEATURE } from '../../core2d/feature.ts'
import { type Body, X, Y } from '../../core2d/shape/body.ts'
import { type Body as Body3d, COMPOSITE, type Vector } from '../../core3d/shape/body.ts'
import { createLeafOwner, leafOwner } from '../../core3d/shape/composite.ts'
import { angleOf, type Turn } from '../../core3d/shape/turn.ts'
import { isEdge, querySnap, type SnapCandidate } from '../../scene/queries/snap.ts'
import { querySnap3d } from '../../scene/queries/snap-3d.ts'
import type { SnapEdge, SnapKind, SnapPoint } from '../../scene/queries/snap-features.ts'
import type { SnapFeature3d as CoreFeature3d, SnapKind3d } from '../../scene/queries/snap-features-3d.ts'
import type { SnapCandidate3d } from '../../scene/queries/snap-pairs-3d.ts'
import { type Accepts, compileFilter } from '../../scene/state/filter.ts'
import type { Kinds, Plane, Space } from '../../scene/state/geometry.ts'
import { bodyAt, idAt, type PlaneView, type View } from '../../scene/state/view.ts'
import {
  cannotTurn,
  checkBounded,
  checkPoint,
  decodeMover,
  giveBack,
  knownMover,
  type Mover,
  orientationOf,
  type Probe,
  turnedMover,
  withPose,
} from '../../wire/decode-probe.ts'
import { type DecodeProblem, isProblem, problemAt } from '../../wire/decode-problem.ts'
import { encodeFeature, encodeQuaternion, encodeVec2, encodeVec3 } from '../../wire/encode.ts'
import { PROBE_3D_PROBLEMS, PROBE_PROBLEMS } from '../../wire/problem-lists.ts'
import { encodeTouched } from '../../wire/touched-feature-3d.ts'
import { resultLimit, type SceneInBoth, type SceneQueryLimits, type Selection } from '../ask/scene-query.ts'
import { shapeIn, shapeOfProbe } from './shapes-of-space.ts'

interface WireGrid<Vector> {
  size: Vector
  origin?: Vector
}

interface Request<Kind, Vector> extends Mover, Selection {
  maxDistance: number
  features?: (Kind | 'grid')[]
  grid?: WireGrid<Vector>
  rotate?: boolean
}

/** What is asked in either dimension, decoded. */
interface Asked<K extends Kinds, Kind, Vector> {
  view: View<K>
  request: Mover
  limits: SceneQueryLimits
  probe: Probe<K>
  maxDistance: number
  kinds: ReadonlySet<Kind>
  grid: WireGrid<Vector> | null
  mayTurn: boolean
  accepts: Accepts
  limit: number
}

interface Core<K extends Kinds, Kind, Vector, Candidate> {
  defaults: readonly Kind[]
  sides: string
  /** The request with its body turned somehow. */
  turnedSomehow(view: View<K>, request: Mover): Mover
  search(asked: Asked<K, Kind, Vector>): FarSlices<{ candidates: Candidate[]; truncated: boolean }>
}

function query<K extends Kinds, Kind, Vector extends Vec2 | Vec3, Candidate>(
  problems: readonly ProblemCode[],
  { defaults, sides, turnedSomehow, search }: Core<K, Kind, Vector, Candidate>,
) {
  return {
    summary: 'Which small motions bring a body flush with what is near?',
    description:
      'Each brings a feature of the body exactly onto one of another body or of a grid, so that the two touch without gap or overlap, as far as doubles can say it; where they cannot, a last digit is left between them. None ends in an overlap with anything. Nothing is moved by asking.',
    advice: 'Give a smaller maxDistance, fewer features, or filter.',
    problems: [...problems, 'shape-unbounded'] as ProblemCode[],
    mayBeLong: true,
    *answer(view: View<K>, request: Request<Kind, Vector>, limits: SceneQueryLimits) {
      const { maxDistance, features, grid, rotate = false, filter } = request
      const wrong = grid === undefined ? null : checkGrid(grid, sides)
      if (wrong !== null) return wrong
      const isOnGrid = features === undefined ? grid !== undefined : features.includes('grid')
      if (isOnGrid && grid === undefined) {
        return problemAt(
          '/grid',
          'schema-violation',
          `The feature grid needs a grid: its size, and its origin if that is not ${view.table.geometry.dimension === 2 ? '(0, 0)' : '(0, 0, 0)'}.`,
        )
      }
      const probe = yield* decodeMover(view, request, limits)
      if (isProblem(probe)) return probe
      const unbounded = checkBounded(request, probe)
      if (unbounded !== null) return unbounded
      const tried = rotate ? yield* decodeMover(view, turnedSomehow(view, request), limits) : probe
      if (isProblem(tried)) return cannotTurn(tried, 'rotate')
      const kinds = new Set((features ?? defaults).filter((kind): kind is Kind => kind !== 'grid'))
      const { candidates, truncated } = yield* search({
        view,
        request,
        limits,
        probe,
        maxDistance,
        kinds,
        grid: isOnGrid && grid !== undefined ? grid : null,
        mayTurn: rotate,
        accepts: compileFilter(view, filter, probe.slot),
        limit: resultLimit(request, limits),
      })
      giveBack(probe)
      return { version: view.version, candidates, truncated }
    },
  }
}

function checkGrid({ size, origin }: WireGrid<Vec2 | Vec3>, sides: string): DecodeProblem | null {
  const misplaced = checkPoint(size, '/grid/size') ?? (origin === undefined ? null : checkPoint(origin, '/grid/origin'))
  if (misplaced !== null) return misplaced
  if (Object.values(size).every((side) => side > 0)) return null
  return problemAt(
    '/grid/size',
    'schema-violation',
    `${sides} of a cell must ${sides.includes('and') ? 'both' : 'all'} be greater than 0.`,
  )
}

export const sceneSnapQuery: SceneInBoth<'snap'> = {
  2: query<Plane, SnapKind, Vec2, WireCandidate>(PROBE_PROBLEMS, {
    defaults: ['vertex', 'edge', 'midpoint'],
    sides: 'Width and height',
    turnedSomehow: (view, request) => turnedMover(view, request, 1),
    *search({ view, request, limits, probe, grid, ...query }) {
      const { size, origin = { x: 0, y: 0 } } = grid ?? { size: { x: 1, y: 1 } }
      const { found, truncated } = yield* querySnap(view, {
        ...query,
        grid: grid === null ? null : { originX: origin.x, originY: origin.y, width: size.x, height: size.y },
        turned: (turn) => knownMover(view, turnedMover(view, request, turn), limits),
      })
      return { candidates: found.map((candidate) => encodeSnap(view, candidate, probe.body)), truncated }
    },
  }),
  3: query<Space, SnapKind3d, Vec3, WireCandidate3d>(PROBE_3D_PROBLEMS, {
    defaults: ['vertex', 'edge', 'face', 'midpoint'],
    sides: 'The sides',
    turnedSomehow: (_, request) => withPose(request, { orientation: [1, 0, 0, 0] }),
    *search({ view, request, limits, probe, grid, ...query }) {
      const { geometry, body } = probe
      const position = geometry.positionOf(body) as unknown as Vector
      const orientation = orientationOf(view, request)
      const { found, truncated } = yield* querySnap3d(view, {
        ...query,
        position,
        orientation,
        grid: grid === null ? null : { origin: vectorOf(grid.origin ?? ORIGIN), size: vectorOf(grid.size) },
        prepared: (orientation) => knownMover(view, withPose(request, { position: ORIGIN, orientation }), limits),
      })
      const encode = (candidate: SnapCandidate3d) => encodeSnap3d(view, candidate, probe, position, orientation)
      return { candidates: found.map(encode), truncated }
    },
  }),
}

// In the plane.

/** `body`: where it stands. */
function encodeSnap(view: PlaneView, candidate: SnapCandidate, body: Body): WireCandidate {
  const { x, y, turn, own, target, slot } = candidate
  const translation = encodeVec2(x - body.numbers[X], y - body.numbers[Y])
  return {
    translation,
    rotation: turn,
    position: encodeVec2(x, y),
    distance: Math.hypot(translation.x, translation.y),
    feature: encodeSnapFeature(own, body),
    id: slot < 0 ? null : idAt(view, slot),
    target: target === null ? { kind: 'grid', index: 0 } : encodeSnapFeature(target, bodyAt(view, slot)),
  }
}

function encodeSnapFeature(feature: SnapPoint | SnapEdge, body: Body): SnapFeature {
  if (!isEdge(feature) && feature.kind === 'center') return { kind: 'center', index: 0 }
  if (!isEdge(feature) && feature.kind === 'corner') return { kind: 'corner', index: feature.feature }
  if (feature.feature === NO_FEATURE) return { kind: 'surface', index: 0 }
  const encoded = encodeFeature(feature.feature, body, feature.part) ?? { kind: 'surface', index: 0 }
  return !isEdge(feature) && feature.kind === 'midpoint' ? { ...encoded, kind: 'midpoint' } : encoded
}

// In space.

const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 }

function vectorOf({ x, y, z }: Vec3): Vector {
  return [x, y, z]
}

/** `position`, `orientation`: how it stands. */
function encodeSnap3d(
  view: View<Space>,
  { position: place, turn, orientation, own, target, slot }: SnapCandidate3d,
  probe: Probe<Space>,
  position: Vector,
  before: Turn,
): WireCandidate3d {
  const [x, y, z] = place
  const translation = encodeVec3(x - position[0], y - position[1], z - position[2])
  return {
    translation,
    rotation: encodeRotation(turn),
    position: encodeVec3(x, y, z),
    orientation: encodeQuaternion(orientation ?? before),
    distance: Math.hypot(translation.x, translation.y, translation.z),
    feature: encodeSnapFeature3d(own, probe.body, () => shapeOfProbe(probe)),
    id: slot < 0 ? null : idAt(view, slot),
    target:
      target === null
        ? { kind: 'grid', vertices: [] }
        : encodeSnapFeature3d(target, bodyAt(view, slot), () => shapeIn(view, slot)),
  }
}

/** The axis times the angle. */
function encodeRotation(turn: Turn | null): Vec3 {
  if (turn === null) return ORIGIN
  const [x, y, z] = turn
  const scale = angleOf(turn) / Math.hypot(x, y, z)
  return encodeVec3(scale * x, scale * y, scale * z)
}

const owner = createLeafOwner()

function encodeSnapFeature3d(
  { kind, leaf, names, base }: CoreFeature3d,
  body: Body3d,
  shape: () => ReturnType<typeof shapeOfProbe>,
): SnapFeature3d {
  if (kind === 'touched') {
    const [x, y, z] = base.at
    const found = encodeTouched({ names, leaf, x, y, z }, body, shape())
    if (found === null) return { kind: 'surface', vertices: [] }
    const { barycentric: _, ...feature } = found
    return feature
  }
  const feature: SnapFeature3d = { kind, vertices: [...names] }
  if (body.kind !== COMPOSITE || leaf < 0) return feature
  leafOwner(body, leaf, owner)
  const { triangle, group, path } = owner
  if (kind === 'face' && triangle >= 0) {
    feature.triangle = triangle
    if (group !== null) feature.group = group
  }
  if (path.length > 0) feature.path = [...path]
  return feature
}
