// Runs the extension for Tiled in Tiled itself, without a screen, against the app on a loopback port. Another extension does what a user does
// with the menu, and writes down what has become of the map. Skipped where there is no Tiled, or no curl.

import { execFile, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const root = resolve(import.meta.dirname, '../..')
const OFFSCREEN = { ...process.env, QT_QPA_PLATFORM: 'offscreen' }
const version = (program: string) => promisify(execFile)(program, ['--version'], { env: OFFSCREEN })
const hasTiled = await Promise.all([version('tiled'), version('curl')]).then(
  () => true,
  () => false,
)
if (!hasTiled) console.warn('skipped: tiled or curl is absent, and with it the test of the extension for Tiled')

const MAP = `<?xml version="1.0" encoding="UTF-8"?>
<map version="1.8" orientation="orthogonal" renderorder="right-down" width="8" height="8" tilewidth="16" tileheight="16" infinite="0">
 <properties><property name="tangent_rules" value="rules.json"/><property name="tangent_solid" value="layer:ground"/></properties>
 <tileset firstgid="1" source="props.tsx"/>
 <layer id="3" name="ground" width="8" height="8"><data encoding="csv">
1,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0,
0,0,0,0,0,0,0,0
</data></layer>
 <objectgroup id="1" name="walls"><object id="1" x="0" y="96" width="128" height="32"/></objectgroup>
 <objectgroup id="2" name="props">
  <object id="2" name="crate" x="40" y="82" width="16" height="16"/>
  <object id="3" name="barrel" gid="1" x="80" y="60" width="16" height="16"/>
  <object id="4" name="lamp" x="20" y="4" width="8" height="8"/>
 </objectgroup>
</map>
`
const TILESET = `<tileset version="1.8" name="props" tilewidth="16" tileheight="16" tilecount="1" columns="0">
 <tile id="0"><image width="16" height="16" source="tile.png"/><objectgroup><object id="1" x="2" y="2" width="12" height="14"/></objectgroup></tile>
</tileset>
`
const RULES = [
  { rule: 'overlap', filter: { tags: { any: ['layer:props'] } } },
  { rule: 'floating', filter: { tags: { any: ['name:lamp'] } } },
]
/** What is changed is taken back at the end, so that nothing asks whether to save it. */
const USER = `
function use(map) {
  if (!map || !map.isTileMap) return
  tiled.activeAssetChanged.disconnect(use)
  const steps = {}
  try {
    const places = () => map.layers[2].objects.map((object) => [object.id, object.x, object.y])
    tiled.trigger('TangentCheck')
    steps.checked = map.selectedObjects.map((object) => object.id)
    map.selectedObjects = map.layers[2].objects
    tiled.trigger('TangentDrop')
    steps.dropped = places()
    map.undo()
    steps.undone = places()
    map.selectedObjects = [map.layers[2].objects[0]]
    tiled.trigger('TangentSnap')
    steps.snapped = places()
    map.setProperty('tangent_url', 'http://127.0.0.1:1')
    map.selectedObjects = map.layers[2].objects
    tiled.trigger('TangentDrop')
    steps.away = places()
  } catch (error) {
    steps.error = String(error) + error.stack
  }
  const file = new TextFile('OUT', TextFile.WriteOnly)
  file.write(JSON.stringify(steps))
  file.commit()
}
tiled.activeAssetChanged.connect(use)
`

let app: FastifyInstance
let folder: string
let url: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tiled-'))
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(!hasTiled)('checks the open map, and drops and snaps the selection', async () => {
  const extensions = join(folder, 'config/tiled/extensions')
  const map = join(folder, 'map')
  const out = join(folder, 'steps.json')
  for (const each of [extensions, map]) mkdirSync(each, { recursive: true })
  copyFileSync(join(root, 'examples/editors/tiled_extension/tangent.js'), join(extensions, 'tangent.js'))
  writeFileSync(join(extensions, 'user.js'), USER.replace('OUT', out))
  writeFileSync(join(map, 'level.tmx'), MAP)
  writeFileSync(join(map, 'props.tsx'), TILESET)
  writeFileSync(join(map, 'rules.json'), JSON.stringify(RULES))
  copyFileSync(join(root, 'docs/playground.png'), join(map, 'tile.png'))
  const env = { ...OFFSCREEN, XDG_CONFIG_HOME: join(folder, 'config'), TANGENT_URL: url }
  const tiled = spawn('tiled', ['--new-instance', join(map, 'level.tmx')], { env, stdio: 'ignore' })
  const ended = new Promise((end) => tiled.once('exit', end))
  while (!existsSync(out) && tiled.exitCode === null) await wait(100)
  // it would ask whether to save the map
  tiled.kill('SIGKILL')
  await ended
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({
    // the lamp floats, the crate stands in the wall
    checked: expect.toSatisfy((ids: number[]) => [...ids].sort().join() === '1,2,4'),
    dropped: [[2, 40, 80], [3, 80, 96], [4, 20, 88]], // biome-ignore format: rows
    undone: [[2, 40, 82], [3, 80, 60], [4, 20, 4]], // biome-ignore format: rows
    snapped: [[2, 40, 80], [3, 80, 60], [4, 20, 4]], // biome-ignore format: rows
    // nothing moves where no service answers
    away: [[2, 40, 80], [3, 80, 60], [4, 20, 4]], // biome-ignore format: rows
  })
  const cells = await app.inject('/v1/2d/scenes/level.tmx/bodies?tag=layer:ground')
  expect(cells.json().bodies).toHaveLength(1)
  // the map on the disk is as it was, and the copy beside it is gone
  expect(readFileSync(join(map, 'level.tmx'), 'utf8')).toBe(MAP)
  expect(readdirSync(map).sort()).toEqual(['level.tmx', 'props.tsx', 'rules.json', 'tile.png'])
})
