// Keeps the rooms of ARCHITECTURE.md: who may import whom, how large a file may grow, and no stray
// tolerances.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { preProcessFile } from 'typescript'
import { describe, expect, it } from 'vitest'

/** Every room, in order: a file imports from its own room and from those before it. What lies in no room stands by itself. */
const ROOMS = [
  'src/watched.ts',
  'src/containers',
  'src/numeric',
  'src/core',

  'src/core2d',
  'src/core2d/broad-phase',
  'src/core2d/outline',
  'src/core2d/shape',
  'src/core2d/narrow-phase',
  'src/core2d/minimum-translation',
  'src/core2d/ray',
  'src/core2d/queries',
  'src/core2d/fit',
  'src/core2d/motion',

  'src/core3d',
  'src/core3d/broad-phase',
  'src/core3d/mesh',
  'src/core3d/shape',
  'src/core3d/narrow-phase',
  'src/core3d/minimum-translation',
  'src/core3d/ray',
  'src/core3d/queries',
  'src/core3d/fit',
  'src/core3d/slice',
  'src/core3d/decompose',
  'src/core3d/motion',

  'src/scene/state',
  'src/scene/store',
  'src/scene/postgres',
  'src/scene/keeper',
  'src/scene/queries',
  'src/scene/feed',

  'schemas',
  'schemas/queries',
  'schemas/scenes',
  'src/json',

  'src/wire',

  'src/kept/canonical-content.ts',
  'src/kept/kept-shape.ts',
  'src/import/source-files.ts',
  'src/import/meshes',
  'src/import',
  'src/kept',

  'src/pictures',
  'src/pictures/queries',
  'src/pictures/scenes',

  'src/export',

  'src/queries/ask',
  'src/queries/stateless',
  'src/queries/lint',
  'src/queries/scenes',
  'src/threads',

  'src/playground/sketch',
  'src/playground',
  'src/playground/space',

  'src/version.ts',
  'src/config.ts',
  'src/telemetry',
  'src/telemetry.ts',
  'src/plugins',
  'src/replies',
  'src/agents',
  'src/routes',
  'src/all-routes.ts',
  'src/app.ts',
  'src/command',
  'src/server.ts',
  'src/migrate.ts',
  'src/move-scenes.ts',

  'loadtest/measuring',
  'loadtest/heavy',
  'loadtest',
  'loadtest/broad-phase',
  'loadtest/kernels',
  'loadtest/kernels3d',
  'loadtest/mesh',
  'loadtest/differential',
  'loadtest/playground',
  'loadtest/scale',
  'loadtest/events',
  'loadtest/import',
]

/** Tests lie in folders that are called as the rooms of what they test. */
const MIRRORED =
  /^test\/(containers|numeric|core2d|core3d|scene|json|wire|import|kept|export|queries|threads|plugins|agents|command|telemetry)(\/|$)/

const root = join(import.meta.dirname, '../..')
const files = ['src', 'schemas', 'loadtest', 'test']
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => posix.join(folder, name)),
  )
  .filter((path) => path.endsWith('.ts') && !/\/(node_modules|dist)\//.test(path))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, imports: importsOf(path, text) }
  })
const ours = files.filter(({ path }) => /^(src|schemas)\//.test(path))
const roomed = files.filter(({ path }) => !path.startsWith('test/'))

interface Import {
  /** A path from the root for our own files, the bare name for packages. */
  target: string
  typeOnly: boolean
}

function importsOf(path: string, text: string): Import[] {
  const types = new Set([...text.matchAll(/^import type [^'"]*? from '([^']+)'/gm)].map(([, name]) => name))
  return preProcessFile(text).importedFiles.map(({ fileName }) => ({
    target: fileName.startsWith('.') ? posix.join(posix.dirname(path), fileName) : fileName,
    typeOnly: types.has(fileName),
  }))
}

/** The place of a file's room in the list, −1 without one. A file in the list is a room of its own. */
const levelOf = (path: string) => ROOMS.indexOf(ROOMS.includes(path) ? path : posix.dirname(path))

describe('rooms', () => {
  it('has every file in a room', () => {
    expect(roomed.map(({ path }) => path).filter((path) => levelOf(path) < 0)).toEqual([])
  })

  it('has no room that is empty', () => {
    const levels = new Set(roomed.map(({ path }) => levelOf(path)))
    expect(ROOMS.filter((_, level) => !levels.has(level))).toEqual([])
  })

  it('imports only from rooms that come before', () => {
    const breaches = roomed.flatMap(({ path, imports }) =>
      imports.filter(({ target }) => levelOf(target) > levelOf(path)).map(({ target }) => `${path} imports ${target}`),
    )
    expect(breaches).toEqual([])
  })

  it('has tests in folders called as the rooms', () => {
    const folders = new Set(files.map(({ path }) => posix.dirname(path)).filter((folder) => MIRRORED.test(folder)))
    expect([...folders].filter((folder) => !ROOMS.includes(folder.replace(/^test/, 'src')))).toEqual([])
  })

  it('has no files that import each other in a circle', () => {
    const arrows = new Map(roomed.map(({ path, imports }) => [path, imports.map(({ target }) => target)]))
    expect(circlesOf(arrows)).toEqual([])
  })

  it('finds circles', () => {
    const arrows = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['b', 'd']],
      ['d', []],
    ])
    expect(circlesOf(arrows)).toEqual([['b', 'c']])
  })
})

/** Sets of files of which each is imported, through others, by each other one. R. Tarjan, "Depth-first search and linear graph algorithms", 1972. */
function circlesOf(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const visit = (file: string): void => {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    path.push(file)
    for (const next of arrows.get(file) ?? []) {
      if (!order.has(next)) visit(next)
      if (path.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const circle = path.splice(path.indexOf(file))
    if (circle.length > 1) circles.push(circle)
  }
  for (const file of arrows.keys()) if (!order.has(file)) visit(file)
  return circles
}

/** [files this concerns, what they may import, what they must not import even so] */
const floors: [name: string, who: RegExp, may: RegExp, mustNot?: RegExp][] = [
  ['watched work is that of Node', /^src\/watched\.ts$/, /^node:/],
  ['containers import only themselves', /^src\/containers\//, /^src\/containers\//],
  ['numeric imports containers and itself', /^src\/numeric\//, /^src\/(containers|numeric)\//],
  ['core imports containers, numeric and itself', /^src\/core\//, /^src\/(containers|numeric|core)\//],
  [
    'core2d imports containers, numeric, core, itself and robust-predicates',
    /^src\/core2d\//,
    /^(src\/(containers|numeric|core|core2d)\/|robust-predicates$)/,
  ],
  [
    'core3d imports containers, numeric, core, itself, robust-predicates, and what core2d knows of points in a plane',
    /^src\/core3d\//,
    /^(src\/(containers|numeric|core|core3d)\/|src\/core2d\/outline\/(orientation|convex-hull)\.ts$|robust-predicates$)/,
  ],
  [
    'scene imports core, containers, itself and Node',
    /^src\/scene\/(?!postgres\/)/,
    /^(src\/(core|core2d|core3d|numeric|containers|scene)\/|src\/watched\.ts$|node:)/,
  ],
  [
    'the store in PostgreSQL imports what a store is, itself, Node and the client',
    /^src\/scene\/postgres\//,
    /^(src\/scene\/(store|postgres)\/|src\/watched\.ts$|node:|(pg|pg-copy-streams)$)/,
  ],
  ['schemas import only TypeBox', /^schemas\//, /^(schemas\/|@sinclair\/typebox$)/],
  [
    'json imports containers, itself and what schemas are',
    /^src\/json\//,
    /^(src\/(containers|json)\/|@sinclair\/typebox$|node:buffer$)/,
  ],
  [
    'wire imports core, scene, json, schemas and itself',
    /^src\/wire\//,
    /^(src\/(core|core2d|core3d|numeric|containers|json|scene|wire)\/|schemas\/|@sinclair\/typebox$|ajv$)/,
  ],
  [
    'queries import wire, pictures and below',
    /^src\/queries\//,
    /^(src\/(core|core2d|core3d|numeric|containers|json|scene|wire|import|kept|export|pictures|queries)\/|schemas\/|@sinclair\/typebox$|node:(timers|v8$))/,
  ],
  [
    'threads import queries and below, the pool, and what speaks to the allocator',
    /^src\/threads\//,
    /^(src\/(containers|json|wire|kept|queries|threads)\/|src\/watched\.ts$|schemas\/|node:|(piscina|koffi)$)/,
  ],
  [
    'imports know the wire and below, and the ids of kept shapes and how threads share them',
    /^src\/import\//,
    /^(src\/(core2d|core3d|containers|json|scene|wire|import)\/|src\/kept\/(canonical-content|kept-shape)\.ts$|schemas\/|(node:crypto|node:zlib|fzstd|meshoptimizer\/decoder)$)/,
  ],
  [
    'kept shapes know core, scenes, wire, files of meshes, and Node',
    /^src\/kept\//,
    /^(src\/(core2d|core3d|containers|json|scene|wire|import|kept)\/|schemas\/|node:)/,
  ],
  [
    'exports know scenes, frames of imports, and what pictures make of shapes',
    /^src\/export\//,
    /^(src\/(containers|core2d|core3d|scene|wire|import|pictures|export)\/|schemas\/)/,
  ],
  [
    'pictures import core, schemas and themselves',
    /^src\/pictures\/(?!scenes\/)/,
    /^(src\/(core|core2d|core3d|pictures)\/|schemas\/)/,
  ],
  [
    'pictures of scenes, and of what is asked about them, know scenes too, and work in slices',
    /^src\/pictures\/scenes\//,
    /^(src\/(containers|core|core2d|scene|pictures)\/|schemas\/)/,
  ],
  [
    'the playground is a client: it imports itself, and types of schemas',
    /^src\/playground\//,
    /^(src\/playground|schemas)\//,
  ],
  ['nobody imports the playground', /^src\/(?!playground\/)/, /./, /^src\/playground\//],
  ['no route imports a route', /^src\/routes\//, /./, /^src\/routes\//],
  ['plugins and replies stay above the core', /^src\/(plugins|replies)\//, /./, /^src\/core[23]d\//],
  [
    'agents ask by requests: they know the wire, what tells a file, and the protocol',
    /^src\/agents\//,
    /^(src\/(wire|import|agents)\/|src\/version\.ts$|schemas\/|node:|@modelcontextprotocol\/sdk\/|(fastify|ajv|@sinclair\/typebox|@resvg\/resvg-js)$)/,
  ],
  ['config knows only schemas', /^src\/config\.ts$/, /./, /^src\//],
  ['only processes import commands', /^src\/(?!command\/|(server|migrate)\.ts$)/, /./, /^src\/command\//],
  ['nothing imports telemetry', /^src\/(?!telemetry(\/|\.ts$))/, /./, /^src\/telemetry(\/|\.ts$)/],
  ['nothing imports a process', /./, /./, /^src\/(server|migrate|move-scenes)\.ts$/],
]

describe('floors', () => {
  it.each(floors)('%s', (_name, who, may, mustNot) => {
    const breaches = ours
      .filter(({ path }) => who.test(path))
      .flatMap(({ path, imports }) => imports.map(({ target }) => ({ path, target })))
      .filter(({ target }) => !may.test(target) || mustNot?.test(target))
      .map(({ path, target }) => `${path} imports ${target}`)
    expect(breaches).toEqual([])
  })
})

it('has telemetry see of the service nothing but types, and its version', () => {
  const seen = ours
    .filter(({ path }) => path.startsWith('src/telemetry'))
    .flatMap(({ imports }) => imports.filter(({ target, typeOnly }) => !typeOnly && target.startsWith('src/')))
    .map(({ target }) => target)
    .filter((target) => !target.startsWith('src/telemetry/'))
  expect([...new Set(seen)]).toEqual(['src/version.ts'])
})

const kind = '(?:circle|capsule|polygon|ellipse|halfplane)'
const ceilings: [who: RegExp, lines: number][] = [
  [/^src\/app\.ts$/, 100],
  [/./, 700],
]

it('takes nothing but types from the schemas into the playground', () => {
  const values = ours
    .filter(({ path }) => path.startsWith('src/playground/'))
    .flatMap(({ path, imports }) =>
      imports.filter(({ target, typeOnly }) => target.startsWith('schemas/') && !typeOnly).map(() => path),
    )
  expect(values).toEqual([])
})

describe('sizes and names', () => {
  it.each(ceilings)('files like %s stay within %i lines', (who, lines) => {
    const tooLong = ours
      .map(({ path, text }) => ({ path, count: text.trimEnd().split('\n').length }))
      .filter(({ path, count }) => who.test(path) && count > lines)
    expect(tooLong).toEqual([])
  })

  it('names every file after its subject', () => {
    expect(
      ours.map(({ path }) => path).filter((path) => /(^|\/)(index|utils?|helpers?|common|misc)\.ts$/.test(path)),
    ).toEqual([])
  })

  it('has one file for each unordered pair of kinds', () => {
    const pairs = ours
      .map(({ path }) => path.match(new RegExp(`^src/core2d/narrow-phase/(${kind})-(${kind})\\.ts$`)))
      .filter((match) => match !== null)
    const unordered = pairs.map(([, a, b]) => [a, b].sort().join('-'))
    expect(unordered.length).toBeGreaterThan(0)
    expect(unordered).toEqual([...new Set(unordered)])
  })
})

describe('tolerances', () => {
  it('has no small number in the core outside tolerances.ts and roundoff.ts', () => {
    const stray = ours
      .filter(({ path }) => /^src\/(core2d|core3d|numeric|containers)\//.test(path))
      .filter(
        ({ path }) =>
          !/^src\/(core2d\/tolerances|core3d\/(minimum-translation\/)?tolerances|numeric\/roundoff)\.ts$/.test(path),
      )
      .flatMap(({ path, text }) =>
        withoutComments(text)
          .split('\n')
          .map((line, index) => ({ where: `${path}:${index + 1}`, line }))
          .filter(({ line }) => /\d[eE]-\d|\b0\.00+[1-9]|\*\*\s*-\d|\bEPSILON\b/.test(line)),
      )
    expect(stray).toEqual([])
  })
})

/** The text with every comment blanked out, line numbers kept. */
function withoutComments(text: string) {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '))
}
