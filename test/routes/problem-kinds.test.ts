import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../schemas/problem.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { PROBLEM_EXAMPLES } from '../../src/wire/problem-examples.ts'

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
})
afterAll(() => app.close())

it.each([...PROBLEM_CODES])('GET /problems/%s explains the code', async (code) => {
  const response = await app.inject(`/problems/${code}`)
  expect(response.statusCode).toBe(200)
  expect(response.json()).toMatchObject({ type: `/problems/${code}`, code })
})

it('GET /problems/:code lists the codes when it knows no such', async () => {
  const response = await app.inject('/problems/too-many-cooks')
  expect(response.statusCode).toBe(404)
  expect(response.json().detail).toContain('polygon-not-convex')
})

it.each(Object.entries(PROBLEM_EXAMPLES))('the example of %s is answered so', async (code, example) => {
  const { method, path: url, headers, body } = example
  const sent = method === 'GET' ? {} : { 'content-type': 'application/json' }
  const payload = body !== undefined && body !== '' ? { payload: body } : {}
  const response = await app.inject({ method, url, headers: { ...sent, ...headers }, ...payload })
  expect(response.json()).toMatchObject({ code, status: response.statusCode })
  const page = (await app.inject({ url: `/problems/${code}`, headers: { accept: 'text/html' } })).body
  expect(page).toContain(`http://localhost:80${url}`)
})

it('the page of a problem leads to the operations that may be answered so', async () => {
  const pageOf = async (code: string) =>
    (await app.inject({ url: `/problems/${code}`, headers: { accept: 'text/html' } })).body
  expect(await pageOf('trajectory-spinning')).toContain('href="/docs#/motion/trajectory"')
  expect(await pageOf('schema-violation')).toMatch(/\d+ operations, among them:/)
  expect(await pageOf('too-many-cells')).toContain('<a href="/v1/limits">/v1/limits</a>')
})
