// Random requests for every operation of the OpenAPI document, made from its schemas; what is answered is held against it.
// `npm run fuzz:requests -- --document=true` does the same at length, over connections.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seeded } from '../../loadtest/measuring/random-body.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import type { OpenApiDocument } from '../../src/wire/openapi-document.ts'
import { RequestMaker, SCENE_IDS } from '../fuzz/openapi-requests.ts'
import { AnswerChecker } from '../support/answers/openapi-answers.ts'
import { isLongRun, runCount, seed } from '../support/runs.ts'

let app: FastifyInstance
let document: OpenApiDocument
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
  await app.ready()
  document = (await app.inject('/openapi.json')).json()
})
afterAll(() => app.close())

it('answers random requests for every operation as the OpenAPI document says', async () => {
  const maker = new RequestMaker(document, seeded(seed()))
  const checker = new AnswerChecker(document)
  const wrong: string[] = []
  const statuses = new Set<number>()
  for (let round = 0; round < runCount(24); round++) {
    for (const id of SCENE_IDS) {
      await app.inject({ method: 'PUT', url: `/v1/2d/scenes/${id}`, payload: {} })
      const payload = { shape: { type: 'circle', radius: 1 } }
      await app.inject({ method: 'PUT', url: `/v1/2d/scenes/${id}/bodies/a`, payload })
    }
    for (const operation of maker.operations) {
      // its answer has no end
      if (operation.path.endsWith('/events')) continue
      const { method, path, type, accept, headers: given, text } = maker.request(operation)
      const headers = { ...given, ...(type && { 'content-type': type }), ...(accept && { accept }) }
      const {
        statusCode,
        headers: sent,
        body,
      } = await app.inject({ method, url: path, headers, ...(text !== undefined && { payload: text }) })
      statuses.add(statusCode)
      const fault = checker.faultOf(method, operation.path, { status: statusCode, headers: sent, text: body })
      const isBusy = statusCode === 503
      if (fault !== null || (statusCode >= 500 && !isBusy)) wrong.push(`${method} ${path}: ${fault}\n${text}`)
    }
  }
  expect(wrong).toEqual([])
  if (isLongRun) expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 404, 422]))
})

it('notices answers that are not as documented', () => {
  const checker = new AnswerChecker(document)
  const at = (status: number, body: unknown, type = 'application/json', more = {}) =>
    checker.faultOf('POST', '/v1/2d/overlap', {
      status,
      headers: { 'content-type': type, ...more },
      text: JSON.stringify(body),
    })
  const right = { overlap: true, relation: 'touching' }
  expect(at(200, right)).toBeNull()
  expect(at(200, { overlap: true })).toMatch('relation')
  expect(at(200, { ...right, more: 1 })).toMatch('additional')
  expect(at(204, right)).toMatch('status 204')
  expect(at(200, right, 'text/plain')).toMatch('text/plain')
  expect(at(200, right, 'application/json', { 'x-more': '1' })).toMatch('x-more')
  const problem = { type: 'a', title: 'a', status: 422, detail: 'a', requestId: 'a', code: 'too-complex' }
  expect(at(422, problem, 'application/problem+json')).toBeNull()
  expect(at(422, problem)).toMatch('content type')
  expect(at(422, { ...problem, code: 'not-found' }, 'application/problem+json')).toMatch('not named')
  expect(at(400, { ...problem, code: 'schema-violation' }, 'application/problem+json')).toMatch('says that it is 422')
})
