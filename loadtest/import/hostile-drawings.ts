// Drawings, projects and features that nobody made.

import type { Format, SentImport } from './sent-import.ts'

function one(format: Format, name: string, text: () => string, query = ''): SentImport {
  const names = { tiled: 'Tiled', svg: 'SVG', ldtk: 'LDtk', geojson: 'GeoJSON' }
  return { name: `${names[format]}: ${name}`, format, query, files: () => [{ name: 'file', text: text() }] }
}

const times = (text: string, count: number): string => text.repeat(count)
const svg = (inside: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`
const path = (d: string, attributes = ''): string => svg(`<path ${attributes} d="${d}"/>`)

/** Each shows the one before it ten times. */
const uses = (depth: number, fan: number): string =>
  `<g id="u0"><rect width="1" height="1"/></g>${Array.from(
    { length: depth },
    (_, k) => `<g id="u${k + 1}">${times(`<use href="#u${k}"/>`, fan)}</g>`,
  ).join('')}<use href="#u${depth}"/>`

/** Rings in rings, so many, each of four corners. */
const nested = (count: number): string =>
  Array.from({ length: count }, (_, k) => `M${k} ${k}H${20_000 - k}V${20_000 - k}H${k}z`).join('')

/** A line to and fro whose every part crosses every other one. */
const zigzag = (count: number): string =>
  Array.from(
    { length: count },
    (_, k) => `${k === 0 ? 'M' : 'L'}${k % 2 === 0 ? k : count - k} ${k % 2 === 0 ? 0 : 1000}`,
  ).join('')

const collection = (depth: number): string =>
  `${times('{"type":"GeometryCollection","geometries":[', depth)}{"type":"Point","coordinates":[0,0]}${times(']}', depth)}`

const level = (fields: object): string =>
  JSON.stringify({
    worldLayout: 'Free',
    levels: [
      {
        identifier: 'A',
        worldX: 0,
        worldY: 0,
        pxWid: 16,
        pxHei: 16,
        layerInstances: [
          {
            __identifier: 'W',
            __type: 'IntGrid',
            __cWid: 1,
            __cHei: 1,
            __gridSize: 16,
            layerDefUid: 1,
            intGridCsv: [1],
            ...fields,
          },
        ],
      },
    ],
  })

export const HOSTILE_DRAWINGS: readonly SentImport[] = [
  one(
    'svg',
    'entities that come to 10 GB',
    () =>
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, k) => `<!ENTITY ${'bcdefghij'[k]} "${times(`&${'abcdefghi'[k]};`, 10)}">`).join('')}]>${svg('<text>&j;</text><path d="&j;"/>')}`,
  ),
  one('svg', 'uses that come to 1e9 rectangles', () => svg(uses(9, 10))),
  one('svg', 'uses that come to 1e9 groups of nothing', () =>
    svg(uses(9, 10).replace('<rect width="1" height="1"/>', '')),
  ),
  one('svg', 'a use of itself', () => svg('<g id="a"><use href="#a"/></g>')),
  one('svg', 'two uses of each other', () =>
    svg('<g id="a"><use href="#b"/><use href="#b"/></g><g id="b"><use href="#a"/><use href="#a"/></g>'),
  ),
  one('svg', 'a use of the root', () => svg('<use href="#r"/><use href="#r"/>', 'id="r"')),
  one('svg', 'a use of a file', () => svg('<use href="file:///etc/passwd#a"/><use href="../../a.svg#b"/>')),
  one('svg', 'uses of one path of 1 MB, 90,000 times', () =>
    svg(`<path id="p" d="M0 0${times('h1v1h-1v1', 1e5)}z"/>${times('<use href="#p"/>', 9e4)}`),
  ),
  one('svg', 'a million uses of nothing', () => svg(times('<use href="#nothing"/>', 1e6))),
  one('svg', 'a million texts', () => svg(times('<text>a</text>', 1e6))),
  one('svg', 'a million silent elements', () => svg(times('<defs/>', 1e6))),
  one('svg', 'a pattern of 1e9', () =>
    svg(
      '<pattern id="a" width="1e-9" height="1e-9"><rect width="1" height="1"/></pattern><rect fill="url(#a)" width="1e9" height="1e9"/>',
    ),
  ),
  one('svg', 'groups in groups, 100,000 deep', () => svg(`${times('<g>', 1e5)}${times('</g>', 1e5)}`)),
  one(
    'svg',
    'an arc of 1e300 at a tolerance of 1e-300',
    () => path('M0 0A1e300 1e300 0 0 1 1e300 0z'),
    '&tolerance=1e-300',
  ),
  one(
    'svg',
    'arcs of 1e9, 10,000 of them, at a tolerance of 1e-300',
    () => path(`M0 0${times('A1e9 1e9 0 1 1 5 5', 1e4)}z`),
    '&tolerance=1e-300',
  ),
  one(
    'svg',
    'an ellipse of 1e9 at a tolerance of 1e-300',
    () => svg('<ellipse rx="1e9" ry="1e8" transform="skewX(30)"/><rect rx="1e8" ry="1e7" width="1e9" height="1e9"/>'),
    '&tolerance=1e-300',
  ),
  one(
    'svg',
    'curves of 20 MB at a tolerance of 1e-300',
    () => path(`M0 0${times('c1 2 3 4 5 6', 1.6e6)}z`),
    '&tolerance=1e-300',
  ),
  one('svg', 'a path of 20 MB of moves', () => path(times('M0 0', 5e6))),
  one('svg', 'a path of 20 MB of closed nothings', () => path(times('M0 0z', 4e6))),
  one('svg', 'a path of 20 MB of letters', () => path(times('x', 2e7))),
  one('svg', 'a path of 20 MB of digits', () => path(`M${times('9', 2e7)}`)),
  one('svg', 'a path of 20 MB of arcs', () => path(`M0 0${times('a1 1 0 01 1 1', 1.5e6)}`)),
  one('svg', 'a path of 4,000 rings in each other', () => path(nested(4000))),
  one('svg', 'a path of 4,000 rings of 250 corners', () => path(times(`M0 0${times('h1v1', 125)}z`, 4000))),
  one('svg', 'a path of 50,000 strokes that cross each other', () => path(`${zigzag(50_000)}z`)),
  one('svg', 'a polyline of 20 MB', () => svg(`<polyline points="${times('1,2 3,4 ', 2.5e6)}"/>`)),
  one('svg', 'a polygon of a number without an end', () => svg(`<polygon points="${times('1', 2e7)}"/>`)),
  one('svg', 'a transform of 20 MB', () => svg(`<rect width="1" height="1" transform="${times('rotate(1) ', 2e6)}"/>`)),
  one('svg', 'a transform of 20 MB of brackets', () =>
    svg(`<rect width="1" height="1" transform="${times('rotate(', 3e6)}"/>`),
  ),
  one('svg', 'a style of 20 MB', () => svg(`<rect width="1" height="1" style="${times('a:b;', 5e6)}"/>`)),
  one('svg', 'a style of 20 MB of blanks', () =>
    svg(`<rect width="1" height="1" style="display ${times(' ', 2e7)}"/>`),
  ),
  one('svg', 'lengths of 20 MB of digits', () => svg(`<rect width="${times('1', 2e7)}" height="1"/>`)),
  one('svg', 'a viewBox of 1e-300', () =>
    svg('<svg viewBox="0 0 1e-300 1e-300" width="1e300" height="1e300"><rect width="1" height="1"/></svg>'),
  ),
  one('svg', 'a million elements in a row with ids', () =>
    svg(Array.from({ length: 1e6 }, (_, k) => `<a id="${k}"/>`).join('')),
  ),
  one('geojson', 'collections in collections, 100,000 deep', () => collection(1e5)),
  one(
    'geojson',
    'positions in lists, a million deep',
    () => `{"type":"Polygon","coordinates":${times('[', 1e6)}${times(']', 1e6)}}`,
  ),
  one(
    'geojson',
    'a million features of nothing',
    () => `{"type":"FeatureCollection","features":[${times('{"type":"Feature","geometry":null},', 1e6)}{}]}`,
  ),
  one(
    'geojson',
    'a ring of 100,000 strokes that cross each other',
    () =>
      `{"type":"Polygon","coordinates":[[${Array.from({ length: 100_000 }, (_, k) => (k % 2 === 0 ? `[${k},0]` : `[${1e5 - k},1000]`))}]]}`,
  ),
  one(
    'geojson',
    'a line of three million positions',
    () => `{"type":"LineString","coordinates":[${times('[0,0],', 3e6)}[1,1]]}`,
  ),
  one('geojson', 'a position of 10 million numbers', () => `{"type":"Point","coordinates":[0,0${times(',0', 1e7)}]}`),
  one(
    'geojson',
    '300,000 polygons of one feature',
    () => `{"type":"MultiPolygon","coordinates":[${times('[[[0,0],[1,0],[1,1],[0,0]]],', 3e5)}[]]}`,
  ),
  one(
    'geojson',
    'a million points of one feature',
    () => `{"type":"MultiPoint","coordinates":[${times('[0,0],', 1e6)}[1,1]]}`,
  ),
  one(
    'geojson',
    '100,000 holes',
    () => `{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]${times(',[[1,1],[2,1],[2,2],[1,1]]', 1e5)}]}`,
  ),
  one(
    'geojson',
    'properties of 20 MB',
    () =>
      `{"type":"Feature","properties":{"a":[${times('1,', 1e7)}1]},"geometry":{"type":"Point","coordinates":[0,0]}}`,
  ),
  one(
    'geojson',
    'properties in properties, 100,000 deep',
    () =>
      `{"type":"Feature","properties":${times('{"a":', 1e5)}1${times('}', 1e5)},"geometry":{"type":"Point","coordinates":[0,0]}}`,
  ),
  one('geojson', '2 million letters of escapes', () => `{"type":"${times('\\u0000', 2e6)}"}`),
  one('ldtk', '1e9 cells on a side', () => level({ __cWid: 1e9, __cHei: 1e9 })),
  one('ldtk', '65,536 cells on a side, of which one is there', () => level({ __cWid: 65_536, __cHei: 65_536 })),
  one(
    'ldtk',
    'a million levels',
    () => `{"levels":[${times('{"identifier":"a","worldX":0,"worldY":0,"pxWid":1,"pxHei":1},', 1e6)}{}]}`,
  ),
  one('ldtk', 'levels of 1e300', () => level({}).replace('"worldX":0', '"worldX":1e300')),
  one('ldtk', 'a grid of 1e-300', () => level({ __gridSize: 1e-300 })),
  one('ldtk', 'a level in a file beyond', () =>
    JSON.stringify({
      levels: [{ identifier: 'A', worldX: 0, worldY: 0, pxWid: 1, pxHei: 1, externalRelPath: '../../../etc/passwd' }],
    }),
  ),
  {
    name: 'LDtk: 50,000 levels that one file of 2 MB gives',
    format: 'ldtk',
    files: () => [
      {
        name: 'a.ldtk',
        text: JSON.stringify({
          levels: Array.from({ length: 50_000 }, (_, k) => ({
            identifier: `A${k}`,
            worldX: 0,
            worldY: 0,
            pxWid: 1,
            pxHei: 1,
            externalRelPath: 'a.ldtkl',
          })),
        }),
      },
      { name: 'a.ldtkl', text: JSON.stringify({ layerInstances: [], more: times('x', 2e6) }) },
    ],
  },
]
