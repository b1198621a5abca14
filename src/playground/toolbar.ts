// Buttons and menus above the plane.

import type { Desk } from './desk.ts'
import { asMenu, byId, fillSelect, setText } from './page-elements.ts'
import { setToken, token } from './service.ts'
import { questionOf } from './sketch/all-questions.ts'
import { EXAMPLES, type Example, NEW_SHAPES } from './sketch/gallery.ts'
import { rectangle, shapePath } from './sketch/shape-outline.ts'
import { fragmentOf, MOST_FRAGMENT } from './sketch/share-link.ts'
import { freeId, positionOf, type SketchBody, withBody, withoutBody } from './sketch/sketch.ts'
import { plus, times, toWorld, unit, type Vec2 } from './sketch/vector.ts'
import { fitted, fromScreen, svgElement } from './view.ts'

/** A box around bodies, by what their outlines measure as drawn; half-planes, which have no end, count by one point of their line. */
function boxOf(bodies: readonly SketchBody[], tips: readonly Vec2[]): { min: Vec2; max: Vec2 } | null {
  const path = svgElement('path')
  byId('stage').append(path)
  const outlines = bodies.flatMap((body) => {
    if (body.shape.type === 'halfplane') return [toWorld(body, times(unit(body.shape.normal), body.shape.offset))]
    if (isEndless(body)) return [positionOf(body)]
    path.setAttribute('d', shapePath(body.shape))
    const { x, y, width, height } = path.getBBox()
    return rectangle({ x, y }, { x: x + width, y: y + height }).map((corner) => toWorld(body, corner))
  })
  path.remove()
  const points = [...outlines, ...tips]
  if (points.length === 0) return null
  let [min, max] = [points[0]!, points[0]!]
  for (const { x, y } of points) {
    min = { x: Math.min(min.x, x), y: Math.min(min.y, y) }
    max = { x: Math.max(max.x, x), y: Math.max(max.y, y) }
  }
  return { min, max }
}

const isEndless = ({ shape }: Pick<SketchBody, 'shape'>): boolean =>
  shape.type === 'halfplane' || (shape.type === 'compound' && shape.children.some(isEndless))

/** Everything that is there, and what the question is put with. */
export function fit(desk: Desk): void {
  const { handles, moves } = questionOf(desk.sketch)
  const tips = (handles?.(desk.sketch) ?? []).map(({ at }) => at)
  const movers = moves ? desk.sketch.bodies : []
  const ends = movers.flatMap((body) => (body.velocity ? [plus(positionOf(body), body.velocity)] : []))
  const box = boxOf(desk.sketch.bodies, [...tips, ...ends])
  if (box !== null && desk.view.width > 0) desk.look(fitted(desk.view, box.min, box.max))
}

interface Tools {
  openExample(example: Example): void
  fit(): void
  /** With another token. */
  again(): void
}

export function followToolbar(desk: Desk, tools: Tools): void {
  const on = (id: string, act: () => void) => byId(id).addEventListener('click', act)
  const add = byId<HTMLSelectElement>('add')
  add.append(...NEW_SHAPES.map(({ name }) => new Option(name)))
  asMenu(add, (name) => {
    const { shape } = NEW_SHAPES.find((one) => one.name === name)!
    const { view } = desk
    const id = freeId(desk.sketch)
    const middle = fromScreen(view, { x: view.width / 2, y: view.height / 2 })
    const position = { x: Number(middle.x.toPrecision(4)), y: Number(middle.y.toPrecision(4)) }
    desk.commit({ ...withBody(desk.sketch, { id, shape, position }), selected: id })
  })
  const examples = byId<HTMLSelectElement>('examples')
  fillSelect(examples, [['', 'choose …'], ...EXAMPLES.map(({ name }) => [name, name] as const)])
  asMenu(examples, (name) => tools.openExample(EXAMPLES.find((one) => one.name === name)!))
  on('undo', desk.undo)
  on('redo', desk.redo)
  on('remove', () => desk.sketch.selected !== null && desk.commit(withoutBody(desk.sketch, desk.sketch.selected)))
  on('fit', tools.fit)
  on('snap', () => desk.set({ snap: !desk.settings.snap }))
  on('grid', () => desk.set({ grid: !desk.settings.grid }))
  on('y-up', () => desk.look({ ...desk.view, yUp: !desk.view.yUp }))
  on('share', () => share(desk))
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
  const pressed = (id: string, state: boolean) => byId(id).setAttribute('aria-pressed', String(state))
  const update = () => {
    byId<HTMLButtonElement>('undo').disabled = !desk.canUndo
    byId<HTMLButtonElement>('redo').disabled = !desk.canRedo
    byId<HTMLButtonElement>('remove').disabled = desk.sketch.selected === null
    pressed('snap', desk.settings.snap)
    pressed('grid', desk.settings.grid)
    pressed('y-up', desk.view.yUp)
  }
  desk.onChange(update)
  update()
}

/** The state in the address, and the address in the clipboard. */
async function share({ sketch, view }: Desk): Promise<void> {
  const { center, scale, yUp } = view
  const fragment = fragmentOf({ sketch, view: { ...center, scale, yUp } })
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
