/**
 * Objects of Tiled, in layers and on tiles, as shapes where they are shown.
 *
 * An object stands at its position, about which it is turned, clockwise on the screen: rectangles, ellipses and capsules hang from it
 * by their upper left corner, polygons count from it, tile objects lie by the alignment of their tileset.
 * Frame: pixels of the map as it is shown.
 */

import type { Body2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
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
} from './affine.ts'
import { closedShape, compoundOf, endsAtStart } from './closed-shape.ts'
import { type JsonObject, numberAt, objectsAt } from './json-file.ts'
import { isometricObjects } from './tiled-projection.ts'
import type { PlacedTile } from './tileset.ts'

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

/** The anchor of an alignment, in shares of width and height from the upper left corner. */
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

// How Tiled shows a tile: turned over, turned and scaled as its global id and its tileset say, with its collision shapes on it.
//
// A tile is drawn about the middle of its box: scaled, turned over, then turned. Over the diagonal is a quarter turn after turning over,
// in a box whose sides are exchanged; of hexagonal maps the same bit is a turn by 60 degrees.
// Source: what Tiled 1.12 draws (`CellRenderer` of its libtiled). Frame: pixels of the map, counted from the lower left corner of the
// box, y down.

export interface Size {
  width: number
  height: number
}

/** How much longer it is shown in a box of this size. */
function scaleIn({ tile, tileset }: PlacedTile, { width, height }: Size): { x: number; y: number } {
  const scale = { x: tile.width > 0 ? width / tile.width : 1, y: tile.height > 0 ? height / tile.height : 1 }
  if (!tileset.keepsAspect) return scale
  const least = Math.min(scale.x, scale.y)
  return { x: least, y: least }
}

/** The offset of its tileset, as long as it is in a box of this size. */
export function shownOffset(placed: PlacedTile, size: Size): { x: number; y: number } {
  const scale = scaleIn(placed, size)
  return { x: placed.tileset.offsetX * scale.x, y: placed.tileset.offsetY * scale.y }
}

/** From the pixels of the tile, counted from its upper left corner, to a box of this size that it is shown in. */
export function shownTile(placed: PlacedTile, size: Size, isHexagonal: boolean): Affine {
  const { tile, flipX, flipY, flipDiagonally, turn120 } = placed
  const scale = scaleIn(placed, size)
  const offset = shownOffset(placed, size)
  const isQuarter = flipDiagonally && !isHexagonal
  const exchange = isQuarter ? (size.height - size.width) / 2 : 0
  const middle = translation(size.width / 2 + exchange + offset.x, exchange - size.height / 2 + offset.y)
  const degrees = isHexagonal ? (flipDiagonally ? 60 : 0) + (turn120 ? 120 : 0) : isQuarter ? 90 : 0
  const isMirroredX = isQuarter ? flipY : flipX
  const isMirroredY = isQuarter ? !flipX : flipY
  const over = { ...IDENTITY, a: isMirroredX ? -scale.x : scale.x, d: isMirroredY ? -scale.y : scale.y }
  return after(after(after(middle, turn(degrees)), over), translation(-tile.width / 2, -tile.height / 2))
}

/** The collision shapes of a tile as one body; null where it has none, a sentence where one of them has no shape. */
export function tileShape(placed: PlacedTile, map: Affine): Body2d | string | null {
  const { tile } = placed
  const shown = collisionFrame(placed)
  const parts: Body2d[] = []
  for (const [k, object] of tile.collisions.entries()) {
    const part = objectShape(object, shown, `${tile.where}/objectgroup/${k}`, map)
    if (typeof part === 'string') return part
    parts.push(part)
  }
  return parts.length === 0 ? null : compoundOf(parts)
}

/** Where the collision editor shows objects on a tile: of isometric tilesets over one cell of their grid, at the foot of the tile. */
function collisionFrame({ tile, tileset: { isometricGrid } }: PlacedTile): Affine {
  if (isometricGrid === null) return IDENTITY
  const { width, height } = isometricGrid
  return after(translation(0, tile.height - height), isometricObjects(width, height, 1))
}

/** Whether the only collision shape of a tile is a rectangle that fills it. */
function isSolid({ tile, tileset }: PlacedTile): boolean {
  if (tile.collisions.length !== 1 || tileset.isometricGrid !== null) return false
  const [{ x = 0, y = 0, width, height, rotation = 0, ellipse, capsule, point, polygon, polyline }] = tile.collisions
  const isRectangle = [ellipse, capsule, point, polygon, polyline].every((kind) => kind === undefined || kind === false)
  return isRectangle && x === 0 && y === 0 && isFullTurn(rotation) && width === tile.width && height === tile.height
}

function isFullTurn(rotation: unknown): boolean {
  return typeof rotation === 'number' && rotation % 360 === 0
}

/** Whether it is solid all over a cell of this size, where it is shown in that. */
export function fillsCell(placed: PlacedTile, cell: Size): boolean {
  const { tile, tileset, flipDiagonally } = placed
  const isInCell = tileset.offsetX === 0 && tileset.offsetY === 0
  const isLikeCell = tile.width * cell.height === tile.height * cell.width
  const isSized = tileset.isGridSized
    ? isLikeCell || !tileset.keepsAspect
    : tile.width === cell.width && tile.height === cell.height
  return isInCell && isSized && (!flipDiagonally || cell.width === cell.height) && isSolid(placed)
}
