// The canonical content of a shape, and the id that is its digest: one for the same shape whatever format it came in.
//
// Definition: the content is a line that names the dimension, `tangent 3d`; a line with the shape as canonical JSON (RFC 8785: fields by name, no
// blanks, numbers as ECMAScript writes them), in which the number of its items stands for each list of numbers, and fields that are what
// they would be if absent are left out; then the numbers of those lists in the order in which they stand in that line, each as a double of eight
// bytes, the least first, null as not a number. −0 is 0 throughout. The id is `sha256-` and the digest in hexadecimal.
// Cost: one look at each number.

import { createHash, type Hash } from 'node:crypto'
import { spend } from '../containers/budget.ts'
import { type Dimension, ID_MARK } from '../wire/shape-source.ts'

type Numbers = ArrayLike<number | null>

export function contentId(dimension: Dimension, shape: object): string {
  const lists: Numbers[] = []
  const text = canonicalOf(shape, lists)
  const hash = createHash('sha256').update(`tangent ${dimension}\n${text}\n`)
  for (const list of lists) addNumbers(hash, list)
  return ID_MARK + hash.digest('hex')
}

/** Numbers that are hashed at a time. */
const CHUNK = 2 ** 13
const NOT_A_NUMBER = Buffer.from('000000000000f87f', 'hex')

function addNumbers(hash: Hash, list: Numbers): void {
  const bytes = Buffer.alloc(8 * Math.min(CHUNK, list.length))
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  for (let start = 0; start < list.length; start += CHUNK) {
    const count = Math.min(CHUNK, list.length - start)
    spend(count)
    for (let k = 0; k < count; k++) {
      const value = list[start + k]
      if (value === null) bytes.set(NOT_A_NUMBER, 8 * k)
      // −0 + 0 is 0
      else view.setFloat64(8 * k, value + 0, true)
    }
    hash.update(bytes.subarray(0, 8 * count))
  }
}

function canonicalOf(value: unknown, lists: Numbers[]): string {
  // of −0 it gives 0
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  spend(1)
  if (ArrayBuffer.isView(value) || (Array.isArray(value) && isNumbers(value))) {
    lists.push(value as unknown as Numbers)
    return `${(value as unknown as Numbers).length}`
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalOf(item, lists)).join(',')}]`
  const fields = value as Record<string, unknown>
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined && !isDefault(fields, name))
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalOf(fields[name], lists)}`)
    .join(',')}}`
}

function isNumbers(list: readonly unknown[]): boolean {
  return list.length > 0 && list.every((item) => typeof item === 'number' || item === null)
}

/** Shapes whose radius may be absent. */
const ROUNDED = ['box', 'polygon', 'hull']

/** Whether the field is what it would be if it were absent. */
function isDefault(fields: Record<string, unknown>, name: string): boolean {
  const value = fields[name]
  switch (name) {
    case 'solid':
    case 'loop':
      return value === false
    case 'axis':
      return value === 'y'
    case 'rotation':
      return value === 0
    case 'radius':
      return value === 0 && ROUNDED.includes(String(fields.type))
    case 'holes':
      return Array.isArray(value) && value.length === 0
    case 'position':
      return Object.values(value as object).every((coordinate) => coordinate === 0)
    case 'orientation': {
      const { x, y, z, w } = value as Record<string, number>
      return x === 0 && y === 0 && z === 0 && w === 1
    }
    default:
      return false
  }
}
