// The packages of clients for TypeScript and Python, as `npm run clients:pack` makes them: installed where nothing else is, without a
// network, they call a service; what their READMEs show is run as it stands.

import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { SERVICE_VERSION } from '../../src/version.ts'
import { documentText, fencesOf, ROOT } from '../support/document-requests.ts'
import { installPackage } from '../support/services/debian-package.ts'

const execute = promisify(execFile)
const REPOSITORY = 'https://example.org/them/tangent'
const REQUESTS = join(ROOT, 'clients/requests.json')

const folder = mkdtempSync(join(tmpdir(), 'tangent-packages-'))
const packed = join(folder, 'packed')
let app: FastifyInstance
let address: string

/** What it prints; it throws with all of it where it fails. */
async function output(command: string, args: readonly string[], cwd = folder): Promise<string> {
  // without what npm tells the scripts that it runs, of which this test may be one
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD)/i.test(name)))
  const options = { cwd, timeout: 300_000, env: { ...env, npm_config_offline: 'true', PIP_NO_INPUT: '1' } }
  return execute(command, args, options).then(
    ({ stdout }) => stdout,
    ({ message, stdout, stderr }) => {
      throw new Error(`${message}\n${stdout}${stderr}`)
    },
  )
}

const packers: readonly string[] = await Promise.any(
  ['python3', '/usr/bin/python3'].map((python) => execute(python, ['-c', 'import setuptools, wheel, venv'])),
).then(
  () => ['typescript', 'python'],
  () => ['typescript'],
)
const hasPython = packers.includes('python')
if (!hasPython) console.warn('skipped: no python3 has setuptools and wheel, so there is no package for Python')

beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'error', QUERY_DEADLINE_MS: '60000' }))
  address = await app.listen({ host: '127.0.0.1', port: 0 })
  const options = ['--out', packed, '--repository', `git+${REPOSITORY}.git`]
  await output(process.execPath, ['--import', 'tsx', 'clients/pack.ts', ...options, ...packers], ROOT)
}, 300_000)
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A program of a README, and what its comments say that it prints. Its port may be in use. */
function shownProgram(language: string, fence: string, comment: RegExp): { text: string; prints: string } {
  const { text } = fencesOf(documentText(`clients/${language}/README.md`)).find((each) => each.language === fence)!
  const lines = text.split('\n').filter((line) => /^\s*(print|if \(data\)|console\.log)/.test(line))
  const prints = lines.map((line) => `${comment.exec(line)![1]}\n`).join('')
  expect(text).toContain('http://127.0.0.1:3000')
  return { text: text.replaceAll('http://127.0.0.1:3000', address), prints }
}

const fileOf = (name: string) => join(packed, name)

describe('tangent-client', () => {
  const home = join(folder, 'node')
  const tool = (name: string) => join(ROOT, 'node_modules/.bin', name)

  /** As strictly as may be. */
  async function compile(name: string, text: string): Promise<string> {
    writeFileSync(join(home, `${name}.ts`), text)
    const strict = ['--strict', '--noUncheckedSideEffectImports', '--exactOptionalPropertyTypes']
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node']
    await output(tool('tsc'), [...strict, ...types, '--target', 'es2022', '--module', 'nodenext', `${name}.ts`], home)
    return join(home, `${name}.js`)
  }

  beforeAll(async () => {
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{ "type": "module", "private": true }')
    // what it depends on comes from where this project has it
    const needed = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => join(ROOT, 'node_modules', name))
    await output('npm', ['pack', '--ignore-scripts', '--silent', ...needed], home)
    const tarballs = readdirSync(home).filter((name) => name.endsWith('.tgz'))
    const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
    const own = fileOf(`tangent-client-${SERVICE_VERSION}.tgz`)
    await output('npm', ['install', ...quiet, own, ...tarballs.map((name) => `./${name}`)], home)
  }, 300_000)

  it('has what it needs, the version of the service, and where it comes from', () => {
    const inside = join(home, 'node_modules/tangent-client')
    const files = ['LICENSE', 'README.md', 'client.d.ts', 'client.js', 'package.json', 'types.d.ts']
    expect(readdirSync(inside).sort()).toEqual(files)
    const described = JSON.parse(readFileSync(join(inside, 'package.json'), 'utf8'))
    expect(described).toMatchObject({ name: 'tangent-client', version: SERVICE_VERSION, license: 'MIT' })
    expect(described.repository.url).toBe(`git+${REPOSITORY}.git`)
    expect(readFileSync(join(inside, 'README.md'), 'utf8')).not.toMatch(/\]\((?!https:)/)
  })

  it('calls the service', async () => {
    const program = await compile('program', documentText('clients/typescript/program.ts'))
    expect(await output(process.execPath, [program, address, REQUESTS])).toBe('ok\n')
  })

  it('does what its README shows', async () => {
    const { text, prints } = shownProgram('typescript', 'ts', / \/\/ (.*)$/)
    expect(await output(process.execPath, [await compile('shown', text)])).toBe(prints)
  })

  it('sends a token, and refuses wrong types', async () => {
    const wrong = `import { createTangent, type Schemas } from 'tangent-client'
const sent: string[] = []
const fetch = async (request: Request) => {
  sent.push(request.url, request.headers.get('authorization') ?? 'none', request.headers.get('x-own') ?? 'none')
  return new Response('{}', { headers: { 'content-type': 'application/json' } })
}
const tangent = createTangent({ token: 'secret', fetch, headers: { 'x-own': 'yes' } })
// @ts-expect-error a circle has a radius
const circle: Schemas['Body2d'] = { shape: { type: 'circle' } }
// @ts-expect-error two bodies are needed
await tangent.POST('/v1/2d/contact', { body: { a: circle } })
// @ts-expect-error there is no such path
await tangent.POST('/v1/2d/contacts', {})
console.log(sent.slice(0, 3).join(' '))
`
    const printed = await output(process.execPath, [await compile('wrong', wrong)])
    expect(printed).toBe('http://127.0.0.1:3000/v1/2d/contact Bearer secret yes\n')
  })
})

describe.skipIf(!hasPython)('tangent-geometry', () => {
  const home = join(folder, 'python')
  const python = join(home, 'bin/python')
  const wheel = () => fileOf(`tangent_geometry-${SERVICE_VERSION}-py3-none-any.whl`)

  beforeAll(async () => {
    await output('python3', ['-m', 'venv', home])
    await output(python, ['-m', 'pip', 'install', '--no-index', '--quiet', '--disable-pip-version-check', wheel()])
    copyFileSync(join(ROOT, 'clients/python/program.py'), join(home, 'program.py'))
  }, 300_000)

  it('has what it needs, the version of the service, and where it comes from', async () => {
    const parts = ['LICENSE', 'METADATA', 'RECORD', 'WHEEL', 'top_level.txt']
    const modules = ['__init__', 'client', 'transport', 'types'].map((name) => `tangent_geometry/${name}.py`)
    const listed = 'import sys, zipfile; print(*sorted(zipfile.ZipFile(sys.argv[1]).namelist()))'
    const files = (await output(python, ['-c', listed, wheel()])).trim().split(' ')
    for (const name of [...modules, 'tangent_geometry/py.typed']) expect(files).toContain(name)
    const others = files.filter((name) => !name.startsWith('tangent_geometry/'))
    expect(new Set(others.map((name) => name.split('/').at(-1)))).toEqual(new Set(parts))
    const metadata = `import sys; from importlib.metadata import metadata
for name in sys.argv[1:]: print(metadata('tangent_geometry')[name])`
    const fields = ['Name', 'Version', 'License', 'Requires-Dist', 'Project-URL']
    expect((await output(python, ['-c', metadata, ...fields])).trim().split('\n')).toEqual([
      'tangent-geometry',
      SERVICE_VERSION,
      'MIT',
      'None',
      `Repository, ${REPOSITORY}`,
    ])
    const text = `from importlib.metadata import metadata; print(metadata('tangent_geometry').get_payload())`
    const readme = await output(python, ['-c', text])
    expect(readme).toContain('tangent.contact({')
    expect(readme).not.toMatch(/\]\((?!https:)/)
  })

  it('has sources that are the same', async () => {
    const source = readdirSync(packed).find((name) => name.endsWith('.tar.gz'))!
    const names = (await output('tar', ['-tzf', fileOf(source)]))
      .split('\n')
      .map((name) => name.replace(/^[^/]*\//, ''))
    for (const name of ['LICENSE', 'README.md', 'pyproject.toml', 'tangent_geometry/py.typed']) {
      expect(names).toContain(name)
    }
    await output('tar', ['-xzf', fileOf(source), '--strip-components=1', '--one-top-level=source'], home)
    const compared = join(home, 'source/tangent_geometry')
    const installed = (await output(python, ['-c', 'import tangent_geometry as t; print(t.__path__[0])'])).trim()
    await output('diff', ['-r', '--exclude=__pycache__', compared, installed])
  })

  it('calls the service', async () => {
    expect(await output(python, ['-W', 'error', join(home, 'program.py'), address, REQUESTS])).toBe('ok\n')
  })

  it('does what its README shows', async () => {
    const { text, prints } = shownProgram('python', 'python', / {2}# (.*)$/)
    writeFileSync(join(home, 'shown.py'), text)
    expect(await output(python, [join(home, 'shown.py')])).toBe(prints)
  })

  it('sends a token, but not where it is sent on to, and lists, and reads what is no JSON', async () => {
    const program = `import http.server, threading
from tangent_geometry import Tangent, TangentError

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        print(self.path, self.headers["authorization"], self.headers["content-type"], self.headers["if-match"])
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(502)
        self.end_headers()
        self.wfile.write(b"<html>")
    def do_GET(self):
        print(self.path, self.headers["authorization"])
        self.send_response(302 if self.path == "/version" else 200)
        self.send_header("location", f"http://localhost:{self.server.server_port}/elsewhere")
        self.send_header("content-type", "application/json")
        self.end_headers()
        if self.path != "/version":
            self.wfile.write(b'{"version": "x"}')
    def log_message(self, *_):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
tangent = Tangent(f"http://127.0.0.1:{server.server_port}/", token="secret", timeout=20)
try:
    tangent.import_scene("a b", b"file", solid=["layer:a", "layer:b"], dry_run=True, y_up=False, if_match='"3"')
except TangentError as error:
    print(error.status, error.code, error.problem, error)
print(tangent.version())
`
    writeFileSync(join(home, 'token.py'), program)
    expect((await output(python, [join(home, 'token.py')])).split('\n')).toEqual([
      '/v1/2d/scenes/a%20b/import?solid=layer%3Aa&solid=layer%3Ab&yUp=false&dryRun=true Bearer secret application/octet-stream "3"',
      '502 None {} 502 Bad Gateway',
      '/version Bearer secret',
      '/elsewhere None',
      "{'version': 'x'}",
      '',
    ])
  })

  it('has types by which a checker accepts programs and refuses wrong ones', async (context) => {
    const missing = await installPackage('mypy', '/usr/bin/mypy')
    if (missing !== null) context.skip(missing)
    const check = (name: string) =>
      output('/usr/bin/mypy', ['--strict', '--python-executable', python, join(home, name)], home)
    expect(await check('program.py')).toMatch(/^Success/)
    writeFileSync(join(home, 'shown.py'), shownProgram('python', 'python', / {2}# (.*)$/).text)
    expect(await check('shown.py')).toMatch(/^Success/)
    const wrong = `from tangent_geometry import Tangent
tangent = Tangent()
tangent.contact({"a": {"shape": {"type": "circle", "radius": 1}}})
tangent.put_scene(3, {})
name: str = tangent.distance({"a": {"shape": {"type": "point"}}, "b": {"shape": {"type": "point"}}})["distance"]
`
    writeFileSync(join(home, 'wrong.py'), wrong)
    const said = await check('wrong.py').then(String, String)
    for (const line of [3, 4, 5]) expect(said).toContain(`wrong.py:${line}: error`)
  })
})
