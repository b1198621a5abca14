// The list of named schemas, which is made from what refers to what.

import { type TSchema, Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { exchanges, exchanges3d } from '../../schemas/queries/exchanges.ts'
import { exampleNamesOf, named, reference } from '../../schemas/reference.ts'
import { sceneExchanges, sceneExchanges3d } from '../../schemas/scenes/exchanges.ts'
import { namedSchemas, schemasByName } from '../../src/wire/named-schemas.ts'

const names = namedSchemas.map(({ $id }) => $id as string)

function targetsOf(schema: TSchema): string[] {
  return [...JSON.stringify({ ...schema, examples: [] }).matchAll(/"\$ref":"(\w+)"/g)].map(([, name]) => name)
}

describe('named schemas', () => {
  it('are there once each', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  it('are there with all that they refer to', () => {
    for (const schema of namedSchemas) {
      for (const name of targetsOf(schema))
        expect(schemasByName, `${schema.$id} refers to ${name}`).toHaveProperty(name)
    }
  })

  it('hold what every query takes and answers, alone and in a batch', () => {
    const stateless = [...exchanges, ...exchanges3d].flatMap(({ request, response }) => [request.$id, response.$id])
    const ofScenes = sceneExchanges.flatMap(({ request, response }) => [request.$id, response.$id])
    const items = [...stateless, ...ofScenes].map((name) =>
      String(name)
        .replace(/Request$/, 'Query')
        .replace(/Response$/, 'Result'),
    )
    expect(names).toEqual(expect.arrayContaining([...stateless, ...ofScenes, ...items]))
  })

  it('have names of their own', () => {
    const twin = Type.Object({}, named('Body2d', 'Another one.'))
    expect(() => reference(twin)).toThrow('two schemas are called Body2d')
  })
})

describe('examples', () => {
  it.each(
    [...exchanges, ...exchanges3d, ...sceneExchanges, ...sceneExchanges3d].map(
      ({ request }) => [String(request.$id), request] as const,
    ),
  )('of %s have names', (name, request) => {
    expect(request.examples).not.toHaveLength(0)
    expect(exampleNamesOf(name)).toHaveLength(request.examples.length)
  })
})
