// Elements of SVG, with attributes. No styles in them: the policy of the page allows none.

const SVG = 'http://www.w3.org/2000/svg'

export function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number> = {},
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

/** Writes only what is otherwise: every write may cost a layout. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}
