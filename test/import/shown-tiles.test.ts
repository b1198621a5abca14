// Where tiles are shown: turned over, turned, scaled and moved as Tiled's own renderer does it. All numbers are worked out by hand.

import { describe, expect, it } from 'vitest'
import { bodiesOf, cornersOf } from './imported.ts'
import { cells, DIAGONAL, FLIP_X, FLIP_Y, objects, onlyBody, TURN_120, takenMap, tile, tileset } from './tiled-maps.ts'

const close = (actual: { x: number; y: number } | undefined, x: number, y: number) => {
  expect(actual?.x ?? 0).toBeCloseTo(x, 9)
  expect(actual?.y ?? 0).toBeCloseTo(y, 9)
}

describe('a tile of a layer', () => {
  /** Where a point 4 right of and 2 below the corner of a tile of 16 by 32 pixels is seen, in the second row of cells of 16. */
  const seen = (flags: number) => {
    const set = tileset({ tilewidth: 16, tileheight: 32 }, tile(0, { point: true, x: 4, y: 2 }))
    return onlyBody({ tilesets: [set], layers: [cells([0, 0, 0, 0, 1 + flags, 0, 0, 0])] }).position
  }

  it('is turned over in all eight ways', () => {
    expect(seen(0)).toEqual({ x: 4, y: 2 })
    expect(seen(FLIP_X)).toEqual({ x: 12, y: 2 })
    expect(seen(FLIP_Y)).toEqual({ x: 4, y: 30 })
    expect(seen(FLIP_X + FLIP_Y)).toEqual({ x: 12, y: 30 })
    // Over the diagonal it is 32 wide and 16 high, and stands on the same corner.
    expect(seen(DIAGONAL)).toEqual({ x: 2, y: 20 })
    expect(seen(DIAGONAL + FLIP_X)).toEqual({ x: 30, y: 20 })
    expect(seen(DIAGONAL + FLIP_Y)).toEqual({ x: 2, y: 28 })
    expect(seen(DIAGONAL + FLIP_X + FLIP_Y)).toEqual({ x: 30, y: 28 })
  })

  it('is turned by 60 and 120 degrees on hexagonal maps, after it is turned over', () => {
    const hex = { orientation: 'hexagonal', tilewidth: 14, tileheight: 12, hexsidelength: 6 }
    // In the middle of the right side: 7 from the middle of the tile, which is at 7, 6.
    const set = tileset({ tilewidth: 14, tileheight: 12 }, tile(0, { point: true, x: 14, y: 6 }))
    const turned = (flags: number) =>
      onlyBody({ ...hex, tilesets: [set], layers: [cells([1 + flags, 0, 0, 0])] }).position
    const [cos, sin] = [3.5, 7 * Math.sin(Math.PI / 3)]
    close(turned(0), 14, 6)
    close(turned(DIAGONAL), 7 + cos, 6 + sin)
    close(turned(TURN_120), 7 - cos, 6 + sin)
    close(turned(DIAGONAL + TURN_120), 0, 6)
    close(turned(FLIP_X + DIAGONAL), 7 - cos, 6 - sin)
    close(turned(FLIP_X + TURN_120), 7 + cos, 6 - sin)
    close(turned(FLIP_Y + DIAGONAL), 7 + cos, 6 + sin)
  })

  it('is no cell where it is turned over the diagonal of a cell that is no square', () => {
    const set = tileset({ tilewidth: 32, tileheight: 16 }, tile(0, { width: 32, height: 16 }))
    const shape = { tilewidth: 32, tilesets: [set] }
    expect(takenMap({ ...shape, layers: [cells([1 + FLIP_X, 0, 0, 0])] })).toMatchObject({ cells: 1 })
    const file = takenMap({ ...shape, layers: [cells([1 + DIAGONAL, 0, 0, 0])] })
    expect(file.cells).toBe(0)
    expect(cornersOf(bodiesOf(file)[0]!)).toEqual(['0 -16', '0 16', '16 -16', '16 16'])
  })

  it('has the size of the cell if its tileset says so, and its offset with it', () => {
    const large = { tilewidth: 32, tileheight: 32, tilerendersize: 'grid' }
    const point = tile(0, { point: true, x: 8, y: 4 })
    const offset = { ...large, tileoffset: { x: 4, y: 8 } }
    const layers = [cells([1, 0, 0, 0])]
    expect(onlyBody({ tilesets: [tileset(large, point)], layers }).position).toEqual({ x: 4, y: 2 })
    expect(onlyBody({ tilesets: [tileset(offset, point)], layers }).position).toEqual({ x: 6, y: 6 })
    const solid = tile(0, { width: 32, height: 32 })
    expect(takenMap({ tilesets: [tileset(large, solid)], layers })).toMatchObject({ cells: 1 })
  })

  it('keeps its form in the middle of the cell if its tileset says so', () => {
    const wide = { tilewidth: 32, tileheight: 16, tilerendersize: 'grid' }
    const solid = tile(0, { width: 32, height: 16 })
    const layers = [cells([1, 0, 0, 0])]
    expect(takenMap({ tilesets: [tileset(wide, solid)], layers })).toMatchObject({ cells: 1 })
    const file = takenMap({ tilesets: [tileset({ ...wide, fillmode: 'preserve-aspect-fit' }, solid)], layers })
    expect(file.cells).toBe(0)
    expect(cornersOf(bodiesOf(file)[0]!)).toEqual(['0 12', '0 4', '16 12', '16 4'])
  })
})

describe('a tile object', () => {
  const set = tileset({}, tile(0, { x: 0, y: 0, width: 8, height: 16 }))
  const at = { x: 100, y: 200, width: 32, height: 16 }
  const shown = (object: object, more: object = {}) =>
    cornersOf(onlyBody({ tilesets: [{ ...set, ...more }], layers: [objects({ gid: 1, ...at, ...object })] }))

  it('is scaled and turned over, then turned about its position', () => {
    expect(shown({})).toEqual(['100 184', '100 200', '116 184', '116 200'])
    expect(shown({ gid: 1 + FLIP_X })).toEqual(['116 184', '116 200', '132 184', '132 200'])
    // A quarter turn clockwise takes what is right of the position below it, and what is above to its right.
    expect(shown({ rotation: 90 })).toEqual(['100 200', '100 216', '116 200', '116 216'])
    expect(shown({ gid: 1 + FLIP_X, rotation: 90 })).toEqual(['100 216', '100 232', '116 216', '116 232'])
    // 32 by 16 over the diagonal is 16 by 32, and its left half the upper one.
    expect(shown({ gid: 1 + DIAGONAL })).toEqual(['100 168', '100 184', '116 168', '116 184'])
  })

  it('lies by the alignment of its tileset', () => {
    const middle = (alignment: string) =>
      onlyBody({ tilesets: [{ ...set, objectalignment: alignment }], layers: [objects({ gid: 1, ...at })] }).position
    expect(middle('unspecified')).toEqual({ x: 108, y: 192 })
    expect(middle('topleft')).toEqual({ x: 108, y: 208 })
    expect(middle('top')).toEqual({ x: 92, y: 208 })
    expect(middle('topright')).toEqual({ x: 76, y: 208 })
    expect(middle('left')).toEqual({ x: 108, y: 200 })
    expect(middle('center')).toEqual({ x: 92, y: 200 })
    expect(middle('right')).toEqual({ x: 76, y: 200 })
    expect(middle('bottomleft')).toEqual({ x: 108, y: 192 })
    expect(middle('bottom')).toEqual({ x: 92, y: 192 })
    expect(middle('bottomright')).toEqual({ x: 76, y: 192 })
  })

  it('keeps its form in the middle of its rectangle if its tileset says so', () => {
    const keeps = { fillmode: 'preserve-aspect-fit' }
    expect(shown({}, keeps)).toEqual(['108 184', '108 200', '116 184', '116 200'])
    expect(shown({}, { ...keeps, tileoffset: { x: 3, y: 5 } })[0]).toBe('111 189')
    expect(shown({}, { tileoffset: { x: 3, y: 5 } })[0]).toBe('106 189')
  })

  it('without collision shapes is its rectangle, moved by the offset of its tileset', () => {
    expect(shown({ gid: 2 }, { tileoffset: { x: 3, y: 5 } })).toEqual(['106 189', '106 205', '138 189', '138 205'])
  })

  it('has no use for texts among its collision shapes', () => {
    const noted = tileset({}, tile(0, { width: 8, height: 16 }, { text: { text: 'left half' } }))
    const file = takenMap({ tilesets: [noted], layers: [objects({ gid: 1, ...at })] })
    expect(file.skipped).toEqual([])
    expect(cornersOf(bodiesOf(file)[0]!)).toEqual(['100 184', '100 200', '116 184', '116 200'])
  })
})
