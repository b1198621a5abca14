// Schemas of what tools take, made from those of requests: one for both dimensions, without references. A union is cut to a text that
// names its members and their fields: what is wrong with a member is said by the service, with its place.

import type { TObject } from '@sinclair/typebox'
import { identifier } from '../../schemas/scenes/body.ts'
import { schemasByName } from '../wire/named-schemas.ts'

/** The part of JSON schema that is made here. */
export interface Schema {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  additionalProperties?: boolean
  /** Of a union: texts of its members, until they are part of the description. */
  members?: string[]
  [other: string]: unknown
}

interface Source extends Schema {
  $ref?: string
  $id?: string
  oneOf?: Source[]
  discriminator?: { propertyName: string }
}

const sourceOf = (name: string) => schemasByName[name] as unknown as Source

/** What says nothing to whoever writes a request, or not more than the service says when it is wrong. */
const LEFT_OUT = new Set(
  '$id examples format x-max-nesting maxItems minLength maxLength pattern oneOf discriminator additionalProperties'.split(
    ' ',
  ),
)
/** Whose fields need no words. */
const VECTORS = new Set(['Vec2', 'Vec3'])
/** What many tools take, which is a text of its fields: lists of tools are read whole, and paid for. */
const IN_WORDS = new Set(['SceneFilter', 'Quaternion'])
const LETTERS = / ?1 to \d+ of A-Z .*$/

/** The schema without references. */
function plain(source: Source): Schema {
  const { $ref, ...own } = source
  if ($ref !== undefined && IN_WORDS.has($ref)) {
    const { description = '' } = { ...sourceOf($ref), ...own }
    return { type: 'object', description: `${description} ${inWords(sourceOf($ref))}.` }
  }
  if ($ref !== undefined) {
    const target = VECTORS.has($ref) ? vector(sourceOf($ref)) : plain(sourceOf($ref))
    return own.description === undefined ? target : { ...target, description: own.description }
  }
  const { oneOf, discriminator } = source
  if (oneOf !== undefined && discriminator !== undefined) return union(source, oneOf, discriminator.propertyName)
  if (oneOf !== undefined) return { ...plain(oneOf[0]), ...(own.description && { description: own.description }) }
  const schema: Schema = Object.fromEntries(Object.entries(own).filter(([name]) => !LEFT_OUT.has(name)))
  if (own.properties !== undefined) schema.properties = each(own.properties, plain)
  if (own.items !== undefined) schema.items = plain(own.items as Source)
  if (own.description !== undefined) schema.description = own.description.replace(LETTERS, '')
  return schema
}

function vector({ properties = {}, required = [] }: Source): Schema {
  const numbers = Object.keys(properties).map((name) => [name, { type: 'number' }])
  return { type: 'object', properties: Object.fromEntries(numbers), required }
}

/** Such as `{a, b?: {c?}, d?: one | two}`. */
function inWords({ $ref, properties, required, enum: words = [] }: Source): string {
  if ($ref !== undefined) return inWords(sourceOf($ref))
  if (properties === undefined) return words.join(' | ')
  const fields = Object.entries(properties).map(([name, field]) => {
    const value = inWords(field)
    return `${listedName(name, required)}${value && `: ${value}`}`
  })
  return `{${fields.join(', ')}}`
}

const listedName = (name: string, required: readonly string[] = []) => (required.includes(name) ? name : `${name}?`)

/** An object whose field `tag` says which of the members it is. */
function union({ description = '' }: Source, members: readonly Source[], tag: string): Schema {
  const sources = members.map(({ $ref = '' }) => sourceOf($ref))
  const fieldsOf = ({ properties = {} }: Source) => Object.keys(properties).filter((name) => name !== tag)
  const common = fieldsOf(sources[0]).filter((name) => sources.every((source) => fieldsOf(source).includes(name)))
  const listed = (names: readonly string[], required?: readonly string[]) =>
    `{${names.map((name) => listedName(name, required)).join(', ')}}`
  const words = sources.map(({ properties = {} }) => properties[tag].const)
  const texts = sources.map((source, k) => {
    const own = fieldsOf(source).filter((name) => !common.includes(name))
    return `${words[k]} ${listed(own, source.required)}`
  })
  return {
    type: 'object',
    description: common.length === 0 ? description : `${description} Each also takes ${listed(common)}.`,
    properties: { [tag]: { enum: words } },
    required: [tag],
    members: texts,
  }
}

/** The schema with the members of its unions in words. */
function spelled({ members, ...schema }: Schema): Schema {
  if (schema.properties !== undefined) schema.properties = each(schema.properties, spelled)
  if (schema.items !== undefined) schema.items = spelled(schema.items)
  if (schema.required?.length === 0) delete schema.required
  return members === undefined ? schema : { ...schema, description: `${schema.description} ${members.join('; ')}.` }
}

const each = (fields: Record<string, Schema>, change: (field: Schema, name: string) => Schema) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field, name)]))

function mergedMembers(plane: readonly string[], space: readonly string[]): string[] {
  const only = (dimension: string, these: readonly string[], those: readonly string[]) => {
    const own = these.filter((text) => !those.includes(text))
    return own.length === 0 ? [] : [`${dimension} only: ${own.join('; ')}`]
  }
  const both = plane.filter((text) => space.includes(text))
  return [...both, ...only('in 2D', plane, space), ...only('in 3D', space, plane)]
}

/** One schema for what is said in the plane or in space. */
function merged(plane: Schema, space: Schema): Schema {
  const both: Schema = { ...plane }
  if (plane.enum !== undefined && space.enum !== undefined) both.enum = [...new Set([...plane.enum, ...space.enum])]
  if (plane.items !== undefined && space.items !== undefined) both.items = merged(plane.items, space.items)
  if (plane.members !== undefined && space.members !== undefined) {
    both.members = mergedMembers(plane.members, space.members)
  }
  const { description: text = '' } = plane
  if (space.description !== undefined && space.description !== text) {
    both.description = isLike(text, space.description) ? text : `2D: ${text} 3D: ${space.description}`
  }
  if (plane.properties !== undefined && space.properties !== undefined) {
    both.properties = mergedFields(plane.properties, space.properties)
    both.required = (plane.required ?? []).filter((name) => space.required?.includes(name))
  }
  return both
}

/** Whether what is said of space is nothing more than that it is of space. */
function isLike(plane: string, space: string): boolean {
  return space.replaceAll(/ (of|in) space/g, '').replaceAll('(0, 0, 0)', '(0, 0)') === plane
}

function mergedFields(plane: Record<string, Schema>, space: Record<string, Schema>): Record<string, Schema> {
  const names = new Set([...Object.keys(plane), ...Object.keys(space)])
  return Object.fromEntries(
    [...names].map((name) => {
      const [inPlane, inSpace] = [plane[name], space[name]]
      if (inPlane === undefined) return [name, onlyOf('3D', inSpace)]
      return [name, inSpace === undefined ? onlyOf('2D', inPlane) : merged(inPlane, inSpace)]
    }),
  )
}

function onlyOf(dimension: string, schema: Schema): Schema {
  return { ...schema, description: `${dimension} only. ${schema.description ?? ''}`.trim() }
}

/** Fields of a tool by itself. */
export const SCENE: Schema = plain(identifier('The scene, as open_level or list_scenes name it.') as Source)
export const MOST_RESULTS = 100

export function limitField(usual: number): Schema {
  return {
    type: 'integer',
    minimum: 1,
    maximum: MOST_RESULTS,
    description: `Most results; ${usual} when absent. The answer says if there are more.`,
  }
}

const FULL_SHAPES = 'The tool apply lists the shapes and their fields.'

/** The fields of requests in either dimension, but for those left out. Shapes are listed in full where `hasShapes`. */
export function requestFields(
  plane: TObject,
  space: TObject,
  { leftOut = [], hasShapes = false }: { leftOut?: readonly string[]; hasShapes?: boolean } = {},
): { properties: Record<string, Schema>; required: string[] } {
  const both = spelled(merged(plain(plane as unknown as Source), plain(space as unknown as Source)))
  const kept = Object.entries(both.properties ?? {}).filter(([name]) => !leftOut.includes(name))
  const properties = Object.fromEntries(kept)
  return {
    properties: hasShapes ? properties : withoutShapes(properties),
    required: (both.required ?? []).filter((name) => !leftOut.includes(name)),
  }
}

function withoutShapes(fields: Record<string, Schema>): Record<string, Schema> {
  return each(fields, (field, name) => {
    if (name === 'shape') return { type: 'object', description: FULL_SHAPES }
    return field.properties === undefined ? field : { ...field, properties: withoutShapes(field.properties) }
  })
}

/** The schema of a tool. What it does not list is a mistake. */
export function toolInput(properties: Record<string, Schema>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

/** The shapes of both dimensions, and what they are made of. */
export function shapesText(): string {
  const [plane, space] = ['Shape2d', 'Shape3d'].map((name) => plain(sourceOf(name)))
  return spelled(merged(plane, space)).description as string
}
