// Small files of every format, one of everything in them, to be cut, mixed and spoilt.

import type { ImportFormat } from '../../schemas/scenes/import.ts'

const TILES = {
  firstgid: 1,
  name: 's',
  tilewidth: 32,
  tileheight: 16,
  tileoffset: { x: 1, y: 2 },
  grid: { orientation: 'isometric', width: 32, height: 16 },
  fillmode: 'preserve-aspect-fit',
  tiles: [
    {
      id: 0,
      type: 'w',
      objectgroup: {
        objects: [
          { id: 1, x: 0, y: 0, width: 32, height: 16 },
          { id: 2, ellipse: true, width: 3, height: 4 },
        ],
      },
    },
    {
      id: 1,
      objectgroup: {
        objects: [
          {
            id: 1,
            polygon: [
              { x: 0, y: 0 },
              { x: 1, y: 0 },
              { x: 0, y: 2 },
            ],
          },
        ],
      },
    },
  ],
}
const OBJECTS = [
  { id: 1, x: 1, y: 2, width: 3, height: 4, rotation: 15, capsule: true },
  { id: 2, x: 1, y: 1, gid: 1, width: 10, height: 9 },
  {
    id: 3,
    polyline: [
      { x: 0, y: 0 },
      { x: 3, y: 3 },
    ],
    properties: [{ name: 'p', value: 3 }],
  },
  { x: 4, y: 5, width: 6, height: 7, ellipse: true, properties: { p: [{ type: 'int', value: 3 }] } },
]
export const DOCUMENTS: readonly (readonly [ImportFormat, object])[] = [
  [
    'tiled',
    {
      orientation: 'isometric',
      width: 4,
      height: 4,
      tilewidth: 32,
      tileheight: 16,
      tilesets: [TILES],
      layers: [
        { type: 'tilelayer', name: 'L', width: 2, height: 2, data: [1, 2, 2147483650, 0] },
        { type: 'group', name: 'g', offsetx: 3, layers: [{ type: 'objectgroup', name: 'o', objects: OBJECTS }] },
        {
          type: 'tilelayer',
          name: 'C',
          encoding: 'base64',
          chunks: [{ x: -1, y: -1, width: 1, height: 1, data: 'AQAAAA==' }],
        },
      ],
    },
  ],
  [
    'tiled',
    {
      orientation: 'oblique',
      skewx: 4,
      skewy: -3,
      width: 4,
      height: 4,
      tilewidth: 16,
      tileheight: 16,
      tilesets: [{ firstgid: 1, name: 'o', tilewidth: 16, tileheight: 8, tilerendersize: 'grid', tiles: TILES.tiles }],
      layers: [
        { type: 'tilelayer', name: 'L', width: 2, height: 2, data: [1, 536870914, 2147483650, 0] },
        { type: 'objectgroup', name: 'o', objects: OBJECTS },
      ],
    },
  ],
  [
    'ldtk',
    {
      worldLayout: 'Free',
      defs: { layers: [{ uid: 1, intGridValues: [{ value: 1, identifier: 'stone' }] }] },
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
              __gridSize: 8,
              __cWid: 2,
              __cHei: 1,
              intGridCsv: [1, 0],
              layerDefUid: 1,
            },
            {
              __identifier: 'E',
              __type: 'Entities',
              entityInstances: [{ __identifier: 'e', iid: 'i', width: 1, height: 2, px: [1, 2], __pivot: [0, 0] }],
            },
          ],
        },
      ],
    },
  ],
  [
    'geojson',
    {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'a',
          properties: { x: 1 },
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [4, 0],
                [4, 4],
                [0, 0],
              ],
            ],
          },
        },
        {
          type: 'Feature',
          geometry: { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
        },
      ],
    },
  ],
  [
    'json',
    {
      version: 2,
      name: 'n',
      bodies: [
        { id: 'a', shape: { type: 'aabb', min: { x: 0, y: 0 }, max: { x: 1, y: 2 } }, tags: ['t'], data: { k: [1] } },
        { id: 'h', shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 1 }, rotation: 1, sensor: true },
        {
          id: 'c',
          shape: { type: 'compound', children: [{ shape: { type: 'circle', radius: 1 }, position: { x: 1, y: 0 } }] },
          velocity: { x: 1, y: 0 },
          angularVelocity: 2,
        },
      ],
    },
  ],
]
export const TEXTS: readonly (readonly [ImportFormat, string])[] = [
  ...DOCUMENTS.map(([format, document]) => [format, JSON.stringify(document)] as const),
  [
    'svg',
    '<svg><g id="a" transform="translate(1 2) rotate(30)"><rect id="r" x="1" width="4" height="5" rx="1"/><path d="M0 0C1 2 3 4 5 6A3 2 0 0 1 8 8ZM1 1h2v3z" fill-rule="evenodd"/><use href="#r" x="3"/></g><symbol id="s" viewBox="0 0 3 4"><circle r="2" cx="1"/></symbol><use href="#s" width="3"/><svg y="10%" width="50%" height="3" viewBox="0 0 2 2" preserveAspectRatio="xMinYMax slice"><path style="transform:rotate(9deg);transform-origin:50% 1px" d="M0 0a2 1 30 0110 10a9 9 0 1 0-3-3z"/></svg></svg>',
  ],
  [
    'tiled',
    '<map orientation="hexagonal" width="2" height="2" tilewidth="16" tileheight="16"><tileset firstgid="1" name="s" tilewidth="16" tileheight="16"><tile id="0"><objectgroup><object id="1" x="0" y="0"><polygon points="0,0 4,0 0,4"/></object></objectgroup></tile></tileset><layer name="l" width="2" height="1"><data encoding="csv">1,0</data></layer><objectgroup name="o"><object id="1" x="1" y="2" width="3" height="4"/></objectgroup></map>',
  ],
]
