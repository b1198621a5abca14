// Marks of snapping: where the features lie that meet, by the numbering that the schemas describe, and the grid near the body.

import type { SnapFeature, SnapFeature3d, SnapGrid, SnapGrid3d } from '../../schemas/scenes/snap.ts'
import type { MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Body3d, MovingBody3d, Shape3d } from '../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../schemas/vector.ts'
import { gridVertices } from '../core3d/mesh/height-field.ts'
import { boxCentre, createBox, type DrawnBox, isEmpty, joinBox, partsBox } from './outline.ts'
import { featureText3d, type Picture } from './picture.ts'
import type { PictureOfSpace } from './picture-of-space.ts'
import { childPose, midway, placed, poseOf } from './pose.ts'
import { corePoints, drawnParts } from './shape-parts.ts'
import {
  boxCorners,
  childStand,
  from3d,
  isNowhere,
  measured,
  midway3d,
  placed3d,
  type Reach,
  reachOf,
  scaled,
  seen,
  standOf,
  sum,
  ZERO,
} from './stand.ts'

const ORIGIN: Vec2 = { x: 0, y: 0 }

// Of the plane

/** One point, or the two ends of a side, in the world; null for curved boundaries and the grid. */
export function featurePlace(body: MovingBody2d, { kind, index, path = [] }: SnapFeature): readonly Vec2[] | null {
  const pose = poseOf(body, ORIGIN)
  if (kind === 'center') {
    const box = partsBox(drawnParts(body.shape, pose))
    return isEmpty(box) ? null : [boxCentre(box)]
  }
  let own = body.shape
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

export function snapText({ kind, index, path = [] }: SnapFeature): string {
  if (kind === 'center' || kind === 'surface' || kind === 'grid') return kind
  const own = kind === 'midpoint' ? `midpoint of edge ${index}` : `${kind} ${index}`
  return ofChild(own, path)
}

function ofChild(own: string, path: readonly number[]): string {
  return path.length === 0 ? own : `${own} of child ${path.join('/')}`
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

/** Number of grid lines in each direction, and their extent around the body, relative to its size. */
const MOST_LINES = 60
const AROUND = 1

/** Draws the grid lines near the picture, as many as are distinguishable; returns whether there are any. */
export function addCells(picture: Picture, { size, origin = ORIGIN }: SnapGrid): boolean {
  const near = createBox()
  for (const { parts, aside } of picture.shapes) if (aside !== true) joinBox(near, partsBox(parts))
  if (isEmpty(near)) return false
  const reach = AROUND * Math.max(near.maxX - near.minX, near.maxY - near.minY)
  const view = { minX: near.minX - reach, minY: near.minY - reach, maxX: near.maxX + reach, maxY: near.maxY + reach }
  const xs = ticksOf(view.minX, view.maxX, origin.x - picture.origin.x, size.x)
  const ys = ticksOf(view.minY, view.maxY, origin.y - picture.origin.y, size.y)
  for (const x of xs) addLine(picture, { ...view, minX: x, maxX: x })
  for (const y of ys) addLine(picture, { ...view, minY: y, maxY: y })
  return xs.length + ys.length > 0
}

function ticksOf(low: number, high: number, base: number, step: number): number[] {
  const first = Math.ceil((low - base) / step)
  const last = Math.floor((high - base) / step)
  if (!(last - first < MOST_LINES) || !Number.isSafeInteger(first)) return []
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => base + (first + k) * step)
}

function addLine(picture: Picture, { minX, minY, maxX, maxY }: DrawnBox): void {
  addCellLine(picture, { x: minX, y: minY }, { x: maxX, y: maxY })
}

/** Behind other lines. */
function addCellLine({ strokes }: Picture, p: Vec2, q: Vec2): void {
  strokes.unshift({ form: 'polyline', points: [p, q], role: 'cells', aside: true })
}

// Of space

/** One point, the two ends of an edge, or a face from its first corner round to it, in the world; null for curved boundaries and the grid. */
export function featurePlace3d(body: MovingBody3d, { kind, vertices, path = [] }: SnapFeature3d): Vec3[] | null {
  const { shape } = body
  const stand = standOf(body, ZERO)
  if (kind === 'center' || kind === 'corner') {
    if (shape.type === 'halfspace') return null
    const { min, max } = reachOf(shape, stand)
    return [kind === 'center' ? midway3d(min, max) : boxCorners(min, max)[vertices[0]]]
  }
  let own: Shape3d = shape
  let at = stand
  for (const step of path) {
    if (own.type !== 'compound' || own.children[step] === undefined) return null
    const child: Body3d = own.children[step]
    own = child.shape
    at = childStand(at, child)
  }
  const corners = vertices.flatMap((index) => verticesOf(own, index) ?? [])
  if (corners.length === 0) return null
  const places = corners.map((corner) => placed3d(at, corner))
  if (kind === 'midpoint') return [scaled(places.reduce(sum), 1 / places.length)]
  return kind === 'face' ? [...places, places[0]] : places
}

/** A vertex by its number in features, local frame. */
function verticesOf(shape: Shape3d, index: number): Vec3 | undefined {
  switch (shape.type) {
    case 'point':
      return ZERO
    case 'segment':
    case 'capsule':
      return [shape.a, shape.b][index]
    case 'triangle':
      return [shape.a, shape.b, shape.c][index]
    case 'box':
      return boxCorners(scaled(shape.size, -0.5), scaled(shape.size, 0.5))[index]
    case 'aabb':
      return boxCorners(shape.min, shape.max)[index]
    case 'hull':
      return shape.points[index]
    case 'mesh':
    case 'heightfield': {
      const numbers = shape.type === 'mesh' ? shape.vertices : gridVertices(shape)
      return { x: numbers[3 * index], y: numbers[3 * index + 1], z: numbers[3 * index + 2] }
    }
    default:
      return undefined
  }
}

export function snapText3d({ kind, vertices, path = [] }: SnapFeature3d): string {
  const own = featureText3d({ kind: kind as 'face', vertices })
  return ofChild(kind === 'midpoint' ? own.replace('midpoint', 'midpoint of') : own, path)
}

const AXES = ['x', 'y', 'z'] as const

/**
 * Draws three planes of the grid near the picture, those through the corner of cells that is nearest to a point; returns whether there are
 * any lines.
 */
export function addCells3d(space: PictureOfSpace, { size, origin = ZERO }: SnapGrid3d, near: Vec3): boolean {
  const { picture, view, reach } = space
  if (isNowhere(reach)) return false
  const { min, max } = grown(reach)
  const base = from3d(space.origin, origin)
  const at = from3d(space.origin, near)
  const middle = { ...at }
  for (const axis of AXES) middle[axis] = base[axis] + Math.round((at[axis] - base[axis]) / size[axis]) * size[axis]
  let count = 0
  for (const along of AXES) {
    for (const across of AXES) {
      if (across === along) continue
      const ticks = ticksOf(min[across], max[across], base[across], size[across])
      for (const tick of ticks) {
        const [p, q] = [min, max].map((side) => seen(view, { ...middle, [across]: tick, [along]: side[along] }))
        addCellLine(picture, p, q)
      }
      count += ticks.length
    }
  }
  return count > 0
}

/** How far the grid is drawn beyond the rest in space, where lines run in three directions. */
const BEYOND = 0.25

function grown(reach: Reach): Reach {
  const by = BEYOND * measured(reach).size
  const beyond = { x: by, y: by, z: by }
  return { min: sum(reach.min, scaled(beyond, -1)), max: sum(reach.max, beyond) }
}
