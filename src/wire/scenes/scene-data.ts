// The data of bodies as the text that was sent. A value that has been read and is written again is not always the same
// text: fields whose names are numbers change places, 1.0 becomes 1, long numbers lose digits. So in scenes, and in
// what their logs say, `data` is a string: the JSON text.

import { eachField, eachItem, skipSpace, skipValue } from '../../json/scan.ts'
import type { SceneBody } from '../../scene/table/operation.ts'
import { textWithShape } from '../../scene/table/packed-shape.ts'

/** A field of this name may be in the text: as it is, or with escapes. */
const MAY_HAVE_DATA = /"data"|\\u/
/** Numbers that may be −0: the log does not know it from 0, so scenes do not either. `box-0` is not one. */
const MAY_BE_MINUS_ZERO = /[:,[\s]-(?:0(?:\.0+)?(?![\d.])|[\d.]+[eE]-\d{3})/

/** The value of a body that was sent, or of its new fields, with `data` as text. */
export function parseBody(text: string): unknown {
  const value = parseKept(text)
  if (MAY_HAVE_DATA.test(text)) keepData(text, start(text), value)
  return value
}

/** The same for new fields of a body, where null takes data away. */
export function parseFields(text: string): unknown {
  const value = parseKept(text)
  if (MAY_HAVE_DATA.test(text)) keepData(text, start(text), value, true)
  return value
}

/** The same for a list of operations. */
export function parseOperations(text: string): unknown {
  const value = parseKept(text)
  if (!MAY_HAVE_DATA.test(text)) return value
  const { operations } = { ...(value as { operations?: unknown }) }
  const list = Array.isArray(operations) ? operations : []
  eachField(text, start(text), (field, at) =>
    field === 'operations' ? keepDataOfItems(text, at, list) : skipValue(text, at),
  )
  return value
}

/** The same for the text of the list alone. */
export function parseOperationItems(text: string): unknown[] {
  const items = parseKept(text) as { [name: string]: unknown }[]
  if (MAY_HAVE_DATA.test(text)) keepDataOfItems(text, start(text), items)
  return items
}

/** The same for a document that has a list of bodies. */
export function parseBodies(text: string): unknown {
  const value = parseKept(text)
  if (!MAY_HAVE_DATA.test(text)) return value
  const { bodies } = { ...(value as { bodies?: unknown }) }
  const list = Array.isArray(bodies) ? bodies : []
  eachField(text, start(text), (field, at) =>
    field === 'bodies' ? eachItem(text, at, (index, item) => keepData(text, item, list[index])) : skipValue(text, at),
  )
  return value
}

/** The body as JSON text. */
export function sceneBodyText({ data, ...rest }: SceneBody): string {
  const text = textWithShape(rest)
  return data === undefined ? text : `${text.slice(0, -1)},"data":${data}}`
}

/** A value that a scene is to keep. */
export function parseKept(text: string): unknown {
  if (!MAY_BE_MINUS_ZERO.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_name, value) => (value === 0 ? 0 : value))
}

const start = (text: string) => skipSpace(text, 0)

function keepDataOfItems(text: string, at: number, items: { [name: string]: unknown }[]): number {
  return eachItem(text, at, (index, item) =>
    eachField(text, item, (name, inside) => {
      const holder = items[index]?.[name]
      if (name === 'body') return keepData(text, inside, holder)
      return name === 'fields' ? keepData(text, inside, holder, true) : skipValue(text, inside)
    }),
  )
}

/** Gives the holder of data their text. `at`: where its own text begins. Where a field is there twice, the last one counts. */
function keepData(text: string, at: number, holder: unknown, nullTakesAway = false): number {
  return eachField(text, at, (name, from) => {
    const to = skipValue(text, from)
    if (name === 'data' && isObject(holder) && 'data' in holder) {
      const data = text.slice(from, to)
      holder.data = nullTakesAway && data === 'null' ? null : data
    }
    return to
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
