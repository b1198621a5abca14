/**
 * Properties of elements of SVG, from their own style or their attributes. Rules of style sheets are not read.
 * Source: SVG 2 (https://www.w3.org/TR/SVG2/styling.html).
 */

import { ImportFault } from '../reading/import-fault.ts'
import type { XmlElement } from '../reading/xml.ts'

/** Letters of the style of one element: it is read for each property that is asked for. */
const MOST_LETTERS = 2 ** 16

/** A property of the element's own style, or else the attribute of that name. */
export function styleOf({ name: tag, attributes }: XmlElement, name: string): string | undefined {
  const { style } = attributes
  if (style === undefined) return attributes[name]
  if (style.length > MOST_LETTERS) {
    const message = `The style of an element has at most ${MOST_LETTERS} letters, got ${style.length}.`
    throw new ImportFault('import-malformed', `<${tag}>`, message)
  }
  // The last declaration counts.
  const plain = withoutComments(style)
  for (let end = plain.length; end >= 0; ) {
    const start = end === 0 ? 0 : plain.lastIndexOf(';', end - 1) + 1
    const declaration = plain.slice(start, end)
    end = start - 1
    const colon = declaration.indexOf(':')
    if (colon < 0 || declaration.slice(0, colon).trim().toLowerCase() !== name) continue
    return declaration
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, '')
      .trim()
  }
  return attributes[name]
}

function withoutComments(text: string): string {
  let plain = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('/*', at)
    const end = start < 0 ? -1 : text.indexOf('*/', start + 2)
    if (end < 0) return plain + text.slice(at)
    plain += text.slice(at, start)
    at = end + 2
  }
}

/** Whether a style sheet says something of where things are, or whether they are. */
export function movesThings(sheet: string): boolean {
  return /(?:^|[{;\s])(?:display|visibility|transform|fill-rule|clip-path|mask|d|x|y|r|rx|ry|cx|cy|width|height)\s*:/.test(
    withoutComments(sheet),
  )
}

/** Whether it is for those who read English, and needs nothing that is not in SVG itself. */
export function isForUs({ attributes }: XmlElement): boolean {
  const { requiredExtensions, systemLanguage } = attributes
  if (requiredExtensions !== undefined) return false
  return systemLanguage === undefined || systemLanguage.split(',').some((tag) => /^\s*en\b/i.test(tag))
}
