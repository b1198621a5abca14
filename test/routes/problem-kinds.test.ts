import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../schemas/problem-code.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'

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
