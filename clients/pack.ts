// Makes packages of the clients for TypeScript and Python from openapi/openapi.json, with the version of this project.
//   npm run clients:pack [-- --out FOLDER] [--repository git+https://…] [typescript | python …]
// Python's needs a python3 with setuptools and wheel (Debian: python3-setuptools, python3-wheel), or one that PYTHON names.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type OpenApi, pythonClient, pythonTypes } from './python-source.ts'

const root = resolve(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: 'clients/dist' }, repository: { type: 'string' } },
})
const out = resolve(root, values.out)

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const project: { version: string; license: string; devDependencies: Record<string, string> } = JSON.parse(
  textOf('package.json'),
)

/** What it says is shown where it fails. */
function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${error?.message ?? `${stdout}${stderr}`}`)
}

/** Where the README of a package is read there are no files beside it: links to some become their words. */
function readmeOf(language: string): string {
  return textOf(`clients/${language}/README.md`).replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')
}

function packTypeScript(folder: string): void {
  const { 'openapi-fetch': openapiFetch } = project.devDependencies
  const repository = values.repository === undefined ? {} : { repository: { type: 'git', url: values.repository } }
  const described = {
    name: 'tangent-client',
    version: project.version,
    description: 'A typed client of Tangent, the collision-query service: exact geometry in 2D and 3D',
    license: project.license,
    keywords: ['collision-detection', 'geometry', 'level-editor', 'raycast'],
    ...repository,
    type: 'module',
    exports: { '.': { types: './client.d.ts', default: './client.js' } },
    files: ['client.js', 'client.d.ts', 'types.d.ts'],
    engines: { node: '>=20' },
    dependencies: { 'openapi-fetch': openapiFetch },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), readmeOf('typescript'))
  const bin = (name: string) => join(root, 'node_modules/.bin', name)
  run(bin('openapi-typescript'), [join(root, 'openapi/openapi.json'), '-o', 'types.d.ts'], folder)
  cpSync(join(root, 'clients/typescript/client.ts'), join(folder, 'client.ts'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const options = ['--strict', '--skipLibCheck', '--declaration', '--target', 'es2022', '--module', 'nodenext']
  run(bin('tsc'), [...options, '--lib', 'es2023,dom', 'client.ts'], folder)
  run('npm', ['pack', '--silent', '--pack-destination', out], folder)
}

/** setuptools changes sys.argv. */
const BUILD = `import sys
out = sys.argv[1]
from setuptools import build_meta
build_meta.build_sdist(out)
build_meta.build_wheel(out)`

function packPython(folder: string): void {
  cpSync(join(root, 'clients/python/tangent_geometry'), join(folder, 'tangent_geometry'), {
    recursive: true,
    filter: (path) => !path.endsWith('__pycache__'),
  })
  const document: OpenApi = JSON.parse(textOf('openapi/openapi.json'))
  writeFileSync(join(folder, 'tangent_geometry/types.py'), pythonTypes(document))
  writeFileSync(join(folder, 'tangent_geometry/client.py'), pythonClient(document))
  const urls = values.repository?.replace(/^git\+/, '').replace(/\.git$/, '')
  const more = urls === undefined ? '' : `\n[project.urls]\nRepository = "${urls}"\n`
  const described = textOf('clients/python/pyproject.toml').replace(
    'version = "0.0.0"',
    `version = "${project.version}"`,
  )
  writeFileSync(join(folder, 'pyproject.toml'), described + more)
  writeFileSync(join(folder, 'README.md'), readmeOf('python'))
  run(pythonThatBuilds(), ['-c', BUILD, out], folder)
}

function pythonThatBuilds(): string {
  const able = [process.env.PYTHON, 'python3', '/usr/bin/python3'].find(
    (python) => python !== undefined && spawnSync(python, ['-c', 'import setuptools, wheel']).status === 0,
  )
  if (able !== undefined) return able
  throw new Error('No python3 has setuptools and wheel: install Debian’s python3-setuptools and python3-wheel.')
}

const PACKERS: Readonly<Record<string, (folder: string) => void>> = { typescript: packTypeScript, python: packPython }

mkdirSync(out, { recursive: true })
for (const language of positionals.length > 0 ? positionals : Object.keys(PACKERS)) {
  const folder = mkdtempSync(join(tmpdir(), `tangent-client-${language}-`))
  try {
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    PACKERS[language](folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
for (const name of readdirSync(out).sort()) console.log(join(values.out, name))
