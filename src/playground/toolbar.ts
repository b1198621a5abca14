// Buttons and menus above what is drawn.

import type { Desk } from './desk.ts'
import type { Outlook } from './outlook.ts'
import { asMenu, byId, fillSelect, setPressed, setText } from './page-elements.ts'
import { setToken, token } from './service.ts'
import type { Example, NewShape } from './sketch/example.ts'
import { freePlace, isWithin } from './sketch/free-place.ts'
import { fragmentOf, MOST_FRAGMENT } from './sketch/share-link.ts'
import { freeId, type Sketch, selecting, withBody, withoutBody } from './sketch/sketch.ts'

interface Tools {
  outlook: Outlook
  shapes: readonly NewShape[]
  examples: readonly Example[]
  openExample(example: Example): void
  fit(): void
  /** With another token. */
  again(): void
}

export function followToolbar(desk: Desk, tools: Tools): void {
  const { outlook, shapes, examples: all } = tools
  const on = (id: string, act: () => void) => byId(id).addEventListener('click', act)
  const add = byId<HTMLSelectElement>('add')
  add.append(...shapes.map(({ name }) => new Option(name)))
  asMenu(add, (name) => {
    const { shape } = shapes.find((one) => one.name === name)!
    const id = freeId(desk.sketch)
    const boxes = desk.sketch.bodies.flatMap((body) => outlook.boxOf(body) ?? [])
    const position = freePlace(boxes, outlook.boxOf({ id, shape }), outlook.middle())
    const body = { id, shape, position }
    desk.commit(selecting(withBody(desk.sketch, body), id))
    if (!isWithin(outlook.boxOf(body) ?? { min: position, max: position }, outlook.seen())) outlook.fit(null)
  })
  const examples = byId<HTMLSelectElement>('examples')
  fillSelect(examples, [['', 'choose …'], ...all.map(({ name }) => [name, name] as const)])
  asMenu(examples, (name) => tools.openExample(all.find((one) => one.name === name)!))
  on('undo', desk.undo)
  on('redo', desk.redo)
  on('remove', () => desk.sketch.selected !== null && desk.commit(withoutBody(desk.sketch, desk.sketch.selected)))
  on('fit', tools.fit)
  on('snap', () => desk.set({ snap: !desk.settings.snap }))
  on('grid', () => desk.set({ grid: !desk.settings.grid }))
  on('share', () => share(desk.sketch, outlook.link()))
  on('more', () => byId<HTMLDialogElement>('about').showModal())
  const theme = byId<HTMLSelectElement>('theme')
  theme.addEventListener('change', () => {
    document.documentElement.dataset.theme = theme.value
  })
  const tokenField = byId<HTMLInputElement>('token')
  tokenField.value = token()
  tokenField.addEventListener('change', () => {
    setToken(tokenField.value.trim())
    desk.receive({ ...desk.sketch })
    tools.again()
  })
  const update = () => {
    byId<HTMLButtonElement>('undo').disabled = !desk.canUndo
    byId<HTMLButtonElement>('redo').disabled = !desk.canRedo
    byId<HTMLButtonElement>('remove').disabled = desk.sketch.selected === null
    setPressed('snap', desk.settings.snap)
    setPressed('grid', desk.settings.grid)
  }
  desk.onChange(update)
  update()
}

/** The state in the address, and the address in the clipboard. */
async function share(sketch: Sketch, view: object): Promise<void> {
  const fragment = fragmentOf({ sketch, view })
  const button = byId('share')
  if (fragment.length > MOST_FRAGMENT) setText(button, 'too large')
  else {
    history.replaceState(null, '', `#${fragment}`)
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    )
    setText(button, isCopied ? 'Link copied' : 'Link above')
  }
  setTimeout(() => setText(button, 'Share'), 1500)
}
