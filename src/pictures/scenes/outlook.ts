/**
 * How a scene is looked at: what its bodies and their boxes look like in a picture, of the plane as they are, of space from a view.
 *
 * An outlook is a plain record, which other threads receive. Frame: points of pictures count from the image of the origin.
 */

import type { PictureView } from '../../../schemas/picture.ts'
import type { Body3d, MovingBody3d, Shape3d } from '../../../schemas/shapes3d.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'
import type { DescribedBody } from '../../scene/queries/described-body.ts'
import { shapeOfDescribed } from '../../scene/queries/described-body.ts'
import type { SceneBody } from '../../scene/state/operation.ts'
import { addToBox, createBox, type DrawnBox, type DrawnPart, polyRing } from '../outline.ts'
import { poseOf, unit } from '../pose.ts'
import { drawnParts } from '../shape-parts.ts'
import { patchParts, solidParts } from '../solid-parts.ts'
import {
  boxCorners,
  dot,
  from3d,
  isNowhere,
  measured,
  midway3d,
  type Reach,
  seen,
  standOf,
  turned,
  unit3d,
  VIEWS,
} from '../stand.ts'

export type Outlook =
  | { readonly dimension: 2; readonly origin: Vec2 }
  | {
      readonly dimension: 3
      readonly origin: Vec3
      readonly view: PictureView
      /** Around which half-spaces are drawn; relative to the origin. */
      readonly reach: Reach
    }

/** At a scene of space, of which the box is of the bodies that have bounds; null without any. */
export function spaceOutlook(sceneBox: Float64Array | null, view: PictureView): Outlook & { dimension: 3 } {
  const [minX, minY, minZ, maxX, maxY, maxZ] = sceneBox ?? [0, 0, 0, 0, 0, 0]
  const low = { x: minX, y: minY, z: minZ }
  const high = { x: maxX, y: maxY, z: maxZ }
  const origin = midway3d(low, high)
  return { dimension: 3, origin, view, reach: { min: from3d(origin, low), max: from3d(origin, high) } }
}

/** The image of the origin. */
export function originSeen(outlook: Outlook): Vec2 {
  return outlook.dimension === 2 ? outlook.origin : seen(VIEWS[outlook.view], outlook.origin)
}

/** Relative to the picture's origin. `box`: low sides, then high ones, of the world. */
export function seenBox(outlook: Outlook, box: ArrayLike<number>): DrawnBox {
  if (outlook.dimension === 2) {
    const { x, y } = outlook.origin
    return { minX: box[0] - x, minY: box[1] - y, maxX: box[2] - x, maxY: box[3] - y }
  }
  const all = createBox()
  for (const { x, y } of cornersOf(outlook, box)) addToBox(all, x, y)
  return all
}

/** The images of the corners of a box of space. */
function cornersOf(outlook: Outlook & { dimension: 3 }, box: ArrayLike<number>): Vec2[] {
  const low = from3d(outlook.origin, { x: box[0], y: box[1], z: box[2] })
  const high = from3d(outlook.origin, { x: box[3], y: box[4], z: box[5] })
  return boxCorners(low, high).map((corner) => seen(VIEWS[outlook.view], corner))
}

/** How near the middle of a box is to the viewer; of the plane all are as near. */
export function nearness(outlook: Outlook, box: ArrayLike<number>): number {
  if (outlook.dimension === 2) return 0
  const { toward } = VIEWS[outlook.view]
  const near = dot(toward, {
    x: box[0] + (box[3] - box[0]) / 2,
    y: box[1] + (box[4] - box[1]) / 2,
    z: box[2] + (box[5] - box[2]) / 2,
  })
  return Number.isNaN(near) ? -Infinity : near
}

/** A box with finite sides as one part. */
export function boxPart(outlook: Outlook, box: ArrayLike<number>): DrawnPart {
  return { kind: 'path', filled: true, rings: [polyRing(boxRing(outlook, box), true)] }
}

/** The corners of the outline of a box. */
export function boxRing(outlook: Outlook, box: ArrayLike<number>): Vec2[] {
  return outlook.dimension === 3 ? silhouette(cornersOf(outlook, box)) : cornersOfRectangle(seenBox(outlook, box))
}

function cornersOfRectangle({ minX, minY, maxX, maxY }: DrawnBox): Vec2[] {
  return [
    { x: minX, y: minY },
    { x: maxX, y: minY },
    { x: maxX, y: maxY },
    { x: minX, y: maxY },
  ]
}

/** The convex hull of a few points, counter-clockwise. A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979. */
function silhouette(points: readonly Vec2[]): Vec2[] {
  const sorted = points.toSorted((p, q) => p.x - q.x || p.y - q.y)
  const half = (list: readonly Vec2[]): Vec2[] => {
    const chain: Vec2[] = []
    for (const point of list) {
      while (chain.length > 1 && !turnsLeft(chain[chain.length - 2], chain[chain.length - 1], point)) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  const ring = [...half(sorted), ...half(sorted.toReversed())]
  return ring.length > 0 ? ring : sorted.slice(0, 1)
}

function turnsLeft(p: Vec2, q: Vec2, r: Vec2): boolean {
  return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) > 0
}

/** A box, relative to the picture's origin, as a part. */
export function rectanglePart(box: DrawnBox): DrawnPart {
  return { kind: 'path', filled: true, rings: [polyRing(cornersOfRectangle(box), true)] }
}

/** The box relative to a point. */
export function around({ minX, minY, maxX, maxY }: DrawnBox, { x, y }: Vec2): DrawnBox {
  return { minX: minX - x, minY: minY - y, maxX: maxX - x, maxY: maxY - y }
}

/** The parts of a body whose shape is not packed. */
export function partsAt(
  outlook: Outlook,
  body: Pick<SceneBody, 'shape' | 'position' | 'rotation' | 'orientation'>,
): DrawnPart[] {
  if (outlook.dimension === 2) return drawnParts(body.shape as never, poseOf(body as never, outlook.origin))
  return partsOfSpace(outlook, body as unknown as Body3d)
}

function partsOfSpace(outlook: Outlook & { dimension: 3 }, body: Body3d): DrawnPart[] {
  const view = VIEWS[outlook.view]
  const stand = standOf(body, outlook.origin)
  const { shape } = body
  if (shape.type !== 'halfspace') return solidParts(shape, stand, view)
  const normal = unit3d(shape.normal)
  if (normal === null || isNowhere(outlook.reach)) return []
  const out = turned(stand, normal)
  const { centre, size } = measured(outlook.reach)
  const height = dot(stand.at, out) + shape.offset - dot(centre, out)
  const middle = { x: centre.x + out.x * height, y: centre.y + out.y * height, z: centre.z + out.z * height }
  return patchParts(middle, out, PATCH * size, view, 0)
}

/** Half the side of the patch that stands for a half-space, relative to the size of all. */
const PATCH = 0.6

/** The parts of a described body. */
export function partsOfDescribed(outlook: Outlook, { shape, pose, position }: DescribedBody): DrawnPart[] {
  const read = shapeOfDescribed(shape)
  if (outlook.dimension === 2) {
    const { x, y } = outlook.origin
    return drawnParts(read as never, { x: position[0] - x, y: position[1] - y, angle: pose[2] })
  }
  const [px, py, pz] = position
  const [, , , x, y, z, w] = pose
  return partsOfSpace(outlook, {
    shape: read as Shape3d,
    position: { x: px, y: py, z: pz },
    orientation: { x, y, z, w },
  })
}

/** Where the body's position is seen, and which way it moves across the view; null where it does not. */
export function motionSeen(outlook: Outlook, body: SceneBody): { tail: Vec2; direction: Vec2 | null } {
  if (outlook.dimension === 2) {
    const { x, y } = poseOf(body as never, outlook.origin)
    return { tail: { x, y }, direction: unit(body.velocity ?? { x: 0, y: 0 }) }
  }
  const { position, velocity } = body as unknown as MovingBody3d
  const view = VIEWS[outlook.view]
  const tail = seen(view, from3d(outlook.origin, position ?? { x: 0, y: 0, z: 0 }))
  return { tail, direction: velocity === undefined ? null : unit(seen(view, velocity)) }
}
