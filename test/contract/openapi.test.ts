// The published documents: they are what the app serves, their examples are true, and programs can
// be built on them.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEM_CODES, type ProblemCode } from '../../schemas/problem.ts'
import { exampleBodies, exampleBodies3d } from '../../schemas/scenes/scene.ts'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { sceneQueries, sceneQueries3d } from '../../src/queries/scenes/all.ts'
import { queries, queries3d } from '../../src/queries/stateless/all.ts'
import type { OpenApiDocument, OpenApiMedia, OpenApiOperation } from '../../src/wire/openapi-document.ts'
import { openApiViews } from '../../src/wire/openapi-views.ts'
import { PROBLEM_TYPE, PROBLEMS } from '../../src/wire/problems.ts'
import { documentedSchema } from '../support/answers/documented.ts'

const textOf = (name: string) => readFileSync(new URL(`../../openapi/${name}`, import.meta.url), 'utf8')
const document: OpenApiDocument = JSON.parse(textOf('openapi.json'))

interface Operation extends OpenApiOperation {
  method: string
  path: string
}

const operationsOf = ({ paths }: OpenApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )

const operations = operationsOf(document)
const JSON_TYPE = 'application/json'
const SCENE = '/v1/2d/scenes/{sceneId}'
const SCENE_3D = '/v1/3d/scenes/{sceneId}'
const QUERIES = [
  ...queries.map(({ op }) => `/v1/2d/${op}`),
  '/v1/2d/batch',
  ...queries3d.map(({ op }) => `/v1/3d/${op}`),
  '/v1/3d/batch',
  ...sceneQueries.map(({ op }) => `${SCENE}/${op}`),
  `${SCENE}/batch`,
  ...sceneQueries3d.map(({ op }) => `${SCENE_3D}/${op}`),
  `${SCENE_3D}/batch`,
]
const named = (reference: string) => reference.split('/').at(-1) as string
const examplesOf = (media: OpenApiMedia | undefined) =>
  Object.values(media?.examples ?? {}).map(({ value, $ref }) =>
    $ref === undefined ? value : document.components.examples?.[named($ref)].value,
  )

let app: FastifyInstance
beforeAll(async () => {
  app = await buildApp(loadConfig({ SCENE_STORE: 'memory', LOG_LEVEL: 'silent' }))
})
afterAll(() => app.close())

/** The complaints of a strict validator about a value, by the place of its schema in the document. */
function complaints(value: unknown, ...place: string[]): unknown {
  const validate = documentedSchema(...place)
  return validate(value) ? [] : validate.errors
}

describe('the committed documents', () => {
  it.each([...openApiViews])('are what the app serves: %s', async (name) => {
    const { body } = await app.inject(`/${name}`)
    expect(body, 'run "npm run openapi" and commit the result').toBe(textOf(name))
  })

  it.each([...openApiViews])('name the schema of every word that a parameter may be: %s', (name) => {
    const parameters = operationsOf(JSON.parse(textOf(name))).flatMap(({ parameters = [] }) => parameters)
    expect(parameters).not.toHaveLength(0)
    expect(parameters.filter(({ schema }) => 'enum' in schema)).toEqual([])
  })

  it.each([...openApiViews])('describe every route: %s', (name) => {
    const paths = Object.keys(JSON.parse(textOf(name)).paths)
    expect(paths).toEqual(expect.arrayContaining([...QUERIES, '/readyz']))
  })

  it.each([...openApiViews])('have one type for each body that is JSON: %s', (name) => {
    for (const { requestBody, responses } of operationsOf(JSON.parse(textOf(name)))) {
      for (const part of [requestBody, ...Object.values(responses)]) {
        const types = Object.keys(part?.content ?? {})
        if (types.includes(JSON_TYPE)) expect(types).toEqual([JSON_TYPE])
      }
    }
  })

  it('list the codes of problems', () => {
    expect(document.components.schemas.ProblemDetails.properties?.code.enum).toEqual(PROBLEM_CODES)
  })

  it('list statuses one by one, each problem as problem+json', () => {
    for (const { responses } of operations) {
      for (const [status, { $ref }] of Object.entries(responses)) {
        expect(status).toMatch(/^\d{3}$/)
        if (Number(status) < 400) continue
        expect($ref).toMatch(new RegExp(`^#/components/responses/\\w*Problem${status}$`))
        const shared = document.components.responses?.[named($ref as string)]
        expect(Object.keys(shared?.content ?? {})).toEqual([PROBLEM_TYPE])
      }
    }
  })

  it.each([...openApiViews])('write each problem answer, its examples and headers once: %s', (name) => {
    const { components, paths } = JSON.parse(textOf(name)) as OpenApiDocument
    const kinds = ['responses', 'examples', 'headers', 'schemas'] as const
    const pointers = [...textOf(name).matchAll(/"\$ref": "#\/components\/(\w+)\/([^"]+)"/g)]
    for (const [, kind, target] of pointers) expect(components[kind]).toHaveProperty([target])
    for (const kind of kinds.slice(0, 3)) {
      const used = pointers.filter(([, of]) => of === kind).map(([, , target]) => target)
      expect(new Set(used)).toEqual(new Set(Object.keys(components[kind] as object)))
    }
    expect(JSON.stringify(paths)).not.toContain(PROBLEM_TYPE)
    const texts = Object.values(components.responses ?? {}).map(({ description }) => description)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('name the codes that each operation may answer with', () => {
    const { post } = document.paths['/v1/2d/trajectory']
    const shared = document.components.responses?.[named(post.responses[422].$ref as string)]
    expect(Object.keys(shared?.content?.[PROBLEM_TYPE].examples ?? {})).toEqual(
      expect.arrayContaining(['trajectory-spinning', 'body-not-convex', 'polygon-not-convex']),
    )
    for (const [code, { value }] of Object.entries(document.components.examples ?? {})) {
      expect(value).toMatchObject({ code, type: `/problems/${code}`, status: PROBLEMS[code as ProblemCode].status })
    }
  })

  it('say when to ask again', () => {
    const headersOf = (status: number) =>
      Object.entries(document.components.responses ?? {})
        .filter(([name]) => name.endsWith(`${status}`))
        .map(([, { headers }]) => Object.keys(headers ?? {}))
    expect(headersOf(429)).toEqual([['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']])
    expect(headersOf(503).length).toBeGreaterThan(1)
    for (const headers of headersOf(503)) expect(headers).toEqual(['Retry-After'])
  })

  it('give each example a name that says what it is', () => {
    for (const { requestBody, responses } of operations) {
      for (const part of [requestBody, ...Object.values(responses)]) {
        const names = Object.values(part?.content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {}))
        for (const name of names) expect(name).not.toMatch(/\d/)
      }
    }
  })

  it('group the operations of scenes by what they are about', () => {
    const tagged = (tag: string) => operations.filter(({ tags }) => (tags as string[])[0] === tag)
    expect(tagged('scenes').map(({ path }) => path)).not.toContain(`${SCENE}/bodies`)
    expect(
      tagged('scene-bodies').every(({ path }) =>
        /\/(bodies|bodies\/\{bodyId\}|operations|import|export|render\.svg|tree)$/.test(path),
      ),
    ).toBe(true)
    expect(tagged('scene-queries')).toHaveLength(sceneQueries.length + 1)
    expect(tagged('scene-queries-3d')).toHaveLength(sceneQueries3d.length + 1)
    expect(document.tags).toEqual(
      expect.arrayContaining(operations.map(({ tags }) => expect.objectContaining({ name: (tags as string[])[0] }))),
    )
  })

  it.each(['openapi.json', 'openapi-3.0.json'])('map the tags of every union: %s', (name) => {
    const { schemas } = (JSON.parse(textOf(name)) as OpenApiDocument).components
    const unions = Object.values(schemas).filter(({ discriminator }) => discriminator !== undefined)
    expect(unions).toHaveLength(19)
    for (const { oneOf, discriminator } of unions) {
      expect(Object.values(discriminator?.mapping ?? {})).toEqual(oneOf?.map(({ $ref }) => $ref))
    }
  })

  it.each([...openApiViews])('give every number its format: %s', (name) => {
    const numbers = [...textOf(name).matchAll(/\{[^{}]*"type": "(number|integer)"[^{}]*\}/g)]
    expect(numbers.length).toBeGreaterThan(20)
    for (const [text, type] of numbers) {
      expect(text).toMatch(type === 'number' ? '"format": "double"' : /"format": "int(32|64)"/)
    }
  })
})

describe('the examples', () => {
  const asked = operations.flatMap((operation) =>
    examplesOf(operation.requestBody?.content[JSON_TYPE]).map((payload, i) => ({ operation, payload, i })),
  )

  it('are there for every query', () => {
    expect(asked.map(({ operation }) => operation.path)).toEqual(expect.arrayContaining(QUERIES))
  })

  const send = (method: string, url: string, payload: object) =>
    app.inject({ method: method.toUpperCase() as 'POST', url, payload })

  /** A scene of its own for each example. */
  async function makeScene(dimension: '2d' | '3d', id: string, bodies: readonly object[]): Promise<void> {
    const path = `/v1/${dimension}/scenes/${id}`
    await send('put', path, {})
    const operations = bodies.map((body) => ({ op: 'put', body }))
    expect((await send('post', `${path}/operations`, { operations })).json().version).toBe(2)
  }

  it.each(asked)(
    'are answered: $operation.operationId $i',
    async ({ operation: { operationId, method, path, responses }, payload, i }) => {
      const sceneId = `${operationId}-${i}`
      if (path.startsWith(`${SCENE}/`)) await makeScene('2d', sceneId, exampleBodies)
      if (path.startsWith(`${SCENE_3D}/`)) await makeScene('3d', sceneId, exampleBodies3d)
      const url = path.replace('{sceneId}', sceneId).replace('{bodyId}', 'crate')
      const response = await send(method, url, payload as object)
      const status = String(response.statusCode)
      expect(status).toMatch(/^20[01]$/)
      const answer = response.json()
      const place = ['paths', path, method, 'responses', status, 'content', JSON_TYPE, 'schema']
      expect(complaints(answer, ...place)).toEqual([])
      const promised = examplesOf(responses[status].content?.[JSON_TYPE])[i]
      if (promised !== undefined && QUERIES.includes(path)) expect(rounded(answer)).toEqual(rounded(promised))
    },
  )

  const gets = operations.filter(({ method, path }) => method === 'get' && !path.includes('{') && path !== '/metrics')

  it.each(gets)('have answers of the same form: GET $path', async ({ path }) => {
    // Compiling validators for all these examples has kept the event loop: /readyz says so for a second.
    await expect.poll(async () => (await app.inject(path)).statusCode, { timeout: 4000 }).toBe(200)
    const response = await app.inject(path)
    const place = ['paths', path, 'get', 'responses', '200', 'content', JSON_TYPE, 'schema']
    expect(complaints(response.json(), ...place)).toEqual([])
  })

  it('fit their schemas, problems included', () => {
    let count = 0
    for (const { path, method, requestBody, responses } of operations) {
      const bodies = [['requestBody', requestBody] as const, ...Object.entries(responses)]
      for (const [part, body] of bodies) {
        for (const [type, media] of Object.entries(body?.content ?? {})) {
          const place = ['paths', path, method, ...(part === 'requestBody' ? [part] : ['responses', part])]
          for (const value of examplesOf(media)) {
            expect(complaints(value, ...place, 'content', type, 'schema')).toEqual([])
            count++
          }
        }
      }
    }
    for (const [name, { content }] of Object.entries(document.components.responses ?? {})) {
      for (const value of examplesOf(content?.[PROBLEM_TYPE])) {
        const place = ['components', 'responses', name, 'content', PROBLEM_TYPE, 'schema']
        expect(complaints(value, ...place)).toEqual([])
        count++
      }
    }
    expect(count).toBeGreaterThan(150)
  })

  it('fit a real problem', async () => {
    const response = await app.inject({ method: 'POST', url: '/v1/2d/contact', payload: {} })
    expect(complaints(response.json(), 'components', 'schemas', 'ProblemDetails')).toEqual([])
  })
})

/** Numbers to 12 digits: the examples are written by hand. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part) =>
    typeof part === 'number' ? Number(part.toPrecision(12)) : part,
  )
}

describe('TypeScript types made by openapi-typescript', () => {
  const narrowing = `
    import type { components, paths } from './types.js'
    type Shape = components['schemas']['Shape2d']
    export function size(shape: Shape): number {
      switch (shape.type) {
        case 'circle': return shape.radius
        case 'ellipse': return shape.rx * shape.ry
        case 'polygon': return shape.vertices.length
        case 'region': return shape.outer.length + (shape.holes ?? []).flat().length
        case 'compound': return Math.max(...shape.children.map((child) => size(child.shape)))
        // @ts-expect-error a box has no rx
        case 'box': return shape.rx
        default: return 0
      }
    }
    export function gap(answer: components['schemas']['OverlapResponse']): number | undefined {
      const { certificate } = answer
      return certificate?.kind === 'separating-axis' ? certificate.gap : undefined
    }
    type Shape3d = components['schemas']['Shape3d']
    export function size3d(shape: Shape3d): number {
      switch (shape.type) {
        case 'sphere': return shape.radius
        case 'box': return shape.size.x * shape.size.y * shape.size.z
        case 'cylinder': return shape.axis === 'z' ? shape.height : shape.radius
        case 'ellipsoid': return shape.radii.z
        case 'hull': return shape.points.length
        case 'triangle': return shape.c.z
        // @ts-expect-error a cone has no radii
        case 'cone': return shape.radii.x
        default: return 0
      }
    }
    export function gap3d(answer: components['schemas']['Overlap3dResponse']): number | undefined {
      const { certificate } = answer
      return certificate?.kind === 'separating-axis' ? certificate.gap * certificate.normal.z : undefined
    }
    export function results3d({ results }: components['schemas']['Batch3dResponse']): number[] {
      return results.map((result) => (result.op === 'hull' ? result.volume : result.op === 'distance' ? result.distance : 0))
    }
    // @ts-expect-error what lies in space is turned by a quaternion
    export const flat: components['schemas']['Body3d'] = { shape: { type: 'point' }, rotation: 1 }
    // @ts-expect-error bodies in a compound do not move
    export const child: components['schemas']['Body2d'] = { shape: { type: 'point' }, velocity: { x: 1, y: 0 } }
    type Impact = paths['/v1/2d/time-of-impact']['post']['responses'][200]['content']['application/json']
    export const after = ({ time }: Impact): number => time ?? Infinity
    type Answer = paths['/v1/2d/contact']['post']['responses'][200]['content']['application/json']
    export const isFlat = ({ normal }: Answer): boolean => normal !== null && normal.y === 0
    // @ts-expect-error the normal may be null
    export const x = ({ normal }: Answer): number => normal.x
  `

  it('compile and narrow by type', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tangent-types-'))
    try {
      writeFileSync(join(folder, 'types.ts'), astToString(await openapiTS(JSON.stringify(document))))
      writeFileSync(join(folder, 'use.ts'), narrowing)
      // neither what browsers have nor what is wrong in the compiler's own files is looked at
      const few = { types: [], lib: ['lib.es2022.d.ts'], skipLibCheck: true }
      const options = { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 }
      const program = ts.createProgram([join(folder, 'use.ts')], { ...options, ...few })
      const messages = ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      expect(messages).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
