// What queries are called in the OpenAPI document, where names are of no dimension.

import type { Dimension } from './query.ts'

/** The id of the operation: ray-cast of space is rayCast3d. */
export function operationName(op: string, dimension: Dimension): string {
  const name = op.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return dimension === '2d' ? name : `${name}3d`
}

export function tagName(tag: string, dimension: Dimension): string {
  return dimension === '2d' ? tag : `${tag}-3d`
}
