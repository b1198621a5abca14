/**
 * Objects of Tiled, in layers and on tiles, as shapes where they are shown.
 *
 * An object stands at its position, about which it is turned, clockwise on the screen: rectangles, ellipses and capsules hang from it
 * by their upper left corner, polygons count from it, tile objects lie by the alignment of their tileset.
 * Frame: pixels of the map as it is shown.
 */

import type { Body2d } from '../../../schemas/shapes2d.ts'
import type { Vec2 } from '../../../schemas/vector.ts'
import {
  type Affine,
  after,
  apply,
  IDENTITY,
  mappedBox,
  mappedCapsule,
  mappedEllipse,
  mappedPoints,
  translation,
  turn,
} from '../drawing/affine.ts'
import { closedShape, endsAtStart } from '../drawing/closed-shape.ts'
import { type JsonObject, numberAt, objectsAt } from '../reading/json-fields.ts'

/**
 * The shape of an object that shows no tile, or a sentence why it has none. `shown`: where its coordinates are shown; its own turn
 * is one of what is shown. `over`: what becomes of all that.
 */
export function objectShape(object: JsonObject, shown: Affine, where: string, over = IDENTITY): Body2d | string {
  if (object.text !== undefined) return 'Texts have no shape.'
  const stood = apply(shown, { x: numberAt(object, 'x', where, 0), y: numberAt(object, 'y', where, 0) })
  const turned = after(translation(stood.x, stood.y), turn(numberAt(object, 'rotation', where, 0)))
  const map = after(over, after(turned, { ...shown, e: 0, f: 0 }))
  const at = { x: map.e, y: map.f }
  if (object.point === true) return { shape: { type: 'point' }, position: at }
  if (object.polygon !== undefined) {
    const points = mappedPoints(map, pointsAt(object, 'polygon', where))
    return points.length < 2 ? 'A polygon has three points or more.' : { shape: closedShape(points), position: at }
  }
  if (object.polyline !== undefined) return lineShape(mappedPoints(map, pointsAt(object, 'polyline', where)), at)
  const across = numberAt(object, 'width', where, 0)
  const down = numberAt(object, 'height', where, 0)
  if (across === 0 && down === 0) return { shape: { type: 'point' }, position: at }
  // Less than nothing goes the other way.
  const [width, height] = [Math.abs(across), Math.abs(down)]
  const middle = after(map, translation(across / 2, down / 2))
  if (object.ellipse === true) {
    if (width > 0 && height > 0) return mappedEllipse(middle, width / 2, height / 2)
    return mappedBox(middle, width, height)
  }
  if (object.capsule === true) return mappedCapsule(middle, width, height)
  return mappedBox(middle, width, height)
}

function pointsAt(object: JsonObject, field: string, where: string): Vec2[] {
  return objectsAt(object, field, where).map((point, k) => ({
    x: numberAt(point, 'x', `${where}/${field}/${k}`),
    y: numberAt(point, 'y', `${where}/${field}/${k}`),
  }))
}

/** Closed where it ends at its start. */
function lineShape(vertices: Vec2[], position: Vec2): Body2d | string {
  if (vertices.length < 2) return 'A polyline has two points or more.'
  const isClosed = vertices.length > 2 && endsAtStart(vertices)
  if (!isClosed) return { shape: { type: 'chain', vertices }, position }
  return { shape: { type: 'chain', vertices: vertices.slice(0, -1), loop: true }, position }
}

/** What an alignment says, in shares of width and height from the upper left corner. */
const ANCHORS: Readonly<Record<string, readonly [number, number]>> = {
  topleft: [0, 0],
  top: [0.5, 0],
  topright: [1, 0],
  left: [0, 0.5],
  center: [0.5, 0.5],
  right: [1, 0.5],
  bottomleft: [0, 1],
  bottom: [0.5, 1],
  bottomright: [1, 1],
}

/** Where the upper left corner of a tile object lies, before it is turned about its position. */
export function anchorOf(alignment: string, width: number, height: number): Vec2 {
  const [x, y] = Object.hasOwn(ANCHORS, alignment) ? ANCHORS[alignment] : ANCHORS.bottomleft
  return { x: -x * width, y: -y * height }
}
