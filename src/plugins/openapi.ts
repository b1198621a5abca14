// The OpenAPI document of the app, made from the routes' own schemas.

import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import type { ProblemCode } from '../../schemas/problem.ts'
import { exampleNamesOf } from '../../schemas/reference.ts'
import { SERVICE_VERSION } from '../version.ts'
import {
  componentName,
  componentReference,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiSchema,
  operations,
  problemResponses,
  shareProblems,
  tagValue,
} from '../wire/openapi-document.ts'
import { DOCUMENTATION, HEALTH } from './access.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The problems that this route may answer with, besides those that all may. */
    problems?: readonly ProblemCode[]
  }
}

/** Problems that any route may answer with, those of one that needs no token, and those of a probe. */
const GENERAL_PROBLEMS: readonly ProblemCode[] = ['unauthorized', 'rate-limited', 'internal-error']
const OPEN_PROBLEMS: readonly ProblemCode[] = ['rate-limited', 'internal-error']
const PROBE_PROBLEMS: readonly ProblemCode[] = ['malformed-request', 'internal-error']

const INFO = {
  title: 'Tangent',
  version: SERVICE_VERSION,
  description:
    'Collision queries over HTTP: overlap, distance, contact, time of impact, casts and trajectories of two-dimensional shapes, convex or not, and questions about convex bodies in space, answered exactly. Lengths are in the caller’s own unit, times in seconds, angles in radians, counter-clockwise positive in a frame with y up. Shapes are closed sets: touching counts as overlapping. Normals are unit vectors from A to B, null where there is none.',
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'The Tangent maintainers' },
}

const TAGS = [
  { name: 'pairs', description: 'Questions about two bodies.' },
  { name: 'rays', description: 'Questions about a ray and many bodies.' },
  { name: 'motion', description: 'Questions about bodies that move.' },
  { name: 'many', description: 'Questions about many bodies at once.' },
  { name: 'shapes', description: 'Questions about one body or shape, or about points.' },
  {
    name: 'kept-shapes',
    description: 'Shapes that the service keeps, of the plane and of space: sent once, and named after that.',
  },
  { name: 'scenes', description: 'Sets of bodies that the service keeps: made, looked at, changed, deleted.' },
  { name: 'scene-bodies', description: 'The bodies of a scene: put, read, changed, removed.' },
  { name: 'scene-queries', description: 'Questions about the bodies of a scene.' },
  {
    name: 'scenes-3d',
    description: 'Sets of bodies in space that the service keeps: made, looked at, changed, deleted.',
  },
  { name: 'scene-bodies-3d', description: 'The bodies of a scene of space: put, read, changed, removed.' },
  { name: 'scene-queries-3d', description: 'Questions about the bodies of a scene of space.' },
  { name: 'pairs-3d', description: 'Questions about two bodies in space.' },
  { name: 'motion-3d', description: 'Questions about bodies that move in space.' },
  { name: 'rays-3d', description: 'Questions about a ray and many bodies in space.' },
  { name: 'shapes-3d', description: 'Questions about one body or shape in space, or about points.' },
  { name: 'many-3d', description: 'Questions about many bodies in space at once.' },
  { name: 'service', description: 'The service itself.' },
]

/** Must be registered before the routes, which it observes, and after the schemas. */
export const openApi = fp(async (app) => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: INFO,
      servers: [{ url: '/', description: 'This server' }],
      tags: TAGS,
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'Needed only where the service is configured with tokens.',
          },
        },
      },
      security: [{}, { token: [] }],
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `schema-${i}`) },
    convertConstToEnum: true,
    transform: ({ schema, url, route }) => {
      const own = route.config?.problems ?? []
      const open = { security: [] }
      if (HEALTH.test(url)) return { schema: { ...withProblems(schema, [...own, ...PROBE_PROBLEMS]), ...open }, url }
      if (DOCUMENTATION.test(url))
        return { schema: { ...withProblems(schema, [...own, ...OPEN_PROBLEMS]), ...open }, url }
      return { schema: withProblems(schema, [...own, ...GENERAL_PROBLEMS]), url }
    },
    transformObject: (documents) => {
      if (!('openapiObject' in documents)) throw new Error('expected an OpenAPI document')
      const document = complete(
        documents.openapiObject as unknown as OpenApiDocument,
        app.getSchemas() as Record<string, OpenApiSchema>,
      )
      return document as unknown as typeof documents.openapiObject
    },
  })
})

function withProblems(schema: FastifySchema | undefined, problems: readonly ProblemCode[]): FastifySchema {
  return { ...schema, response: { ...(schema?.response as object), ...problemResponses(problems) } }
}

/** Adds what the generator cannot express or drops. */
function complete(document: OpenApiDocument, sources: Record<string, OpenApiSchema>): OpenApiDocument {
  const { schemas } = document.components
  for (const [name, schema] of Object.entries(schemas)) {
    restoreDescriptions(schema, sources[name])
    if (schema.discriminator !== undefined) schema.discriminator.mapping = tagMapping(schema, schemas)
  }
  shareProblems(document)
  for (const operation of operations(document)) addExamples(operation, schemas)
  for (const schema of Object.values(schemas)) delete schema.examples
  return document
}

/** Examples of the schemas, under their names. The answers to those of a request have the names of these. */
function addExamples({ requestBody, responses }: OpenApiOperation, schemas: Record<string, OpenApiSchema>): void {
  const asked = Object.values(requestBody?.content ?? {}).filter(({ schema }) => schema.$ref !== undefined)
  const names = asked.flatMap(({ schema }) => exampleNamesOf(componentName(schema)))
  const parts = [requestBody, ...Object.values(responses)]
  for (const entry of parts.flatMap((part) => Object.values(part?.content ?? {}))) {
    if (entry.schema.$ref === undefined) continue
    const name = componentName(entry.schema)
    const { examples: values = [] } = schemas[name]
    const known = asked.length === 0 ? ['answer'] : names
    if (values.length > known.length) throw new Error(`not every example of ${name} has a name`)
    if (values.length > 0) entry.examples = Object.fromEntries(values.map((value, i) => [known[i], { value }]))
  }
}

/** Descriptions beside a reference are allowed in 3.1, but were dropped. */
function restoreDescriptions(schema: OpenApiSchema, source: OpenApiSchema): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const description = source.properties?.[name].description
    if (property.$ref !== undefined && description !== undefined) property.description = description
  }
}

function tagMapping(union: OpenApiSchema, schemas: Record<string, OpenApiSchema>): Record<string, string> {
  const tag = union.discriminator?.propertyName as string
  const members = (union.oneOf ?? []).map(componentName)
  return Object.fromEntries(
    members.map((name) => [tagValue(schemas[name], tag), componentReference(name).$ref as string]),
  )
}
