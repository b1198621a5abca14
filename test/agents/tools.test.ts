// The tools for agents, by the protocol's own client over both transports: a session as an agent has it, and what is wrong with arguments.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { call, clientByHttp, clientByLines, type ToolClient, told } from '../support/tool-clients.ts'

const CELLAR = 'examples/levels/cellar.ldtk'
const PLATFORMER = join(import.meta.dirname, '../../../shared/data/ldtk/Typical_2D_platformer_example.ldtk')
const LEVELS = [
  { level: CELLAR, word: 'crate' },
  ...(existsSync(PLATFORMER) ? [{ level: PLATFORMER, word: 'chest' }] : []),
]
const DOWN = { x: 0, y: 1 }
/** Without the entities that stand where things are put. */
const WORLD = { tags: { none: ['kind:entity'] } }

const NAMES =
  'open_level list_scenes find_bodies what_is_here overlap ray nearest place drop snap move sees lint apply picture'

let app: FastifyInstance
let address: string
beforeAll(async () => {
  app = await buildApp(loadConfig({ LOG_LEVEL: 'silent', SCENE_STORE: 'memory', HOST: '127.0.0.1', PORT: '0' }))
  address = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

const TRANSPORTS: [name: string, connect: () => Promise<ToolClient>][] = [
  ['lines', () => clientByLines(['--root', 'examples/levels'])],
  ['lines, of a server', () => clientByLines(['--url', address])],
  ['HTTP', () => clientByHttp(address)],
]

describe.each(TRANSPORTS)('over %s', (name, connect) => {
  let client: ToolClient
  beforeAll(async () => {
    client = await connect()
  })
  afterAll(() => client.close())

  it('lists the tools', async () => {
    const { tools } = await client.client.listTools()
    expect(tools.map((tool) => tool.name).join(' ')).toBe(NAMES)
    const text = JSON.stringify(tools)
    expect(text).not.toContain('$ref')
    expect(text.length).toBeLessThan(60_000)
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    }
    expect('path' in (tools[0].inputSchema.properties ?? {})).toBe(name !== 'HTTP')
    expect(client.client.getInstructions()).toContain('open_level')
  })

  it.each(LEVELS)('opens $level, finds a $word, places it, checks, and takes it back', async ({ level, word }) => {
    const content = readFileSync(level, 'utf8')
    const opened = await told(client, 'open_level', { content, name: 'level.ldtk' })
    const { scene } = opened
    expect(opened).toMatchObject({ dimension: 2, down: DOWN })
    expect(opened.bodyCount).toBeGreaterThan(2)
    const before = await told(client, 'find_bodies', { scene, contains: word })
    const [{ id, position, box }] = before.bodies
    expect(box.min.x).toBeLessThan(position.x)

    // into the middle of a wall
    const wall = (await told(client, 'find_bodies', { scene, tag: 'kind:cell' })).bodies[0].box
    const middle = { x: (wall.min.x + wall.max.x) / 2, y: (wall.min.y + wall.max.y) / 2 }
    const placed = await told(client, 'place', { scene, bodyId: id, pose: { position: middle } })
    expect(placed).toMatchObject({ operations: [{ op: 'move', id, position: placed.position }] })

    const dry = await told(client, 'apply', { scene, operations: [{ op: 'move', id, position: middle }] })
    expect(dry).toMatchObject({ written: false, changed: 1, next: expect.stringContaining('dryRun false') })
    expect((await told(client, 'find_bodies', { scene, id })).body.position).toEqual(position)

    const written = await told(client, 'apply', { scene, operations: placed.operations, dryRun: false })
    expect(written).toMatchObject({ written: true, version: opened.version + 1, undo: [{ op: 'patch', id }] })
    expect((await told(client, 'find_bodies', { scene, id })).body.position).toEqual(placed.position)
    const overlaps = await told(client, 'overlap', { scene, bodyId: id })
    expect(overlaps.bodies.filter(({ relation }: { relation: string }) => relation === 'overlapping')).toEqual([])

    const lint = await told(client, 'lint', {
      scene,
      down: DOWN,
      rules: [{ rule: 'overlap', filter: { ids: { include: [id] } } }],
    })
    expect(lint.findings).toEqual([])

    await told(client, 'apply', { scene, operations: written.undo, dryRun: false })
    const after = await told(client, 'find_bodies', { scene, contains: word })
    expect(after.bodies).toEqual(before.bodies)
    expect(after.version).toBe(before.version + 2)
  })

  it('asks every query', async () => {
    const { scene } = await told(client, 'open_level', { content: readFileSync(CELLAR, 'utf8'), name: 'cellar.ldtk' })
    const { bodies } = await told(client, 'find_bodies', { scene, tag: 'kind:entity' })
    const [{ id, position }, other] = bodies
    expect((await told(client, 'what_is_here', { scene, point: position })).bodies[0]).toHaveProperty('relation')
    const nowhere = await told(client, 'what_is_here', { scene, point: { x: -500, y: -500 } })
    expect(nowhere).toMatchObject({ bodies: [], nearest: [{}, {}, {}] })
    const ray = { origin: position, direction: DOWN }
    expect(await told(client, 'ray', { scene, ray, startInside: 'ignore' })).toHaveProperty('hits')
    expect((await told(client, 'nearest', { scene, bodyId: id, count: 2 })).bodies).toHaveLength(2)
    expect(await told(client, 'drop', { scene, bodyId: id, direction: DOWN })).toHaveProperty('status')
    expect(await told(client, 'snap', { scene, bodyId: id, maxDistance: 8 })).toHaveProperty('candidates')
    expect(await told(client, 'move', { scene, bodyId: id, translation: { x: 4, y: 0 } })).toHaveProperty('path')
    const sight = await told(client, 'sees', { scene, bodyId: id, targets: [{ bodyId: other.id }] })
    expect(sight.sights).toHaveLength(1)
    expect(await told(client, 'lint', { scene })).toHaveProperty('counts')
    const { scenes } = await told(client, 'list_scenes', { dimension: 2 })
    expect(scenes).toContainEqual(expect.objectContaining({ scene, dimension: 2 }))
  })

  it('draws', async () => {
    const { scene } = await told(client, 'open_level', { content: readFileSync(CELLAR, 'utf8'), name: 'cellar.ldtk' })
    const both = await call(client, 'picture', { scene, format: 'both', yDown: true, width: 300 })
    expect(both.text).toMatch(/^<svg /)
    expect(both.images[0].mimeType).toBe('image/png')
    const png = Buffer.from(both.images[0].data, 'base64')
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBe(300)
    const asked = await call(client, 'picture', { scene, query: 'nearest', request: { point: DOWN }, format: 'svg' })
    expect(asked.text).toMatch(/^<svg /)
  })

  it('works in space', async () => {
    const content = readFileSync('examples/levels/cellar.map', 'utf8')
    const { scene, dimension } = await told(client, 'open_level', { content, name: 'cellar.map' })
    expect(dimension).toBe(3)
    const box = { type: 'box', size: { x: 8, y: 8, z: 8 } }
    const put = { op: 'put', body: { id: 'crate', shape: box, position: { x: 48, y: 48, z: 40 } } }
    const written = await told(client, 'apply', { scene, operations: [put], dryRun: false })
    expect(written.undo).toEqual([{ op: 'remove', id: 'crate' }])
    const down = { x: 0, y: 0, z: -1 }
    const dropped = await told(client, 'drop', { scene, bodyId: 'crate', direction: down, filter: WORLD })
    expect(dropped).toMatchObject({ status: 'landed', operations: [{ op: 'move', id: 'crate' }] })
    expect((await call(client, 'picture', { scene, view: 'z', width: 200 })).images).toHaveLength(1)
    const found = await told(client, 'find_bodies', {
      scene,
      box: { min: { x: 44, y: 44, z: 36 }, max: { x: 52, y: 52, z: 44 } },
    })
    expect(found.bodies.map(({ id }: { id: string }) => id)).toContain('crate')
  })

  it.each<[tool: string, args: object, message: RegExp]>([
    ['opne_level', {}, /"opne_level" is no tool\. Did you mean open_level\?/],
    ['open_level', {}, /There is no level to open\. Give .*content/],
    ['open_level', { content: 7 }, /content must be a string, got 7/],
    ['open_level', { content: '', name: 'a.ldtk' }, /./],
    ['open_level', { content: '{"levels":', name: 'a.ldtk' }, /Check that content is the whole text/],
    ['open_level', { content: 'hello' }, /cannot be told from its name or content\. Say it with format/],
    ['open_level', { content: '{}', name: 'a.ldtk', scale: 'large' }, /scale must be a number/],
    ['open_level', { content: '{}', name: 'a.ldtk', colour: 1 }, /"colour" is not a known/],
    ['open_level', { path: 'a', content: 'b' }, /There is content and a path\. Give one/],
    ['find_bodies', { scene: 'nowhere' }, /There is no scene nowhere\. Call list_scenes/],
    ['find_bodies', { scene: 'x'.repeat(1_000) }, /scene must have at most 128 characters, got 1000/],
    ['find_bodies', { scene: '../../livez' }, /scene must be/],
    ['find_bodies', {}, /scene is missing/],
    ['find_bodies', { scene: 'here', id: 'nobody' }, /no body nobody\. Call find_bodies/],
    ['find_bodies', { scene: 'here', box: { min: { x: 1, y: 1 }, max: { x: 0, y: 0 } } }, /./],
    ['find_bodies', { scene: 'here', limit: Number.POSITIVE_INFINITY }, /limit must be a whole number, got null/],
    ['find_bodies', { scene: 'here', limit: 1e9 }, /limit must be at most 100/],
    ['ray', { scene: 'here' }, /./],
    [
      'ray',
      { scene: 'here', ray: { origin: [0, 0], direction: DOWN } },
      /origin must be an object such as .*#\/ray\/origin/,
    ],
    ['nearest', { scene: 'here', point: { x: Number.NaN, y: 0 } }, /x must be a number, got null/],
    ['nearest', { scene: 'here', point: { x: 1e300, y: 0 } }, /may reach 1e\+100/],
    ['place', { scene: 'here', bodyId: 'nobody' }, /nobody.* Call find_bodies/],
    ['drop', { scene: 'here', bodyId: 'crate' }, /direction is missing/],
    ['sees', { scene: 'here', point: DOWN, targets: 'all' }, /targets must be an array/],
    ['lint', { scene: 'here', rules: [{ rule: 'floatng' }] }, /Did you mean "floating"\?|must be one of/],
    ['apply', { scene: 'here', operations: [] }, /operations must have at least 1 item/],
    ['apply', { scene: 'here', operations: [{ op: 'explode' }], dryRun: false }, /op must be one of put, move/],
    ['apply', { scene: 'here', operations: [{ op: 'remove', id: 'nobody' }], dryRun: false }, /nobody/],
    [
      'apply',
      { scene: 'here', operations: [{ op: 'put', body: { id: 'a', shape: { type: 'circle', radius: -1 } } }] },
      /radius/,
    ],
    ['picture', { scene: 'here', width: 10_000 }, /width must be at most 1600/],
    ['picture', { scene: 'here', query: 'everything' }, /"everything" is no query\. Give one of overlap/],
    ['picture', { scene: 'here', format: 'gif' }, /format must be one of "png", "svg", "both"/],
  ])('says what is wrong, and goes on: %s %j', async (tool, args, message) => {
    await told(client, 'open_level', { scene: 'here' })
    const { isError, text } = await call(client, tool, args)
    expect(text).toMatch(message)
    expect([isError, text.length < 2001]).toEqual([true, true])
    expect(await told(client, 'list_scenes')).toHaveProperty('scenes')
  })

  it('takes what clients write at once', async () => {
    const { scene } = await told(client, 'open_level', { scene: `many-${name.replace(/\W/g, '')}` })
    const put = (k: number) => ({ op: 'put', body: { id: `b${k}`, shape: { type: 'circle', radius: 1 } } })
    const written = await Promise.all(
      Array.from({ length: 3 }, (_, k) => call(client, 'apply', { scene, operations: [put(k)], dryRun: false })),
    )
    for (const { isError, text } of written) if (isError) expect(text).toMatch(/Call the tool again/)
    const { bodyCount } = await told(client, 'open_level', { scene })
    expect(bodyCount).toBe(written.filter(({ isError }) => !isError).length)
  })
})
