// A line over the plane: what went wrong, or was done, and would not be seen otherwise.

import { byId, setText } from './page-elements.ts'

const SHOWN_MS = 8000

let timer: ReturnType<typeof setTimeout> | undefined

/** Shown for a while; an empty text takes it away. */
export function notice(text: string): void {
  setText(byId('notice'), text)
  clearTimeout(timer)
  if (text !== '') timer = setTimeout(() => setText(byId('notice'), ''), SHOWN_MS)
}
