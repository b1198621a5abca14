// Answers whose lists may be so long that writing them at once would keep other requests waiting.

import { SliceClock } from './slices.ts'

/** Items of a list, or items of its items, that are written at a time. */
const ITEMS_AT_A_TIME = 2 ** 12
/** Characters after which a piece is handed on. */
const PIECE_LENGTH = 2 ** 18

/** Whether a field of the answer is a list of more than is written at a time. */
export function isLong(answer: object): boolean {
  for (const name in answer) {
    const value = (answer as Record<string, unknown>)[name]
    if (Array.isArray(value) && value.length * itemLength(value) > ITEMS_AT_A_TIME) return true
  }
  return false
}

/** The JSON text of an answer, some items at a time. */
export function* jsonText(answer: object): Generator<string, void, undefined> {
  let before = '{'
  for (const [name, value] of Object.entries(answer)) {
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    if (Array.isArray(value)) yield* listText(value)
    else yield JSON.stringify(value)
  }
  yield before === '{' ? '{}' : '}'
}

/** The same in pieces for sending, with turns for others in between. It breaks off when nobody waits for it any more. */
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

function* listText(list: readonly unknown[]): Generator<string, void, undefined> {
  const step = Math.max(1, Math.floor(ITEMS_AT_A_TIME / itemLength(list)))
  yield '['
  for (let i = 0; i < list.length; i += step) {
    const items = JSON.stringify(list.slice(i, i + step)).slice(1, -1)
    yield i === 0 ? items : `,${items}`
  }
  yield ']'
}

/** The length of the first item stands for all. */
function itemLength([first]: readonly unknown[]): number {
  return Array.isArray(first) ? Math.max(1, first.length) : 1
}
