// Files whose lists are longer than what a call may take as arguments, and names that end amid a letter of two units.

import { describe, expect, it } from 'vitest'
import type { ImportFormat } from '../../schemas/scenes/import.ts'
import { PLAIN_FRAME } from '../../src/import/body-in-frame.ts'
import { tagOf } from '../../src/import/drawing.ts'
import { SCHEMA_LIMITS } from '../../src/wire/body.ts'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { type ImportedFile, importFile } from '../support/imported-file.ts'

const COUNT = 200_000

function imported(format: ImportFormat, document: object, limits = SCHEMA_LIMITS, mostBodies = Infinity): ImportedFile {
  const options = { dimension: 2 as const, format, source: 'a', merge: true, tolerance: 1, frame: PLAIN_FRAME }
  const main = { name: 'a', bytes: Buffer.from(JSON.stringify(document)) }
  const file = importFile({
    kind: 'import',
    files: { main, others: [] },
    options,
    limits,
    mostBodies,
    mostPieces: mostBodies,
  })
  if (isProblem(file)) throw new Error(file.detail)
  return file
}

describe('large files', () => {
  it('are refused as soon as they have too many bodies', () => {
    const point = { type: 'Point', coordinates: [0, 0] }
    const features = Array.from({ length: 6 }, () => ({ type: 'Feature', properties: null, geometry: point }))
    const document = { type: 'FeatureCollection', features }
    expect(imported('geojson', document, SCHEMA_LIMITS, 6).bodies).toHaveLength(6)
    expect(() => imported('geojson', document, SCHEMA_LIMITS, 5)).toThrow('/features/5: The file has more bodies than')
  })

  it('may have very many chunks', () => {
    const collision = { objectgroup: { objects: [{ id: 1, x: 0, y: 0, width: 1, height: 1 }] } }
    const tileset = { firstgid: 1, name: 't', tilewidth: 1, tileheight: 1, tiles: [{ id: 0, ...collision }] }
    const chunks = Array.from({ length: COUNT }, (_, k) => ({
      x: k % 500,
      y: Math.floor(k / 500),
      width: 1,
      height: 1,
      data: [1],
    }))
    const layer = { type: 'tilelayer', name: 'l', chunks }
    const map = {
      orientation: 'orthogonal',
      infinite: true,
      tilewidth: 1,
      tileheight: 1,
      tilesets: [tileset],
      layers: [layer],
    }
    expect(imported('tiled', map)).toMatchObject({
      cells: COUNT,
      merged: 1,
      bounds: [0, 0, 500, COUNT / 500],
    })
  })

  it('may have more pieces of cells than a write makes bodies: small ones are taken together', () => {
    const side = 40
    const cells = Array.from({ length: side * side }, (_, k) => (k + Math.floor(k / side)) % 2)
    const grid = { __identifier: 'W', __type: 'IntGrid', __gridSize: 1, __cWid: side, __cHei: side, layerDefUid: 1 }
    const level = { identifier: 'A', worldX: 0, worldY: 0, pxWid: side, pxHei: side }
    const map = { worldLayout: 'Free', levels: [{ ...level, layerInstances: [{ ...grid, intGridCsv: cells }] }] }
    const solid = cells.filter((cell) => cell === 1).length
    expect(imported('ldtk', map, SCHEMA_LIMITS, solid)).toMatchObject({ cells: solid, merged: solid })
    const file = imported('ldtk', map, SCHEMA_LIMITS, 100)
    // blocks of 16 cells on a side
    expect(file).toMatchObject({ cells: solid, merged: 9, skipped: [] })
    const shapes = file.bodies.map(({ form }) => JSON.parse(form))
    expect(shapes.flatMap(({ children }) => children)).toHaveLength(solid)
    expect(() => imported('ldtk', map, SCHEMA_LIMITS, 0)).toThrow('more bodies than one write makes')
  })

  it('may have a region of very many corners', () => {
    const side = 500
    // a full row on every other one, all joined along the left
    const cells = Array.from({ length: side * side }, (_, k) => {
      const isTooth = k % 2 === 0 && Math.floor(k / side) % 2 === 1
      return Math.floor(k / side) % 4 === 0 || isTooth || k % side === 0 ? 1 : 0
    })
    const grid = { __identifier: 'W', __type: 'IntGrid', __gridSize: 1, __cWid: side, __cHei: side, layerDefUid: 1 }
    const level = { identifier: 'A', worldX: 0, worldY: 0, pxWid: side, pxHei: side }
    const layers = [{ ...grid, intGridCsv: cells }]
    const levels = [{ ...level, layerInstances: layers }]
    const map = { worldLayout: 'Free', defs: { layers: [{ uid: 1, intGridValues: [] }] }, levels }
    const file = imported('ldtk', map)
    expect(file.cells).toBe(cells.filter((cell) => cell === 1).length)
    // the teeth of the last row are joined to nothing
    expect(file).toMatchObject({ merged: side / 2, skipped: [] })

    const fewer = imported('ldtk', map, { ...SCHEMA_LIMITS, maxVertices: 10_000 })
    expect(fewer).toMatchObject({ cells: file.cells, skipped: [], bounds: file.bounds })
    expect(fewer.bodies).toHaveLength(fewer.merged)
    // a cut along a row may part all of its teeth from the next
    expect(fewer.merged).toBeLessThan(8 * (side / 2))
  })
})

it('tags are cut between letters', () => {
  const tag = tagOf('😀'.repeat(1000))
  expect(() => encodeURIComponent(tag)).not.toThrow()
  expect([...tag]).toHaveLength(128)
})
