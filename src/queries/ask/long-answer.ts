// Answers, and pictures of them, that may be so long that writing them at once would keep other requests waiting.

import { SliceClock } from './slices.ts'

/** Most items of lists, nested items included, of a short answer; and items of a long one that are written at a time. */
const SHORT_ITEMS = 2 ** 12
const ITEMS_AT_A_TIME = 2 ** 10
/** Characters after which a piece is sent. */
const PIECE_LENGTH = 2 ** 18

/** Whether a list of the answer has very many items, or items of these; lists within records of the answer count too. */
export function isLong(answer: object): boolean {
  for (const name in answer) {
    const value = (answer as Record<string, unknown>)[name]
    if (Array.isArray(value) ? listWeight(value) > SHORT_ITEMS : isRecord(value) && isLong(value)) return true
  }
  return false
}

/** The JSON text of an answer, some items at a time. */
export function* jsonText(answer: object): Generator<string, void, undefined> {
  let before = '{'
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (Array.isArray(value)) yield* listText(value)
    else if (isRecord(value) && isLong(value)) yield* jsonText(value)
    else yield JSON.stringify(value)
  }
  yield before === '{' ? '{}' : '}'
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** The JSON text of an answer in pieces, with turns for other requests in between. Ends early if the client is gone. */
export async function* jsonPieces(answer: object, isWanted: () => boolean): AsyncGenerator<Buffer, void, undefined> {
  const clock = new SliceClock()
  let text = ''
  for (const part of jsonText(answer)) {
    text += part
    if (text.length >= PIECE_LENGTH) {
      yield Buffer.from(text)
      text = ''
    }
    if (!clock.isOver) continue
    await clock.nextTurn()
    if (!isWanted()) return
  }
  yield Buffer.from(text)
}

/** A long text in pieces, as `jsonPieces`. */
export async function* textPieces(text: string, isWanted: () => boolean): AsyncGenerator<Buffer, void, undefined> {
  const clock = new SliceClock()
  for (let start = 0; start < text.length; ) {
    let end = start + PIECE_LENGTH
    // the halves of a pair are one letter
    if (isFirstOfPair(text.charCodeAt(end - 1))) end++
    yield Buffer.from(text.slice(start, end))
    start = end
    if (!clock.isOver) continue
    await clock.nextTurn()
    if (!isWanted()) return
  }
}

/** Of two units of UTF-16 that are one letter. */
function isFirstOfPair(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

function* listText(list: readonly unknown[]): Generator<string, void, undefined> {
  let before = '['
  for (let end = 0; end < list.length; ) {
    const start = end
    let weight = 0
    do weight += itemWeight(list[end++])
    while (end < list.length && weight < ITEMS_AT_A_TIME)
    if (end === start + 1 && weight > ITEMS_AT_A_TIME) {
      const item = list[start] as object
      yield before
      yield* Array.isArray(item) ? listText(item) : jsonText(item)
    } else {
      yield before + JSON.stringify(list.slice(start, end)).slice(1, -1)
    }
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** The first item tells whether items may hold lists. */
function listWeight(list: readonly unknown[]): number {
  const [first] = list
  if (Array.isArray(first)) return list.length * itemWeight(first)
  if (!holdsList(first)) return list.length
  let weight = 0
  for (const item of list) weight += itemWeight(item)
  return weight
}

/** One, or as many as it has items, if it is a list or holds some. */
function itemWeight(item: unknown): number {
  if (Array.isArray(item)) return Math.max(1, item.length)
  if (typeof item !== 'object') return 1
  let weight = 1
  for (const name in item as object) {
    const value = (item as Record<string, unknown>)[name]
    if (Array.isArray(value)) weight += value.length
  }
  return weight
}

function holdsList(item: unknown): boolean {
  if (typeof item !== 'object') return false
  for (const name in item as object) if (Array.isArray((item as Record<string, unknown>)[name])) return true
  return false
}
