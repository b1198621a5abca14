// Levels that refer to other files: which are read, from where, and which never.

import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readLevelFiles } from '../../src/command/level-files.ts'
import { runTangent } from '../support/command-run.ts'
import { ROOT } from '../support/document-requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'tangent-levels-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string | Buffer): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const names = async (path: string, root?: string) => (await readLevelFiles(path, root)).files.map(({ name }) => name)

const tileset = (name: string) =>
  `<tileset name="${name}" tilewidth="16" tileheight="16" tilecount="1" columns="1"><tile id="0"><objectgroup><object id="1" x="0" y="0" width="16" height="16"/></objectgroup></tile></tileset>`
const map = (source: string) =>
  `<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16" infinite="0"><tileset firstgid="1" source="${source}"/><layer id="1" name="walls" width="2" height="1"><data encoding="csv">1,1</data></layer></map>`

describe('Tiled', () => {
  it('has its tilesets beside it, or where it says, below its folder', async () => {
    write('beside/walls.tsx', tileset('walls'))
    expect(await names(write('beside/a.tmx', map('walls.tsx')))).toEqual(['a.tmx', 'walls.tsx'])
    // the author had another folder
    expect(await names(write('beside/b.tmx', map('../../elsewhere/walls.tsx')))).toEqual(['b.tmx', 'walls.tsx'])
    write('beside/sets/R&D "ü".tsx', tileset('odd'))
    const odd = write('beside/c.tmx', map('sets/R&amp;D &quot;ü&quot;.tsx'))
    expect(await names(odd)).toEqual(['c.tmx', 'R&D "ü".tsx'])
    expect(await runTangent(['import', write('beside/d.tmx', map('walls.tsx'))])).toMatchObject({ code: 0 })
  })

  it('is imported with a tileset whose name has letters of its own', async () => {
    write('letters/Wände.tsx', tileset('walls'))
    const { code, err } = await runTangent(['import', write('letters/Größe.tmx', map('Wände.tsx'))])
    expect([code, err]).toEqual([0, expect.stringContaining('Größe.tmx: 1 body')])
  })

  it('has nothing outside of its folder unless a root says so', async () => {
    write('game/sets/stone.tsx', tileset('stone'))
    const path = write('game/maps/a.tmx', map('../sets/stone.tsx'))
    expect(await names(path)).toEqual(['a.tmx'])
    const refused = await runTangent(['import', path])
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(/names the tileset "stone\.tsx"[\s\S]*Not read, .*stone\.tsx\. Give --root/)
    expect((await runTangent(['import', path, '--root', join(folder, 'game')])).code).toBe(0)
  })

  it('does not lead out of its folder by a link', async () => {
    const secret = write('secret/walls.tsx', tileset('walls'))
    const path = write('linked/a.tmx', map('walls.tsx'))
    symlinkSync(secret, join(folder, 'linked/walls.tsx'))
    const { files, outside } = await readLevelFiles(path)
    expect([files.length, outside]).toEqual([1, [join(folder, 'linked/walls.tsx')]])
    symlinkSync(join(folder, 'secret'), join(folder, 'linked/sets'))
    expect(await names(write('linked/b.tmx', map('sets/walls.tsx')))).toEqual(['b.tmx'])
  })

  it('has worlds that list maps, and worlds with a pattern', async () => {
    write('world/walls.tsx', tileset('walls'))
    for (const name of ['x0y0.tmx', 'x1y0.tmx', 'other.tmx']) write(`world/${name}`, map('walls.tsx'))
    const listed = write('world/listed.world', '{"type":"world","maps":[{"fileName":"x1y0.tmx","x":0,"y":0}]}')
    expect(await names(listed)).toEqual(['listed.world', 'x1y0.tmx', 'walls.tsx'])
    const text = JSON.stringify({
      type: 'world',
      patterns: [{ regexp: 'x(\\d+)y(\\d+)\\.tmx', multiplierX: 32, multiplierY: 16, offsetX: 0, offsetY: 0 }],
    })
    const { code, err } = await runTangent(['import', write('world/grid.world', text)])
    expect([code, err]).toEqual([0, expect.stringContaining('grid.world: 2 bodies')])
  })
})

it('finds the levels of LDtk, the scenes of Godot and the buffers of glTF', async () => {
  write('more/Level_0.ldtkl', '{}')
  write('more/buffer one.bin', Buffer.alloc(4))
  write('more/objects/crate.tscn', '[gd_scene format=3]\n[node name="Crate" type="Node2D"]\n')
  const paths = [
    write('more/a.ldtk', '{"levels":[{"externalRelPath":"a\\/Level_0.ldtkl"}]}'),
    write('more/a.gltf', '{"asset":{"version":"2.0"},"buffers":[{"uri":"buffer%20one.bin","byteLength":4}]}'),
    write(
      'more/a.tscn',
      '[gd_scene format=3]\n[ext_resource type="PackedScene" path="res://objects/crate.tscn" id="1"]\n',
    ),
  ]
  expect(await Promise.all(paths.map((path) => names(path)))).toEqual([
    ['a.ldtk', 'Level_0.ldtkl'],
    ['a.gltf', 'buffer one.bin'],
    ['a.tscn', 'crate.tscn'],
  ])
})

it('reads files in a circle once, and no more than one request takes', async () => {
  const all = Array.from({ length: 300 }, (_, k) => `s${k}.tscn`)
  for (const name of all) write(`circle/${name}`, all.map((other) => `"${other}"`).join('\n'))
  expect(await names(join(folder, 'circle/s0.tscn'))).toHaveLength(256)
})

it('is refused where it names more files than anybody looks for', async () => {
  const text = Array.from({ length: 10_000 }, (_, k) => `"sets/${k}.tres"`).join('\n')
  await expect(names(write('many/a.tscn', text))).rejects.toThrow('names more than 16384 files')
})

const DATA = join(ROOT, '../shared/data')
const known: [path: string, bodies: RegExp][] = [
  ['tiled/sandbox2.tmx', /: [1-9]\d* bod(y|ies)\b/],
  ['ldtk/Typical_TopDown_example.ldtk', /: [1-9]\d* bod(y|ies)\b/],
  ['godot/main.tscn', /: [1-9]\d* bod(y|ies)\b/],
  ['gltf/flag.glb', /: [1-9]\d* bod(y|ies)\b/],
  ['meshes/spot.obj', /: [1-9]\d* bod(y|ies)\b/],
  ['quake/qodot-groups.map', /: [1-9]\d* bod(y|ies)\b/],
]
it.skipIf(!existsSync(DATA)).each(known)('imports %s, of whatever kind it is', async (path, bodies) => {
  const { code, err } = await runTangent(['import', join(DATA, path)])
  expect([code, err]).toEqual([0, expect.stringMatching(bodies)])
})
