/**
 * Drawings in SVG, read as geometry and not as paint: closed outlines are solid by their fill rule, open ones are chains.
 *
 * Strokes, colours and rules of style sheets say nothing here; what is not displayed is left out; texts, images and masks are listed.
 * Layers are the nearest groups with a label or an id. Frame: user units of the outermost element, y down.
 */

import type { FillRule } from '../core2d/outline/noded-edges.ts'
import { type Affine, after, IDENTITY, translation, turn } from './affine.ts'
import { type Drawing, draw, noteRepaired, skip } from './drawing.ts'
import { ImportFault, type SourceFiles } from './source-files.ts'
import { elementShape } from './svg-element.ts'
import { type Direction, isForUs, lengthOf, movesThings, numbersOf, styleOf, type Viewport } from './svg-style.ts'
import { parseXmlFile, type XmlElement } from './xml.ts'

/** Elements that are drawn, those of `use` each time, and how deep uses may lie in uses. */
const MOST_DRAWN = 100_000
/** Of a file, drawn or not. */
const MOST_ELEMENTS = 2 ** 18
const MOST_USES = 16
/** Letters of attributes that are read beyond those of the file, because of `use`. */
const MORE_LETTERS = 2 ** 24

/** Have no shape of their own, and are there for others. */
const SILENT = new Set([
  'defs',
  'style',
  'title',
  'desc',
  'metadata',
  'symbol',
  'script',
  'linearGradient',
  'radialGradient',
])
const SHAPELESS = new Set(['text', 'image', 'foreignObject', 'mask', 'clipPath', 'pattern', 'marker', 'filter'])

interface Run {
  drawing: Drawing
  tolerance: number
  repair: boolean
  byId: Map<string, XmlElement>
  drawn: number
  /** Letters of attributes that may still be read, those of what `use` shows each time. */
  lettersLeft: number
  /** How many of each layer have no id. */
  counts: Map<string, number>
}

/** State that an element inherits from those around it. */
interface Around {
  map: Affine
  viewport: Viewport
  layer: string
  rule: FillRule
  isHidden: boolean
  uses: number
  /** The element itself and those that it lies in, those that `use` shows among them, from the inside out. */
  path: Path | null
  /** Id of the `use` that shows it. */
  prefix: string
}

interface Path {
  element: XmlElement
  outer: Path | null
}

export function importSvg({ main }: SourceFiles, tolerance: number, repair: boolean, drawing: Drawing): void {
  const root = withoutPrefixes(parseXmlFile(main, MOST_ELEMENTS))
  if (root.name !== 'svg') throw new ImportFault('import-malformed', main.name, `It must be <svg>, got <${root.name}>.`)
  const lettersLeft = main.bytes.length + MORE_LETTERS
  const run: Run = { drawing, tolerance, repair, byId: new Map(), drawn: 0, lettersLeft, counts: new Map() }
  collect(run, root)
  const around: Around = {
    map: IDENTITY,
    viewport: rootViewport(root),
    layer: 'svg',
    rule: ruleOf(root) ?? 'nonzero',
    isHidden: isInvisible(root, false),
    uses: 0,
    path: { element: root, outer: null },
    prefix: '',
  }
  for (const child of root.children) visit(run, child, around)
}

/** Ids; and style sheets, which are not read. */
function collect(run: Run, element: XmlElement): void {
  const { id } = element.attributes
  if (id !== undefined && !run.byId.has(id)) run.byId.set(id, element)
  if (element.name === 'style' && movesThings(element.text)) {
    skip(
      run.drawing,
      whereOf(element),
      'style',
      'Rules of CSS are not read; some of these say where or whether things are.',
    )
  }
  for (const child of element.children) collect(run, child)
}

/** The window in user units of its own: those of the view box if there is one. */
function rootViewport({ attributes }: XmlElement): Viewport {
  const box = viewBoxOf(attributes.viewBox)
  if (box !== null) return { width: box.width, height: box.height }
  const size = (text: string | undefined) => lengthOf(text ?? 'unknown', 0, { width: null, height: null }, 'any')
  return { width: size(attributes.width), height: size(attributes.height) }
}

function ruleOf(element: XmlElement): FillRule | undefined {
  const rule = styleOf(element, 'fill-rule')
  return rule === 'evenodd' || rule === 'nonzero' ? rule : undefined
}

function isInvisible(element: XmlElement, isAroundHidden: boolean): boolean {
  const visibility = styleOf(element, 'visibility')
  if (visibility === undefined || visibility === 'inherit') return isAroundHidden
  return visibility === 'hidden' || visibility === 'collapse'
}

function whereOf({ name, attributes }: XmlElement): string {
  return `<${name}>${attributes.id === undefined ? '' : ` ${attributes.id}`}`
}

function visit(run: Run, element: XmlElement, around: Around): void {
  const { name } = element
  if (SILENT.has(name) || name.includes(':') || styleOf(element, 'display') === 'none' || !isForUs(element)) return
  if (++run.drawn > MOST_DRAWN) {
    throw new ImportFault(
      'import-malformed',
      '',
      `More than ${MOST_DRAWN} elements are drawn, those of <use> each time.`,
    )
  }
  const { attributes } = element
  for (const attribute in attributes) run.lettersLeft -= 1 + attributes[attribute].length
  if (run.lettersLeft < 0) {
    throw new ImportFault('import-malformed', '', 'What <use> shows is too much to be read as often as it is shown.')
  }
  const where = whereOf(element)
  if (SHAPELESS.has(name)) {
    skip(run.drawing, where, name, 'It has no shape.')
    return
  }
  const own = ownTransform(element, around.viewport)
  if (typeof own === 'string') {
    skip(run.drawing, where, name, own)
    return
  }
  const inside: Around = {
    ...around,
    map: after(around.map, own),
    path: { element, outer: around.path },
    rule: ruleOf(element) ?? around.rule,
    isHidden: isInvisible(element, around.isHidden),
  }
  noteClips(run, element, where)
  switch (name) {
    case 'g':
    case 'a': {
      const label = name === 'g' ? (element.attributes['inkscape:label'] ?? element.attributes.id) : undefined
      for (const child of element.children)
        visit(run, child, { ...inside, ...(label !== undefined && { layer: label }) })
      return
    }
    case 'switch': {
      const shown = element.children.find((child) => {
        return !child.name.includes(':') && !SILENT.has(child.name) && isForUs(child)
      })
      if (shown !== undefined) visit(run, shown, inside)
      return
    }
    case 'svg':
      visitWindow(run, element, inside)
      return
    case 'use':
      visitUse(run, element, inside, where)
      return
    default:
      drawElement(run, element, inside, where)
  }
}

function noteClips(run: Run, element: XmlElement, where: string): void {
  for (const property of ['clip-path', 'mask']) {
    if (!/^url\(/.test(styleOf(element, property) ?? '')) continue
    skip(run.drawing, where, property, 'What cuts it is not read: it is there as a whole.')
  }
}

/** Its size is all of what it lies in where it does not say. */
function visitWindow(run: Run, element: XmlElement, around: Around): void {
  const { attributes, children } = element
  const { viewport } = around
  const [x, y] = placeOf(element, viewport)
  const size = {
    width: lengthOf(sized(attributes.width), 0, viewport, 'across'),
    height: lengthOf(sized(attributes.height), 0, viewport, 'down'),
  }
  if (size.width === 0 || size.height === 0) {
    skip(run.drawing, whereOf(element), element.name, 'It has no size, and is not shown.')
    return
  }
  const box = viewBoxOf(attributes.viewBox)
  const map = after(after(around.map, translation(x, y)), viewBoxMap(box, size, attributes.preserveAspectRatio))
  const inside = { ...around, map, viewport: box === null ? size : { width: box.width, height: box.height } }
  for (const child of children) visit(run, child, inside)
}

function sized(text: string | undefined): string {
  return text === undefined || text === 'auto' ? '100%' : text
}

function placeOf(element: XmlElement, viewport: Viewport): [x: number, y: number] {
  const x = lengthOf(styleOf(element, 'x'), 0, viewport, 'across')
  const y = lengthOf(styleOf(element, 'y'), 0, viewport, 'down')
  return [x ?? 0, y ?? 0]
}

function visitUse(run: Run, element: XmlElement, around: Around, where: string): void {
  const { attributes } = element
  const href = attributes.href ?? attributes['xlink:href'] ?? ''
  const used = href.startsWith('#') ? run.byId.get(href.slice(1)) : undefined
  if (used === undefined) {
    skip(run.drawing, where, 'use', `It shows ${JSON.stringify(href.slice(0, 80))}, which is not in the file.`)
    return
  }
  if (isOnPath(used, around.path)) {
    skip(run.drawing, where, 'use', `It shows ${JSON.stringify(href.slice(0, 80))}, which it is part of.`)
    return
  }
  if (around.uses === MOST_USES) {
    skip(run.drawing, where, 'use', `Uses lie in uses more than ${MOST_USES} deep.`)
    return
  }
  const [x, y] = placeOf(element, around.viewport)
  const inside = {
    ...around,
    map: after(around.map, translation(x, y)),
    uses: around.uses + 1,
    path: { element: used, outer: around.path },
    prefix: `${around.prefix}${attributes.id ?? 'use'}.`,
  }
  const isSymbol = used.name === 'symbol'
  if (!isSymbol && used.name !== 'svg') {
    visit(run, used, inside)
    return
  }
  const { width = used.attributes.width, height = used.attributes.height } = attributes
  const shown = { ...used.attributes, ...given({ width, height }), ...(isSymbol && { x: '0', y: '0' }) }
  visit(run, { name: 'svg', attributes: shown, children: used.children, text: '', long: null }, inside)
}

function isOnPath(element: XmlElement, path: Path | null): boolean {
  for (let at = path; at !== null; at = at.outer) if (at.element === element) return true
  return false
}

function given(attributes: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function drawElement(run: Run, element: XmlElement, around: Around, where: string): void {
  const precision = { tolerance: run.tolerance, mostPoints: run.drawing.mostVertices }
  const shown = elementShape(element, { ...around, precision, repair: run.repair })
  if (typeof shown === 'string') {
    skip(run.drawing, where, element.name, shown)
    return
  }
  const { body, repaired } = shown
  if (repaired !== null) noteRepaired(run.drawing, where, element.name, repaired)
  const { id } = element.attributes
  const index = run.counts.get(around.layer) ?? 0
  if (id === undefined) run.counts.set(around.layer, index + 1)
  draw(run.drawing, {
    layer: around.layer,
    key: `${around.prefix}${id ?? index}`,
    kind: 'path',
    ...body,
    isHidden: around.isHidden,
    where,
  })
}

// Names of elements and attributes of SVG as they are without a prefix, whichever a file has chosen.
// Source: Namespaces in XML 1.0 (https://www.w3.org/TR/xml-names/).

const SVG = 'http://www.w3.org/2000/svg'

/** Goes before names without a prefix that are of another namespace. */
const FOREIGN = 'foreign:'

/** Those of Inkscape, and of links, get the prefixes that nearly all files have. */
const PREFIXES: Readonly<Record<string, string>> = {
  [SVG]: '',
  'http://www.w3.org/1999/xlink': 'xlink:',
  'http://www.inkscape.org/namespaces/inkscape': 'inkscape:',
}

function withoutPrefixes(root: XmlElement): XmlElement {
  const known = new Map<string, string>()
  // A root called svg is one, whatever namespace it is said to have.
  const own = root.name === 'svg' ? (root.attributes.xmlns ?? SVG) : SVG
  const hasForeign = learn(root, known, own)
  return known.size === 0 && !hasForeign ? root : renamed(root, known, own, false)
}

/**
 * Collects the prefixes that have to change, wherever the file declares them. Returns whether elements have another default namespace
 * than SVG, or than that of the root.
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

/** Its text is made on demand. */
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

// Windows of SVG: how a view box is shown in one.
// Source: SVG 2 (https://www.w3.org/TR/SVG2/coords.html#PreserveAspectRatioAttribute).

interface ViewBox {
  x: number
  y: number
  width: number
  height: number
}

/** Null where there is none. */
function viewBoxOf(text: string | undefined): ViewBox | null {
  const [x, y, width, height] = numbersOf(text ?? '')
  return height === undefined ? null : { x, y, width, height }
}

/** How much of what is left over lies before it. */
const SHARES: Readonly<Record<string, number>> = { Min: 0, Mid: 0.5, Max: 1 }

/** The map that shows a view box in a window of this size: by default as large as fits, centred. */
function viewBoxMap(box: ViewBox | null, window: Viewport, aspect: string | undefined): Affine {
  if (box === null || !(box.width > 0 && box.height > 0)) return IDENTITY
  const width = window.width ?? box.width
  const height = window.height ?? box.height
  let a = width / box.width
  let d = height / box.height
  const match = /^\s*(?:defer\s+)?x(Min|Mid|Max)Y(Min|Mid|Max)(?:\s+(meet|slice))?\s*$/.exec(aspect ?? 'xMidYMid')
  const isStretched = /^\s*(?:defer\s+)?none\b/.test(aspect ?? '')
  if (!isStretched) {
    a = match?.[3] === 'slice' ? Math.max(a, d) : Math.min(a, d)
    d = a
  }
  const [left, above] = isStretched ? [0, 0] : [SHARES[match?.[1] ?? 'Mid'], SHARES[match?.[2] ?? 'Mid']]
  return {
    ...IDENTITY,
    a,
    d,
    e: left * (width - a * box.width) - a * box.x,
    f: above * (height - d * box.height) - d * box.y,
  }
}

// Transforms, as attributes and styles of SVG write them.
// Source: CSS Transforms 1 (https://www.w3.org/TR/css-transforms-1/).

/** The transform of an element and its content; a sentence where it cannot be read. */
function ownTransform(element: XmlElement, viewport: Viewport): Affine | string {
  const text = styleOf(element, 'transform') ?? ''
  const map = transformOf(text, viewport)
  if (map === null) return `Its transform is none: ${text.slice(0, 80)}.`
  if (map === IDENTITY) return map
  const box = styleOf(element, 'transform-box') ?? 'view-box'
  if (box !== 'view-box') return `Its transform is about its own box: ${box}.`
  const origin = originOf(styleOf(element, 'transform-origin'), viewport)
  if (origin === null) return 'Its transform is about a place that is not known.'
  return after(after(translation(origin[0], origin[1]), map), translation(-origin[0], -origin[1]))
}

/** Letters of one list of functions. */
const MOST_LETTERS = 2 ** 16

/** The map that a list of functions says; null where it is none. */
function transformOf(text: string, viewport: Viewport): Affine | null {
  if (text.length > MOST_LETTERS) return null
  let map = IDENTITY
  let rest = text.trim()
  if (rest === 'none') return map
  while (rest !== '') {
    const match = /^(\w+)\s*\(([^)]*)\)[\s,]*/.exec(rest)
    const step = match === null ? null : stepOf(match[1], match[2], viewport)
    if (match === null || step === null) return null
    map = after(map, step)
    rest = rest.slice(match[0].length)
  }
  return map
}

const ARGUMENT = /([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(%|[A-Za-z]*)/g
const DEGREES: Readonly<Record<string, number>> = { '': 1, deg: 1, grad: 0.9, turn: 360, rad: 180 / Math.PI }

function stepOf(name: string, text: string, viewport: Viewport): Affine | null {
  const given = text.match(ARGUMENT) ?? []
  if (given.length === 0) return null
  const numbers = numbersOf(text)
  const length = (k: number, direction: Direction): number => {
    return lengthOf(given[k], 0, viewport, direction) ?? Number.NaN
  }
  const degrees = (k: number): number => {
    if (k >= given.length) return 0
    const [, number, unit] = [...given[k].matchAll(ARGUMENT)][0]
    return Number(number) * (DEGREES[unit.toLowerCase()] ?? Number.NaN)
  }
  const slope = (k: number): number => Math.tan((degrees(k) / 180) * Math.PI)
  const step = (): Affine | null => {
    const [p, q = p, r = 0, s, t, u] = numbers
    switch (name) {
      case 'matrix':
        return numbers.length === 6 ? { a: p, b: q, c: r, d: s, e: t, f: u } : null
      case 'translate':
        return translation(length(0, 'across'), length(1, 'down'))
      case 'translateX':
        return translation(length(0, 'across'), 0)
      case 'translateY':
        return translation(0, length(0, 'down'))
      case 'scale':
        return { ...IDENTITY, a: p, d: q }
      case 'scaleX':
        return { ...IDENTITY, a: p }
      case 'scaleY':
        return { ...IDENTITY, d: p }
      case 'rotate': {
        const own = turn(degrees(0))
        return numbers.length < 3 ? own : after(after(translation(q, r), own), translation(-q, -r))
      }
      case 'skew':
        return { ...IDENTITY, b: slope(1), c: slope(0) }
      case 'skewX':
        return { ...IDENTITY, c: slope(0) }
      case 'skewY':
        return { ...IDENTITY, b: slope(0) }
      default:
        return null
    }
  }
  const map = step()
  return map === null || Object.values(map).some((value) => !Number.isFinite(value)) ? null : map
}

const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['left', '0'],
  ['top', '0'],
  ['center', '50%'],
  ['right', '100%'],
  ['bottom', '100%'],
])

/** Null where it is none. */
function originOf(text: string | undefined, viewport: Viewport): [x: number, y: number] | null {
  const words = (text ?? '0 0').trim().split(/[\s,]+/)
  if (/^(top|bottom)$/.test(words[0]) || /^(left|right)$/.test(words[1] ?? '')) words.reverse()
  const [across, down = 'center'] = words
  const x = lengthOf(KEYWORDS.get(across) ?? across, 0, viewport, 'across')
  const y = lengthOf(KEYWORDS.get(down) ?? down, 0, viewport, 'down')
  return x === null || y === null ? null : [x, y]
}
