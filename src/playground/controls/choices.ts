// What a question takes besides bodies, as fields of a form.

import { questionOf, questionsFor } from '../questions/all-questions.ts'
import { type Choice, optionOf, type Question } from '../questions/question.ts'
import { serviceFeatures } from '../service/features.ts'
import type { Option as Value } from '../sketch/sketch.ts'
import type { Desk } from './desk.ts'
import { byId, fillSelect, setText } from './page-elements.ts'

/** What an older service does not answer cannot be chosen. */
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
    fields.replaceChildren(legend!, ...question.choices.map(field))
  }
  select.addEventListener('change', () => desk.commit({ ...desk.sketch, question: select.value }))
  desk.onChange(update)
  update()
}
