// Every parameter of every path, with values that are none: made from the OpenAPI document, so that no parameter is left out.

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import type { OpenApiDocument } from '../../src/wire/openapi-document.ts'

const HOSTILE = ['Infinity', '-1e999', 'NaN', '', '0x10', ' 5 ', '\u0000']
const BOUNDS = [
  '1e999,0,1,1',
  '0,0,1e999,1',
  '-1e999,-1e999,1e999,1e999',
  '0,0,1e308,1e308',
  '1,1,0,0',
  '0,0,0,0',
  ',,,',
]

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
  await app.ready()
  await app.inject({ method: 'PUT', url: '/v1/2d/scenes/s' })
  const payload = { shape: { type: 'circle', radius: 1 } }
  await app.inject({ method: 'PUT', url: '/v1/2d/scenes/s/bodies/b', payload })
})
afterAll(() => app.close())

it('answers every hostile value of a parameter with a problem, or as if it were text', async () => {
  const { paths } = (await app.inject('/openapi.json')).json<OpenApiDocument>()
  const wrong: string[] = []
  let asked = 0
  for (const [path, methods] of Object.entries(paths)) {
    // its answer has no end
    if (path.endsWith('/events')) continue
    for (const [method, { parameters = [] }] of Object.entries(methods)) {
      for (const { name, schema, in: place } of parameters as {
        name: string
        schema: { type?: string }
        in: string
      }[]) {
        if (place !== 'query') continue
        const isNumber = schema.type === 'number' || schema.type === 'integer'
        for (const value of name === 'bounds' ? [...HOSTILE, ...BOUNDS] : HOSTILE) {
          const format = path.endsWith('/import') && name !== 'format' ? 'format=geojson&' : ''
          const query = `${format}${name}=${encodeURIComponent(value)}`
          const url = `${path.replace('{sceneId}', 's').replace('{bodyId}', 'b')}?${query}`
          const hasBody = method === 'post'
          const { statusCode, body, headers } = await app.inject({
            method: method as 'post',
            url,
            ...(hasBody
              ? {
                  payload: '{"type":"FeatureCollection","features":[]}',
                  headers: { 'content-type': 'application/json' },
                }
              : {}),
          })
          asked++
          const isProblem = headers['content-type'] === 'application/problem+json'
          const isRefused = statusCode === 400 || statusCode === 422
          // it is for those who send requests, and may be busy with the ones of this test
          if (path === '/readyz' && statusCode === 503) continue
          const isWell = isNumber ? isRefused && isProblem : statusCode < 500 && isProblem === statusCode >= 400
          const { limit = 0, actual = 0 } = isProblem ? JSON.parse(body) : {}
          const isWhole = Number.isFinite(limit) && Number.isFinite(actual)
          if (!isWell || !isWhole) wrong.push(`${statusCode} ${method} ${url} ${body.slice(0, 200)}`)
        }
      }
    }
  }
  expect(asked).toBeGreaterThan(1000)
  expect(wrong).toEqual([])
})

it('refuses a parameter that a path does not know, whatever its letters: dryrun=true must not write', async () => {
  const { paths } = (await app.inject('/openapi.json')).json<OpenApiDocument>()
  const taken: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    // probes and pages take what proxies add
    if (!path.startsWith('/v1/')) continue
    for (const method of Object.keys(methods)) {
      const url = `${path.replace('{sceneId}', 's').replace('{bodyId}', 'b').replace('{shapeId}', 'x')}?DRYRUN=true`
      const payload = method === 'get' || method === 'head' || method === 'delete' ? {} : { payload: {} }
      const { statusCode } = await app.inject({ method: method as 'post', url, ...payload })
      if (statusCode !== 400) taken.push(`${statusCode} ${method} ${path}`)
    }
  }
  expect(taken).toEqual([])
})
