// Two forms: the parameters of a question besides bodies, and the selected body as JSON.

import type { Desk } from './desk.ts'
import { byId, DIMENSION, fillSelect, setText } from './page-elements.ts'
import { call, latestCall, type Reply, serviceFeatures } from './service.ts'
import { questionOf, questionsFor } from './sketch/all-questions.ts'
import { type Choice, optionOf, type Question } from './sketch/question.ts'
import { isVector } from './sketch/share-link.ts'
import { bodyOf, type SketchBody, type Option as Value, withBody } from './sketch/sketch.ts'

/** Disables questions that an older service does not answer. */
async function offer(select: HTMLSelectElement): Promise<void> {
  const option = [...select.options].find(({ value }) => value === 'scene snap')
  if (option === undefined) return
  option.disabled = true
  option.disabled = !(await serviceFeatures()).has('snap')
}

export function followChoices(desk: Desk): void {
  const select = byId<HTMLSelectElement>('question')
  const fields = byId('choices')
  let shown: Question | null = null
  let shownScene: string | null | undefined

  const commit = (key: string, value: Value) =>
    desk.commit({ ...desk.sketch, options: { ...desk.sketch.options, [key]: value } })

  const field = (choice: Choice): HTMLLabelElement => {
    const { key, label, among, initial } = choice
    const value = optionOf(desk.sketch, choice)
    const row = document.createElement('label')
    row.append(label)
    if (among !== undefined) {
      const list = document.createElement('select')
      fillSelect(
        list,
        among.map((word) => [word, word] as const),
      )
      list.value = String(value)
      list.addEventListener('change', () => commit(key, list.value))
      row.append(list)
      list.dataset.option = key
      return row
    }
    const input = document.createElement('input')
    input.dataset.option = key
    if (typeof initial === 'boolean') {
      input.type = 'checkbox'
      input.checked = value === true
      input.addEventListener('change', () => commit(key, input.checked))
    } else {
      input.type = 'number'
      input.step = 'any'
      input.value = String(value)
      input.addEventListener('input', () => Number.isFinite(input.valueAsNumber) && commit(key, input.valueAsNumber))
    }
    row.append(input)
    return row
  }

  const update = () => {
    const { sketch } = desk
    if (sketch.scene !== shownScene) {
      shownScene = sketch.scene
      fillSelect(
        select,
        questionsFor(sketch).map(({ name, title }) => [name, title] as const),
      )
      shown = null
      void offer(select)
    }
    const question = questionOf(sketch)
    select.value = question.name
    setText(byId('hint'), question.hint)
    const rows = [...fields.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-option]')]
    if (question === shown && rows.some((row) => row === document.activeElement)) return
    shown = question
    const [legend] = fields.children
    const { dimension } = sketch
    const shownChoices = question.choices.filter(({ only = dimension }) => only === dimension)
    fields.replaceChildren(legend!, ...shownChoices.map(field))
  }
  select.addEventListener('change', () => desk.commit({ ...desk.sketch, question: select.value }))
  desk.onChange(update)
  update()
}

/** Findings about a shape, or why it is none. */
function detailOf({ ok, value }: Reply): string {
  const details: { pointer?: string; detail: string }[] = ok ? value.findings : (value?.errors ?? [])
  const texts = details.map(({ pointer, detail }) => (ok || !pointer ? detail : `${pointer}: ${detail}`))
  return texts.join(' ') || (ok ? '' : (value?.detail ?? ''))
}

// The selected body as JSON, to be written over: numbers that no hand can drag.

/** `isDrawable`: whether a value has all parts that the drawing of a shape needs. */
export function followBody(desk: Desk, isDrawable: (shape: unknown) => boolean): void {
  const text = byId<HTMLTextAreaElement>('body-text')
  const panel = byId<HTMLDetailsElement>('body-panel')
  let shown: SketchBody | undefined

  // what the service says about the shape, in its own words
  const check = latestCall(
    (shape: unknown) => call({ path: `/v1/${DIMENSION}/validate`, body: { shape } }),
    (_, reply) => {
      if (reply.status !== 0) setText(byId('body-error'), detailOf(reply))
    },
  )
  const update = () => {
    const body = bodyOf(desk.sketch, desk.sketch.selected)
    setText(byId('body-name'), body?.id ?? '')
    if (!panel.open || body === shown || document.activeElement === text) return
    if (body === undefined) setText(byId('body-error'), '')
    else if (body.shape !== shown?.shape) check(body.shape)
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
      check(fields?.shape ?? null)
      if (!isDrawable(fields?.shape)) return
      if (fields.position !== undefined && !isVector(fields.position)) throw new Error('A position has x and y.')
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
