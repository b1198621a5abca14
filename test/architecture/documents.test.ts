// Checks the documents: every request prints the answer of the service, every link, script and file exists, and short pages stay short.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../schemas/problem.ts'
import { buildApp } from '../../src/app.ts'
import { Config, loadConfig } from '../../src/config.ts'
import { sceneQueries, sceneQueries3d } from '../../src/queries/scenes/all.ts'
import { queries, queries3d } from '../../src/queries/stateless/all.ts'
import { problemKind } from '../../src/wire/problems.ts'
import {
  ask,
  commandsOf,
  DOCUMENTS,
  documentText,
  fencesOf,
  isRefusal,
  REPLICATED,
  ROOT,
  requestsOf,
  timeless,
} from '../support/document-requests.ts'

const buildQuietApp = () => buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))

const ASKING = DOCUMENTS.filter((path) => path !== REPLICATED && requestsOf(documentText(path)).length > 0)

describe.each(ASKING)('%s', (path) => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = await buildQuietApp()
  })
  afterAll(() => app.close())

  // in order, by one service: later requests use what earlier ones created
  it.each(requestsOf(documentText(path)).map((request) => [`${request.method} ${request.url}`, request] as const))(
    'prints the answer of the service: %s',
    async (_, request) => {
      const response = await ask(app, request)
      const body = timeless(response.body)
      expect(response.statusCode, body).toSatisfy((status: number) => status >= 400 === isRefusal(request))
      const { answer, output } = request
      if (answer?.startsWith('{\n')) expect(JSON.parse(body)).toEqual(JSON.parse(timeless(answer)))
      else if (answer !== undefined) expect(body).toBe(timeless(answer))
      const drawn = join(ROOT, 'docs', output ?? '')
      if (output?.endsWith('.svg') && existsSync(drawn)) expect(response.body).toBe(readFileSync(drawn, 'utf8'))
    },
  )
})

describe('the documents', () => {
  const asked = DOCUMENTS.flatMap((path) => requestsOf(documentText(path)))
  const answered = asked.filter(({ answer }) => answer !== undefined).map(({ url }) => url.replace(/\?.*/, ''))

  it('show a request and its answer for every stateless query and every scene query', () => {
    const paths = [...queries.map(({ op }) => op), 'batch'].map((op) => `/v1/2d/${op}`)
    const inSpace = [...queries3d.map(({ op }) => op), 'batch'].map((op) => `/v1/3d/${op}`)
    const inScenes = [...sceneQueries.map(({ op }) => op), 'batch'].map((op) => `/v1/2d/scenes/cellar/${op}`)
    const inVault = [...sceneQueries3d.map(({ op }) => op), 'batch'].map((op) => `/v1/3d/scenes/vault/${op}`)
    expect(answered).toEqual(expect.arrayContaining([...paths, ...inSpace, ...inScenes, ...inVault]))
  })

  it('name every stateless query in the README', () => {
    for (const { op } of queries) expect(documentText('README.md')).toContain(`\n| \`${op}\` |`)
  })

  it.each([
    ['README.md', 150, 'lines'],
    ['ARCHITECTURE.md', 14 * 1024, 'bytes'],
    ['CONTRIBUTING.md', 5 * 1024, 'bytes'],
  ] as const)('keep %s to at most %i %s', (path, most, unit) => {
    const text = documentText(path)
    expect(unit === 'lines' ? text.split('\n').length - 1 : Buffer.byteLength(text)).toBeLessThanOrEqual(most)
  })

  it.each(Object.entries(Config.properties))('list %s with its default and meaning', (name, schema) => {
    const value = String(schema.default)
    const row = `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${schema.description} |`
    expect(documentText('docs/configuration-and-operation.md')).toContain(row)
  })

  it('explain every problem under its code, as the page of the service does', () => {
    const sections = [...documentText('docs/errors.md').matchAll(/^### (\S+)\n\n(.+)\n/gm)]
    const explained = sections.map(([, code, sentence]) => [code, sentence])
    const kinds = PROBLEM_CODES.map(problemKind).sort((a, b) => a.status - b.status)
    expect(explained).toEqual(kinds.map(({ code, title, description }) => [code, `*${title}.* ${description}`]))
  })

  it.each(DOCUMENTS)('name scripts and files of npm, npx and tsx that exist: %s', (path) => {
    const { scripts } = JSON.parse(documentText('package.json')) as { scripts: Record<string, string> }
    const text = documentText(path)
    const spoken = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name]) => name)
    // in "`npm run bench:kernels`, `bench:http`" the second is a script too
    const alone = [...text.matchAll(/`((?:bench|example|fuzz|openapi|test|torture):[a-z-]+)`/g)].map(([, name]) => name)
    for (const name of [...spoken, ...alone]) expect(scripts, name).toHaveProperty([name])
    for (const { language, text: inside } of fencesOf(text)) {
      if (language !== 'sh') continue
      for (const [command, verb, ...words] of commandsOf(inside)) {
        if (command === 'npm' && !['ci', 'run', 'install', 'pack'].includes(verb))
          expect(scripts).toHaveProperty([verb])
        for (const word of words)
          if (/^(openapi|examples|clients|loadtest)\//.test(word)) expect(existsSync(join(ROOT, word)), word).toBe(true)
      }
    }
  })
})

describe('what the documents say about the code', () => {
  const folders = ['src', 'schemas', 'test', 'loadtest', 'examples', 'openapi']
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  const pages = DOCUMENTS.filter((path) => /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/internals\//.test(path))

  it.each(pages)('names files and folders that exist: %s', (path) => {
    const named = [...documentText(path).matchAll(/`([\w.-]+\/[\w./-]*|[\w.-]+\.ts)`/g)].map(([, name]) => name)
    for (const name of named) {
      const end = `/${name.replace(/\/$/, '')}`
      expect(existsSync(join(ROOT, name)) || files.some((file) => `/${file}`.endsWith(end)), name).toBe(true)
    }
  })

  const CORE = ['src/core', 'src/core2d'].map((room) => join(ROOT, room))
  const exported = new Set(
    CORE.flatMap((core) =>
      readdirSync(core, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => [...readFileSync(join(core, file), 'utf8').matchAll(/^export function\*? (\w+)/gm)]),
    ).map(([, name]) => name),
  )
  const [tables] = documentText('docs/internals/core.md').split('\n## Bodies')
  const listed = [...tables.matchAll(/^\| `([^`]+)` \|/gm)].flatMap(([, calls]) =>
    calls.replace(/\([^)]*\)/g, '').split(', '),
  )

  it.each(listed)('%s is exported by the core', (name) => {
    expect(exported).toContain(name)
  })
})

/** The anchors that GitHub makes from headings. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading] of text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = name
    for (let n = 1; anchors.has(anchor); n++) anchor = `${name}-${n}`
    anchors.add(anchor)
  }
  return anchors
}

describe('links', () => {
  const links = [...DOCUMENTS, 'CHANGELOG.md'].flatMap((path) => {
    const text = documentText(path).replace(/^```[\s\S]*?^```$/gm, '')
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => [path, target] as const)
  })
  const relative = links.filter(([, target]) => !/^https?:/.test(target))

  it.each(relative)('of %s exist: %s', (path, target) => {
    const [file, anchor] = target.split('#')
    const aim = file === '' ? path : normalize(join(dirname(path), file))
    expect(existsSync(join(ROOT, aim)), aim).toBe(true)
    if (anchor !== undefined) expect(anchorsOf(documentText(aim))).toContain(anchor)
  })

  it('reach every page of the documents', () => {
    const aims = new Set(relative.map(([path, target]) => normalize(join(dirname(path), target.replace(/#.*/, '')))))
    for (const path of DOCUMENTS.filter((path) => path !== 'README.md')) expect(aims).toContain(path)
  })
})
