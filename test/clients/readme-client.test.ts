// The typed client that README shows, compiled as strictly as may be, against the service.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { documentText, fencesOf, ROOT } from '../support/document-requests.ts'

const execute = promisify(execFile)
const tool = (name: string) => join(ROOT, 'node_modules/.bin', name)

it('README shows a client in TypeScript that compiles, and prints what it says', async () => {
  const [shown] = fencesOf(documentText('README.md')).filter(({ language }) => language === 'ts')
  const [, expected] = / \/\/ (.*)$/m.exec(shown.text)!
  const folder = mkdtempSync(join(tmpdir(), 'tangent-readme-'))
  const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  try {
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'program.ts'), shown.text.replace('http://127.0.0.1:3000', address))
    await execute(tool('openapi-typescript'), [`${address}/openapi.json`, '-o', 'types.ts'], { cwd: folder })
    const options = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--types', 'node']
    await execute(tool('tsc'), [...options, 'program.ts'], { cwd: folder })
    const { stdout } = await execute(process.execPath, ['program.js'], { cwd: folder })
    expect(stdout).toBe(`${expected}\n`)
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }
})
