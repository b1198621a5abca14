// What a file is whose format nobody has said, by what lies in it or by its name.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { guessedFormat, PLANE_MARKS, SPACE_MARKS } from '../../src/import/guessed-format.ts'

const guess = (content: string | Uint8Array, name = '') => {
  const format = guessedFormat({ name, bytes: Buffer.from(content) }, PLANE_MARKS)
  return typeof format === 'string' ? format : format.detail
}

const guessInSpace = (content: string, name = '') => {
  const format = guessedFormat({ name, bytes: Buffer.from(content) }, SPACE_MARKS)
  return typeof format === 'string' ? format : format.detail
}

describe('formats of space', () => {
  it.each([
    ['map', '{"classname" "worldspawn"}'],
    ['map', '// Game: Quake\n# x\n; y\n{\n// entity 0\n"classname" "worldspawn"'],
    ['map', '\ufeffVersion 2\r\n// x\r\n{\r\n"classname"\t"worldspawn"'],
    ['godot', '; a\n\n[gd_scene load_steps=2 format=3]\n'],
    ['json', '{"bodies":[]}'],
    ['json', '{ "name" : "x", "bodies": [] }'],
  ])('%s: %s', (format, content) => {
    expect(guessInSpace(content)).toBe(format)
    expect(guessInSpace(content, 'a.txt')).toBe(format)
    if (format === 'godot') expect(guess(content)).toBe(format)
  })

  it('are told from the name, or not at all', () => {
    expect(guessInSpace('', 'a.MAP')).toBe('map')
    expect(guessInSpace('[', 'a.tscn')).toBe('godot')
    expect(guess('[', 'a.tscn')).toBe('godot')
    expect(guessInSpace('{"x" 1}')).toMatch(/Add format=gltf, obj, stl, map, godot or json/)
    expect(guessInSpace(`//${'x'.repeat(1e5)}`)).toMatch(/Add format=/)
  })

  it.skipIf(!existsSync('../shared/data'))('of real files', () => {
    for (const [folder, format] of [
      ['quake', 'map'],
      ['godot', 'godot'],
    ] as const) {
      const files = readdirSync(`../shared/data/${folder}`).filter((name) => /\.(map|tscn)$/.test(name))
      expect(files.length).toBeGreaterThan(0)
      for (const name of files)
        expect(guessInSpace(readFileSync(`../shared/data/${folder}/${name}`, 'utf8'))).toBe(format)
    }
  })
})

describe('formats are told from the content', () => {
  it.each([
    ['tiled', '{"compressionlevel":-1,"height":3,"infinite":false,"layers":[]}'],
    ['tiled', '{ "type" : "map", "version": "1.10" }'],
    ['tiled', '{"properties":[{"name":"features","bodies":[]}],"tilewidth":16}'],
    ['tiled', '<?xml version="1.0"?>\n<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">\n<map/>'],
    ['ldtk', '{"__header__":{"fileType":"LDtk Project JSON"},"levels":[]}'],
    ['ldtk', '{"levels":[]}'],
    ['geojson', '{"type":"FeatureCollection","features":[]}'],
    ['geojson', '{"bbox":[0,0,1,1],"coordinates":[0,0],"type":"Point"}'],
    ['geojson', '{"name":"walls","crs":{"type":"name","levels":1},"features":[]}'],
    ['json', '{"bodies":[]}'],
    ['json', '{"name":"cellar","margin":0.1,"bodies":[]}'],
    ['json', '{"version":3,"bodies":[],"next":null}'],
    ['svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['svg', '<?xml version="1.0"?><!-- <map> --><!DOCTYPE svg [ <!ENTITY a "<map>"> ]>\n<s:svg xmlns:s="x"/>'],
  ])('%s: %s', (format, content) => {
    expect(guess(content)).toBe(format)
    expect(guess(content, 'level.json')).toBe(format)
    expect(guess(`\n  ${content.replace(/^<\?xml.*?\?>/, '')}`)).toBe(format)
    expect(guess(`\ufeff${content}`)).toBe(format)
    expect(guess(Buffer.from(`\ufeff${content}`, 'utf16le'))).toBe(format)
    // the content is nearer to the truth than the name
    expect(guess(content, 'a.svg')).toBe(format)
  })

  it.skipIf(!existsSync('../shared/data'))('of real files', () => {
    for (const [folder, format] of [
      ['ldtk', 'ldtk'],
      ['tiled', 'tiled'],
    ] as const) {
      const files = readdirSync(`../shared/data/${folder}`).filter((name) => /\.(ldtk|tmx|tmj)$/.test(name))
      expect(files.length).toBeGreaterThan(0)
      for (const name of files) expect(guess(readFileSync(`../shared/data/${folder}/${name}`))).toBe(format)
    }
  })
})

describe('formats are told from the name where the content does not say them', () => {
  it.each([
    ['tiled', 'a.tmx'],
    ['tiled', 'a.TMJ'],
    ['ldtk', 'levels/a.b.ldtk'],
    ['geojson', 'a.geojson'],
    ['svg', 'C:\\drawings\\a.svg'],
  ])('%s: %s', (format, name) => {
    for (const content of ['', '{', '{"name":"x"}', '<', '<!-- no end', 'plain'])
      expect(guess(content, name)).toBe(format)
  })
})

describe('a format that cannot be told', () => {
  it.each([
    ['', /neither JSON nor XML/],
    ['hello', /neither JSON nor XML/],
    ['\u0000\u0001', /neither JSON nor XML/],
    ['[1,2]', /neither JSON nor XML/],
    ['{}', /without a field/],
    ['{"type":"tileset"}', /without a field/],
    ['{"a":{"bodies":[]}}', /without a field/],
    ['{"type":7', /without a field/],
    [`{"a":"${'x'.repeat(2 ** 21)}","bodies":[]}`, /without a field/],
    ['<tileset/>', /outermost element is <tileset>/],
    ['<html><svg/></html>', /outermost element is <html>/],
    ['<!-- no end', /begins like XML/],
    ['<?xml version="1.0" encoding="nonsense"?><svg/>', /nonsense/],
  ])('is said so, with what to do: %s', (content, why) => {
    const said = guess(content, 'level.json')
    expect(said).toMatch(why)
    expect(said).toContain('cannot be told from the name or content of "level.json"')
    expect(said).toContain('Add format=')
  })
})
