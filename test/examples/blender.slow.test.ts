// Runs the programs for users of Blender in Blender itself, without a window, against the app on a loopback port.
// Blender is large, and most machines that run tests have none: then this is skipped, and says so.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const hasBlender = await run('blender', ['--version']).then(
  () => true,
  () => false,
)
if (!hasBlender) console.warn('skipped: blender is absent, and with it the tests of what runs in it')

/** A floor without thickness, a table, and six props: two to be stacked turned, a sphere with a lid of its own, one sunk, one beside the floor. */
const LEVEL = `
import bpy, sys
bpy.ops.wm.read_factory_settings(use_empty=True)
props = bpy.data.collections.new("Props")
bpy.context.scene.collection.children.link(props)

def named(name, is_prop=True):
    thing = bpy.context.object
    thing.name = name
    if is_prop:
        bpy.context.scene.collection.objects.unlink(thing)
        props.objects.link(thing)
    return thing

def cube(name, at, is_prop=True, **more):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at, **more)
    return named(name, is_prop)

bpy.ops.mesh.primitive_plane_add(size=20, location=(0, 0, 0.1))
named("Floor", False)
cube("Table", (3, 0, 0.6), False, scale=(2, 2, 1))
cube("Crate A", (3, 0, 3), rotation=(0.1, 0.2, 0.3))
cube("Crate B", (3.2, 0.1, 5), scale=(1, -1, 0.5))
cube("Sunk", (-3, 0, 0.3))
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.5, location=(0, -3, 2))
ball = named("Ball")
lid = cube("Lid", (0, -3, 3), scale=(0.2, 0.2, 0.2))
lid.parent = ball
lid.matrix_parent_inverse = ball.matrix_world.inverted()
cube("Far", (50, 0, 3))
bpy.ops.object.light_add(location=(0, 0, 5))
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[-1])
`

/** Installs the add-on as its archive, and does with it what a user does with its buttons. What it prints is read as JSON. */
const ADDON = `
import bpy, json, os, shutil, sys
archive = shutil.make_archive(os.path.join(sys.argv[-1], "tangent"), "zip", "examples/editors", "blender_addon")
bpy.ops.preferences.addon_install(filepath=archive)
bpy.ops.preferences.addon_enable(module="blender_addon")
settings = bpy.context.scene.tangent
objects = bpy.context.view_layer.objects

def select(*names):
    for thing in objects:
        thing.select_set(thing.name in names)

def findings():
    found = bpy.data.collections.get("Tangent findings")
    if found is None:
        return []
    return [[each.name, each["tangent_severity"], [round(at, 3) for at in each.location]] for each in found.objects]

def attempt(operator):
    try:
        return list(operator())
    except RuntimeError as error:
        return str(error)

steps = {}
settings.props = bpy.data.collections["Props"]
steps["check"] = [attempt(bpy.ops.tangent.check), findings()]
found = bpy.data.collections["Tangent findings"].objects[0]
objects.active = found
bpy.ops.tangent.select()
steps["selected"] = sorted(thing.name for thing in objects if thing.select_get())
select("Sunk", "Ball", "Lid", "Crate A", "Crate B")
steps["drop"] = attempt(bpy.ops.tangent.drop)
steps["settled"] = [attempt(bpy.ops.tangent.check), findings()]
select("Crate A")
objects["Crate A"].location.z = 0.6
steps["place"] = [attempt(bpy.ops.tangent.place), [round(at, 4) for at in objects["Crate A"].location]]
select()
steps["nothing"] = attempt(bpy.ops.tangent.drop)
bpy.ops.tangent.clear()
steps["cleared"] = findings()
room = objects["Table"]
room.scale = (40, 40, 40)
bpy.data.texts.new("tangent_rules.json").write('{"rules": [{"rule": "inside-solid", "name": "in", "of": "position", "filter": {"tags": {"any": ["name:Far"]}}}]}')
room.location.x = 30
steps["room"] = [attempt(bpy.ops.tangent.check), findings()]
room["tangent_surface"] = True
steps["surface"] = [attempt(bpy.ops.tangent.check), findings()]
bpy.data.texts["tangent_rules.json"].from_string("{")
steps["unread"] = attempt(bpy.ops.tangent.check)
bpy.context.preferences.addons["blender_addon"].preferences.url = "http://127.0.0.1:1"
steps["away"] = attempt(bpy.ops.tangent.check)
print("STEPS " + json.dumps(steps))
`

let app: FastifyInstance
let folder: string
let level: string
const env: NodeJS.ProcessEnv = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }

async function blender(...args: string[]) {
  const ended = await run('blender', ['-b', ...args], { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, stdout: stdout as string, stderr: stderr as string }),
  )
  const lines = ended.stdout.split('\n').filter((line) => !/^(Blender |Read blend|Info: |$)/.test(line))
  return { ...ended, lines }
}

async function ask<Answer>(path: string, question: object): Promise<Answer> {
  const response = await app.inject({ method: 'POST', url: `/v1/3d/scenes/${path}`, payload: question })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'blender-'))
  level = join(folder, 'level.blend')
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  env.TANGENT_URL = await app.listen({ host: '127.0.0.1', port: 0 })
  if (hasBlender) {
    const made = await blender('--factory-startup', '--python-expr', LEVEL, '--', level)
    expect(statSync(level).size, made.stderr).toBeGreaterThan(0)
  }
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

describe.skipIf(!hasBlender)('blender_drop.py', () => {
  const drop = (file: string, ...more: string[]) =>
    blender(file, '--python', 'examples/editors/blender_drop.py', '--', ...more)

  it('lets props fall until they touch, and saves the file', async () => {
    const out = join(folder, 'dropped.blend')
    const first = await drop(level, '--props', 'Props', '--separate', '--out', out)
    expect(first.lines).toEqual([
      '8 bodies, 0 skipped',
      'Sunk moves by 0, 0, 0.3, out of Floor',
      'Sunk falls 0 onto Floor',
      'Ball falls 1.4 onto Floor',
      expect.stringMatching(/^Crate A falls 1\.26\d* onto Table$/),
      'Far has nothing below it within 10',
      'Lid falls 0.4 onto Ball',
      expect.stringMatching(/^Crate B falls 2\.\d+ onto Crate A$/),
      '6 props, 1 unsettled, 0 overlaps',
    ])
    expect(first.code).toBe(1)
    // what was saved is sent again by the next run, and is what the service is asked about
    const again = await drop(out, '--props', 'Sunk,Ball,Lid,Crate*', '--dry-run')
    expect(again.lines.slice(1, -1)).toHaveLength(5)
    for (const line of again.lines.slice(1, -1)) expect(line).toMatch(/ falls (0|0\.000001) onto /)
    expect(again.code).toBe(0)
    for (const [id, below] of [
      ['Sunk', 'Floor'],
      ['Ball', 'Floor'],
      ['Crate_A', 'Table'],
      ['Lid', 'Ball'],
      ['Crate_B', 'Crate_A'],
    ]) {
      const met = await ask<{ bodies: { relation: string }[] }>('dropped.blend/overlap', { bodyId: id })
      expect(met.bodies.filter(({ relation }) => relation === 'overlapping')).toEqual([])
      const filter = { ids: { include: [below] } }
      const near = await ask<{ bodies: { distance: number }[] }>('dropped.blend/nearest', { bodyId: id, filter })
      expect(near.bodies[0]?.distance).toBeLessThan(2e-6)
    }
  })

  it('turns props to what they land on', async () => {
    const out = join(folder, 'turned.blend')
    const { lines, code } = await drop(level, '--props', 'Crate*', '--align', 'face', '--out', out)
    expect(lines.slice(1)).toEqual([
      'Crate A falls 1.4 onto Table, turned',
      // 5 - 0.25 - 2.1
      'Crate B falls 2.65 onto Crate A',
      'Floor and Sunk overlap, 0.3 deep',
      '2 props, 0 unsettled, 1 overlaps',
    ])
    expect(code).toBe(1)
    const met = await ask<{ bodies: { distance: number }[] }>('level.blend/nearest', {
      bodyId: 'Crate_A',
      filter: { ids: { include: ['Table'] } },
    })
    expect(met.bodies[0]?.distance).toBeLessThan(2e-6)
  })

  it('says what to do where it cannot check', async () => {
    const away = await drop(level, '--props', 'Crate*', '--url', 'http://127.0.0.1:1')
    expect([away.code, away.stderr]).toEqual([2, expect.stringMatching(/does not answer .* Start the service/)])
    const nobody = await drop(level, '--props', 'Barrel*')
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringMatching(/^No prop .* name them with --props/m)])
  })
})

describe.skipIf(!hasBlender)('the add-on', () => {
  it('shows findings, lets the selection fall, and places it', async () => {
    env.BLENDER_USER_SCRIPTS = join(folder, 'scripts')
    env.BLENDER_USER_CONFIG = join(folder, 'config')
    const { stdout, stderr } = await blender(level, '--python-expr', ADDON, '--', folder)
    const line = stdout.split('\n').find((each) => each.startsWith('STEPS '))
    expect(line, stdout + stderr).toBeDefined()
    const steps = JSON.parse(line!.slice('STEPS '.length))
    expect(steps.check).toEqual([
      ['FINISHED'],
      [
        ['overlap: Floor, Sunk', 'warning', expect.any(Array)],
        ['floating: Ball', 'error', [0, -3, 2]],
        ['floating: Crate A', 'error', [3, 0, 3]],
        ['floating: Crate B', 'error', expect.any(Array)],
        ['floating: Far', 'error', [50, 0, 3]],
        ['floating: Lid', 'error', [0, -3, 3]],
      ],
    ])
    expect(steps.selected).toEqual(['Floor', 'Sunk'])
    expect(steps.drop).toEqual(['FINISHED'])
    expect(steps.settled).toEqual([['FINISHED'], [['floating: Far', 'error', [50, 0, 3]]]])
    expect(steps.place[0]).toEqual(['FINISHED'])
    // out of the table, to one of its sides
    expect(steps.place[1]).not.toEqual([3, 0, 0.6])
    const met = await ask<{ bodies: { relation: string }[] }>('level.blend/overlap', { bodyId: 'Crate_A' })
    expect(met.bodies.filter(({ relation }) => relation === 'overlapping')).toEqual([])
    expect(steps.nothing).toMatch(/No selected object has faces: select/)
    expect(steps.cleared).toEqual([])
    // a closed mesh is solid, unless the object says that it is a surface
    expect(steps.room).toEqual([['FINISHED'], [['in: Far, Table', 'error', [50, 0, 3]]]])
    expect(steps.surface).toEqual([['FINISHED'], []])
    expect(steps.unread).toMatch(/The text tangent_rules.json has no rules that can be read/)
    expect(steps.away).toMatch(/does not answer .* Start the service/)
  })
})
