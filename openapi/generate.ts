// Writes the three OpenAPI documents and the schema of rules in this folder, and docs/errors.md below its introduction, from the running app. With --check it
// compares them with the committed files instead, and fails when one is out of date.

import { readFile, writeFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { PROBLEM_CODES } from '../schemas/problem.ts'
import { buildApp } from '../src/app.ts'
import { loadConfig } from '../src/config.ts'
import { LINT_RULES_SCHEMA, renderLintRulesSchema } from '../src/wire/lint-rules-schema.ts'
import type { OpenApiDocument } from '../src/wire/openapi-document.ts'
import { openApiViews, renderView } from '../src/wire/openapi-views.ts'
import { exampleCommand, PROBLEM_EXAMPLES, type ProblemExample } from '../src/wire/problem-examples.ts'
import { problemKind } from '../src/wire/problems.ts'

const ERRORS_PAGE = 'docs/errors.md'
/** Ends the introduction of docs/errors.md, which is written by hand. */
const GENERATED =
  '<!-- Generated from src/wire/problems.ts by "npm run openapi": edit the table there, and only the text above here. -->'

/** A section for each code, by status; its heading is the anchor that links to the code use. */
async function errorSections(app: FastifyInstance): Promise<string> {
  const kinds = PROBLEM_CODES.map(problemKind).sort((a, b) => a.status - b.status)
  const parts: string[] = []
  for (const [k, { code, status, title, description }] of kinds.entries()) {
    if (status !== kinds[k - 1]?.status) parts.push(`## ${status}`)
    parts.push(`### ${code}`, `*${title}.* ${description}`)
    const example = PROBLEM_EXAMPLES[code]
    if (example === undefined) continue
    const command = exampleCommand(example, 'http://127.0.0.1:3000')
    parts.push(`\`\`\`sh\n${command}\n\`\`\``, `\`\`\`json\n${await answerOf(app, example)}\n\`\`\``)
  }
  return `${parts.join('\n\n')}\n`
}

async function answerOf(app: FastifyInstance, { method, path, headers, body }: ProblemExample): Promise<string> {
  const sent = method === 'POST' ? { 'content-type': 'application/json', ...headers } : {}
  const payload = body === undefined || body === '' ? {} : { payload: body }
  const response = await app.inject({ method, url: path, headers: sent, ...payload })
  return response.body.trim().replace(/"requestId":"[^"]*"/, '"requestId":"KADs-emN-f"')
}

const check = process.argv.includes('--check')
const app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'error' }))
await app.ready()

const fileAt = (path: string) => new URL(`../${path}`, import.meta.url)
const introduction = (await readFile(fileAt(ERRORS_PAGE), 'utf8')).split(GENERATED)[0]
const wanted = new Map([[ERRORS_PAGE, `${introduction}${GENERATED}\n\n${await errorSections(app)}`]])
const document = app.swagger() as unknown as OpenApiDocument
for (const name of openApiViews) wanted.set(`openapi/${name}`, renderView(name, document))
wanted.set(`openapi/${LINT_RULES_SCHEMA}`, renderLintRulesSchema(document))

for (const [path, text] of wanted) {
  if (!check) await writeFile(fileAt(path), text)
  else if ((await readFile(fileAt(path), 'utf8').catch(() => '')) !== text) {
    console.error(`${path} is out of date: run "npm run openapi" and commit the result`)
    process.exitCode = 1
  }
}

await app.close()
