// The contents of kept shapes for scenes that are to hold them.

import { keptContent, knownContent } from '../scene/state/kept-content.ts'
import { type ContentsTask, contentText, type FoundContent } from '../wire/scene-references.ts'
import { byteLengthOf, type KeptShape, ShapeOpener } from './kept-shape.ts'
import type { Shelf } from './shelf.ts'

/** Bytes of a shape whose text the main thread makes itself. */
const QUICK_BYTES = 2 ** 15

const opener = new ShapeOpener()

/**
 * Those that the scene holds, or that the shelf has. `textOf`: has a worker make the text of a kept shape, null where it is kept no more.
 * Rejects where the store of the shelf cannot be asked.
 */
export function findContents(
  { ids, dimension, held }: ContentsTask,
  shelf: Shelf,
  textOf: (id: string) => Promise<string | null>,
): Promise<(FoundContent | null)[]> {
  const find = async (id: string): Promise<FoundContent | null> => {
    const content = held.get(id)
    if (content !== undefined) return { dimension, content }
    const kept = await shelf.take(id)
    if (kept === null) return null
    if (kept.dimension !== dimension) return { dimension: kept.dimension, content: null }
    return contentOf(kept, textOf)
  }
  return Promise.all(ids.map(find))
}

async function contentOf(
  kept: KeptShape,
  textOf: (id: string) => Promise<string | null>,
): Promise<FoundContent | null> {
  const { id, dimension, text: stub } = kept
  const open = () => opener.open(kept).shape
  const content = knownContent(id)
  if (content !== null) return { dimension, content }
  const isQuick = byteLengthOf(kept) <= QUICK_BYTES
  const text = isQuick ? contentText(dimension, open()) : await textOf(id)
  return text === null ? null : { dimension, content: keptContent(id, text, open, stub.byteLength) }
}
