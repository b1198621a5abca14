/**
 * What people give the things of a map by name: custom properties, and classes.
 *
 * Properties are a list since Tiled 1.2, an object before. Items of lists (1.12) carry their types, which data do not need. What is
 * called `type` was called `class` by Tiled 1.9.
 */

import { asObject, type JsonObject, objectsAt, textAt } from '../reading/json-fields.ts'

/** The properties of something by their names. */
export function propertiesOf(object: JsonObject, where: string): JsonObject {
  const { properties } = object
  if (properties === undefined || properties === null || Array.isArray(properties)) {
    const list = objectsAt(object, 'properties', where)
    return Object.fromEntries(list.map((property) => [textAt(property, 'name', where), plainValue(property.value)]))
  }
  return asObject(properties, `${where}/properties`)
}

/** Without the types of items. Values of classes may hold lists, and lists values of classes. */
function plainValue(value: unknown, depth = 0): unknown {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object' || depth === MOST_DEPTH) return value
  if (Array.isArray(value)) return value.map((item) => plainValue(isItem(item) ? item.value : item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainValue(member, depth + 1)]))
}

/** Deeper values stay as they are. */
const MOST_DEPTH = 64

function isItem(item: unknown): item is { value: unknown } {
  return typeof item === 'object' && item !== null && 'value' in item && 'type' in item
}

/** Empty where it has none. */
export function classOf(object: JsonObject, where: string): string {
  return textAt(object, 'class', where, '') || textAt(object, 'type', where, '')
}
