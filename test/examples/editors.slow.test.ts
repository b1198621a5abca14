// Runs the programs for users of Tiled, LDtk, TrenchBroom and Godot as they would, as processes of their own, against the app on a loopback port.

import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { runTangent } from '../support/command-run.ts'
import { documentText, fencesOf } from '../support/document-requests.ts'
import { glbOf } from '../support/mesh-files.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
)
if (!hasPython) console.warn('skipped: python3 is absent, and with it the test of ldtk_settle.py')

let app: FastifyInstance
let folder: string
const env = { ...process.env }
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'editors-'))
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  env.TANGENT_URL = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

it.skipIf(!hasPython)('entities of LDtk move out of the walls, and nothing else changes', async () => {
  const path = join(folder, 'cellar.ldtk')
  const before = readFileSync(join(root, 'examples/levels/cellar.ldtk'), 'utf8')
  copyFileSync(join(root, 'examples/levels/cellar.ldtk'), path)
  const settle = () =>
    run('python3', ['examples/editors/ldtk_settle.py', path, '--walls', 'value:stone'], { cwd: root, env })
  expect((await settle()).stdout).toBe(
    [
      '19 bodies, 146 cells; 0 skipped',
      'Crate at [216, 99] moves by [0, -3], out of Terrain:Cellar.12.6',
      '1 moved, 1 updated in the scene, 0 added or removed',
      '',
    ].join('\n'),
  )
  const moved = (text: string) => JSON.stringify(JSON.parse(text)).replace('"px":[216,99]', '"px":[216,96]')
  const after = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
  const derived = (text: string) => text.replace(/"__(grid|worldX|worldY)":(\[[^\]]*\]|[^,}]*)/g, '')
  expect(derived(after)).toBe(derived(moved(before)))
  expect((await settle()).stdout).toContain('0 moved, 0 updated in the scene, 0 added or removed')
})

it('objects of Tiled move out of the walls, and nothing else changes', async () => {
  const map = `<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="8" height="8" tilewidth="16" tileheight="16">
 <tileset firstgid="1" source="props.tsx"/>
 <!-- a comment stays -->
 <objectgroup id="1" name="walls"><object id="1" x="0" y="96" width="128" height="32"/></objectgroup>
 <objectgroup id="2" name="props">
  <object id="2" name="crate" x="40" y="82" width="16" height="16"/>
  <object id="3" gid="1" x="80" y="99.5" width="16" height="16" rotation="0"/>
  <object id="4" x="4" y="4" width="8" height="8"><text>no shape</text></object>
  <object id="5" x="100" y="20"><point/></object>
 </objectgroup>
</map>
`
  const path = join(folder, 'level.tmx')
  writeFileSync(path, map)
  writeFileSync(
    join(folder, 'props.tsx'),
    '<tileset name="props" tilewidth="16" tileheight="16" tilecount="1" columns="1"><tile id="0"><objectgroup><object id="1" x="2" y="2" width="12" height="14"/></objectgroup></tile></tileset>',
  )
  const settle = () =>
    run(process.execPath, ['examples/editors/tiled-settle.mjs', path, '--layers=props', '--solid=walls'], {
      cwd: root,
      env,
    })
  expect((await settle()).stdout).toBe(
    [
      '4 bodies, 0 cells; 1 skipped',
      'props:2 moves by 0, -2, out of walls:1',
      'props:3 moves by 0, -3.5, out of walls:1',
      '2 moved, 2 updated in the scene, 0 added or removed',
      '',
    ].join('\n'),
  )
  expect(readFileSync(path, 'utf8')).toBe(map.replace('y="82"', 'y="80"').replace('y="99.5"', 'y="96"'))
  expect((await settle()).stdout).toContain('0 moved, 0 updated')
})

it('entities of TrenchBroom move out of brushes, and nothing else changes', async () => {
  const path = join(folder, 'cellar.map')
  const before = readFileSync(join(root, 'examples/levels/cellar.map'), 'utf8')
  writeFileSync(path, before)
  const check = (...more: string[]) =>
    run(process.execPath, ['examples/editors/trenchbroom-check.mjs', path, ...more], { cwd: root, env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }) => ({ code, stdout }),
    )
  const found = await check('--fix')
  expect(found.code).toBe(1)
  expect(found.stdout.split('\n').slice(2)).toEqual([
    'monster_ogre at 200 60 68 (default:4) stands in default:0.6; free by -3.2, 0, 6.4',
    'monster_zombie at 384 256 24 (default:6) stands in default:0.8; free by -48, 0, 0',
    '2 moved, 2 updated in the scene',
    '23 bodies, 3 findings',
    '',
  ])
  const after = before.replace('"200 60 68"', '"196.8 60 74.4"').replace('"384 256 24"\n', '"336 256 24"\n')
  expect(readFileSync(path, 'utf8')).toBe(after)
  const again = await check()
  expect([again.code, again.stdout.split('\n').at(-2)]).toEqual([1, '23 bodies, 1 finding'])
  const floating = await check('--fall=0')
  expect(floating.stdout).toContain('has nothing below it within 0')
  expect((await check('--url=http://127.0.0.1:1')).code).toBe(2)
})

describe('godot-check.mjs', () => {
  const check = (path: string, ...more: string[]) =>
    run(process.execPath, ['examples/editors/godot-check.mjs', path, ...more], { cwd: root, env }).then(
      ({ stdout }) => ({ code: 0, lines: stdout.trimEnd().split('\n'), stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, lines: stdout.trimEnd().split('\n'), stderr: stderr as string }),
    )

  it('finds what stands in something, floats, or meets nothing', async () => {
    const found = await check('examples/levels/yard.tscn')
    expect(found.lines).toEqual([
      'Yard:Player floats 1.5 above Yard:Ground.',
      'Yard:Crate3 is inside Yard:Ground, 0.0625 deep. Free by 0, 0.0625, 0.',
      'Yard:Ghost collides with nothing: no body is in a layer that it scans, and none scans its own.',
      '8 bodies, 3 findings',
    ])
    expect(found.code).toBe(1)
    const lower = await check('examples/levels/yard.tscn', '--fall=1.5')
    expect(lower.lines.at(-1)).toBe('8 bodies, 2 findings')
  })

  it('sends the files of the project that the scene names, models among them', async () => {
    const project = join(folder, 'project')
    for (const each of ['levels', 'props', 'models']) mkdirSync(join(project, each), { recursive: true })
    writeFileSync(join(project, 'project.godot'), 'config_version=5\n')
    copyFileSync(join(root, 'examples/levels/crate.tscn'), join(project, 'props/crate.tscn'))
    const vertices = [0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 9]
    const nodes = [
      { name: 'Rock-col', mesh: 0, children: [1] },
      { name: 'Moss', mesh: 0, translation: [-20, 0, 0] },
    ]
    const triangles = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    writeFileSync(join(project, 'models/rock.glb'), glbOf({ vertices, triangles }, { nodes }))
    const scene = (more: string) => `[gd_scene format=3]
[ext_resource type="PackedScene" path="res://props/crate.tscn" id="crate"]
[ext_resource type="PackedScene" path="res://models/rock.glb" id="rock"]
[ext_resource type="PackedScene" path="res://models/tree.glb" id="tree"]
[node name="Hill" type="Node3D"]
[node name="Rock" parent="." instance=ExtResource("rock")]
[node name="Inside" parent="." instance=ExtResource("crate")]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.25, 0.5)
[node name="Seen" parent="." instance=ExtResource("crate")]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, -19.5, 0.25, 0.5)
${more}`
    const path = join(project, 'levels/hill.tscn')
    writeFileSync(path, scene('[node name="Tree" parent="." instance=ExtResource("tree")]\n'))
    expect((await check(path)).lines).toEqual([
      'Tree: It is an instance of the model "tree.glb", which was not sent: add it to the request as a further file.',
      expect.stringMatching(/^Hill:Inside is inside Hill:Rock_Rock, \S+ deep\. Free by /),
      'Hill:Seen floats: there is nothing below it.',
      '4 bodies, 2 findings',
    ])
  })

  it('takes the shapes of a body together, and as many bodies as there are', async () => {
    const node = (name: string, parent: string, at: string, rest: string) =>
      `[node name="${name}" ${rest} parent="${parent}"]\ntransform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, ${at})\n`
    const shape = (name: string, parent: string, at: string, form = 'one') =>
      `${node(name, parent, at, 'type="CollisionShape3D"')}shape = SubResource("${form}")\n`
    const body = (name: string, at: string) => node(name, '.', at, 'type="RigidBody3D"')
    const parts = [
      '[gd_scene format=3]\n[sub_resource type="BoxShape3D" id="one"]\nsize = Vector3(1, 1, 1)\n',
      '[sub_resource type="BoxShape3D" id="flat"]\nsize = Vector3(400, 1, 4)\n[node name="Row" type="Node3D"]\n',
      node('Ground', '.', '0, -0.5, 0', 'type="StaticBody3D"'),
      shape('Flat', 'Ground', '0, 0, 0', 'flat'),
      // stands on its first shape; its second is in the first, and above the ground
      body('Table', '-50, 0.5, 0'),
      shape('Leg', 'Table', '0, 0, 0'),
      shape('Top', 'Table', '0, 0.75, 0'),
      body('Kite', '-60, 3, 0'),
      shape('Low', 'Kite', '0, 0, 0'),
      shape('High', 'Kite', '2, 4, 0'),
      ...['Twin', 'Double'].flatMap((name) => [body(name, '-70, 0.5, 0'), shape('Box', name, '0, 0, 0')]),
      ...Array.from({ length: 40 }, (_, k) => [
        body(`Drop${k}`, `${3 * k}, 2.5, 0`),
        shape('Box', `Drop${k}`, '0, 0, 0'),
      ]),
    ]
    const path = join(folder, 'row.tscn')
    writeFileSync(path, parts.flat().join(''))
    const found = await check(path)
    expect(found.lines.filter((line: string) => !line.startsWith('Row:Drop'))).toEqual([
      'Row:Twin has the shape and the pose of Row:Double.',
      'Row:Kite floats 2.5 above Row:Ground.',
      'Row:Twin is inside Row:Double, 1 deep. Free by -1, 0, 0.',
      '47 bodies, 43 findings',
    ])
    const drops = found.lines.filter((line: string) => /^Row:Drop\d+ floats 2 above Row:Ground\.$/.test(line))
    expect(new Set(drops).size).toBe(40)
  })

  it.skipIf(!existsSync(join(root, '../shared/data/godot')))('reads a real scene', async () => {
    const found = await check('../shared/data/godot/main.tscn')
    expect(found.code).toBe(1)
    expect(found.lines.slice(-2)).toEqual(['Main:Player floats: there is nothing below it.', '7 bodies, 1 finding'])
    expect(found.lines).toContainEqual(
      expect.stringMatching(/^World\/flag: .* the model "flag\.glb", which was not sent/),
    )
  })

  it('is not needed where layers are no matter: the page shows a rule for tangent check', async () => {
    const [{ text }] = fencesOf(documentText('docs/editors/godot.md')).filter(({ language }) => language === 'jsonc')
    const rules = join(folder, 'godot-rules.json')
    writeFileSync(rules, `[${text}]`)
    const { code, out } = await runTangent(['check', join(root, 'examples/levels/yard.tscn'), '--rules', rules])
    expect([code, out.split('\n').slice(1)]).toEqual([
      1,
      [expect.stringMatching(/ floating .* Yard:Player_Shape floats 1\.5 above Yard:Ground_Floor\./), ''],
    ])
  })

  it('says what to do where it cannot check', async () => {
    writeFileSync(join(folder, 'flat.tscn'), '[gd_scene format=3]\n[node name="Flat" type="Node2D"]\n')
    expect(await check(join(folder, 'flat.tscn'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no scene of 3D/),
    })
    expect((await check('examples/levels/none.tscn')).code).toBe(2)
    expect((await check('examples/levels/yard.tscn', '--url=http://127.0.0.1:1')).code).toBe(2)
  })
})
