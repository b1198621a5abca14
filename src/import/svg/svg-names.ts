/**
 * Names of elements and attributes of SVG as they are without a prefix, whichever a file has chosen.
 * Source: Namespaces in XML 1.0 (https://www.w3.org/TR/xml-names/).
 */

import type { XmlElement } from '../reading/xml.ts'

const SVG = 'http://www.w3.org/2000/svg'

/** Goes before names without a prefix that are of another namespace. */
const FOREIGN = 'foreign:'

/** Those of Inkscape, and of links, get the prefixes that nearly all files have. */
const PREFIXES: Readonly<Record<string, string>> = {
  [SVG]: '',
  'http://www.w3.org/1999/xlink': 'xlink:',
  'http://www.inkscape.org/namespaces/inkscape': 'inkscape:',
}

export function withoutPrefixes(root: XmlElement): XmlElement {
  const known = new Map<string, string>()
  // A root called svg is one, whatever namespace it is said to have.
  const own = root.name === 'svg' ? (root.attributes.xmlns ?? SVG) : SVG
  const hasForeign = learn(root, known, own)
  return known.size === 0 && !hasForeign ? root : renamed(root, known, own, false)
}

/**
 * What a prefix becomes, wherever in the file it is declared; those that stay as they are are left out. Whether elements have another
 * namespace than SVG, or than that of the root, by default.
 */
function learn({ attributes, children }: XmlElement, known: Map<string, string>, own: string): boolean {
  let hasForeign = isForeign(attributes, own, false)
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith('xmlns:')) continue
    const prefix = `${name.slice('xmlns:'.length)}:`
    const common = PREFIXES[value.trim()]
    if (common !== undefined && common !== prefix) known.set(prefix, common)
  }
  for (const child of children) hasForeign = learn(child, known, own) || hasForeign
  return hasForeign
}

/** Whether names without a prefix are of another namespace; as around it where nothing is said. */
function isForeign({ xmlns }: XmlElement['attributes'], own: string, around: boolean): boolean {
  return xmlns === undefined ? around : xmlns !== own && xmlns.trim() !== SVG
}

/** Its text is made when somebody asks for it. */
function renamed(element: XmlElement, known: ReadonlyMap<string, string>, own: string, around: boolean): XmlElement {
  const isOther = isForeign(element.attributes, own, around)
  return {
    name: isOther && !element.name.includes(':') ? `${FOREIGN}${element.name}` : renamedName(element.name, known),
    attributes: Object.fromEntries(
      Object.entries(element.attributes).map(([attribute, value]) => [renamedName(attribute, known), value]),
    ),
    children: element.children.map((child) => renamed(child, known, own, isOther)),
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
