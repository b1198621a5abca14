/**
 * How a file's coordinates become the scene's: mirrored if wanted, then scaled, then moved.
 */

import type { Body2d } from '../../../schemas/shapes/body.ts'
import type { Shape2d } from '../../../schemas/shapes/shape.ts'
import type { Vec2 } from '../../../schemas/vec2.ts'

export interface Frame {
  /** Whether y is mirrored, so that what points up on the editor's screen has the greater y. */
  yUp: boolean
  /** Greater than 0. */
  scale: number
  offsetX: number
  offsetY: number
}

export const PLAIN_FRAME: Frame = { yUp: false, scale: 1, offsetX: 0, offsetY: 0 }

interface Placed {
  shape: Shape2d
  position?: Vec2
  rotation?: number
}

/** The body in the scene's frame. Of the origin and of no angle nothing is said. */
export function placeInFrame(frame: Frame, { shape, position, rotation = 0 }: Placed): Placed {
  const { yUp, offsetX, offsetY } = frame
  const { x, y } = turned(frame, position ?? { x: 0, y: 0 })
  const angle = (yUp ? -rotation : rotation) + 0
  const at = { x: x + offsetX, y: y + offsetY }
  return {
    shape: isPlain(frame) ? shape : shapeInFrame(frame, shape),
    ...((at.x !== 0 || at.y !== 0) && { position: at }),
    ...(angle !== 0 && { rotation: angle }),
  }
}

function isPlain({ yUp, scale }: Frame): boolean {
  return !yUp && scale === 1
}

/** A vector of the file; + 0: no negative zeros. */
function turned({ yUp, scale }: Frame, { x, y }: Vec2): Vec2 {
  return { x: scale * x + 0, y: (yUp ? -scale : scale) * y + 0 }
}

function shapeInFrame(frame: Frame, shape: Shape2d): Shape2d {
  const { scale } = frame
  const all = (points: readonly Vec2[]): Vec2[] => points.map((point) => turned(frame, point))
  switch (shape.type) {
    case 'point':
    case 'halfplane':
      return shape
    case 'circle':
      return { ...shape, radius: scale * shape.radius }
    case 'segment':
      return { ...shape, a: turned(frame, shape.a), b: turned(frame, shape.b) }
    case 'capsule':
      return { ...shape, a: turned(frame, shape.a), b: turned(frame, shape.b), radius: scale * shape.radius }
    case 'ellipse':
      return { ...shape, rx: scale * shape.rx, ry: scale * shape.ry }
    case 'box':
      return { ...shape, width: scale * shape.width, height: scale * shape.height }
    case 'polygon':
      return { ...shape, vertices: all(shape.vertices) }
    case 'chain':
      return { ...shape, vertices: all(shape.vertices) }
    case 'region':
      return { ...shape, outer: all(shape.outer), ...(shape.holes && { holes: shape.holes.map(all) }) }
    case 'compound':
      return { ...shape, children: shape.children.map((child) => childInFrame(frame, child)) }
    default:
      throw new Error(`no file draws ${shape.type}`)
  }
}

function childInFrame(frame: Frame, { shape, position, rotation }: Body2d): Body2d {
  return placeInFrame(
    { ...frame, offsetX: 0, offsetY: 0 },
    { shape, ...(position && { position }), ...(rotation && { rotation }) },
  )
}
