/**
 * Where Tiled shows what: cells and points of orthogonal, oblique, isometric, staggered and hexagonal maps.
 *
 * Source: the renderers of Tiled 1.12 as its documentation of the formats describes them (https://doc.mapeditor.org).
 * Frame: pixels of the map as it is shown, y down.
 */

import type { Vec2 } from '../../schemas/vector.ts'
import { type Affine, apply, IDENTITY } from './affine.ts'
import { type JsonObject, numberAt, textAt } from './json-file.ts'
import { ImportFault } from './source-files.ts'

export interface Projection {
  /** Where an upright tile stands: the lower left corner of the image of cell (column, row). */
  cellCorner(column: number, row: number): Vec2
  /** Corners of a cell as it is shown, counted from where its tile stands. */
  cellOutline: readonly Vec2[]
  /** Maps the coordinates of objects. */
  objects: Affine
  /** Whether cells are boxes that lie side by side. */
  isGrid: boolean
  tileWidth: number
  tileHeight: number
  /** Where the position of a tile object lies on it if its tileset does not say. */
  alignment: string
}

export function projectionOf(map: JsonObject): Projection {
  const orientation = textAt(map, 'orientation', '', 'orthogonal')
  const tileWidth = numberAt(map, 'tilewidth', '')
  const tileHeight = numberAt(map, 'tileheight', '')
  if (!(tileWidth > 0 && tileHeight > 0)) {
    throw new ImportFault('import-malformed', '', `Cells of ${tileWidth} × ${tileHeight} pixels have no size.`)
  }
  const common = { objects: IDENTITY, isGrid: false, tileWidth, tileHeight, alignment: 'bottomleft' }
  switch (orientation) {
    case 'orthogonal':
      return {
        ...common,
        isGrid: true,
        cellOutline: boxCorners(tileWidth, tileHeight),
        cellCorner: (column, row) => ({ x: column * tileWidth, y: (row + 1) * tileHeight }),
      }
    case 'oblique': {
      const skew = {
        ...IDENTITY,
        b: numberAt(map, 'skewy', '', 0) / tileWidth,
        c: numberAt(map, 'skewx', '', 0) / tileHeight,
      }
      return {
        ...common,
        objects: skew,
        isGrid: skew.b === 0 && skew.c === 0,
        cellOutline: boxCorners(tileWidth, tileHeight).map((corner) => apply(skew, corner)),
        cellCorner: (column, row) => apply(skew, { x: column * tileWidth, y: (row + 1) * tileHeight }),
      }
    }
    case 'isometric': {
      const objects = isometricObjects(tileWidth, tileHeight, numberAt(map, 'height', ''))
      return {
        ...common,
        objects,
        alignment: 'bottom',
        cellOutline: cornersAt([0, tileWidth / 2, tileWidth], [0, tileHeight / 2, tileHeight]),
        cellCorner: (column, row) => {
          const { x, y } = apply(objects, { x: column * tileHeight, y: row * tileHeight })
          return { x: x - tileWidth / 2, y: y + tileHeight }
        },
      }
    }
    case 'staggered':
    case 'hexagonal':
      return { ...common, ...staggered(map, orientation, tileWidth, tileHeight) }
    default:
      throw new ImportFault('import-malformed', '/orientation', `Maps of Tiled are not ${JSON.stringify(orientation)}.`)
  }
}

/** Where objects of an isometric map of so many rows are shown: both of their coordinates count in heights of cells. */
export function isometricObjects(tileWidth: number, tileHeight: number, rows: number): Affine {
  const across = tileWidth / (2 * tileHeight)
  return { a: across, b: 0.5, c: -across, d: 0.5, e: Math.floor((rows * tileWidth) / 2), f: 0 }
}

function staggered(
  map: JsonObject,
  orientation: string,
  tileWidth: number,
  tileHeight: number,
): Pick<Projection, 'cellCorner' | 'cellOutline'> {
  const isAlongX = textAt(map, 'staggeraxis', '', 'y') === 'x'
  const shifted = textAt(map, 'staggerindex', '', 'odd') === 'odd' ? 1 : 0
  const side = orientation === 'hexagonal' ? numberAt(map, 'hexsidelength', '', 0) : 0
  const isShifted = (index: number): boolean => Math.abs(index % 2) === shifted
  // Tiled counts in whole pixels, and drops halves.
  const across = spanOf(tileWidth, isAlongX ? side : 0)
  const down = spanOf(tileHeight, isAlongX ? 0 : side)
  return {
    cellOutline: cornersAt(marksOf(across), marksOf(down)),
    cellCorner: (column, row) =>
      isAlongX
        ? { x: column * across.step, y: row * down.whole + (isShifted(column) ? down.step : 0) + down.whole }
        : { x: column * across.whole + (isShifted(row) ? across.step : 0), y: row * down.step + down.whole },
  }
}

/** Where the corners of a cell lie along an axis. */
function marksOf({ step, whole }: { step: number; whole: number }): number[] {
  return [...new Set([0, whole - step, step, whole])].sort((a, b) => a - b)
}

/** Corners of a cell that has none in the corners of its box, from where they lie along both axes; y counts from its foot. */
function cornersAt(xs: readonly number[], ys: readonly number[]): Vec2[] {
  const [right, height] = [xs[xs.length - 1], ys[ys.length - 1]]
  const [innerXs, innerYs] = [xs.slice(1, -1), ys.slice(1, -1)]
  return [
    ...innerXs.map((x) => ({ x, y: -height })),
    ...innerYs.map((y) => ({ x: right, y: y - height })),
    ...innerXs.reverse().map((x) => ({ x, y: 0 })),
    ...innerYs.reverse().map((y) => ({ x: 0, y: y - height })),
  ]
}

function boxCorners(width: number, height: number): Vec2[] {
  return [
    { x: 0, y: -height },
    { x: width, y: -height },
    { x: width, y: 0 },
    { x: 0, y: 0 },
  ]
}

/** Of cells with sides of this length along an axis: from one to the next, and their whole extent. */
function spanOf(size: number, side: number): { step: number; whole: number } {
  const slant = Math.trunc((size - side) / 2)
  return { step: slant + side, whole: 2 * slant + side }
}
