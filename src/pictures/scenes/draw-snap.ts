// Snap: the best small motion that brings a body flush with its surroundings, and the others as ghosts.

import type { SnapCandidate, SnapFeature, SnapGrid } from '../../../schemas/scenes/snap.ts'
import type { Body2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, createBox, type DrawnBox, isEmpty, joinBox, partsBox } from '../outline.ts'
import { addBody, addKey, addLabel, counted, type Picture, quantity, shortName, vectorText } from '../picture.ts'
import { childPose, from, midway, type Pose, placed, poseOf } from '../pose.ts'
import { mostGhosts } from '../queries/ghosts.ts'
import { corePoints, drawnParts } from '../shape-parts.ts'
import {
  addProbe,
  addReach,
  middleOf,
  ownInvolved,
  probeBody,
  probeName,
  probePicture,
  type SceneDrawing,
  tellTruncated,
} from './question.ts'

const MOST_GHOSTS = 12
const MOST_WRITTEN = 10
/** Number of grid lines in each direction, and their extent around the body, relative to its size. */
const MOST_LINES = 60
const AROUND = 1

export const snapDrawing: SceneDrawing<'snap'> = {
  *involved(request, { candidates }) {
    // the best one last, so that its role wins
    for (const { id } of candidates.slice(1)) if (id !== null) yield [id, 'touched']
    const [best] = candidates
    if (best !== undefined && best.id !== null) yield [best.id, 'met']
    yield* ownInvolved(request)
  },
  draw(question) {
    const { request, answer, tally, bodies } = question
    const { maxDistance, grid } = request
    const { candidates } = answer
    const picture = probePicture(question)
    const { origin } = picture
    const body = probeBody(question)
    const start = poseOf(body, origin)
    const poseOfCandidate = ({ position, rotation }: SnapCandidate): Pose => ({
      ...from(origin, position),
      angle: start.angle + rotation,
    })
    const [best, ...others] = candidates
    const name = probeName(request)
    addReach(picture, body, maxDistance)
    const ghosts = Math.min(MOST_GHOSTS, mostGhosts(body.shape))
    for (const candidate of others.slice(0, ghosts))
      addBody(picture, body, 'target-ghost', { pose: poseOfCandidate(candidate) })
    if (others.length > 0) addKey(picture, 'target-ghost', 'others')
    addProbe(picture, question, { role: best === undefined ? 'a' : 'a-start' })
    if (best === undefined) picture.heading = `There is nothing to snap to within ${quantity(maxDistance)}.`
    else {
      const pose = poseOfCandidate(best)
      addBody(picture, body, 'result', { pose })
      addKey(picture, 'result', 'the nearest')
      addTranslation(picture, body, best)
      addFeature(picture, body, pose, best.feature)
      const target = best.id === null ? null : (bodies.get(best.id) ?? null)
      if (target?.body) addFeature(picture, target.body, poseOf(target.body, origin), best.target)
      if (best.id !== null) addKey(picture, 'met', 'what it is brought onto')
      picture.heading = `${name} snaps by ${vectorText(best.translation)}${turnText(best.rotation)}.`
      if (tally.candidates.count > 1)
        picture.details.push(`There are ${counted(tally.candidates.count, 'candidate')}, nearest first.`)
    }
    candidates.slice(0, MOST_WRITTEN).forEach((candidate, i) => {
      const { distance, rotation, feature, target, id } = candidate
      const onto = id === null ? 'the grid' : `${snapText(target)} of ${shortName(id)}`
      picture.legend.push(`${i + 1}. ${snapText(feature)} onto ${onto}, by ${quantity(distance)}${turnText(rotation)}`)
    })
    if (grid !== undefined) addCells(picture, grid)
    tellTruncated(picture, answer)
    return picture
  },
}

function turnText(rotation: number): string {
  return rotation === 0 ? '' : `, turned by ${quantity(rotation)}`
}

function snapText({ kind, index, path = [] }: SnapFeature): string {
  if (kind === 'center' || kind === 'surface' || kind === 'grid') return kind
  const own = kind === 'midpoint' ? `midpoint of edge ${index}` : `${kind} ${index}`
  return path.length === 0 ? own : `${own} of child ${path.join('/')}`
}

function addTranslation(picture: Picture, body: Body2d, { translation, distance, rotation }: SnapCandidate): void {
  if (!(distance > 0)) return
  const tail = rotation === 0 ? middleOf(body, picture.origin) : poseOf(body, picture.origin)
  const head = { x: tail.x + translation.x, y: tail.y + translation.y }
  picture.arrows.push({ form: 'between', tail: { x: tail.x, y: tail.y }, head, role: 'translation' })
  const { x, y } = midway(tail, head)
  addLabel(picture, { x: x + picture.origin.x, y: y + picture.origin.y }, quantity(distance))
}

function addFeature(picture: Picture, { shape }: Body2d, pose: Pose, feature: SnapFeature): void {
  const places = featurePlace(shape, pose, feature)
  if (places === null) return
  if (places.length === 1) picture.dots.push({ at: places[0], role: 'corner' })
  else picture.strokes.push({ form: 'polyline', points: places, role: 'snapped', aside: true })
  addKey(picture, places.length === 1 ? 'corner' : 'snapped', 'features that meet')
}

/** The grid lines near the picture, as many as are distinguishable. */
function addCells(picture: Picture, { size, origin = { x: 0, y: 0 } }: SnapGrid): void {
  const near = createBox()
  for (const { parts, aside } of picture.shapes) if (aside !== true) joinBox(near, partsBox(parts))
  if (isEmpty(near)) return
  const reach = AROUND * Math.max(near.maxX - near.minX, near.maxY - near.minY)
  const view = { minX: near.minX - reach, minY: near.minY - reach, maxX: near.maxX + reach, maxY: near.maxY + reach }
  const xs = ticksOf(view.minX, view.maxX, origin.x - picture.origin.x, size.x)
  const ys = ticksOf(view.minY, view.maxY, origin.y - picture.origin.y, size.y)
  for (const x of xs) addLine(picture, { ...view, minX: x, maxX: x })
  for (const y of ys) addLine(picture, { ...view, minY: y, maxY: y })
  if (xs.length + ys.length > 0) addKey(picture, 'cells', 'grid')
}

function ticksOf(low: number, high: number, base: number, step: number): number[] {
  const first = Math.ceil((low - base) / step)
  const last = Math.floor((high - base) / step)
  if (!(last - first < MOST_LINES) || !Number.isSafeInteger(first)) return []
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => base + (first + k) * step)
}

function addLine(picture: Picture, { minX, minY, maxX, maxY }: DrawnBox): void {
  const points = [
    { x: minX, y: minY },
    { x: maxX, y: maxY },
  ]
  picture.strokes.unshift({ form: 'polyline', points, role: 'cells', aside: true })
}

// Positions of features in the picture, by the numbering that the schemas describe

/** One point, or the two ends of a side; null for curved boundaries and the grid. */
function featurePlace(shape: Shape2d, pose: Pose, { kind, index, path = [] }: SnapFeature): readonly Vec2[] | null {
  if (kind === 'center') {
    const box = partsBox(drawnParts(shape, pose))
    return isEmpty(box) ? null : [boxCentre(box)]
  }
  let own = shape
  let at = pose
  for (const step of path) {
    if (own.type !== 'compound' || own.children[step] === undefined) return null
    const child = own.children[step]
    own = child.shape
    at = childPose(at, child)
  }
  if (kind === 'vertex') {
    const vertex = ringsOf(own).flat()[index]
    return vertex === undefined ? null : [placed(at, vertex)]
  }
  if (kind !== 'edge' && kind !== 'midpoint') return null
  const side = sideOf(own, index)
  if (side === null) return null
  const ends = side.map((end) => placed(at, end))
  return kind === 'edge' ? ends : [midway(ends[0], ends[1])]
}

/** Vertices in the order of features, local frame. */
function ringsOf(shape: Shape2d): readonly (readonly Vec2[])[] {
  switch (shape.type) {
    case 'point':
    case 'segment':
    case 'capsule':
    case 'box':
    case 'aabb':
    case 'polygon':
      return [corePoints(shape).points]
    case 'chain':
      return [shape.vertices]
    case 'region':
      return [shape.outer, ...(shape.holes ?? [])]
    default:
      return []
  }
}

/** The ends of side `index`, from its vertex to the next one of its ring; without the rounding. */
function sideOf(shape: Shape2d, index: number): readonly [Vec2, Vec2] | null {
  let first = 0
  for (const ring of ringsOf(shape)) {
    const local = shape.type === 'segment' || shape.type === 'capsule' ? 0 : index - first
    if (local < ring.length && ring.length > 1) return [ring[local], ring[(local + 1) % ring.length]]
    first += ring.length
  }
  return null
}
