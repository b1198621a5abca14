import { describe, expect, it } from 'vitest'
import { downgrade } from '../../src/wire/openapi-3-0.ts'
import type { OpenApiDocument, OpenApiSchema } from '../../src/wire/openapi-document.ts'
import { flatten } from '../../src/wire/openapi-flat.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: Record<string, OpenApiSchema>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
  paths: {},
  components: {
    schemas: {
      Vec: object({ x: { type: 'number', format: 'double' } }),
      Round: object({ type: { type: 'string', enum: ['round'] }, size: { type: 'number', exclusiveMinimum: 0 } }),
      Square: object({ type: { type: 'string', enum: ['square'] }, size: { type: 'number' }, at: ref('Vec') }, [
        'type',
        'size',
      ]),
      Shape: {
        type: 'object',
        description: 'A shape.',
        oneOf: [ref('Round'), ref('Square')],
        discriminator: { propertyName: 'type' },
      },
      Answer: object({
        shape: { ...ref('Shape'), description: 'Dropped.' },
        normal: { oneOf: [ref('Vec'), { type: 'null' }], description: 'Or not.' },
        depth: { type: ['number', 'null'], format: 'double' },
      }),
    },
  },
}

describe('the 3.0 view', () => {
  const view = downgrade(document)
  const { schemas } = view.components

  it('says so, and names the licence by address', () => {
    expect(view.openapi).toBe('3.0.3')
    expect(view.info.license).toEqual({ name: 'MIT', url: 'https://opensource.org/license/mit' })
  })

  it('makes exclusive limits boolean', () => {
    expect(schemas.Round.properties?.size).toEqual({ type: 'number', minimum: 0, exclusiveMinimum: true })
  })

  it('drops what stands beside a reference', () => {
    expect(schemas.Answer.properties?.shape).toEqual(ref('Shape'))
  })

  it('names nullable objects', () => {
    expect(schemas.Answer.properties?.normal).toEqual(ref('VecOrNull'))
    expect(schemas.VecOrNull).toEqual({ ...schemas.Vec, nullable: true })
    expect(schemas.Answer.properties?.depth).toEqual({ type: 'number', nullable: true, format: 'double' })
  })

  it('leaves the document as it was', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.components.schemas).not.toHaveProperty('VecOrNull')
  })
})

describe('the flat view', () => {
  const { schemas } = flatten(downgrade(document)).components

  it('makes one object of a union, with only the tag required', () => {
    const { properties, required, oneOf, discriminator } = schemas.Shape
    expect([oneOf, discriminator]).toEqual([undefined, undefined])
    expect(required).toEqual(['type'])
    expect(Object.keys(properties ?? {})).toEqual(['type', 'size', 'at'])
    expect(properties?.type.enum).toEqual(['round', 'square'])
    expect(schemas.Shape.description).toContain('square: size, at?.')
  })

  it('has no use for the members any more', () => {
    expect(schemas).not.toHaveProperty('Round')
    expect(schemas).not.toHaveProperty('Square')
  })
})
