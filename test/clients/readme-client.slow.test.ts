// The start in TypeScript that docs/clients.md shows, typed line by line into an empty folder.

import { exec } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { documentText, fencesOf } from '../support/document-requests.ts'

const OFFLINE = /E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NETUNREACH)/

it('docs/clients.md shows a client in TypeScript: its lines work as they stand, and print what it says', async (context) => {
  const page = documentText('docs/clients.md')
  const shell = fencesOf(page).find(({ text }) => text.includes('npm install openapi-fetch'))!
  const program = fencesOf(page).find(({ language }) => language === 'ts')!
  const [, expected] = / \/\/ (.*)$/m.exec(program.text)!
  const [, name, run, check] = /Save this as `([^`]+)` and run `([^`]+)`; `([^`]+)` checks/.exec(page)!
  const folder = mkdtempSync(join(tmpdir(), 'tangent-client-'))
  const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent', QUERY_DEADLINE_MS: '60000' }))
  try {
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    // but for the port, which may be in use
    const typed = (line: string) => line.replace('http://127.0.0.1:3000', address)
    const type = (line: string) => promisify(exec)(typed(line), { cwd: folder })
    const [install, ...others] = shell.text.trim().split('\n')
    const failure = await type(install!).then(
      () => null,
      (error) => error as Error,
    )
    if (failure !== null && OFFLINE.test(failure.message)) context.skip('no package registry can be reached')
    expect(failure).toBeNull()
    for (const line of others) await type(line)
    writeFileSync(join(folder, name!), typed(program.text))
    await type(check!)
    expect((await type(run!)).stdout).toBe(`${expected}\n`)
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }
})
