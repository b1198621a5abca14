// Large files as people save them: maps, drawings and projects near the largest body that is taken.

import type { Format, SentImport } from './sent-import.ts'
import {
  type Cells,
  checkerboard,
  chunksJson,
  layerJson,
  layerXml,
  mapJson,
  mapOfLayers,
  mapXml,
  noise,
  type Packing,
  solid,
} from './tiled-maps.ts'

function one(name: string, format: Format, text: () => string | Uint8Array, query = ''): SentImport {
  return { name, format, query, files: () => [{ name: 'file', text: text() }] }
}

function tmx(name: string, cells: () => Cells, packing: Packing, query = ''): SentImport {
  return one(`TMX, ${packing}: ${name}`, 'tiled', () => mapXml(layerXml(cells(), packing)), query)
}

function tmj(name: string, cells: () => Cells, packing: Packing, query = ''): SentImport {
  return one(`TMJ, ${packing}: ${name}`, 'tiled', () => mapOfLayers([layerJson(cells(), packing)]), query)
}

const layersOf = (count: number, cells: Cells): string[] =>
  Array.from({ length: count }, (_, k) => layerJson(cells, 'zlib', `layer ${k}`))

/** Objects in rows of a thousand; every one in `propertied` has a property. */
const objects = (count: number, propertied: number): object[] =>
  Array.from({ length: count }, (_, k) => ({
    id: k + 1,
    name: `crate ${k}`,
    x: 20 * (k % 1000),
    y: 20 * Math.floor(k / 1000),
    width: 16,
    height: 16,
    rotation: 0,
    visible: true,
    ...(k % propertied === 0 && { properties: [{ name: 'weight', type: 'int', value: k }] }),
  }))

const objectsXml = (count: number): string =>
  `<objectgroup id="2" name="things">${Array.from(
    { length: count },
    (_, k) =>
      `<object id="${k + 1}" name="crate ${k}" x="${20 * (k % 1000)}" y="${20 * Math.floor(k / 1000)}" width="16" height="16"><properties><property name="weight" type="int" value="${k}"/></properties></object>`,
  ).join('\n')}</objectgroup>`

const square = (x: number, y: number): number[][] => [
  [x, y],
  [x + 1.25, y + 0.125],
  [x + 1, y + 1],
  [x, y + 1],
  [x, y],
]

const features = (count: number): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: Array.from({ length: count }, (_, k) => ({
      type: 'Feature',
      id: k,
      properties: { name: `plot ${k}`, height: k % 30 },
      geometry: { type: 'Polygon', coordinates: [square(3 * (k % 400), 3 * Math.floor(k / 400))] },
    })),
  })

/** Rings of so many corners about the origin, one in the other: 50 MB of digits. */
const rings = (count: number, corners: number): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: Array.from({ length: count }, (_, k) => {
      const ring = Array.from({ length: corners }, (_c, j) => {
        const angle = (2 * Math.PI * j) / corners
        const radius = (k + 1) * (10 + Math.sin(40 * angle))
        return [radius * Math.cos(angle), radius * Math.sin(angle)]
      })
      return { type: 'Feature', id: k, properties: null, geometry: { type: 'LineString', coordinates: ring } }
    }),
  })

const levels = (count: number, side: number): string =>
  JSON.stringify({
    worldLayout: 'Free',
    defs: { layers: [{ uid: 1, intGridValues: [{ value: 1, identifier: 'wall' }] }] },
    levels: Array.from({ length: count }, (_, k) => ({
      identifier: `Level_${k}`,
      worldX: 16 * side * (k % 50),
      worldY: 16 * side * Math.floor(k / 50),
      pxWid: 16 * side,
      pxHei: 16 * side,
      layerInstances: [
        {
          __identifier: 'Walls',
          __type: 'IntGrid',
          __cWid: side,
          __cHei: side,
          __gridSize: 16,
          layerDefUid: 1,
          intGridCsv: [...noise(side, side, 0.1).values],
        },
      ],
    })),
  })

/** Polygons with so many corners each, in one path. */
function longPath(bytes: number): string {
  const pieces: string[] = []
  let length = 0
  for (let k = 0; length < bytes; k++) {
    const piece = `M${(k % 1000) * 20} ${Math.floor(k / 1000) * 20}c1.5 2.25 3.125 4.5 6.0625 6.5s3.5 0 4.25-3.25l-4.125-2.0625z`
    pieces.push(piece)
    length += piece.length
  }
  return `<svg xmlns="http://www.w3.org/2000/svg"><path id="all" d="${pieces.join('')}"/></svg>`
}

/** One outline of curves, around a circle. */
function longOutline(bytes: number): string {
  const count = Math.floor(bytes / 40)
  const points = Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count
    return `${(1e5 * Math.cos(angle)).toFixed(6)} ${(1e5 * Math.sin(angle)).toFixed(6)}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg"><path id="all" d="M${points.join('L')}z"/></svg>`
}

const svgShapes = (count: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg"><g id="shapes">${Array.from(
    { length: count },
    (_, k) =>
      `<path id="p${k}" style="fill:#0${k % 10}0;stroke:none" d="M${(k % 300) * 20} ${Math.floor(k / 300) * 20}h10v6l-5 8-5-4z"/>`,
  ).join('\n')}</g></svg>`

export const HONEST: readonly SentImport[] = [
  tmx('5000 × 5000 solid, 50 MB', () => solid(5000, 5000), 'csv'),
  tmx('5000 × 5000, one in a hundred', () => noise(5000, 5000, 0.01), 'csv'),
  tmx('5000 × 5000, one in a thousand', () => noise(5000, 5000, 0.001), 'csv'),
  tmx('3000 × 3000 solid, 48 MB', () => solid(3000, 3000), 'base64'),
  tmx('5000 × 5000, one in a thousand', () => noise(5000, 5000, 0.001), 'zlib'),
  tmx('2000 × 2000, 60 % at random', () => noise(2000, 2000, 0.6), 'csv'),
  tmx('2000 × 2000, 60 % at random', () => noise(2000, 2000, 0.6), 'gzip'),
  tmx('400 × 400 checkerboard', () => checkerboard(400, 400), 'csv'),
  tmj('5000 × 5000 solid, 50 MB', () => solid(5000, 5000), 'json'),
  tmj('5000 × 5000, one in a thousand', () => noise(5000, 5000, 0.001), 'json'),
  tmj('3000 × 3000 solid, 48 MB', () => solid(3000, 3000), 'base64'),
  tmj('3000 × 3000, one in a thousand', () => noise(3000, 3000, 0.001), 'zstd'),
  tmj('2000 × 2000, 60 % at random', () => noise(2000, 2000, 0.6), 'json'),
  one('TMJ, 3000 × 3000 in chunks of 16', 'tiled', () => mapOfLayers([chunksJson(noise(3008, 3008, 0.002), 16)])),
  one('TMJ, 100 layers of 500 × 500', 'tiled', () => mapOfLayers(layersOf(100, noise(500, 500, 0.002)))),
  tmx('300 × 300 cells, not joined', () => solid(300, 300), 'csv', '&merge=false'),
  one('TMJ, 90,000 objects', 'tiled', () =>
    JSON.stringify(mapJson({ layers: [{ type: 'objectgroup', name: 'things', objects: objects(90_000, 3) }] })),
  ),
  one('TMJ, 200,000 objects', 'tiled', () =>
    JSON.stringify(mapJson({ layers: [{ type: 'objectgroup', name: 'things', objects: objects(200_000, 3) }] })),
  ),
  one('TMX, 90,000 objects', 'tiled', () => mapXml(objectsXml(90_000))),
  one('TMX, 200,000 objects', 'tiled', () => mapXml(objectsXml(200_000))),
  one('SVG, one outline of 1.5 MB', 'svg', () => longOutline(1.5e6)),
  one('SVG, a path of 20 MB', 'svg', () => longPath(2e7)),
  one('SVG, an outline of 20 MB', 'svg', () => longOutline(2e7)),
  one('SVG, 90,000 paths', 'svg', () => svgShapes(90_000)),
  one('GeoJSON, 100,000 polygons', 'geojson', () => features(100_000)),
  one('GeoJSON, 20 lines of 60,000', 'geojson', () => rings(20, 60_000)),
  one('LDtk, 400 levels of 100 × 100', 'ldtk', () => levels(400, 100)),
]
