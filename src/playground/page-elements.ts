// Elements of index.html, by their ids.

export function byId<Kind extends Element = HTMLElement>(id: string): Kind {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page has no #${id}.`)
  return element as unknown as Kind
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

export function fillSelect(
  select: HTMLSelectElement,
  names: readonly (readonly [value: string, text: string])[],
): void {
  select.replaceChildren(...names.map(([value, text]) => new Option(text, value)))
}

/** Acts on a choice and goes back to the first entry, as menus do. */
export function asMenu(select: HTMLSelectElement, act: (value: string) => void): void {
  select.addEventListener('change', () => {
    const { value } = select
    select.selectedIndex = 0
    if (value !== '') act(value)
  })
}

// A line over the plane: what went wrong, or was done, and would not be seen otherwise.

const SHOWN_MS = 8000

let timer: ReturnType<typeof setTimeout> | undefined

/** Shown for a while, or until there is another (`lasts`); an empty text takes it away. */
export function notice(text: string, lasts = false): void {
  setText(byId('notice'), text)
  clearTimeout(timer)
  if (text !== '' && !lasts) timer = setTimeout(() => setText(byId('notice'), ''), SHOWN_MS)
}

/** Text that has more than is seen is scrolled by keys too, once it can be gone to. */
export function makeScrollable(id: string): void {
  const element = byId(id)
  element.tabIndex = 0
  if (element.tagName !== 'PRE') return
  element.role = 'region'
  element.ariaLabel = id
}

/** Of a button that stays down. */
export const setPressed = (id: string, state: boolean): void => byId(id).setAttribute('aria-pressed', String(state))

/** Which of the two pages this is, as the service sent it. */
export const DIMENSION = document.documentElement.dataset.dimension === '3d' ? '3d' : '2d'
