// The selected body as JSON, to be written over: numbers that no hand can drag.

import { isDrawable } from '../sketch/shape-outline.ts'
import { isVector } from '../sketch/share-link.ts'
import { bodyOf, type SketchBody, withBody } from '../sketch/sketch.ts'
import type { Desk } from './desk.ts'
import { byId, setText } from './page-elements.ts'

export function followBody(desk: Desk): void {
  const text = byId<HTMLTextAreaElement>('body-text')
  const panel = byId<HTMLDetailsElement>('body-panel')
  let shown: SketchBody | undefined

  const update = () => {
    const body = bodyOf(desk.sketch, desk.sketch.selected)
    setText(byId('body-name'), body?.id ?? '')
    if (!panel.open || body === shown || document.activeElement === text) return
    shown = body
    const { id: _, ...fields } = body ?? { id: '' }
    text.value = body === undefined ? '' : JSON.stringify(fields, null, 1)
    text.disabled = body === undefined
  }
  text.addEventListener('input', () => {
    const body = bodyOf(desk.sketch, desk.sketch.selected)
    if (body === undefined) return
    try {
      const fields = JSON.parse(text.value)
      if (!isDrawable(fields?.shape)) throw new Error('A body has a shape with a type and all that belongs to it.')
      if (fields.position !== undefined && !isVector(fields.position)) throw new Error('A position has x and y.')
      setText(byId('body-error'), '')
      desk.commit(withBody(desk.sketch, { ...fields, id: body.id }))
    } catch (error) {
      setText(byId('body-error'), (error as Error).message)
    }
  })
  text.addEventListener('blur', update)
  panel.addEventListener('toggle', update)
  desk.onChange(update)
  update()
}
