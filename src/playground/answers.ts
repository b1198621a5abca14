// Asks the question whenever the sketch has changed, and shows what comes: drawn, said, and as it is.

import type { Desk } from './desk.ts'
import { byId, makeScrollable, setText } from './page-elements.ts'
import { call, isPassing, latestCall, problemText, type Reply, token } from './service.ts'
import { questionOf } from './sketch/all-questions.ts'
import { type Asked, type Mark, optionOf, type Question } from './sketch/question.ts'
import type { Sketch } from './sketch/sketch.ts'
import { LANGUAGES, type Language, snippet } from './snippets.ts'

/** Characters of a request or an answer that are shown; copies are whole. */
const MOST_SHOWN = 8000

interface Put {
  sketch: Sketch
  question: Question
  asked: Asked
}

/** Texts are written some ten times a second: to lay them out takes longer than to ask. */
const TEXT_PAUSE = 90
/** Pause before a question without an answer is asked again. */
const RETRY_MS = 1000

export function followAnswers(desk: Desk, show: (marks: readonly Mark[]) => void): { again(): void } {
  let last: Asked | null = null
  let waiting: { put: Put; reply: Reply } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const writeTexts = () => {
    const shown = waiting
    waiting = null
    if (shown === null) return
    const { put, reply } = shown
    setText(byId('path'), put.asked.path)
    setText(byId('request'), readable(put.asked.body))
    setText(byId('answer'), readable(reply.value))
    setText(byId('latency'), reply.status === 0 ? 'no answer' : `${reply.took.toFixed(1)} ms, status ${reply.status}`)
  }
  const take = (put: Put, reply: Reply) => {
    // another question may have been chosen while this one was answered
    if (last === null || questionOf(desk.sketch) !== put.question || desk.sketch.scene !== put.sketch.scene) return
    clearTimeout(timer)
    if (isPassing(reply)) timer = setTimeout(again, Math.max(RETRY_MS, reply.retryAfter * 1000))
    if (waiting === null) setTimeout(writeTexts, TEXT_PAUSE)
    waiting = { put, reply }
    const says = byId('says')
    says.classList.toggle('problem', !reply.ok)
    const later = isPassing(reply) ? ' It is asked again in a moment.' : ''
    setText(says, reply.ok ? put.question.says(reply.value, put.sketch) : `${problemText(reply)}${later}`)
    says.ariaBusy = String(put.asked !== last)
    show(reply.ok ? put.question.marks(reply.value, put.sketch) : [])
    byId('stage').dispatchEvent(new CustomEvent('answered'))
  }
  const ask = latestCall((put: Put) => call({ path: put.asked.path, body: put.asked.body }), take)

  let seen: Sketch | null = null
  const again = () => {
    clearTimeout(timer)
    const { sketch } = desk
    const question = questionOf(sketch)
    seen = sketch
    const asked = question.ask(sketch)
    last = asked
    byId('says').ariaBusy = String(asked !== null)
    if (asked !== null) {
      ask({ sketch, question, asked })
      return
    }
    waiting = null
    for (const id of ['path', 'request', 'answer', 'latency']) setText(byId(id), '')
    show([])
    byId('says').classList.remove('problem')
    const isFar = desk.settings.backdrop
    setText(
      byId('says'),
      isFar ? 'Zoom in until bodies can be taken hold of.' : 'Add bodies: this question needs more of them.',
    )
  }
  desk.onChange(() => {
    if (desk.sketch !== seen) again()
  })

  for (const id of ['request', 'answer']) makeScrollable(id)
  const copies = byId('copies')
  for (const language of LANGUAGES) {
    const button = document.createElement('button')
    button.textContent = language
    button.addEventListener('click', () => copy(button, language, last))
    copies.append(button)
  }
  return { again }
}

/** Where what was dragged goes when it is let go of, if the question says where it fits. */
export async function settled(sketch: Sketch): Promise<Sketch> {
  const question = questionOf(sketch)
  const choice = question.choices.find(({ key }) => key === 'settle')
  const asked = question.ask(sketch)
  if (choice === undefined || asked === null || optionOf(sketch, choice) !== true) return sketch
  const reply = await call({ path: asked.path, body: asked.body })
  return (reply.ok ? question.settle?.(reply.value, sketch) : null) ?? sketch
}

async function copy(button: HTMLButtonElement, language: Language, asked: Asked | null): Promise<void> {
  if (asked === null) return
  const text = snippet(language, location.origin, asked, token() !== '')
  // where the clipboard is not to be had, the text is shown to be copied by hand
  const done = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  if (done === true) setText(button, 'copied')
  else setText(byId('request'), text)
  setTimeout(() => setText(button, language), 1200)
}

function readable(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? ''
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n… ${text.length} characters in all` : text
}
