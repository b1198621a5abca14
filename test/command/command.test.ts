// The command `tangent` as a whole: help whose examples work, exit codes, and what is wrong said in plain words.

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { SERVICE_FLAGS, SUBCOMMANDS, subcommand } from '../../src/command/command.ts'
import { readFlags } from '../../src/command/flags.ts'
import { loadConfig } from '../../src/config.ts'
import { SERVICE_VERSION } from '../../src/version.ts'
import { runTangent } from '../support/command-run.ts'
import { commandsOf, documentText, fencesOf } from '../support/document-requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'tangent-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LEVEL = 'examples/levels/cellar.ldtk'
const MAP = 'examples/levels/cellar.map'
const WORKING = SUBCOMMANDS.filter((name) => name !== 'serve')

describe('help', () => {
  it('lists all commands', async () => {
    for (const args of [['--help'], ['-h'], ['help']]) {
      const { code, out, err } = await runTangent(args)
      expect([code, err]).toEqual([0, ''])
      for (const name of SUBCOMMANDS) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
      const [, example] = /^Example:\n {2}tangent (.*)$/m.exec(out)!
      expect(await runTangent(example.split(' '))).toMatchObject({ code: 1, err: '' })
    }
  })

  it.each(WORKING)('describes %s, its flags and an example', async (name) => {
    const { code, out, err } = await runTangent([name, '--help'])
    expect([code, err]).toEqual([0, ''])
    const { example, flags } = await subcommand(name)
    expect(out).toContain(`Usage: tangent ${name} `)
    expect(out).toContain(`\n  ${example}\n`)
    for (const { flag } of flags) expect(out).toContain(`--${flag}`)
    expect(out).toBe((await runTangent(['help', name])).out)
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(200)
  })

  it.each(WORKING)('has no flag twice: %s', async (name) => {
    const names = (await subcommand(name)).flags.map(({ flag }) => flag)
    expect(names).toEqual([...new Set(names)])
  })

  // those of backup and restore are in backup.test.ts
  it.each(WORKING.filter((name) => !/backup|restore/.test(name)))('shows an example of %s that works', async (name) => {
    const { example } = await subcommand(name)
    const commands = example.split(' | ').map((text) => commandsOf(text)[0])
    const [program, ...args] = commands.at(-1)!
    expect(program).toBe('tangent')
    const input = commands.length > 1 ? commands[0][1] : ''
    const at = args.indexOf('-o')
    const output = at < 0 ? null : join(folder, args[at + 1])
    const { code, out, err } = await runTangent(at < 0 ? args : args.with(at + 1, output!), { input })
    expect(code, err).toBeLessThan(2)
    expect(output === null ? out : readFileSync(output, 'utf8')).not.toBe('')
  })

  it('has a version', async () => {
    expect(await runTangent(['ask', '--version'])).toEqual({ code: 0, out: `tangent ${SERVICE_VERSION}\n`, err: '' })
  })
})

describe('what is wrong', () => {
  it.each([
    [['chek'], /^tangent: "chek" is no command\./],
    [['improt', LEVEL], /^tangent: "improt" is no command\. Did you mean import\?/],
    [['import', '--colour', LEVEL], /^tangent import: --colour is not a flag; see --help\n$/],
    [['import', '--from'], /^tangent import: --from needs a value/],
    [['import', LEVEL, '--from', '--scale', '2'], /^tangent import: --from needs a value/],
    [['import', LEVEL, '-o', '--dry-run'], /^tangent import: -o needs a value/],
    [['import', LEVEL, '--dry-run=often'], /^tangent import: --dry-run must be true or false, got "often"/],
    [['import', '--', '--dry-run'], /^tangent import: There is no file --dry-run/],
    [['import', 'a\n::error::\x1b[31mb\u202e.ldtk'], /There is no file a\\u000a::error::\\u001b\[31mb\\u202e\.ldtk/],
    [['import'], /^tangent import: Name the file of a level/],
    [['import', LEVEL, MAP], /^tangent import: One file at a time/],
    [['import', 'nowhere.ldtk'], /^tangent import: There is no file nowhere\.ldtk: check the path\.\n$/],
    [['import', 'examples'], /^tangent import: examples is a folder: name the files in it/],
    [['import', 'README.md'], /^tangent import: What README\.md is cannot be told .* --from/],
    [['import', LEVEL, '--dimension', '4'], /--dimension must be 2 or 3/],
    [['import', LEVEL, '--from', 'dxf'], /--from dxf is none that can be imported/],
    [['import', LEVEL, '--from', 'geojson'], /^tangent import: .+/],
    [['import', LEVEL, '--scale', 'large'], /^tangent import: --scale must be a number, got/],
    [['import', LEVEL, '--offset-x', '1e300'], /^tangent import: /],
    [['import', LEVEL, '--scene', 'cellar'], /--scene names a scene of a server: say which with --url/],
    [['import', LEVEL, '-o', 'nowhere/cellar.json'], /nowhere\/cellar\.json cannot be written \(ENOENT\)/],
    [['import', LEVEL, '--root', 'nowhere'], /There is no folder nowhere/],
    [['export', LEVEL, '--format', 'dxf'], /^tangent export: .*dxf/],
    [['render', LEVEL, '--width', '3'], /^tangent render: --width must be/],
    [['ask'], /Name the query, such as 2d\/contact/],
    [['ask', '2d/contcat'], /2d\/contcat is no query\. Did you mean 2d\/contact\?/],
    [['ask', '../../scenes', '--scene', LEVEL], /\.\.\/\.\.\/scenes is no query of a level\. It is one of overlap, /],
    [['ask', 'pair', '--scene', LEVEL], /pair is no query of a level\. Did you mean pairs\?/],
    [['ask', 'contact'], /contact is no query\. Did you mean 2d\/contact\?/],
    [['ask', '2d/contact', 'nowhere.json'], /The request cannot be read from nowhere\.json \(ENOENT\)/],
    [['ask', '2d/contact'], /^tangent ask: .+/],
    [['ask', '2d/contact', LEVEL, '--url', 'here'], /--url must be an address such as/],
    [
      ['ask', '2d/contact', LEVEL, '--url', 'http://127.0.0.1:1'],
      /Nothing answers at http:\/\/127\.0\.0\.1:1: .*leave --url away/,
    ],
  ])('is said, and ends with 2: %j', async (args, message) => {
    const { code, out, err } = await runTangent(args)
    expect(err).toMatch(message)
    expect([code, out]).toEqual([2, ''])
  })

  it('is said of a request, with its place', async () => {
    const input = '{"a":{"shape":{"type":"circle","radius":-1}},"b":{"shape":{"type":"point"}}}'
    const { code, err } = await runTangent(['ask', '2d/contact'], { input })
    expect([code, err]).toEqual([2, 'tangent ask: radius must be at least 0, got -1. (at #/a/shape/radius)\n'])
  })
})

describe('ask', () => {
  const input =
    '{"a":{"shape":{"type":"box","width":4,"height":2}},"b":{"shape":{"type":"circle","radius":1},"position":{"x":2.5,"y":0}}}'

  it('answers as the service does', async () => {
    const { code, out, err } = await runTangent(['ask', '2d/distance'], { input })
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({ distance: 0 })
    expect(out.endsWith('}\n')).toBe(true)
  })

  it('draws the answer into a file that is called so', async () => {
    const path = join(folder, 'contact.svg')
    expect(await runTangent(['ask', '2d/contact', '-o', path], { input })).toEqual({ code: 0, out: '', err: '' })
    expect(readFileSync(path, 'utf8')).toMatch(/^<svg /)
  })

  it('asks about a level, of the plane and of space', async () => {
    const ray = { origin: { x: 0, y: 90 }, direction: { x: 1, y: 0 } }
    const plane = await runTangent(['ask', 'ray-cast', '--scene', LEVEL], { input: JSON.stringify({ ray }) })
    expect(JSON.parse(plane.out).hits[0]).toMatchObject({ startedInside: true })
    const space = { point: { x: 48, y: 48, z: 40 }, limit: 1 }
    const nearest = await runTangent(['ask', '3d/nearest', '--scene', MAP], { input: JSON.stringify(space) })
    expect(JSON.parse(nearest.out), nearest.err).toHaveProperty('version')
  })
})

describe('levels', () => {
  it('become JSON, which comes back as it is', async () => {
    const model = join(folder, 'model.obj')
    writeFileSync(model, 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
    for (const [level, name] of [
      [LEVEL, 'plane.json'],
      [MAP, 'space.json'],
      // one mesh at the origin, of which nothing else says that it is of space
      [model, 'model.json'],
    ]) {
      const path = join(folder, name)
      const first = await runTangent(['import', level, '-o', path])
      expect([first.code, first.out]).toEqual([0, ''])
      expect(first.err).toMatch(/^\S+\/\w+\.\w+: (\d+ bodies|1 body)/)
      const again = await runTangent(['import', path])
      expect(again.out).toBe(`${readFileSync(path, 'utf8')}\n`)
    }
  })

  it('become other formats, by a flag or the name of the file', async () => {
    expect(JSON.parse((await runTangent(['export', LEVEL, '--format', 'geojson'])).out)).toHaveProperty('features')
    const glb = join(folder, 'cellar.glb')
    expect((await runTangent(['export', MAP, '-o', glb])).code).toBe(0)
    expect(readFileSync(glb).toString('latin1', 0, 4)).toBe('glTF')
  })

  it('are drawn, in the size and from the side that is wanted', async () => {
    const { out } = await runTangent(['render', LEVEL, '--width', '300', '--labels', 'false'])
    expect(out).toMatch(/^<svg [^>]*width="300"/)
    const [iso, top] = await Promise.all([runTangent(['render', MAP]), runTangent(['render', MAP, '--view', 'z'])])
    expect(top.out).toMatch(/^<svg /)
    expect(top.out).not.toBe(iso.out)
  })
})

describe('a server', () => {
  let app: FastifyInstance
  let url = ''
  beforeAll(async () => {
    app = await buildApp(
      loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', API_TOKENS: 'secret', READ_TOKENS: 'look' }),
    )
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())

  it('is asked for a token, by the flag or the variable', async () => {
    const args = ['import', LEVEL, '--scene', 'cellar', '--url', url]
    expect(await runTangent(args)).toMatchObject({ code: 2, err: expect.stringContaining('Give a token') })
    const reading = await runTangent([...args, '--token', 'look'])
    expect(reading).toMatchObject({ code: 2, err: expect.stringContaining('Give a token that may write') })
    const { code, out } = await runTangent(args, { env: { TANGENT_TOKEN: 'secret' } })
    expect([code, JSON.parse(out)]).toMatchObject([0, { bodies: 19, added: 19 }])
  })

  it('keeps the scene, and gives it back', async () => {
    const server = ['--url', url, '--token', 'secret']
    await runTangent(['import', LEVEL, '--scene', 'kept', ...server])
    const again = await runTangent(['import', LEVEL, '--scene', 'kept', ...server])
    expect(JSON.parse(again.out)).toMatchObject({ added: 0, updated: 0 })
    const remote = await runTangent(['export', '--scene', 'kept', ...server])
    const local = await runTangent(['import', LEVEL])
    expect(JSON.parse(remote.out).bodies).toEqual(JSON.parse(local.out).bodies)
    expect((await runTangent(['render', '--scene', 'kept', ...server])).out).toMatch(/^<svg /)
    const none = await runTangent(['export', '--scene', 'none', ...server])
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('Name a scene that is there with --scene.') })
  })

  it('forgets a level that a command has asked about', async () => {
    const input = '{"ray":{"origin":{"x":0,"y":90},"direction":{"x":1,"y":0}}}'
    const ask = ['ask', 'ray-cast', '--scene', LEVEL]
    const remote = await runTangent([...ask, '--url', url, '--token', 'secret'], { input })
    expect(remote.out).toBe((await runTangent(ask, { input })).out)
    const { scenes } = (await app.inject({ url: '/v1/2d/scenes', headers: { authorization: 'Bearer secret' } })).json()
    expect(scenes.map(({ id }: { id: string }) => id).filter((id: string) => id.startsWith('command-'))).toEqual([])
  })
})

it('says that a fault is its own, and ends with 2', async () => {
  const input = new Readable({ read: () => input.destroy(new Error('the pipe is broken')) })
  const { code, err } = await runTangent(['ask', '2d/contact'], { input })
  expect([code, err]).toEqual([2, expect.stringMatching(/^tangent ask: This is a fault .*the pipe is broken/)])
})

describe('what answers at an address', () => {
  const listening = async (answer: RequestListener) => {
    const server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const run = await runTangent(['check', LEVEL, '--url', url])
    server.close()
    return run
  }

  it('may be something else', async () => {
    for (const [status, text] of [
      [200, '<html>'],
      [404, 'Not Found'],
      [502, '{"error":"gateway"}'],
    ] as const) {
      const run = await listening((request, response) => {
        request.resume()
        response.writeHead(status).end(text)
      })
      expect(run).toMatchObject({ code: 2, err: expect.stringContaining(`answered ${status} with what is no answer`) })
    }
  })

  it('may break off', async () => {
    const run = await listening((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setTimeout(() => response.destroy(), 50)
    })
    expect(run).toMatchObject({ code: 2, err: expect.stringContaining('has broken off its answer') })
  })
})

describe('docs/command.md', () => {
  const lines = fencesOf(documentText('docs/command.md'))
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'))

  it.each(lines)('prints what is a command line: %s', async (line) => {
    const [, command, ...args] = commandsOf(
      line
        .split(' | ')
        .at(-1)!
        .replace(/ > \S+$/, ''),
    )[0]
    const { flags } = await subcommand(command)
    expect(readFlags(args, [...flags, ...SERVICE_FLAGS])).toHaveProperty('operands')
  })
})

describe('what documents print', () => {
  it.each(['README.md', 'docs/command.md'])('is what the command says: %s', async (path) => {
    const texts = fencesOf(documentText(path)).map(({ text }) => /^\$ .*tangent (check .*)\n([\s\S]*)$/m.exec(text))
    const [, line, answer] = texts.find((found) => found !== null)!
    expect((await runTangent(line.split(' '))).out).toBe(`${answer}\n`)
  })
})
