// Files in whatever letters editors write them.

import { describe, expect, it } from 'vitest'
import { decodedText } from '../../src/import/source-files.ts'
import { bodiesOf, imported, refusal } from './imported.ts'

const text = (bytes: Uint8Array): string => decodedText('a.xml', bytes)
const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?><a n="ä"/>`
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16()

describe('the text of a file', () => {
  it('is UTF-8 unless it says otherwise', () => {
    expect(text(Buffer.from('<a n="ä"/>'))).toBe('<a n="ä"/>')
    expect(text(Buffer.from('\uFEFF{}'))).toBe('{}')
    expect(text(Buffer.from(declared('UTF-8')))).toBe(declared('UTF-8'))
    // It cannot be what it says, or it could not be read.
    expect(text(Buffer.from(declared('UTF-16')))).toBe(declared('UTF-16'))
  })

  it('is what its mark or its declaration says', () => {
    const wide = Buffer.from(declared('UTF-16'), 'utf16le')
    const marked = Buffer.from(`\uFEFF${declared('UTF-16')}`, 'utf16le')
    for (const bytes of [wide, marked, swapped(wide), swapped(marked)]) expect(text(bytes)).toBe(declared('UTF-16'))
    expect(text(Buffer.from(declared('ISO-8859-1'), 'latin1'))).toBe(declared('ISO-8859-1'))
    expect(text(Buffer.from(declared('windows-1252'), 'latin1'))).toBe(declared('windows-1252'))
    // ж in windows-1251
    expect(text(Buffer.from(declared('windows-1251').replace('ä', '\u00e6'), 'latin1'))).toContain('n="ж"')
  })

  it('is refused where nobody knows its letters', () => {
    expect(() => text(Buffer.from(declared('x-klingon')))).toThrow(/"x-klingon" is not known/)
  })
})

describe('a file of another kind', () => {
  const refused = (content: string, format: 'tiled' | 'ldtk' | 'geojson' | 'svg') => refusal({ f: content }, { format })

  it('is refused with what it should be', () => {
    expect(refused('{"type":"Point",\n "coordinates":[1,2,]}', 'geojson')).toBe(
      "import-malformed: f, line 2, column 21: It is not JSON: Unexpected token ']'.",
    )
    expect(refused('<map/>', 'ldtk')).toMatch(/f, line 1, column 1: It is not JSON, but looks like XML/)
    expect(refused('', 'geojson')).toMatch(/It is empty/)
    expect(refused(' \n', 'svg')).toMatch(/It is empty/)
    expect(refused('{"levels":[],"defs":{}}', 'tiled')).toMatch(/no map of Tiled: it has no layers/)
    expect(refused('{"layers":[]}', 'ldtk')).toMatch(/no project of LDtk: it has neither levels nor worlds/)
    expect(refused('<map/>', 'svg')).toMatch(/must be <svg>, got <map>/)
    expect(refused('{}', 'svg')).toMatch(/line 1, column 1: It is not XML/)
    expect(refused('{"type":"Topology"}', 'geojson')).toMatch(/must be a geometry of GeoJSON, got "Topology"/)
  })
})

it('is refused where its values lie too deep in each other', () => {
  const file = '{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"deep":@}}'
  const nested = (depth: number) => file.replace('@', '['.repeat(depth) + ']'.repeat(depth))
  const taken = imported({ f: nested(500) }, { format: 'geojson' })
  expect(bodiesOf(taken)).toMatchObject([{ id: 'map:1' }])
  expect(taken.skipped).toEqual([])
  expect(refusal({ f: nested(1e5) }, { format: 'geojson' })).toMatch(/import-malformed: f: .* deep in each other/)
})

it('is read in letters of two bytes, whichever format it has', () => {
  const point = '{"type":"Feature","id":"ä","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"n":"ä"}}'
  const map = `<?xml version="1.0" encoding="UTF-16"?><map orientation="orthogonal" width="1" height="1" tilewidth="8" tileheight="8"><objectgroup name="ä"><object id="1" x="1" y="2"/></objectgroup></map>`
  for (const encoded of [
    (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    (text: string) => swapped(Buffer.from(`\uFEFF${text}`, 'utf16le')),
  ]) {
    expect(bodiesOf(imported({ f: encoded(point) }, { format: 'geojson' }))).toMatchObject([{ data: '{"n":"ä"}' }])
    expect(bodiesOf(imported({ f: encoded(map) }, { format: 'tiled' }))[0]!.tags).toContain('layer:ä')
  }
})
