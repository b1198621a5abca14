/**
 * Objects of Tiled, in layers and on tiles, as shapes where they are shown.
 *
 * An object stands at its position, about which it is turned, clockwise on the screen: rectangles, ellipses and capsules hang from it
 * by their upper left corner, polygons count from it, tile objects lie by the alignment of their tileset.
 * Frame: pixels of the map as it is shown.
 */

import type { Body2d } from '../../../schemas/shapes/body.ts'
import type { Vec2 } from '../../../schemas/vec2.ts'
import {
  type Affine,
  after,
  apply,
  evenScale,
  IDENTITY,
  mappedBox,
  mappedEllipse,
  mappedPoints,
  translation,
  turn,
} from '../drawing/affine.ts'
import { closedShape, compoundOf, endsAtStart } from '../drawing/closed-shape.ts'
import { type JsonObject, numberAt, objectsAt } from '../reading/json-fields.ts'
import type { PlacedTile } from './tileset.ts'

/**
 * The shape of an object that shows no tile, or a sentence why it has none. `shown`: where its coordinates are shown; its own turn
 * is one of what is shown.
 */
export function objectShape(object: JsonObject, shown: Affine, where: string): Body2d | string {
  if (object.text !== undefined) return 'Texts have no shape.'
  const at = apply(shown, { x: numberAt(object, 'x', where, 0), y: numberAt(object, 'y', where, 0) })
  const map = after(after(translation(at.x, at.y), turn(numberAt(object, 'rotation', where, 0))), {
    ...shown,
    e: 0,
    f: 0,
  })
  if (object.point === true) return { shape: { type: 'point' }, position: at }
  if (object.polygon !== undefined) {
    const points = mappedPoints(map, pointsAt(object, 'polygon', where))
    return points.length < 2 ? 'A polygon has three points or more.' : { shape: closedShape(points), position: at }
  }
  if (object.polyline !== undefined) return lineShape(mappedPoints(map, pointsAt(object, 'polyline', where)), at)
  const width = numberAt(object, 'width', where, 0)
  const height = numberAt(object, 'height', where, 0)
  if (!(width > 0 || height > 0)) return { shape: { type: 'point' }, position: at }
  const middle = after(map, translation(width / 2, height / 2))
  if (object.ellipse === true) {
    if (width > 0 && height > 0) return mappedEllipse(middle, width / 2, height / 2)
    return mappedBox(middle, width, height)
  }
  if (object.capsule === true) return capsuleShape(middle, width, height)
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

function capsuleShape(middle: Affine, width: number, height: number): Body2d | string {
  const scale = evenScale(middle)
  if (scale === null) return 'A capsule that is longer one way than the other is none.'
  const radius = Math.min(width, height) / 2
  const ends = [
    { x: -Math.max(0, width / 2 - radius), y: -Math.max(0, height / 2 - radius) },
    { x: Math.max(0, width / 2 - radius), y: Math.max(0, height / 2 - radius) },
  ]
  const [a, b] = mappedPoints(middle, ends)
  return { shape: { type: 'capsule', a, b, radius: scale * radius }, position: { x: middle.e, y: middle.f } }
}

export interface ShownTile {
  /** From the pixels of the tile, counted from its upper left corner, to those of the box that it is shown in, likewise. */
  map: Affine
  width: number
  height: number
}

/** How a tile is shown: turned over as its global id says, and in this size, or its own. */
export function shownTile(
  placed: PlacedTile,
  size: { width: number; height: number } | null,
  isHexagonal: boolean,
): ShownTile {
  const { tile, flipX, flipY, flipDiagonally, turn120 } = placed
  let { width, height } = tile
  let map: Affine = IDENTITY
  if (isHexagonal) map = turnedAbout(width, height, (flipDiagonally ? 60 : 0) + (turn120 ? 120 : 0))
  else if (flipDiagonally) {
    map = { a: 0, b: 1, c: 1, d: 0, e: 0, f: 0 }
    width = tile.height
    height = tile.width
  }
  if (flipX) map = after({ ...IDENTITY, a: -1, e: width }, map)
  if (flipY) map = after({ ...IDENTITY, d: -1, f: height }, map)
  if (size === null || (size.width === width && size.height === height)) return { map, width, height }
  return { map: after({ ...IDENTITY, a: size.width / width, d: size.height / height }, map), ...size }
}

function turnedAbout(width: number, height: number, degrees: number): Affine {
  if (degrees === 0) return IDENTITY
  const back = after(translation(width / 2, height / 2), turn(degrees))
  return after(back, translation(-width / 2, -height / 2))
}

/** The collision shapes of a tile as one body; null where it has none, a sentence where one of them has no shape. */
export function tileShape({ tile }: PlacedTile, map: Affine): Body2d | string | null {
  const parts: Body2d[] = []
  for (const [k, object] of tile.collisions.entries()) {
    const placed = collisionShape(object, map, `${tile.where}/objectgroup/${k}`)
    if (typeof placed === 'string') return placed
    parts.push(placed)
  }
  return parts.length === 0 ? null : compoundOf(parts)
}

/** An object on a tile: turned about its own place, then mapped with the tile. */
function collisionShape(object: JsonObject, map: Affine, where: string): Body2d | string {
  const at = translation(numberAt(object, 'x', where, 0), numberAt(object, 'y', where, 0))
  const own = after(after(map, at), turn(numberAt(object, 'rotation', where, 0)))
  return objectShape({ ...object, x: 0, y: 0, rotation: 0 }, own, where)
}

/** Whether the only collision shape of a tile is a rectangle that fills it. */
export function isSolid({ tile }: PlacedTile): boolean {
  if (tile.collisions.length !== 1) return false
  const [{ x = 0, y = 0, width, height, rotation = 0, ellipse, capsule, point, polygon, polyline }] = tile.collisions
  const isRectangle = [ellipse, capsule, point, polygon, polyline].every((kind) => kind === undefined || kind === false)
  return isRectangle && x === 0 && y === 0 && rotation === 0 && width === tile.width && height === tile.height
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
  const [x, y] = ANCHORS[alignment] ?? ANCHORS.bottomleft
  return { x: -x * width, y: -y * height }
}
