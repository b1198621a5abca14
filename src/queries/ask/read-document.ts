// Large bodies of requests about scenes, read and checked by a worker: a body that violates its schema, with millions of fields say, never
// becomes a value on the main thread. Long shapes are cut out (`wire/unread-shape.ts`).

import { serialize } from 'node:v8'
import type { FarTask } from '../../containers/far-call.ts'
import { isSpace, jsonText } from '../../json/input.ts'
import { type DecodeProblem, under } from '../../wire/decode-problem.ts'
import { schemasByName } from '../../wire/named-schemas.ts'
import { checkDataSize } from '../../wire/scene-body.ts'
import { parseBody, parseFields, parseOperationItems, parseOperations } from '../../wire/scene-body-text.ts'
import { violationProblem } from '../../wire/schema-violation.ts'
import { parseAround, takeShapes, type UnreadShape } from '../../wire/unread-shape.ts'
import { describeUnreadable } from '../../wire/unreadable.ts'
import { bodyCompiler, takeErrors } from '../../wire/validators.ts'

const PARSERS = {
  plain: (text: Buffer): unknown => JSON.parse(jsonText(text)),
  body: (text: Buffer) => parseBody(jsonText(text)),
  fields: (text: Buffer) => parseFields(jsonText(text)),
  operations: (text: Buffer) => parseOperations(jsonText(text)),
  /** Some of the items of a list of operations. */
  items: (text: Buffer) => parseOperationItems(jsonText(text)),
  /** Some of the queries of a batch, each of which is checked when it is asked. */
  queries: (text: Buffer): unknown => JSON.parse(jsonText(text)),
}

/** How a document is read. */
export type DocumentForm = keyof typeof PARSERS

export interface DocumentTask extends FarTask {
  readonly kind: 'document'
  readonly bytes: Uint8Array
  readonly form: DocumentForm
  /** Name of the schema of it, or of each of its items. */
  readonly schema: string
  /** Items of the list before these. */
  readonly first: number
}

/** A document without its long shapes, and where these are in the text. Its long lists are empty, and sent separately in parts. */
export interface ReadDocument {
  readonly value: unknown
  readonly shapes: readonly { readonly start: number; readonly end: number }[]
  readonly lists: readonly SentList[]
}

/** A long list of a document, in parts: as one value it would take long to receive. */
export interface SentList {
  readonly name: string
  /** Some items each, by `node:v8`. */
  readonly parts: readonly Uint8Array[]
}

/** Most items of a list that is sent as it is, and of a part. */
const PART_COUNT = 1024

export function isDocumentTask(task: FarTask): task is DocumentTask {
  return task.kind === 'document'
}

const LIST = 91

const compile = bodyCompiler(schemasByName)
const validators = new Map<string, ReturnType<typeof compile>>()

export function readDocument({ bytes, form, schema, first }: DocumentTask): ReadDocument | DecodeProblem {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const isList = form === 'items' || form === 'queries'
  let value: unknown
  try {
    // a list is a violation whatever its items are
    const isWrong = !isList && buffer[firstOf(buffer)] === LIST
    value = isWrong ? [] : parseAround(buffer, PARSERS[form], isList)
  } catch (error) {
    const problem = describeUnreadable(buffer.toString(), error)
    return isList ? inWholeList(problem, form === 'queries' ? '/queries' : '/operations', first) : problem
  }
  const documents = isList ? (value as unknown[]) : [value]
  for (const [k, document] of documents.entries()) {
    const problem = problemOf(document, form, schema, isList ? `/operations/${first + k}` : '')
    if (problem !== null) return problem
  }
  const shapes = takeShapes(documents).map((shape) => placeOf(shape, buffer))
  return { value, shapes, lists: isList ? [] : takeLists(value as Record<string, unknown>) }
}

/** Empties the long lists of a document. */
function takeLists(document: Record<string, unknown>): SentList[] {
  return Object.entries(document).flatMap(([name, list]) => {
    if (!Array.isArray(list) || list.length <= PART_COUNT) return []
    const parts: Uint8Array[] = []
    for (let at = 0; at < list.length; at += PART_COUNT) parts.push(serialize(list.slice(at, at + PART_COUNT)))
    document[name] = []
    return [{ name, parts }]
  })
}

/** Where the text begins, behind blanks. */
function firstOf(bytes: Buffer): number {
  let at = 0
  while (isSpace(bytes[at])) at++
  return at
}

/** The problem with some items of a list, `first` of which are before these, as seen from around the list. */
function inWholeList(problem: DecodeProblem, list: string, first: number): DecodeProblem {
  const places = problem.places.map(({ pointer }) => ({
    pointer: list + pointer.replace(/^\/\d+/, (index) => `/${first + Number(index.slice(1))}`),
  }))
  return { ...problem, places }
}

function problemOf(document: unknown, form: DocumentForm, schema: string, where: string): DecodeProblem | null {
  if (form === 'queries') return null
  let validate = validators.get(schema)
  if (validate === undefined) {
    validate = compile({ $ref: schema })
    validators.set(schema, validate)
  }
  if (!validate(document)) {
    const problem = violationProblem(takeErrors(validate)[0], where)
    return where === '' ? problem : under(where, problem)
  }
  if (form === 'body' || form === 'fields') return checkDataSize((document as { data?: unknown }).data)
  if (form !== 'items') return null
  const { body, fields } = document as { body?: { data?: unknown }; fields?: { data?: unknown } }
  return under(`${where}/body`, checkDataSize(body?.data)) ?? under(`${where}/fields`, checkDataSize(fields?.data))
}

function placeOf({ bytes }: UnreadShape, { byteOffset }: Buffer): { start: number; end: number } {
  const start = bytes.byteOffset - byteOffset
  return { start, end: start + bytes.length }
}
