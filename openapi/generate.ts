// Writes the three OpenAPI views beside this file; with --check it compares instead, and fails when
// a committed file is not what the app serves.

import { readFile, writeFile } from 'node:fs/promises'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import type { OpenApiDocument } from '../src/wire/openapi/openapi-document.ts'
import { openApiViews, renderView } from '../src/wire/openapi/openapi-views.ts'

const check = process.argv.includes('--check')
const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'error' }))
await app.ready()

for (const name of openApiViews) {
  const file = new URL(name, import.meta.url)
  const body = renderView(name, app.swagger() as unknown as OpenApiDocument)
  if (!check) {
    await writeFile(file, body)
    continue
  }
  if ((await readFile(file, 'utf8').catch(() => '')) === body) continue
  console.error(`openapi/${name} is out of date: run "npm run openapi" and commit the result`)
  process.exitCode = 1
}

await app.close()
