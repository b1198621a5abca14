// Maps of Tiled that are none, or mean harm.

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isProblem } from '../../src/wire/decode-problem.ts'
import { bodiesOf, type Files, refusal, tried } from './imported.ts'
import { cells, map, objects, text, tile, tileset } from './tiled-maps.ts'

const refused = (files: Files): string => refusal(files, { format: 'tiled' })
const WALL = tile(0, { width: 16, height: 16 })

describe('hostile maps', () => {
  const start = '<map orientation="orthogonal" width="4" height="4" tilewidth="16" tileheight="16">'
  it('are refused with the place', () => {
    expect(refused({ 'a.tmx': `${start}<layer name="x">` })).toMatch(/import-malformed: a\.tmx, line 1/)
    expect(refused({ 'a.tmx': '<svg/>' })).toMatch(/map of Tiled, got <svg>/)
    expect(refused({ 'a.tmj': text(map({ orientation: 'spherical' })) })).toMatch(/spherical/)
    expect(refused({ 'a.tmj': text(map({ tilewidth: 0 })) })).toMatch(/no size/)
    expect(refused({ 'a.tmj': text(map({ layers: [cells([1], { height: 2 })] })) })).toMatch(/8 cells, got 1/)
    expect(refused({ 'a.tmj': text(map({ layers: [cells([9, 0, 0, 0, 0, 0, 0, 0])] })) })).toMatch(
      /No tileset has the tile 9/,
    )
    const wide = { type: 'tilelayer', name: 'w', width: 1e9, height: 1e9, data: '' }
    expect(refused({ 'a.tmj': text(map({ layers: [wide] })) })).toMatch(/at most/)
    const far = (x: number) => ({ x, y: x, width: 1, height: 1, data: [1] })
    const apart = { type: 'tilelayer', name: 'w', chunks: [far(0), far(1e8)] }
    expect(refused({ 'a.tmj': text(map({ tilesets: [tileset({}, WALL)], layers: [apart] })) })).toMatch(/farther apart/)
  })

  it('do not unpack to more than their size', () => {
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20)).toString('base64')
    expect(
      refused({ 'a.tmj': text(map({ layers: [cells(bomb, { encoding: 'base64', compression: 'gzip' })] })) }),
    ).toMatch(/do not unpack/)
  })

  it('have no entities of their own, and do not nest without end', () => {
    const lol = '<!DOCTYPE map [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    const object = '<objectgroup name="&b;"><object id="1" x="0" y="0"><point/></object></objectgroup></map>'
    const file = tried({ 'a.tmx': `${lol}${start}${object}` }, { format: 'tiled' })
    if (!isProblem(file)) expect(bodiesOf(file)[0]?.tags).toContain('layer:&b;')
    expect(refused({ 'a.tmx': `${start}${'<group>'.repeat(1e5)}` })).toMatch(/256 deep/)
    let deep: object = objects()
    for (let k = 0; k < 100; k++) deep = { type: 'group', name: '', layers: [deep] }
    expect(refused({ 'a.tmj': text(map({ layers: [deep] })) })).toMatch(/64 deep/)
  })
})
