/**
 * Where Tiled shows what: cells and points of orthogonal, isometric, staggered and hexagonal maps.
 *
 * Source: the renderers of Tiled 1.12 as its documentation of the formats describes them (https://doc.mapeditor.org).
 * Frame: pixels of the map as it is shown, y down.
 */

import type { Vec2 } from '../../../schemas/vec2.ts'
import { type Affine, apply, IDENTITY } from '../drawing/affine.ts'
import { ImportFault } from '../reading/import-fault.ts'
import { type JsonObject, numberAt, textAt } from '../reading/json-fields.ts'

export interface Projection {
  /** Where an upright tile stands: the lower left corner of the image of cell (column, row). */
  cellCorner(column: number, row: number): Vec2
  /** What becomes of the coordinates of objects. */
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
        cellCorner: (column, row) => ({ x: column * tileWidth, y: (row + 1) * tileHeight }),
      }
    case 'isometric': {
      const origin = (numberAt(map, 'height', '') * tileWidth) / 2
      // Both coordinates of objects count in heights of cells.
      const across = tileWidth / (2 * tileHeight)
      const objects = { a: across, b: 0.5, c: -across, d: 0.5, e: origin, f: 0 }
      return {
        ...common,
        objects,
        alignment: 'bottom',
        cellCorner: (column, row) => {
          const { x, y } = apply(objects, { x: column * tileHeight, y: row * tileHeight })
          return { x: x - tileWidth / 2, y: y + tileHeight }
        },
      }
    }
    case 'staggered':
    case 'hexagonal':
      return { ...common, cellCorner: staggered(map, orientation, tileWidth, tileHeight) }
    default:
      throw new ImportFault('import-malformed', '/orientation', `Maps of Tiled are not ${JSON.stringify(orientation)}.`)
  }
}

function staggered(
  map: JsonObject,
  orientation: string,
  tileWidth: number,
  tileHeight: number,
): Projection['cellCorner'] {
  // Tiled rounds both down to even numbers.
  const width = tileWidth - (tileWidth % 2)
  const height = tileHeight - (tileHeight % 2)
  const isAlongX = textAt(map, 'staggeraxis', '', 'y') === 'x'
  const shifted = textAt(map, 'staggerindex', '', 'odd') === 'odd' ? 1 : 0
  const side = orientation === 'hexagonal' ? numberAt(map, 'hexsidelength', '', 0) : 0
  const isShifted = (index: number): boolean => Math.abs(index % 2) === shifted
  const columnWidth = isAlongX ? (width + side) / 2 : width
  const rowHeight = isAlongX ? height : (height + side) / 2
  return (column, row) =>
    isAlongX
      ? { x: column * columnWidth, y: row * rowHeight + (isShifted(column) ? height / 2 : 0) + height }
      : { x: column * columnWidth + (isShifted(row) ? width / 2 : 0), y: row * rowHeight + height }
}
