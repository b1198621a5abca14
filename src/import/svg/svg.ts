/**
 * Drawings in SVG, read as geometry and not as paint: closed outlines are solid by their fill rule, open ones are chains.
 *
 * Strokes, colours and styles of CSS say nothing here; what is not displayed is left out; texts, images and masks are listed. Layers
 * are the nearest groups with a label or an id. Frame: user units of the outermost element, y down.
 */

import type { Body2d } from '../../../schemas/shapes/body.ts'
import type { Vec2 } from '../../../schemas/vec2.ts'
import {
  type Affine,
  after,
  evenScale,
  IDENTITY,
  mappedBox,
  mappedEllipse,
  mappedPoints,
  translation,
} from '../drawing/affine.ts'
import { compoundOf, endsAtStart } from '../drawing/closed-shape.ts'
import { type Drawing, draw, skip } from '../drawing/drawing.ts'
import { ImportFault } from '../reading/import-fault.ts'
import type { SourceFiles } from '../reading/source-files.ts'
import { parseXmlFile, type XmlElement } from '../reading/xml.ts'
import { type FillRule, filledShapes } from './filled-shapes.ts'
import { flattenPath, type Precision, type Subpath } from './flatten-path.ts'
import { lengthOf, numbersOf, transformOf, viewBoxMap } from './transform.ts'

/** Elements that are drawn, those of `use` each time, and how deep uses may lie in uses. */
const MOST_DRAWN = 100_000
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
  byId: Map<string, XmlElement>
  drawn: number
  /** Letters of attributes that may still be read, those of what `use` shows each time. */
  lettersLeft: number
  /** How many of each layer have no id. */
  counts: Map<string, number>
}

interface Around {
  map: Affine
  layer: string
  rule: FillRule
  uses: number
  /** Id of the `use` that shows it. */
  prefix: string
}

export function importSvg({ main }: SourceFiles, tolerance: number, drawing: Drawing): void {
  const root = parseXmlFile(main)
  if (root.name !== 'svg') throw new ImportFault('import-malformed', main.name, `It must be <svg>, got <${root.name}>.`)
  const lettersLeft = main.bytes.length + MORE_LETTERS
  const run: Run = { drawing, tolerance, byId: new Map(), drawn: 0, lettersLeft, counts: new Map() }
  collectIds(root, run.byId)
  const around: Around = { map: IDENTITY, layer: 'svg', rule: 'nonzero', uses: 0, prefix: '' }
  for (const child of root.children) visit(run, child, around)
}

function collectIds(element: XmlElement, byId: Map<string, XmlElement>): void {
  const { id } = element.attributes
  if (id !== undefined && !byId.has(id)) byId.set(id, element)
  for (const child of element.children) collectIds(child, byId)
}

/** An attribute, or the same as a property of the element's own style. */
function styleOf({ attributes }: XmlElement, name: string): string | undefined {
  if (attributes.style === undefined) return attributes[name]
  const own = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`).exec(attributes.style)
  return own?.[1].trim() ?? attributes[name]
}

function visit(run: Run, element: XmlElement, around: Around): void {
  const { name, attributes } = element
  if (SILENT.has(name) || name.includes(':') || styleOf(element, 'display') === 'none') return
  if (++run.drawn > MOST_DRAWN) {
    throw new ImportFault(
      'import-malformed',
      '',
      `More than ${MOST_DRAWN} elements are drawn, those of <use> each time.`,
    )
  }
  for (const attribute in attributes) run.lettersLeft -= attributes[attribute].length
  if (run.lettersLeft < 0) {
    throw new ImportFault('import-malformed', '', 'What <use> shows is too much to be read as often as it is shown.')
  }
  const where = `<${name}>${attributes.id === undefined ? '' : ` ${attributes.id}`}`
  if (SHAPELESS.has(name)) {
    skip(run.drawing, where, name, 'It has no shape.')
    return
  }
  const own = transformOf(styleOf(element, 'transform') ?? '')
  if (own === null) {
    skip(run.drawing, where, name, `Its transform is none: ${(attributes.transform ?? '').slice(0, 80)}.`)
    return
  }
  const rule = styleOf(element, 'fill-rule')
  const inside: Around = {
    ...around,
    map: after(around.map, own),
    ...((rule === 'evenodd' || rule === 'nonzero') && { rule }),
  }
  switch (name) {
    case 'g':
    case 'a':
    case 'switch': {
      const label = attributes['inkscape:label'] ?? attributes.id
      for (const child of element.children)
        visit(run, child, label === undefined ? inside : { ...inside, layer: label })
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

function visitWindow(run: Run, { attributes, children }: XmlElement, around: Around): void {
  const at = translation(lengthOf(attributes.x, 0) ?? 0, lengthOf(attributes.y, 0) ?? 0)
  const [width, height] = [sizeOf(attributes.width), sizeOf(attributes.height)]
  const map = after(after(around.map, at), viewBoxMap(attributes.viewBox, width, height))
  for (const child of children) visit(run, child, { ...around, map })
}

function sizeOf(text: string | undefined): number | null {
  return text === undefined ? null : lengthOf(text, 0)
}

function visitUse(run: Run, element: XmlElement, around: Around, where: string): void {
  const { attributes } = element
  const href = attributes.href ?? attributes['xlink:href'] ?? ''
  const used = href.startsWith('#') ? run.byId.get(href.slice(1)) : undefined
  if (used === undefined) {
    skip(run.drawing, where, 'use', `It shows ${JSON.stringify(href.slice(0, 80))}, which is not in the file.`)
    return
  }
  if (around.uses === MOST_USES) {
    skip(run.drawing, where, 'use', `Uses lie in uses more than ${MOST_USES} deep.`)
    return
  }
  const map = after(around.map, translation(lengthOf(attributes.x, 0) ?? 0, lengthOf(attributes.y, 0) ?? 0))
  const inside = { ...around, map, uses: around.uses + 1, prefix: `${around.prefix}${attributes.id ?? 'use'}.` }
  if (used.name !== 'symbol') visit(run, used, inside)
  else {
    const { width = used.attributes.width, height = used.attributes.height } = attributes
    visitWindow(
      run,
      { ...used, attributes: { ...used.attributes, x: '0', y: '0', ...given({ width, height }) } },
      inside,
    )
  }
}

function given(attributes: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function drawElement(run: Run, element: XmlElement, around: Around, where: string): void {
  const precision = { tolerance: run.tolerance, mostPoints: run.drawing.mostVertices }
  const body = bodyOf(element, around, precision)
  if (body === null) return
  if (typeof body === 'string') {
    skip(run.drawing, where, element.name, body)
    return
  }
  const { id } = element.attributes
  const index = run.counts.get(around.layer) ?? 0
  if (id === undefined) run.counts.set(around.layer, index + 1)
  draw(run.drawing, {
    layer: around.layer,
    key: `${around.prefix}${id ?? index}`,
    kind: 'path',
    ...body,
    isHidden: styleOf(element, 'visibility') === 'hidden',
    where,
  })
}

/** Null of what is nothing, a sentence of what has no shape. */
function bodyOf(element: XmlElement, { map, rule }: Around, precision: Precision): Body2d | string | null {
  const { name, attributes } = element
  const length = (field: string, fallback = 0): number => lengthOf(attributes[field], fallback) ?? Number.NaN
  switch (name) {
    case 'rect': {
      const [x, y, width, height] = [length('x'), length('y'), length('width'), length('height')]
      if (!(width > 0 && height > 0)) return Number.isNaN(x + y + width + height) ? UNREADABLE : null
      return rectangle(
        after(map, translation(x + width / 2, y + height / 2)),
        width,
        height,
        cornerOf(attributes),
        precision,
      )
    }
    case 'circle':
    case 'ellipse': {
      const [rx, ry] = name === 'circle' ? [length('r'), length('r')] : [length('rx'), length('ry')]
      const middle = after(map, translation(length('cx'), length('cy')))
      if (Number.isNaN(rx + ry + middle.e + middle.f)) return UNREADABLE
      return rx > 0 && ry > 0 ? mappedEllipse(middle, rx, ry) : null
    }
    case 'line':
      return line([point('x1', 'y1'), point('x2', 'y2')], map)
    case 'polyline':
    case 'polygon': {
      const points = pairsOf(attributes.points ?? '')
      if (points.length < 2) return 'It has fewer than two points.'
      if (name === 'polyline') return line(points, map)
      return atOrigin(filledShapes([mappedPoints(map, points)], rule), map)
    }
    case 'path':
      return pathBody(attributes.d ?? '', map, rule, precision)
    default:
      return 'It is no shape of SVG.'
  }

  function point(x: string, y: string): Vec2 {
    return { x: length(x), y: length(y) }
  }
}

const UNREADABLE = 'One of its lengths is none, or a share of something else.'

/** Both radii of its corners; each is the other where it is absent. */
function cornerOf({ rx, ry }: Record<string, string>): Vec2 {
  const x = lengthOf(rx === 'auto' ? undefined : rx, Number.NaN) ?? Number.NaN
  const y = lengthOf(ry === 'auto' ? undefined : ry, Number.NaN) ?? Number.NaN
  return { x: (Number.isNaN(x) ? y : x) || 0, y: (Number.isNaN(y) ? x : y) || 0 }
}

function rectangle(middle: Affine, width: number, height: number, corner: Vec2, precision: Precision): Body2d | string {
  if (Number.isNaN(middle.e + middle.f)) return UNREADABLE
  const rx = Math.min(corner.x, width / 2)
  const ry = Math.min(corner.y, height / 2)
  if (!(rx > 0 && ry > 0)) return mappedBox(middle, width, height)
  const scale = evenScale(middle)
  if (rx === ry && scale !== null) {
    const body = mappedBox(middle, width - 2 * rx, height - 2 * ry)
    if (body.shape.type === 'box') return { ...body, shape: { ...body.shape, radius: scale * rx } }
  }
  const [x, y] = [width / 2, height / 2]
  const d = `M${rx - x},${-y}H${x - rx}A${rx} ${ry} 0 0 1 ${x} ${ry - y}V${y - ry}A${rx} ${ry} 0 0 1 ${x - rx} ${y}H${rx - x}A${rx} ${ry} 0 0 1 ${-x} ${y - ry}V${ry - y}A${rx} ${ry} 0 0 1 ${rx - x} ${-y}Z`
  return pathBody(d, middle, 'nonzero', precision) ?? UNREADABLE
}

function pathBody(d: string, map: Affine, rule: FillRule, precision: Precision): Body2d | string | null {
  const linear = { ...map, e: 0, f: 0 }
  const subpaths = flattenPath(d, linear, precision)
  if (typeof subpaths === 'string') return subpaths
  const isRing = ({ isClosed, points }: Subpath): boolean => isClosed && points.length > 2
  const rings = subpaths.filter(isRing)
  const open = subpaths.filter((subpath) => !isRing(subpath))
  const filled =
    rings.length === 0
      ? []
      : filledShapes(
          rings.map(({ points }) => points),
          rule,
        )
  if (typeof filled === 'string') return filled
  const parts = [...filled, ...open.map(({ points }): Body2d => ({ shape: { type: 'chain', vertices: points } }))]
  return parts.length === 0 ? null : atOrigin(parts, map)
}

/** What counts from the origin, where the map takes that. */
function atOrigin(parts: Body2d[] | string, { e, f }: Affine): Body2d | string {
  if (typeof parts === 'string') return parts
  return { ...compoundOf(parts), position: { x: e, y: f } }
}

function line(points: readonly Vec2[], map: Affine): Body2d | string {
  if (points.some(({ x, y }) => Number.isNaN(x + y))) return UNREADABLE
  const vertices = mappedPoints(map, points)
  const isClosed = vertices.length > 3 && endsAtStart(vertices)
  const shape = isClosed
    ? ({ type: 'chain', vertices: vertices.slice(0, -1), loop: true } as const)
    : ({ type: 'chain', vertices } as const)
  return { shape, position: { x: map.e, y: map.f } }
}

function pairsOf(text: string): Vec2[] {
  const numbers = numbersOf(text)
  return Array.from({ length: numbers.length >> 1 }, (_, k) => ({ x: numbers[2 * k], y: numbers[2 * k + 1] }))
}
