// Worlds of Tiled: maps in files of their own, where the world puts them.

import { describe, expect, it } from 'vitest'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { bodiesOf, byId, type Files, imported, refusal, tried } from './imported.ts'
import { cells, map, objects, text, tile, tileset } from './tiled-maps.ts'

const BOX = { width: 16, height: 16 }
const room = (more: object = {}) => text(map({ layers: [objects(BOX)], ...more }))
const world = (...maps: object[]) => text({ maps, type: 'world' })
const taken = (files: Files) => imported(files, { format: 'tiled' })
const refused = (files: Files) => refusal(files, { format: 'tiled' })
const places = (files: Files) =>
  Object.fromEntries(Object.entries(byId(taken(files))).map(([id, { position = { x: 0, y: 0 } }]) => [id, position]))

describe('maps of a world', () => {
  it('lie where it says, with ids and tags of their own', () => {
    const files = {
      'w.world': world({ fileName: 'maps/a.tmj', x: 100, y: -50 }, { fileName: 'b.tmj', x: 0, y: 7 }),
      'a.tmj': room(),
      'b.tmj': room(),
    }
    expect(places(files)).toEqual({ 'Things:a.1': { x: 108, y: -42 }, 'Things:b.1': { x: 8, y: 15 } })
    expect(byId(taken(files))['Things:a.1']?.tags).toEqual(['layer:Things', 'kind:object', 'map:a', 'import:map'])
  })

  it('may be one map in several places, and have solid cells', () => {
    const set = tileset({}, tile(0, BOX))
    const ground = text(map({ tilesets: [set], layers: [cells([1, 1, 0, 0])] }))
    const files = {
      'w.world': world({ fileName: 'g.tmj', x: 0, y: 0 }, { fileName: 'g.tmj', x: 64, y: 0 }),
      'g.tmj': ground,
    }
    expect(places(files)).toEqual({ 'Ground:g.0.0': { x: 16, y: 8 }, 'Ground:g.0.0.2': { x: 80, y: 8 } })
  })

  it('follow from their names by a pattern', () => {
    const pattern = { regexp: 'p-(\\d+)-(-?\\d+)\\.tmj', multiplierX: 64, multiplierY: 32, offsetX: -10, offsetY: 5 }
    const files = {
      'w.world': text({ patterns: [pattern], type: 'world' }),
      'p-2-3.tmj': room(),
      'p-0--1.tmj': room(),
      'q-1-1.tmj': room(),
    }
    expect(places(files)).toEqual({ 'Things:p-0--1.1': { x: -2, y: -19 }, 'Things:p-2-3.1': { x: 126, y: 109 } })
  })

  it('say where something has no shape', () => {
    const files = {
      'w.world': world({ fileName: 'a.tmj', x: 0, y: 0 }),
      'a.tmj': room({ layers: [objects({ text: {} })] }),
    }
    expect(taken(files).skipped).toMatchObject([{ where: 'map a, layer Things, object 1' }])
  })
})

describe('worlds that cannot be taken', () => {
  it('name the file', () => {
    expect(refused({ 'w.world': world({ fileName: 'a.tmx', x: 0, y: 0 }) })).toMatch(/import-file-missing.*"a.tmx"/)
    const broken = { fileName: 'a.tmj', x: 0, y: 0 }
    const wrong = room({ layers: [objects({ x: 'left' })] })
    expect(refused({ 'w.world': world(broken), 'a.tmj': wrong })).toMatch(/malformed: a\.tmj\/layers\/0\/objects\/0\/x/)
    expect(refused({ 'w.world': world(broken), 'a.tmj': world(broken) })).toMatch(/a\.tmj: It is no map of Tiled/)
    expect(refused({ 'w.world': world({ fileName: 'a.tmj', x: 'far', y: 0 }), 'a.tmj': room() })).toMatch(
      /\/maps\/0\/x/,
    )
    expect(refused({ 'w.world': '{"maps":[{"fileName":"a.tmj","x":1e400,"y":0}]}', 'a.tmj': room() })).toMatch(
      /\/maps\/0\/x/,
    )
  })

  it('have patterns that could take for ever', () => {
    for (const regexp of ['(a+)+(\\d)', '(', '\\d*\\d*\\d*\\d*\\d*\\d*\\d*\\d*\\d*', 'x'.repeat(1000)])
      expect(refused({ 'w.world': text({ patterns: [{ regexp }] }) })).toMatch(/\/patterns\/0\/regexp/)
  })

  it('have no maps, and say so', () => {
    const file = tried({ 'w.world': text({ patterns: [], type: 'world' }) }, { format: 'tiled' })
    if (isProblem(file)) throw new Error(file.detail)
    expect(bodiesOf(file)).toEqual([])
    expect(file.skipped).toMatchObject([{ what: 'world' }])
  })
})
