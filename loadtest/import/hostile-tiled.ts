// Maps that nobody drew: small files that say they are large, and lists of very many of what takes room each.

import { deflateSync, gzipSync } from 'node:zlib'
import type { SentImport } from './sent-import.ts'
import { mapJson, mapOfLayers, mapXml, TILESET_XML, zstdBomb } from './tiled-maps.ts'

function one(name: string, text: () => string | Uint8Array, query = ''): SentImport {
  return { name: `Tiled: ${name}`, format: 'tiled', query, files: () => [{ name: 'map', text: text() }] }
}

const times = (text: string, count: number): string => text.repeat(count)
const json = (layers: unknown[], fields: object = {}): string => JSON.stringify(mapJson({ layers, ...fields }))

function packedLayer(width: number, height: number, compression: string, bytes: Uint8Array): object {
  const data = Buffer.from(bytes).toString('base64')
  return { type: 'tilelayer', name: 'l', width, height, encoding: 'base64', compression, data }
}

const zeros = (mebibytes: number): Buffer => Buffer.alloc(mebibytes * 2 ** 20)

/** Groups in groups. */
const groups = (depth: number): string =>
  `${times('{"type":"group","name":"g","layers":[', depth)}${times(']}', depth)}`

const chunk = (x: number, y: number, width = 1, height = 1): object => ({
  x,
  y,
  width,
  height,
  data: Array.from({ length: Math.min(width * height, 4) }, () => 1),
})

const infinite = (chunks: object[]): string => json([{ type: 'tilelayer', name: 'l', chunks }], { infinite: true })

const object = (fields: object): string =>
  json([{ type: 'objectgroup', name: 'o', objects: [{ id: 1, x: 0, y: 0, width: 1, height: 1, ...fields }] }])

const DOCTYPE_BOMB = `<!DOCTYPE map [<!ENTITY a "aaaaaaaaaa">${Array.from(
  { length: 9 },
  (_, k) => `<!ENTITY ${'bcdefghij'[k]} "${times(`&${'abcdefghi'[k]};`, 10)}">`,
).join('')}]>`

/** A star that goes about itself, of so many corners. */
const star = (count: number): { x: number; y: number }[] =>
  Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k * (Math.floor(count / 2) - 1)) / count
    return { x: 1000 * Math.cos(angle), y: 1000 * Math.sin(angle) }
  })

export const HOSTILE_TILED: readonly SentImport[] = [
  one('entities that come to 10 GB', () => `${DOCTYPE_BOMB}<map><properties>&j;</properties></map>`),
  one(
    'a long entity, very often',
    () => `<!DOCTYPE map [<!ENTITY a "${times('a', 1e5)}">]><map>${times('&a;', 1e6)}</map>`,
  ),
  one('an entity that names a file', () => '<!DOCTYPE map [<!ENTITY a SYSTEM "file:///etc/passwd">]><map>&a;</map>'),
  one('100,000 entities declared', () => `<!DOCTYPE map [${times('<!ENTITY a "b">', 1e5)}]><map/>`),
  one('a declaration without an end', () => `<!DOCTYPE map [${times('<!ELEMENT a ANY>', 2e5)}`),
  ...(['gzip', 'zlib'] as const).flatMap((compression) => {
    const pack = compression === 'gzip' ? gzipSync : deflateSync
    return [
      one(`${compression} that comes to 512 MiB, for four cells`, () =>
        json([packedLayer(2, 2, compression, pack(zeros(512)))]),
      ),
      one(`${compression} that comes to 256 MiB, for as many cells`, () =>
        json([packedLayer(2 ** 13, 2 ** 13, compression, pack(zeros(256)))]),
      ),
      one(`twelve layers of ${compression}, 256 MiB each`, () => {
        const layer = packedLayer(2 ** 13, 2 ** 13, compression, pack(zeros(256)))
        return json(Array.from({ length: 12 }, () => layer))
      }),
    ]
  }),
  one('zstd that comes to 4 GiB, for four cells', () => json([packedLayer(2, 2, 'zstd', zstdBomb(32_768))])),
  one('zstd that comes to 256 MiB, for as many cells', () =>
    json([packedLayer(2 ** 13, 2 ** 13, 'zstd', zstdBomb(2048))]),
  ),
  one('zstd with a window of 2 GiB', () => json([packedLayer(2, 2, 'zstd', zstdBomb(1, 20))])),
  one('65,535 × 65,535 cells, of which none is there', () => json([packedLayer(65_535, 65_535, '', zeros(0))])),
  one('67 million cells, of which four are there', () => json([packedLayer(2 ** 13, 2 ** 13, 'zlib', zeros(0))])),
  one('a thousand layers of 67 million cells each, of which none is there', () =>
    json(Array.from({ length: 1000 }, () => packedLayer(2 ** 13, 2 ** 13, '', zeros(0)))),
  ),
  one(
    '67 million cells as text, of which none is there',
    () => `${mapXml('<layer name="l" width="8192" height="8192"><data encoding="csv">1,2</data></layer>')}`,
  ),
  one('cells of 1e9 digits', () =>
    mapXml(`<layer name="l" width="1" height="1"><data encoding="csv">${times('9', 2e7)}</data></layer>`),
  ),
  one('chunks at both ends of the world', () => infinite([chunk(-(2 ** 31), -(2 ** 31)), chunk(2 ** 31, 2 ** 31)])),
  one('a chunk of 2^31 cells on a side', () => infinite([chunk(0, 0, 2 ** 31, 2 ** 31)])),
  one('two chunks 8,000 cells apart', () => infinite([chunk(0, 0), chunk(8000, 8000)])),
  one('200 layers of two chunks 8,000 cells apart', () => {
    const chunks = [chunk(0, 0), chunk(8000, 8000)]
    return json(
      Array.from({ length: 200 }, () => ({ type: 'tilelayer', name: 'l', chunks })),
      { infinite: true },
    )
  }),
  one(
    'a million chunks of nothing',
    () => `{"tilewidth":1,"tileheight":1,"layers":[{"type":"tilelayer","chunks":[${times('{},', 1e6)}{}]}]}`,
  ),
  one('tile 0xFFFFFFFF', () => json([{ type: 'tilelayer', name: 'l', width: 1, height: 1, data: [0xffffffff] }])),
  one('tile 0xFFFFFFFF of an object', () => object({ gid: 0xffffffff })),
  one('tile 1e300 of an object', () => object({ gid: 1e300 })),
  one('an ellipse of 1e300', () => object({ ellipse: true, width: 1e300, height: 1e300 })),
  one('a rotation by 1e300 degrees', () => object({ rotation: 1e300 })),
  one('a polygon of 100,000 corners that crosses itself everywhere', () => object({ polygon: star(100_001) })),
  one('a polygon of a million corners', () => object({ polygon: star(1_000_001) })),
  one('a line of 500,000 points, as XML', () =>
    mapXml(
      `<objectgroup name="o"><object id="1" x="0" y="0"><polyline points="${times('1,2 3,4 ', 1e6)}"/></object></objectgroup>`,
    ),
  ),
  one('groups in groups, 100,000 deep', () => mapOfLayers([groups(1e5)])),
  one('groups in groups, 100,000 deep, as XML', () => mapXml(`${times('<group>', 1e5)}${times('</group>', 1e5)}`)),
  one('lists in lists, five million deep', () => `${times('[', 5e6)}${times(']', 5e6)}`),
  one('objects in objects, a million deep', () => `${times('{"a":', 1e6)}1${times('}', 1e6)}`),
  one('properties of classes in classes, 100,000 deep', () =>
    object({}).replace(
      '"id":1',
      `"id":1,"properties":[{"name":"p","type":"class","value":${times('{"a":', 1e5)}1${times('}', 1e5)}}]`,
    ),
  ),
  one(
    'a million layers',
    () => `{"tilewidth":1,"tileheight":1,"layers":[${times('{"type":"objectgroup","objects":[]},', 1e6)}{}]}`,
  ),
  one(
    'a million tilesets',
    () =>
      `{"tilewidth":1,"tileheight":1,"layers":[],"tilesets":[${times('{"firstgid":1,"tilewidth":1,"tileheight":1},', 1e6)}{"firstgid":1,"tilewidth":1,"tileheight":1}]}`,
  ),
  one(
    'a million tiles of one tileset',
    () =>
      `{"tilewidth":1,"tileheight":1,"layers":[],"tilesets":[{"firstgid":1,"tilewidth":1,"tileheight":1,"tiles":[${times('{"id":1},', 1e6)}{"id":2}]}]}`,
  ),
  one('12 million empty lists', () => `{"layers":[],"more":[${times('[],', 1.2e7)}[]]}`),
  one('12 million empty objects', () => `{"layers":[],"more":[${times('{},', 1.2e7)}{}]}`),
  one('10 million empty texts', () => `{"layers":[],"more":[${times('"",', 1e7)}""]}`),
  one(
    '4 million fields of one object',
    () => `{"layers":[]${Array.from({ length: 4e6 }, (_, k) => `,"${k.toString(36)}":0`).join('')}}`,
  ),
  one('10 million elements', () => mapXml(times('<a/>', 1e7))),
  one('a million elements with attributes', () => mapXml(times('<a b="c" d="e"/>', 1e6))),
  one('a million attributes of one element', () =>
    mapXml(`<layer ${Array.from({ length: 1e6 }, (_, k) => `a${k.toString(36)}="1"`).join(' ')}/>`),
  ),
  one('an element without an end, of 20 MB', () => `<map ${times('a ', 1e7)}`),
  one('20 MB of "<"', () => `<map>${times('<', 2e7)}`),
  one('20 MB of "<!--"', () => `<map>${times('<!--', 5e6)}`),
  one('20 MB of "<![CDATA["', () => `<map>${times('<![CDATA[', 2e6)}`),
  one('20 MB of "<?"', () => `<map>${times('<?a ', 5e6)}`),
  one('20 MB of comments', () => `<map>${times('<!-- -->', 2.5e6)}</map>`),
  one('an attribute of 20 MB', () => `<map><a b="${times('x', 2e7)}"/></map>`),
  one(
    '20 MB of "&amp;"',
    () => `<map><properties><property name="a">${times('&amp;', 4e6)}</property></properties></map>`,
  ),
  one('a property of 20 MB', () => object({ properties: [{ name: 'a', value: times('x', 2e7) }] })),
  one('a name of 20 MB', () => object({ name: times('x', 2e7) })),
  one('names with "../" in them', () =>
    JSON.stringify(mapJson({ layers: [], tilesets: [{ firstgid: 1, source: '../../../../etc/passwd' }] })),
  ),
  {
    name: 'Tiled: templates that name each other',
    format: 'tiled',
    files: () => [
      { name: 'map', text: object({ template: 'a.tx' }) },
      {
        name: 'a.tx',
        text: '<template><tileset firstgid="1" source="b.tsx"/><object template="b.tx" gid="1"/></template>',
      },
      { name: 'b.tx', text: '<template><object template="a.tx"/></template>' },
      { name: 'b.tsx', text: '<tileset source="b.tsx" firstgid="1"/>' },
    ],
  },
  {
    name: 'Tiled: 255 files with folders in their names',
    format: 'tiled',
    files: () => [
      { name: 'map', text: mapXml('<tileset firstgid="2" source="../../a.tsx"/>') },
      ...Array.from({ length: 255 }, (_, k) => ({ name: `../../${k}/../a.tsx`, text: TILESET_XML })),
    ],
  },
  {
    name: 'Tiled: 300,000 tilesets that one file of 200 kB gives',
    format: 'tiled',
    files: () => [
      {
        name: 'map',
        text: JSON.stringify(
          mapJson({ layers: [], tilesets: Array.from({ length: 300_000 }, () => ({ firstgid: 1, source: 'a.tsj' })) }),
        ),
      },
      {
        name: 'a.tsj',
        text: JSON.stringify({
          name: 'a',
          tilewidth: 1,
          tileheight: 1,
          tiles: Array.from({ length: 20_000 }, (_, id) => ({ id })),
        }),
      },
    ],
  },
  {
    name: 'Tiled: 100,000 objects of one template with 20,000 properties',
    format: 'tiled',
    files: () => [
      {
        name: 'map',
        text: json([
          {
            type: 'objectgroup',
            name: 'o',
            objects: Array.from({ length: 50_000 }, (_, id) => ({ id, x: 0, y: 0, template: 'a.tj' })),
          },
        ]),
      },
      {
        name: 'a.tj',
        text: JSON.stringify({
          object: {
            width: 1,
            height: 1,
            properties: Array.from({ length: 20_000 }, (_, k) => ({ name: `p${k}`, value: 1 })),
          },
        }),
      },
    ],
  },
]
