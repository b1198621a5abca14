/**
 * Names of elements and attributes of SVG as they are without a prefix, whichever a file has chosen.
 * Source: Namespaces in XML 1.0 (https://www.w3.org/TR/xml-names/).
 */

import type { XmlElement } from '../reading/xml.ts'

/** Those of Inkscape, and of links, get the prefixes that nearly all files have. */
const PREFIXES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2000/svg': '',
  'http://www.w3.org/1999/xlink': 'xlink:',
  'http://www.inkscape.org/namespaces/inkscape': 'inkscape:',
}

export function withoutPrefixes(root: XmlElement): XmlElement {
  const known = new Map<string, string>()
  learn(root, known)
  return known.size === 0 ? root : renamed(root, known)
}

/** What a prefix becomes, wherever in the file it is declared; those that stay as they are are left out. */
function learn({ attributes, children }: XmlElement, known: Map<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith('xmlns:')) continue
    const prefix = `${name.slice('xmlns:'.length)}:`
    const common = PREFIXES[value.trim()]
    if (common !== undefined && common !== prefix) known.set(prefix, common)
  }
  for (const child of children) learn(child, known)
}

/** Its text is made when somebody asks for it. */
function renamed(element: XmlElement, known: ReadonlyMap<string, string>): XmlElement {
  return {
    name: renamedName(element.name, known),
    attributes: Object.fromEntries(
      Object.entries(element.attributes).map(([attribute, value]) => [renamedName(attribute, known), value]),
    ),
    children: element.children.map((child) => renamed(child, known)),
    get text() {
      return element.text
    },
    get long() {
      return element.long
    },
  }
}

function renamedName(name: string, known: ReadonlyMap<string, string>): string {
  const end = name.indexOf(':') + 1
  const common = end === 0 ? undefined : known.get(name.slice(0, end))
  return common === undefined ? name : `${common}${name.slice(end)}`
}
