// Maps that are not orthogonal: where Tiled shows cells and objects of them. All numbers are worked out by hand.

import { describe, expect, it } from 'vitest'
import { bodiesOf, cornersOf } from './imported.ts'
import { cells, objects, onlyBody, takenMap, tile, tileset } from './tiled-maps.ts'

const ISO = { orientation: 'isometric', width: 4, height: 4, tilewidth: 32, tileheight: 16 }
const point = (x: number, y: number) => tile(0, { point: true, x, y })
const placesOf = (more: object) => bodiesOf(takenMap(more)).map(({ position }) => position ?? { x: 0, y: 0 })

describe('isometric maps', () => {
  const shown = (object: object, more: object = {}) =>
    cornersOf(onlyBody({ ...ISO, layers: [objects(object)], ...more }))

  it('show a rectangle as a parallelogram, turned about where its corner is shown', () => {
    // The top of the map is at 64, 0; 16 to the right are 16 right and 8 down.
    expect(shown({ x: 16, y: 0, width: 32, height: 16 })).toEqual(['112 24', '64 16', '80 8', '96 32'])
    expect(shown({ x: 16, y: 0, width: 32, height: 16, rotation: 90 })).toEqual(['56 24', '64 40', '72 -8', '80 8'])
  })

  it('show polygons and polylines from where they start', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 16, y: 0 },
      { x: 16, y: 16 },
    ]
    expect(shown({ x: 16, y: 16, polygon: points })).toEqual(['64 16', '64 32', '80 24'])
    expect(shown({ x: 16, y: 16, polyline: points })).toEqual(['64 16', '64 32', '80 24'])
  })

  it('show a circle as an ellipse, exactly', () => {
    const {
      shape,
      position,
      rotation = 0,
    } = onlyBody({
      ...ISO,
      layers: [objects({ x: 16, y: 0, width: 16, height: 16, ellipse: true })],
    })
    expect(position).toEqual({ x: 80, y: 16 })
    expect(shape.type).toBe('ellipse')
    // Its matrix has the columns 1, ½ and −1, ½, whose singular values are √2 and √½.
    expect([shape.rx, shape.ry].sort((a, b) => a - b)[0]).toBeCloseTo(8 * Math.SQRT1_2, 12)
    expect(Math.max(shape.rx, shape.ry)).toBeCloseTo(8 * Math.SQRT2, 12)
    expect(Math.abs(Math.sin(rotation + (shape.rx < shape.ry ? Math.PI / 2 : 0)))).toBeLessThan(1e-12)
  })

  it('show a capsule as two ellipses and what lies between', () => {
    const { shape } = onlyBody({ ...ISO, layers: [objects({ width: 48, height: 16, capsule: true })] })
    expect(shape.children.map((child: { shape: { type: string } }) => child.shape.type)).toEqual([
      'polygon',
      'ellipse',
      'ellipse',
    ])
    const [between, ...ends] = shape.children
    // From 8, 0 to 40, 16 in the map's own frame.
    expect(cornersOf(between)).toEqual(['104 20', '56 12', '72 4', '88 28'])
    expect(ends.map(({ position }: { position: object }) => position)).toEqual([
      { x: 64, y: 8 },
      { x: 96, y: 24 },
    ])
  })

  it('show points and upright tile objects where their positions are shown', () => {
    expect(placesOf({ ...ISO, layers: [objects({ x: 32, y: 16, point: true })] })).toEqual([{ x: 80, y: 24 }])
    const set = tileset({ tilewidth: 32, tileheight: 48 })
    const tall = (more: object) =>
      shown({ gid: 1, x: 32, y: 16, width: 32, height: 48 }, { tilesets: [{ ...set, ...more }] })
    expect(tall({})).toEqual(['64 -24', '64 24', '96 -24', '96 24'])
    expect(tall({ objectalignment: 'topleft' })).toEqual(['112 24', '112 72', '80 24', '80 72'])
  })

  it('show tiles upright on their cells', () => {
    const set = tileset({ tilewidth: 32, tileheight: 32 }, point(0, 0))
    // Left of, and as high above, the lowest corners of the cells 0, 0 and 1, 0 and 0, 1.
    expect(placesOf({ ...ISO, tilesets: [set], layers: [cells([1, 1, 0, 0, 1, 0, 0, 0])] })).toEqual([
      { x: 48, y: -16 },
      { x: 64, y: -8 },
      { x: 32, y: -8 },
    ])
  })

  it('start in whole pixels', () => {
    const odd = { ...ISO, tilewidth: 5, tileheight: 4, height: 3 }
    expect(placesOf({ ...odd, layers: [objects({ point: true })] })).toEqual([{ x: 7, y: 0 }])
  })
})

describe('isometric tilesets', () => {
  const grid = { orientation: 'isometric', width: 32, height: 16 }
  const set = (more: object, ...collisions: object[]) =>
    tileset({ tilewidth: 32, tileheight: 48, grid, ...more }, tile(0, ...collisions))
  const CELL = { x: 0, y: 0, width: 16, height: 16 }
  const shown = (more: object, ...collisions: object[]) =>
    cornersOf(onlyBody({ ...ISO, tilesets: [set(more, ...collisions)], layers: [cells([1, 0, 0, 0])] }))

  it('have collision shapes that are projected over the foot of the tile', () => {
    expect(shown({}, CELL)).toEqual(['48 8', '64 0', '64 16', '80 8'])
    expect(shown({}, { ...CELL, rotation: 90 })).toEqual(['48 0', '56 -16', '56 16', '64 0'])
    // The same over a tile that is as large as the cell, and with no word of orientation as it stands.
    expect(shown({ tileheight: 16 }, CELL)).toEqual(['48 8', '64 0', '64 16', '80 8'])
    expect(shown({ grid: { ...grid, orientation: 'orthogonal' } }, CELL)).toEqual([
      '48 -16',
      '48 -32',
      '64 -16',
      '64 -32',
    ])
  })

  it('show them so on tile objects too, scaled and turned over, whatever the map is', () => {
    const tilesets = [set({}, { x: 0, y: 0, width: 16, height: 8 })]
    const corners = (object: object) =>
      cornersOf(onlyBody({ tilesets, layers: [objects({ gid: 1, x: 0, y: 96, width: 32, height: 48, ...object })] }))
    // Of the tile 16, 32 and 32, 40 and 24, 44 and 8, 36; its lower left corner is at 0, 96.
    expect(corners({})).toEqual(['16 80', '24 92', '32 88', '8 84'])
    expect(corners({ gid: 1 + 0x80000000 })).toEqual(['0 88', '16 80', '24 84', '8 92'])
    expect(corners({ width: 64, height: 96 })).toEqual(['16 72', '32 64', '48 88', '64 80'])
  })

  it('make no cells of rectangles as large as the tile', () => {
    const square = tileset(
      { grid: { orientation: 'isometric', width: 16, height: 16 } },
      tile(0, { width: 16, height: 16 }),
    )
    const file = takenMap({ tilesets: [square], layers: [cells([1, 0, 0, 0])] })
    expect(file.cells).toBe(0)
    expect(cornersOf(bodiesOf(file)[0]!)).toEqual(['0 8', '16 8', '8 0', '8 16'])
  })
})

describe('oblique maps', () => {
  const oblique = (more: object) => ({ orientation: 'oblique', skewx: 8, skewy: 0, ...more })

  it('skew objects, and turn them about where their position is shown', () => {
    const shown = (object: object, more: object = {}) =>
      cornersOf(onlyBody(oblique({ layers: [objects(object)], ...more })))
    expect(shown({ y: 16, width: 16, height: 16 })).toEqual(['16 32', '24 16', '32 32', '8 16'])
    expect(shown({ y: 16, width: 16, height: 16, rotation: 90 })).toEqual(['-8 24', '-8 40', '8 16', '8 32'])
    expect(shown({ x: 16, width: 16, height: 16 }, { skewx: 0, skewy: 4 })).toEqual(['16 20', '16 4', '32 24', '32 8'])
  })

  it('show tiles and tile objects upright', () => {
    const set = tileset({}, tile(0, { width: 16, height: 16 }))
    const file = takenMap(oblique({ tilesets: [set], layers: [cells([0, 0, 0, 0, 1, 0, 0, 0])] }))
    expect(file.cells).toBe(0)
    expect(cornersOf(bodiesOf(file)[0]!)).toEqual(['16 16', '16 32', '32 16', '32 32'])
    const object = oblique({ tilesets: [set], layers: [objects({ gid: 1, x: 0, y: 32, width: 16, height: 16 })] })
    expect(cornersOf(onlyBody(object))).toEqual(['16 16', '16 32', '32 16', '32 32'])
  })

  it('are orthogonal without a skew', () => {
    const set = tileset({}, tile(0, { width: 16, height: 16 }))
    expect(takenMap(oblique({ skewx: 0, tilesets: [set], layers: [cells([1, 1, 0, 0])] }))).toMatchObject({
      cells: 2,
      merged: 1,
    })
  })
})

describe('staggered and hexagonal maps', () => {
  /** Where the upper left corners of the tiles are, four in a row. */
  const cornersIn = (more: object, rows: number[], size: { tilewidth: number; tileheight: number }) =>
    placesOf({ ...size, ...more, tilesets: [tileset(size, point(0, 0))], layers: [cells(rows)] })

  it('shift rows or columns, odd or even ones', () => {
    const size = { tilewidth: 32, tileheight: 16 }
    const two = [1, 1, 0, 0, 1, 0, 0, 0]
    const staggered = (more: object) => cornersIn({ orientation: 'staggered', ...more }, two, size)
    expect(staggered({ staggeraxis: 'y', staggerindex: 'odd' })).toEqual([
      { x: 0, y: 0 },
      { x: 32, y: 0 },
      { x: 16, y: 8 },
    ])
    expect(staggered({ staggeraxis: 'y', staggerindex: 'even' })).toEqual([
      { x: 16, y: 0 },
      { x: 48, y: 0 },
      { x: 0, y: 8 },
    ])
    expect(staggered({ staggeraxis: 'x', staggerindex: 'odd' })).toEqual([
      { x: 0, y: 0 },
      { x: 16, y: 8 },
      { x: 0, y: 16 },
    ])
    expect(staggered({ staggeraxis: 'x', staggerindex: 'even' })).toEqual([
      { x: 0, y: 8 },
      { x: 16, y: 0 },
      { x: 0, y: 24 },
    ])
  })

  it('count in whole pixels where sides are odd', () => {
    const rows = [1, 1, 0, 0, 1, 0, 0, 0]
    const hex = { orientation: 'hexagonal', staggeraxis: 'x', staggerindex: 'odd', hexsidelength: 7 }
    // Half of 14 − 7 is 3: columns are 10 apart.
    expect(cornersIn(hex, rows, { tilewidth: 14, tileheight: 12 })).toEqual([
      { x: 0, y: 0 },
      { x: 10, y: 6 },
      { x: 0, y: 12 },
    ])
    // Rows are 9 apart, and tiles stand 12 below their tops: one pixel above their own foot.
    const down = { ...hex, staggeraxis: 'y', hexsidelength: 6 }
    expect(cornersIn(down, rows, { tilewidth: 14, tileheight: 13 })).toEqual([
      { x: 0, y: -1 },
      { x: 14, y: -1 },
      { x: 7, y: 8 },
    ])
  })

  it('shift rows and columns left of and above the origin of an infinite map alike', () => {
    const chunk = (x: number, y: number) => ({ x, y, width: 1, height: 1, data: [1] })
    const size = { tilewidth: 32, tileheight: 16 }
    const layer = cells(undefined, { chunks: [chunk(-1, -1), chunk(0, -2)] })
    expect(
      placesOf({
        ...size,
        orientation: 'staggered',
        infinite: true,
        tilesets: [tileset(size, point(0, 0))],
        layers: [layer],
      }),
    ).toEqual([
      { x: -16, y: -8 },
      { x: 0, y: -16 },
    ])
  })

  it('show objects as they stand', () => {
    const hex = { orientation: 'hexagonal', tilewidth: 14, tileheight: 12, hexsidelength: 6 }
    expect(cornersOf(onlyBody({ ...hex, layers: [objects({ x: 3, y: 4, width: 5, height: 6 })] }))).toEqual([
      '3 10',
      '3 4',
      '8 10',
      '8 4',
    ])
  })
})
