// Keeps the floors of ARCHITECTURE.md: who may import whom, how large a file may grow, and no stray tolerances.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { preProcessFile } from 'typescript'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = ['src', 'schemas']
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => posix.join(folder, name)),
  )
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Every import of a file: a path from the root for our own files, the bare name for packages. */
const importsOf = (path: string, text: string) =>
  preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))

/** [files this concerns, what they may import, what they must not import even so] */
const floors: [name: string, who: RegExp, may: RegExp, mustNot?: RegExp][] = [
  [
    'core2d imports containers, itself and robust-predicates',
    /^src\/core2d\//,
    /^(src\/(containers|core2d)\/|robust-predicates$)/,
  ],
  ['containers import only themselves', /^src\/containers\//, /^src\/containers\//],
  ['scene imports core, containers, itself and Node', /^src\/scene\//, /^(src\/(core2d|containers|scene)\/|node:)/],
  ['schemas import only TypeBox', /^schemas\//, /^(schemas\/|@sinclair\/typebox$)/],
  [
    'json imports containers, itself and what schemas are',
    /^src\/json\//,
    /^(src\/(containers|json)\/|@sinclair\/typebox$)/,
  ],
  [
    'wire imports core, scene, json, schemas and itself',
    /^src\/wire\//,
    /^(src\/(core2d|containers|json|scene|wire)\/|schemas\/|@sinclair\/typebox$|ajv$)/,
  ],
  [
    'queries import wire, pictures and below',
    /^src\/queries\//,
    /^(src\/(core2d|containers|json|scene|wire|pictures|queries)\/|schemas\/|@sinclair\/typebox$|node:timers)/,
  ],
  [
    'threads import queries and below, and the pool',
    /^src\/threads\//,
    /^(src\/(containers|json|wire|queries|threads)\/|schemas\/|node:|piscina$)/,
  ],
  ['pictures import core, schemas and themselves', /^src\/pictures\//, /^(src\/(core2d|pictures)\/|schemas\/)/],
  ['no route imports a route', /^src\/routes\//, /./, /^src\/(routes\/|server|app)/],
  ['plugins stay below the app', /^src\/plugins\//, /./, /^src\/(routes\/|core2d\/|server|app)/],
  ['config knows only schemas', /^src\/config\.ts$/, /./, /^src\//],
  ['nothing imports the server', /./, /./, /^src\/server\.ts$/],
]

describe('floors', () => {
  it.each(floors)('%s', (_name, who, may, mustNot) => {
    const breaches = files
      .filter(({ path }) => who.test(path))
      .flatMap(({ path, text }) => importsOf(path, text).map((target) => ({ path, target })))
      .filter(({ target }) => !may.test(target) || mustNot?.test(target))
      .map(({ path, target }) => `${path} imports ${target}`)
    expect(breaches).toEqual([])
  })
})

const kind = '(?:circle|capsule|polygon|ellipse|halfplane)'
const ceilings: [who: RegExp, lines: number][] = [
  [/^src\/server\.ts$/, 40],
  [/^src\/app\.ts$/, 100],
  [/^src\/routes\//, 60],
  [/^schemas\//, 100],
  [new RegExp(`^src/core2d/${kind}-${kind}\\.ts$`), 120],
  [/./, 400],
]

describe('sizes and names', () => {
  it.each(ceilings)('files like %s stay within %i lines', (who, lines) => {
    const tooLong = files
      .map(({ path, text }) => ({ path, count: text.trimEnd().split('\n').length }))
      .filter(({ path, count }) => who.test(path) && count > lines)
    expect(tooLong).toEqual([])
  })

  it('names every file after its subject', () => {
    expect(
      files.map(({ path }) => path).filter((path) => /(^|\/)(index|utils?|helpers?|common|misc)\.ts$/.test(path)),
    ).toEqual([])
  })

  it('has one file for each unordered pair of kinds', () => {
    const pairs = files
      .map(({ path }) => path.match(new RegExp(`^src/core2d/(${kind})-(${kind})\\.ts$`)))
      .filter((match) => match !== null)
    const unordered = pairs.map(([, a, b]) => [a, b].sort().join('-'))
    expect(unordered).toEqual([...new Set(unordered)])
  })
})

describe('tolerances', () => {
  it('has no small number in core2d outside tolerances.ts', () => {
    const stray = files
      .filter(({ path }) => path.startsWith('src/core2d/') && !path.endsWith('/tolerances.ts'))
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
