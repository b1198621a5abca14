/**
 * The canvas of pictures of scene queries: one text draws the answers of scenes of the plane and of space.
 *
 * Vectors, bodies and features are those of requests and responses, in the world; what they are made of only the canvas knows.
 */

import type { ShapeFeature } from '../../../schemas/feature.ts'
import type { PictureView } from '../../../schemas/picture.ts'
import type {
  SnapCandidate,
  SnapCandidate3d,
  SnapFeature,
  SnapFeature3d,
  SnapGrid,
  SnapGrid3d,
} from '../../../schemas/scenes/snap.ts'
import type { MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'
import type { MovingBody3d, Shape3d } from '../../../schemas/shapes3d.ts'
import type { Quaternion, Vec2, Vec3 } from '../../../schemas/vector.ts'
import { boxCentre, boxSize, isEmpty, partsBox } from '../outline.ts'
import { quantity } from '../picture.ts'
import { from, poseOf } from '../pose.ts'
import { type Canvas, planeCanvas, spaceCanvas } from '../queries/canvas.ts'
import { addHeads } from '../queries/draw-trajectory.ts'
import { mostGhosts } from '../queries/ghosts.ts'
import { drawnParts } from '../shape-parts.ts'
import { addCells, addCells3d, featurePlace, featurePlace3d, snapText, snapText3d } from '../snap-marks.ts'
import { from3d, isNowhere, measured, type Reach, reachOf, seen, standOf, sum, VIEWS, widen, ZERO } from '../stand.ts'
import type { Outlook } from './outlook.ts'

/** What dimension it is of is for the canvas to know. */
declare const kind: unique symbol
export interface Vector {
  readonly [kind]: 'vector'
}
export interface Body {
  readonly [kind]: 'body'
}
/** Of a shape, or one that was snapped. */
export interface Feature {
  readonly [kind]: 'feature'
}

/** A request or response of the plane as that of either dimension. */
export type Either<Value> = Value extends Vec2
  ? Vector
  : Value extends Pick<MovingBody2d, 'shape'>
    ? Body
    : Value extends ShapeFeature | SnapFeature
      ? Feature
      : { [Field in keyof Value]: Either<Value[Field]> }

/** The low sides of a box of the world, then its high ones. */
export type Sides = readonly number[]

/** Where a body stands; null: as it did. In space its orientation takes the place of its rotation. */
interface Placement {
  readonly position: Vector
  readonly rotation?: number | null
}

export interface SceneCanvas extends Canvas<Vector, Body, Feature> {
  /** Arrow heads along a path. */
  addHeads(way: readonly Vector[]): void
  vector(numbers: readonly number[]): Vector
  numbers(vector: Vector): number[]
  /** p + by·v. */
  plus(p: Vector, v: Vector, by?: number): Vector
  length(v: Vector): number
  /** At length 1; null of a zero vector. */
  unit(v: Vector): Vector | null
  positionOf(body: Body): Vector
  /** The middle of the box around a body; its position where it has none. */
  middleOf(body: Body): Vector
  /** The longest side of the box around a body; 0 where it has none. */
  sizeOf(body: Body): number
  mostGhosts(body: Body): number
  /** The body as it stands elsewhere. */
  put(body: Body, placement: Placement): Body
  /** The body as it was snapped. */
  snapped(body: Body, candidate: Either<SnapCandidate>): Body
  /** How far it was turned in snapping, in radians. */
  angleOf(candidate: Either<SnapCandidate>): number
  /** A feature that was snapped, in words. */
  snapText(feature: Feature): string
  /** Where a feature lies: a point, or a line along or round it; null for curved boundaries and the grid. */
  featurePlace(body: Body, feature: Feature): readonly Vector[] | null
  /** Draws a grid about a point; returns whether lines of it are distinguishable. */
  addCells(grid: Either<SnapGrid>, near: Vector): boolean
  /** The body with this motion and no other. `spin`: its angular velocity, that of the dimension. */
  moving(body: Body, velocity: Vector, spin?: unknown): Body
  /** How it is turned, in words. */
  turnText(body: Body): string
  /** All points as near to another. */
  ball(centre: Vector, radius: number): Body
  aabb(min: Vector, max: Vector): Body
  /** Gives marks that have no size of their own that of other boxes, so that half-spaces are drawn about them. */
  surround(boxes: readonly Sides[]): void
  /** How the scene around the marks is looked at. */
  outlook(): Outlook
}

/** Makes the canvas of a picture, with its origin at a point of the world, which may be given by its coordinates. */
export type OpenCanvas = (origin: Vector | readonly number[] | null) => SceneCanvas

export function canvasOf(dimension: 2 | 3, view: PictureView): OpenCanvas {
  return (origin) => {
    const [x, y, z] = Array.isArray(origin) ? origin : [0, 0, 0]
    const own = origin === null || Array.isArray(origin) ? { x, y, z } : origin
    const sheet = dimension === 2 ? planeSheet(own as Vec2) : spaceSheet(own as Vec3, view)
    return sheet as unknown as SceneCanvas
  }
}

/** The canvas of a dimension, which knows what vectors and bodies are. */
type Sheet<V, B> = Canvas<V, B, never> &
  Omit<
    SceneCanvas,
    | keyof Canvas<V, B, never>
    | 'positionOf'
    | 'middleOf'
    | 'sizeOf'
    | 'mostGhosts'
    | 'turnText'
    | 'snapped'
    | 'featurePlace'
  > & {
    positionOf(body: B): V
    middleOf(body: B): V
    sizeOf(body: B): number
    mostGhosts(body: B): number
    turnText(body: B): string
    snapped(body: B, candidate: Either<SnapCandidate>): B
    featurePlace(body: B, feature: Feature): readonly V[] | null
  }

function planeSheet(origin: Vec2): Sheet<Vec2, MovingBody2d> {
  const canvas = planeCanvas([{ shape: { type: 'point' }, position: origin }])
  const boxOf = (body: MovingBody2d) => partsBox(drawnParts(body.shape, poseOf(body, origin)))
  return {
    ...canvas,
    ...arithmetic(['x', 'y']),
    ...bodies('circle', 'rotation', 0),
    addHeads: (way) =>
      addHeads(
        canvas.picture,
        (way as unknown as Vec2[]).map((point) => from(origin, point)),
      ),
    positionOf: ({ position = { x: 0, y: 0 } }) => position,
    middleOf(body) {
      const box = boxOf(body)
      const { x, y } = isEmpty(box) ? poseOf(body, origin) : boxCentre(box)
      return { x: x + origin.x, y: y + origin.y }
    },
    sizeOf: (body) => boxSize(boxOf(body)),
    mostGhosts: ({ shape }) => mostGhosts(shape as Shape2d),
    snapped: (body, candidate) => {
      const { position, rotation } = candidate as unknown as SnapCandidate
      return { ...body, position, rotation: (body.rotation ?? 0) + rotation }
    },
    angleOf: ({ rotation }) => rotation,
    snapText: (feature) => snapText(feature as unknown as SnapFeature),
    featurePlace: (body, feature) => featurePlace(body, feature as unknown as SnapFeature),
    addCells: (grid) => addCells(canvas.picture, grid as unknown as SnapGrid),
    turnText: ({ rotation = 0 }) => `rotation ${quantity(rotation)}`,
    surround: () => undefined,
    outlook: () => ({ dimension: 2, origin }),
  }
}

function spaceSheet(origin: Vec3, view: PictureView): Sheet<Vec3, MovingBody3d> {
  const canvas = spaceCanvas([{ shape: { type: 'point' }, position: origin }], VIEWS[view])
  const { reach } = canvas.space
  return {
    ...canvas,
    ...arithmetic(['x', 'y', 'z']),
    ...bodies('sphere', 'orientation', ZERO),
    addHeads: (way) =>
      addHeads(
        canvas.picture,
        (way as unknown as Vec3[]).map((point) => seen(VIEWS[view], from3d(origin, point))),
      ),
    positionOf: ({ position = ZERO }) => position,
    middleOf(body) {
      const extent = extentOf(body, origin)
      return extent === null ? (body.position ?? ZERO) : sum(measured(extent).centre, origin)
    },
    sizeOf(body) {
      const extent = extentOf(body, origin)
      return extent === null ? 0 : measured(extent).size
    },
    mostGhosts: ({ shape }) => mostGhosts(shape as Shape3d),
    snapped: (body, candidate) => {
      const { position, orientation } = candidate as unknown as SnapCandidate3d
      return { ...body, position, orientation }
    },
    angleOf(candidate) {
      const { x, y, z } = (candidate as unknown as SnapCandidate3d).rotation
      return Math.hypot(x, y, z)
    },
    snapText: (feature) => snapText3d(feature as unknown as SnapFeature3d),
    featurePlace: (body, feature) => featurePlace3d(body, feature as unknown as SnapFeature3d),
    addCells: (grid, near) => addCells3d(canvas.space, grid as unknown as SnapGrid3d, near as unknown as Vec3),
    turnText: ({ orientation: { x, y, z, w } = { x: 0, y: 0, z: 0, w: 1 } as Quaternion }) =>
      `orientation (${[x, y, z, w].map(quantity).join(', ')})`,
    surround(boxes) {
      if (hasSize(reach)) return
      for (const [minX, minY, minZ, maxX, maxY, maxZ] of boxes) {
        const [min, max] = [
          { x: minX, y: minY, z: minZ },
          { x: maxX, y: maxY, z: maxZ },
        ].map((corner) => from3d(origin, corner))
        widen(reach, { min, max })
      }
    },
    outlook: () => ({ dimension: 3, origin, view, reach: hasSize(reach) ? reach : LONELY }),
  }
}

function hasSize(reach: Reach): boolean {
  return !isNowhere(reach) && measured(reach).size > 0
}

/** About a single point. */
const LONELY: Reach = { min: { x: -1, y: -1, z: -1 }, max: { x: 1, y: 1, z: 1 } }

/** Relative to the origin; null of what has no bounds. */
function extentOf(body: MovingBody3d, origin: Vec3): Reach | null {
  return body.shape.type === 'halfspace' ? null : reachOf(body.shape, standOf(body, origin))
}

type Arithmetic = Pick<SceneCanvas, 'vector' | 'numbers' | 'plus' | 'length' | 'unit'>

/** Vectors by the names of their coordinates. */
function arithmetic(axes: readonly string[]): Arithmetic {
  const numbers = (v: Vector) => axes.map((axis) => (v as unknown as Record<string, number>)[axis])
  const vector = (own: readonly number[]) => Object.fromEntries(axes.map((axis, k) => [axis, own[k]])) as never
  return {
    vector,
    numbers,
    plus(p, v, by = 1) {
      const [ps, vs] = [numbers(p), numbers(v)]
      return vector(ps.map((number, k) => number + vs[k] * by))
    },
    length: (v) => Math.hypot(...numbers(v)),
    unit(v) {
      const own = numbers(v)
      const size = Math.max(...own.map(Math.abs))
      if (size === 0) return null
      const length = Math.hypot(...own.map((number) => number / size))
      return vector(own.map((number) => number / size / length))
    },
  }
}

type Bodies = Pick<SceneCanvas, 'put' | 'moving' | 'ball' | 'aabb'>

/** Bodies by the words of their dimension. `still`: no angular velocity. */
function bodies(ball: 'circle' | 'sphere', turn: 'rotation' | 'orientation', still: unknown): Bodies {
  return {
    put(body, placement) {
      const { position, [turn]: turned } = placement as unknown as Record<string, unknown>
      const moved = { ...body, position, ...(turned !== undefined && turned !== null && { [turn]: turned }) }
      return moved as unknown as Body
    },
    moving: (body, velocity, spin = still) => ({ ...body, velocity, angularVelocity: spin }) as unknown as Body,
    ball: (position, radius) => ({ shape: { type: ball, radius }, position }) as unknown as Body,
    aabb: (min, max) => ({ shape: { type: 'aabb', min, max } }) as unknown as Body,
  }
}
