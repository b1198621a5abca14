/**
 * Drawings in SVG, read as geometry and not as paint: closed outlines are solid by their fill rule, open ones are chains.
 *
 * Strokes, colours and rules of style sheets say nothing here; what is not displayed is left out; texts, images and masks are listed.
 * Layers are the nearest groups with a label or an id. Frame: user units of the outermost element, y down.
 */

import type { FillRule } from '../../core2d/outline/noded-edges.ts'
import { type Affine, after, IDENTITY, translation } from '../drawing/affine.ts'
import { type Drawing, draw, noteRepaired, skip } from '../drawing/drawing.ts'
import { ImportFault } from '../reading/import-fault.ts'
import type { SourceFiles } from '../reading/source-files.ts'
import { parseXmlFile, type XmlElement } from '../reading/xml.ts'
import { elementShape } from './element-shape.ts'
import { lengthOf, type Viewport } from './lengths.ts'
import { isForUs, movesThings, styleOf } from './style.ts'
import { withoutPrefixes } from './svg-names.ts'
import { ownTransform } from './transform.ts'
import { viewBoxMap, viewBoxOf } from './viewport.ts'

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

/** What an element has from those around it. */
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
