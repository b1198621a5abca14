/**
 * Where a named feature of a body lies, as it is drawn: by the conventions that the schemas describe.
 *
 * Frame: that of pictures, see `marks/pose.ts`.
 */
import type { SnapFeature } from '../../../schemas/scenes/snap.ts'
import type { Shape2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import { boxCentre, isEmpty, partsBox } from '../marks/outline.ts'
import { childPose, midway, type Pose, placed } from '../marks/pose.ts'
import { corePoints, drawnParts } from '../marks/shape-parts.ts'

/** One point, or the two ends of a side; null where there is none to be pointed at: of curved boundaries, and of the grid. */
export function featurePlace(
  shape: Shape2d,
  pose: Pose,
  { kind, index, path = [] }: SnapFeature,
): readonly Vec2[] | null {
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

/** Vertices in the order in which features count them, local frame. */
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

/** The ends of side `index`, from its vertex to the next one of its ring; of the core where there is a skin. */
function sideOf(shape: Shape2d, index: number): readonly [Vec2, Vec2] | null {
  let first = 0
  for (const ring of ringsOf(shape)) {
    const local = shape.type === 'segment' || shape.type === 'capsule' ? 0 : index - first
    if (local < ring.length && ring.length > 1) return [ring[local], ring[(local + 1) % ring.length]]
    first += ring.length
  }
  return null
}
