// tangent check: what it finds, how it tells it, and how it ends.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { runTangent } from '../support/command-run.ts'
import { ROOT } from '../support/document-requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'tangent-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, value: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const box = (id: string, x: number, y: number, tags: string[] = []) => ({
  id,
  shape: { type: 'box', width: 2, height: 2 },
  position: { x, y },
  tags,
})
const FLOOR = { id: 'floor', shape: { type: 'box', width: 40, height: 2 }, tags: ['wall'] }
const level = (...bodies: object[]) => ({ version: 1, bodies: [FLOOR, ...bodies] })

const clean = write('clean.json', level(box('crate', 0, 2)))
const sunk = write('sunk & "low".json', level(box('crate', 0, 1.5), box('copy', 0, 1.5)))
const broken = write('broken.json', '{"bodies":[')
const RULES = {
  down: { x: 0, y: -1 },
  rules: [
    { rule: 'overlap', severity: 'error', filter: { tags: { none: ['wall'] } }, against: { tags: { any: ['wall'] } } },
    { rule: 'duplicate' },
  ],
}
const rules = write('rules.json', RULES)
const CHECK = ['check', '--rules', rules]

describe('the exit code', () => {
  it('is 0 of clean levels', async () => {
    expect(await runTangent([...CHECK, clean])).toEqual({
      code: 0,
      out: `${clean}: 2 bodies, nothing found\n`,
      err: '',
    })
  })

  it('is that of the rules, whatever tells editors of their schema', async () => {
    const told = write('rules-with-schema.json', { $schema: '../lint-rules.schema.json', ...RULES })
    expect(await runTangent(['check', '--rules', told, clean])).toMatchObject({ code: 0, err: '' })
    expect(await runTangent(['check', '--rules', told, sunk])).toMatchObject({ code: 1, err: '' })
  })

  it('is 1 where something is found', async () => {
    const { code, out, err } = await runTangent([...CHECK, clean, sunk])
    expect([code, err]).toEqual([1, ''])
    expect(out).toContain(`${sunk}: 3 bodies, 2 errors, 1 warning\n`)
    expect(out).toMatch(/^ {2}error {3}overlap {2}.*crate.*\(fix: separate\)$/m)
    expect(out).toMatch(/^ {2}warning duplicate {2}.*\(fix: remove\)$/m)
    expect(out).toMatch(/\n2 levels, 2 errors, 1 warning\n$/)
  })

  it('is 2 where down is no direction, also of rules that need none', async () => {
    const { code, err } = await runTangent(['check', clean, '--down', '0,1e400'])
    expect([code, err]).toEqual([2, expect.stringContaining('--down must be 2 numbers')])
  })

  it('is 2 where one cannot be checked, and the others are', async () => {
    const { code, out, err } = await runTangent([...CHECK, broken, join(folder, 'none.json'), sunk])
    expect(code).toBe(2)
    expect(out).toContain(`${broken}: not checked\n`)
    expect(out).toMatch(/\n3 levels, 2 errors, 1 warning, 2 not checked\n$/)
    expect(err).toMatch(/^tangent check: .*broken\.json: .+\ntangent check: .*none\.json: There is no file/)
  })

  it.each([
    [['check'], /Name the files of levels/],
    [['check', clean, '--format', 'xml'], /--format must be one of text, json, junit, sarif, github, got "xml"/],
    [['check', clean, '--rules', 'none.json'], /The rules cannot be read from none\.json \(ENOENT\)/],
    [['check', clean, '--rules', broken], /broken\.json is no JSON/],
    [['check', clean, '--rules', write('number.json', 7)], /must be a list of rules/],
    [['check', clean, '--rules', write('odd.json', [{ rule: 'floting' }])], /rule must be .*floating.*rules\/0\/rule/],
    [['check', clean, '--rules', rules, '--down', '1,up'], /--down must be 2 numbers/],
    [['check', clean, '--severity', 'bad'], /--severity must be one of error, warning, info/],
    [['check', sunk, '--svg', join(clean, 'below')], /The folder .* cannot be made/],
  ])('is 2 where it is asked for wrongly: %j', async (args, message) => {
    const { code, err } = await runTangent(args)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('what counts', () => {
  it('is what has the severity that is asked for', async () => {
    const only = [...CHECK, sunk, '--severity', 'error']
    expect((await runTangent(only)).out).toContain('3 bodies, 2 errors\n')
    const copies = write('copies.json', [{ rule: 'duplicate', severity: 'info' }])
    expect((await runTangent(['check', '--rules', copies, sunk])).code).toBe(0)
    expect((await runTangent(['check', '--rules', copies, sunk, '--severity', 'info'])).out).toContain('1 info')
  })

  it('has rules of its own, and down as the format has it', async () => {
    const { code, out } = await runTangent(['check', sunk])
    expect([code, out]).toEqual([1, expect.stringContaining('duplicate')])
    const floating = write('floating.json', [{ rule: 'floating', filter: { tags: { any: ['class:Crate'] } } }])
    const cellar = join(ROOT, 'examples/levels/cellar.ldtk')
    expect((await runTangent(['check', '--rules', floating, cellar])).code).toBe(0)
    expect((await runTangent(['check', '--rules', floating, cellar, '--down', '0,-1'])).code).toBe(1)
    const nowhere = await runTangent(['check', '--rules', floating, sunk])
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining('down')])
  })
})

describe('reports', () => {
  const report = async (format: string) => {
    const { code, out, err } = await runTangent([...CHECK, '--format', format, clean, sunk, broken])
    expect([code, err]).toEqual([2, expect.stringContaining('broken.json')])
    return out
  }

  it('are JSON', async () => {
    const { levels, counts } = JSON.parse(await report('json'))
    expect(counts).toEqual({ error: 2, warning: 1, info: 0 })
    expect(levels[0]).toMatchObject({ file: clean, dimension: 2, bodies: 2, findings: [] })
    expect(levels[1].findings[0]).toMatchObject({ rule: 'overlap', bodies: expect.arrayContaining(['floor']) })
    expect(levels[2]).toEqual({ file: broken, problem: expect.any(String) })
  })

  it('are JUnit', async () => {
    const xml = await report('junit')
    expect(XMLValidator.validate(xml)).toBe(true)
    const options = {
      ignoreAttributes: false,
      attributeNamePrefix: '',
      isArray: (name: string) => /^test(suite|case)$/.test(name),
    }
    const { testsuites } = new XMLParser(options).parse(xml)
    expect(testsuites).toMatchObject({ name: 'tangent', tests: '5', failures: '3', errors: '1' })
    const [first, second, third] = testsuites.testsuite
    expect(first).toMatchObject({ name: clean, tests: '1', failures: '0', testcase: [{ name: 'nothing found' }] })
    expect(second.testcase[0]).toMatchObject({ classname: sunk, failure: { type: 'overlap', message: /^error: / } })
    expect(third.testcase).toMatchObject([{ classname: broken, error: { type: 'not checked' } }])
    for (const suite of testsuites.testsuite) {
      const { name, tests, failures, errors, testcase } = suite
      expect(Object.keys(suite).sort()).toEqual(['errors', 'failures', 'name', 'testcase', 'tests'])
      expect([name, Number(tests)]).toEqual([expect.any(String), testcase.length])
      const having = (field: string) => testcase.filter((each: object) => field in each).length
      expect([Number(failures), Number(errors)]).toEqual([having('failure'), having('error')])
      for (const { name, classname } of testcase) expect([name, classname]).toEqual([expect.any(String), suite.name])
    }
  })

  it('are SARIF by its schema', async () => {
    const log = JSON.parse(await report('sarif'))
    const text = readFileSync(
      join(ROOT, 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'),
      'utf8',
    )
    const { id: _, $schema: __, ...schema } = JSON.parse(text)
    const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true }).compile(
      schema,
    )
    validate(log)
    expect(validate.errors ?? []).toEqual([])
    validate({ ...log, runs: [{ ...log.runs[0], results: [{ level: 'bad' }] }] })
    expect(validate.errors).not.toEqual([])
    const [run] = log.runs
    expect(run.invocations[0].executionSuccessful).toBe(false)
    expect(run.tool.driver.rules).toEqual([{ id: 'overlap' }, { id: 'duplicate' }])
    expect(run.results.map(({ level }: { level: string }) => level)).toEqual(['error', 'error', 'warning'])
    const { artifactLocation } = run.results[0].locations[0].physicalLocation
    expect(artifactLocation.uri).toBe(new URL(`file://${encodeURI(sunk)}`).href)
    const marks = run.results.map(({ partialFingerprints }: { partialFingerprints: object }) =>
      JSON.stringify(partialFingerprints),
    )
    expect(new Set(marks).size).toBe(3)
  })

  it('are annotations of GitHub', async () => {
    const lines = (await report('github')).split('\n')
    expect(lines[0]).toMatch(
      /^::error file=.*sunk & "low"\.json,line=1,title=overlap::copy and floor overlap by 0\.5\.$/,
    )
    expect(lines[2]).toMatch(/^::warning .*title=duplicate::/)
    expect(lines[3]).toMatch(/^::error file=.*broken\.json,title=not checked::/)
    expect(lines.slice(4)).toEqual(['3 levels: 2 errors, 1 warning', ''])
  })

  it('say what would steer a terminal by its code', async () => {
    const path = write('\x1b[31m\n::error::.json', level(box('crate', 0, 2), box('copy', 0, 2)))
    const hostile = write('hostile-rules.json', [{ rule: 'duplicate', name: '\x1b]0;\n::error::' }])
    for (const [format, shown] of [
      ['text', String.raw`\u001b[31m\u000a::error::.json: 3 bodies, 1 warning`],
      ['text', String.raw`  warning \u001b]0;\u000a::error::  0, 2: `],
      ['github', String.raw`\u001b[31m%0A%3A%3Aerror%3A%3A.json,line=1,title=\u001b]0;%0A%3A%3Aerror%3A%3A::`],
    ] as const) {
      const { out } = await runTangent(['check', '--rules', hostile, path, '--format', format])
      expect(out).toContain(shown)
      expect(out.split('\n')).toHaveLength(3)
    }
  })

  it('go to where a link leads', async () => {
    const there = write('there.txt', 'old')
    chmodSync(there, 0o600)
    const link = join(folder, 'link.txt')
    symlinkSync(there, link)
    await runTangent([...CHECK, clean, '-o', link])
    expect(readFileSync(there, 'utf8')).toContain('nothing found')
    expect([lstatSync(link).isSymbolicLink(), statSync(there).mode & 0o777]).toEqual([true, 0o600])
  })

  it('go to a file, whole', async () => {
    const path = join(folder, 'report.xml')
    const { code, out } = await runTangent([...CHECK, '--format', 'junit', '-o', path, sunk])
    expect([code, out]).toEqual([1, ''])
    expect(readFileSync(path, 'utf8')).toMatch(/^<\?xml/)
  })

  it('have colours on a terminal alone, and not where nobody wants them', async () => {
    const painted = await runTangent([...CHECK, sunk], { isTerminal: true })
    expect(painted.out).toContain('\x1b[31merror  \x1b[0m')
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      expect((await runTangent([...CHECK, sunk], { isTerminal: true, env })).out).not.toContain('\x1b')
    }
    const path = join(folder, 'plain.txt')
    await runTangent([...CHECK, sunk, '-o', path], { isTerminal: true })
    expect(readFileSync(path, 'utf8')).not.toContain('\x1b')
  })
})

describe('--svg', () => {
  it('draws each finding', async () => {
    const drawn = join(folder, 'drawn')
    await runTangent([...CHECK, sunk, clean, '--svg', drawn])
    const names = readdirSync(drawn).sort()
    expect(names).toHaveLength(3)
    expect(names[0]).toBe('sunk & "low".json-1-overlap.svg')
    for (const name of names) expect(readFileSync(join(drawn, name), 'utf8')).toMatch(/^<svg [\s\S]*data-id="crate"/)
  })

  it('draws those of files of one name apart', async () => {
    const drawn = join(folder, 'drawn-apart')
    const paths = ['cave', 'town'].map((name) => {
      mkdirSync(join(folder, name))
      return write(`${name}/level.json`, level(box('crate', 0, 2), box('copy', 0, 2)))
    })
    await runTangent([...CHECK, ...paths, '--svg', drawn])
    const names = readdirSync(drawn)
    expect(names).toHaveLength(2)
    for (const name of names) expect(name).toMatch(/(cave|town)-level\.json-1-duplicate\.svg$/)
  })

  it('draws those of space', async () => {
    const crate = { id: 'crate', shape: { type: 'box', size: { x: 1, y: 1, z: 1 } }, position: { x: 0, y: 0, z: 0 } }
    const lying = { ...crate.shape, size: { x: 50, y: 0.2, z: 50 } }
    const others = [
      { ...crate, id: 'copy' },
      { ...crate, id: 'near', position: { x: 1.5, y: 0, z: 0 } },
      { ...crate, id: 'far', position: { x: 30, y: 0, z: 0 } },
      { id: 'ground', shape: lying, position: { x: 0, y: -0.6, z: 0 } },
    ]
    const path = write('space.json', { version: 1, bodies: [crate, ...others] })
    const drawn = join(folder, 'drawn-3d')
    const copies = write('copies-3d.json', [{ rule: 'duplicate' }])
    expect((await runTangent(['check', path, '--rules', copies, '--svg', drawn])).code).toBe(1)
    expect(readdirSync(drawn)).toEqual(['space.json-1-duplicate.svg'])
    const picture = readFileSync(join(drawn, 'space.json-1-duplicate.svg'), 'utf8')
    const ids = [...picture.matchAll(/data-id="(\w+)"/g)].map(([, id]) => id)
    expect([...new Set(ids)].sort()).toEqual(['copy', 'crate', 'near'])
  })
})

describe('--fix', () => {
  it('mends JSON until nothing is left, and then writes nothing', async () => {
    const path = write('mended.json', level(box('crate', 0, 1.5), box('copy', 0, 1.5)))
    const { code, out } = await runTangent([...CHECK, path, '--fix'])
    expect([code, out]).toEqual([0, expect.stringMatching(/: 3 bodies, \d mended, nothing found/)])
    const mended = readFileSync(path, 'utf8')
    expect(JSON.parse(mended).bodies).toMatchObject([{ position: { x: 0, y: 2 } }, { id: 'floor' }])
    expect((await runTangent([...CHECK, path, '--fix'])).code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(mended)
  })

  it('mends GeoJSON in its own frame', async () => {
    const square = (id: string, x: number) => ({
      type: 'Feature',
      id,
      properties: { kept: id },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [x, 0],
            [x + 2, 0],
            [x + 2, 2],
            [x, 2],
            [x, 0],
          ],
        ],
      },
    })
    const path = write('mended.geojson', {
      type: 'FeatureCollection',
      features: [square('a', 0), square('b', 0), square('c', 9)],
    })
    expect((await runTangent(['check', path, '--fix', '--scale', '4', '--offset-x', '3'])).code).toBe(0)
    expect(JSON.parse(readFileSync(path, 'utf8')).features).toMatchObject([square('a', 0), square('c', 9)])
  })

  it('tells the changes of other formats as operations, and leaves the file', async () => {
    const path = join(folder, 'cellar.ldtk')
    const text = readFileSync(join(ROOT, 'examples/levels/cellar.ldtk'), 'utf8')
    writeFileSync(path, text)
    const { code, out } = await runTangent(['check', path, '--fix'])
    expect([code, out]).toEqual([1, expect.stringMatching(/\n +\{"op":"move","id":"Things:/)])
    expect(readFileSync(path, 'utf8')).toBe(text)
    const framed = write('framed.json', level(box('crate', 0, 1.5), box('copy', 0, 1.5)))
    expect((await runTangent([...CHECK, framed, '--fix', '--scale', '2'])).code).toBe(1)
  })
})

describe('--watch', () => {
  it('checks again when the level or its rules change, until it is ended', async () => {
    const path = write('watched.json', level(box('crate', 0, 2)))
    const own = write('watched-rules.json', RULES)
    const controller = new AbortController()
    let heard = ''
    const onText = (text: string) => {
      heard += text
    }
    const run = runTangent(['check', '--rules', own, path, '--watch'], { signal: controller.signal, onText })
    const hears = async (text: string) => {
      await vi.waitFor(() => expect(heard).toContain(text), { timeout: 60_000 })
      heard = ''
    }
    await hears('nothing found')
    write('watched.json', level(box('crate', 0, 1)))
    await hears('1 error')
    write('watched-rules.json', '[')
    await hears('watched-rules.json is no JSON')
    write('watched-rules.json', [{ rule: 'duplicate' }])
    await hears('nothing found')
    controller.abort()
    expect((await run).code).toBe(0)
  })

  it('does not hear what it mends itself', async () => {
    const path = write('undone.json', level(box('crate', 0, 2), box('copy', 0, 2)))
    const controller = new AbortController()
    const heard: string[] = []
    const run = runTangent([...CHECK, path, '--fix', '--watch'], {
      signal: controller.signal,
      onText: (text) => heard.push(text),
    })
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 60_000 })
    // longer than a change takes to be heard
    await new Promise((resolve) => setTimeout(resolve, 300))
    write('undone.json', level(box('crate', 0, 2), box('copy', 0, 2), box('more', 0, 2)))
    await vi.waitFor(() => expect(heard.at(-1)).toContain('4 bodies'), { timeout: 60_000 })
    controller.abort()
    await run
    expect(heard.map((text) => /\d bodies, \d mended/.exec(text)?.[0])).toEqual([
      '3 bodies, 1 mended',
      '4 bodies, 1 mended',
    ])
  })
})

describe('a server', () => {
  let app: FastifyInstance
  let url = ''
  beforeAll(async () => {
    app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())

  it('finds the same, and keeps nothing', async () => {
    const args = [...CHECK, '--format', 'json', clean, sunk, broken]
    const remote = await runTangent([...args, '--url', url])
    expect(remote).toEqual(await runTangent(args))
    expect((await app.inject('/v1/2d/scenes')).json().scenes).toEqual([])
  })
})

it('shows a bar on a terminal while it takes long, and none elsewhere', async () => {
  const many = Array.from({ length: 60 }, () => sunk)
  const seen = await runTangent([...CHECK, ...many], { isTerminal: true })
  expect(seen.err.replaceAll('\r\x1b[K', '|')).toMatch(/^\|\[#*\.*\] \d+\/60 .*\|$/)
  expect((await runTangent([...CHECK, ...many])).err).toBe('')
})

it('leaves no file behind that is not whole', () => {
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  expect(existsSync(clean)).toBe(true)
})
