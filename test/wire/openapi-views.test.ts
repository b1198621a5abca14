import { describe, expect, it } from 'vitest'
import type { OpenApiDocument, OpenApiSchema } from '../../src/wire/openapi-document.ts'
import { downgrade, flatten, nameParameters } from '../../src/wire/openapi-views.ts'

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

  it('keeps the type of what may be null', () => {
    const nothing = { type: 'object', nullable: true, enum: [null] }
    expect(schemas.Answer.properties?.normal).toEqual({ oneOf: [ref('Vec'), nothing] })
    expect(schemas.Answer.properties?.depth).toEqual({ type: 'number', nullable: true, format: 'double' })
  })

  it('has any value where there are several types, and no list or null in a field that may be left out', () => {
    const list = { type: ['array', 'null'], items: { type: 'string' } }
    const Fields = object({ any: { type: ['boolean', 'number', 'null'] }, left: list, there: list }, ['any', 'there'])
    const { properties } = downgrade({ ...document, components: { schemas: { Fields } } }).components.schemas.Fields
    expect(properties?.any).toEqual({})
    expect(properties?.left).toEqual({ type: 'array', items: { type: 'string' } })
    expect(properties?.there).toEqual({ ...properties?.left, nullable: true })
  })

  it('leaves the document as it was', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.components.schemas.Answer.properties?.depth.type).toEqual(['number', 'null'])
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

  it('takes any value for a field whose type depends on the tag', () => {
    const rows = (items: OpenApiSchema) => ({ type: 'array', items: { type: 'array', items } })
    const member = (kind: string, items: OpenApiSchema) =>
      object({ kind: { type: 'string', enum: [kind] }, rows: rows(items) })
    const Table = { type: 'object', oneOf: [ref('A'), ref('B')], discriminator: { propertyName: 'kind' } }
    const rowsOf = (a: OpenApiSchema, b: OpenApiSchema) => {
      const components = { schemas: { Table, A: member('a', a), B: member('b', b) } }
      return flatten({ ...document, components }).components.schemas.Table.properties?.rows
    }
    const number = { type: 'number', format: 'double' }
    expect(rowsOf({ type: 'boolean' }, number)).toMatchObject(rows({}))
    expect(rowsOf({ type: 'boolean' }, number)?.items?.items).toEqual({})
    expect(rowsOf(ref('Vec'), ref('Round'))?.items?.items).toEqual({})
    const nullable = { oneOf: [ref('Vec'), { type: 'null' }] }
    expect(rowsOf(ref('Vec'), nullable)?.items?.items).toEqual(nullable)
    expect(rowsOf(ref('Round'), nullable)?.items?.items).toEqual({})
    const words = (...names: string[]) => ({ type: 'string', enum: names })
    expect(rowsOf(words('a', 'b'), words('b', 'c'))?.items?.items).toEqual(words('a', 'b', 'c'))
    expect(rowsOf(number, { ...number, nullable: true })?.items?.items).toEqual({ ...number, nullable: true })
  })

  it('keeps a member that is used by itself', () => {
    const components = { schemas: { ...document.components.schemas, Tyre: object({ shape: ref('Round') }) } }
    const names = Object.keys(flatten({ ...document, components }).components.schemas)
    expect(names).toContain('Round')
    expect(names).not.toContain('Square')
  })

  it('has no use for the members any more', () => {
    expect(schemas).not.toHaveProperty('Round')
    expect(schemas).not.toHaveProperty('Square')
  })
})

describe('names of parameters', () => {
  const parameter = (name: string, words: string[]) => ({ name, schema: { type: 'string', enum: words } })
  const asked = (operations: Record<string, ReturnType<typeof parameter>[]>): OpenApiDocument => ({
    ...document,
    paths: Object.fromEntries(
      Object.entries(operations).map(([operationId, parameters]) => [
        `/${operationId}`,
        { get: { operationId, parameters, responses: {} } },
      ]),
    ),
  })

  it('are of one schema each', () => {
    const { schemas } = nameParameters(
      asked({ importScene: [parameter('format', ['svg', 'tiled'])], exportScene: [parameter('format', ['svg'])] }),
    ).components
    expect(schemas.ImportFormat.enum).toEqual(['svg', 'tiled'])
    expect(schemas.ExportFormat.enum).toEqual(['svg'])
  })

  it('are missed, and not given twice', () => {
    expect(() => nameParameters(asked({ listScenes: [parameter('order', ['up', 'down'])] }))).toThrow(/have no name/)
    const twice = asked({ overlap3d: [parameter('view', ['x'])], contact3d: [parameter('view', ['y'])] })
    expect(() => nameParameters(twice)).toThrow('PictureView names two different schemas')
  })
})
