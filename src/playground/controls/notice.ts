// A line over the plane: what went wrong, or was done, and would not be seen otherwise.

import { byId, setText } from './page-elements.ts'

const SHOWN_MS = 8000

let timer: ReturnType<typeof setTimeout> | undefined

/** Shown for a while, or until there is another (`lasts`); an empty text takes it away. */
export function notice(text: string, lasts = false): void {
  setText(byId('notice'), text)
  clearTimeout(timer)
  if (text !== '' && !lasts) timer = setTimeout(() => setText(byId('notice'), ''), SHOWN_MS)
}
