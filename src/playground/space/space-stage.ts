// Space: everything that is drawn, once a frame where something has changed. Bodies and ghosts on a canvas; marks, names and handles over
// it as elements of SVG, as on the plane.

import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Desk } from '../desk.ts'
import {
  createLabelSpace,
  drawHandles,
  drawMarks,
  highlightsOf,
  type LabelSpace,
  labelsOf,
  markElements,
  type OwnMark,
} from '../overlay.ts'
import { byId } from '../page-elements.ts'
import type { Handle } from '../sketch/handles.ts'
import { shownBodies, TINTS } from '../sketch/legend.ts'
import type { Projection } from '../sketch/projection.ts'
import type { Corner, Mark } from '../sketch/question.ts'
import { type PlacedBody, positionOf, type Sketch, type SketchBody } from '../sketch/sketch.ts'
import { inSpace, lengthOf, middle, minus, NO_TURN, times, unit, type Vec3 } from '../sketch/vector.ts'
import { svgElement } from '../svg-elements.ts'
import type { Tints } from '../tag-panel.ts'
import { basisOf, type Camera, clipMatrix, isFirstPerson, nearOf, projectionOf } from './camera.ts'
import { type Geometry, geometryOf } from './geometry.ts'
import { type Colour, createRenderer, type Drawn, type Renderer } from './renderer.ts'
import { type TreeBox, wireGeometry } from './tree-boxes.ts'

/** Lengths of the reach of half-spaces go by powers of this, so that zooming seldom draws them anew. */
const REACH_BASE = 4
const REACHES = 3

/** How far half-spaces are drawn, lengths. */
export const reachOf = ({ distance, near }: Camera): number =>
  REACH_BASE ** Math.ceil(Math.log(REACHES * (distance || 1000 * near)) / Math.log(REACH_BASE))

/** In parts of the distance: bodies are drawn relative to a base that is nearer to what is seen than that. Farther, edges would be dotted. */
const FAR_FROM_BASE = 10

const LEAST_TREE_ALPHA = 0.35

/** Pixels a pixel each way while the view moves, and how long after a change of it. */
const DRAFT_RATIO = 0.5
const REST_MS = 150

// Colours, as the style of the page has them.

type Palette = Record<
  'paper' | 'body' | 'edge' | 'pick' | 'hit' | 'hit-fill' | 'ghost' | 'grid' | 'faint' | 'mark',
  Colour
>
const NAMES = ['paper', 'body', 'edge', 'pick', 'hit', 'hit-fill', 'ghost', 'grid', 'faint', 'mark'] as const

/** `text`: as styles write it, by a name or a number. */
function colourOf(text: string, alpha = 1): Colour {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
  context.fillStyle = text
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return [red! / 255, green! / 255, blue! / 255, alpha]
}

function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(
    NAMES.map((name) => [name, colourOf(style.getPropertyValue(`--${name}`).trim())]),
  ) as Palette
}

const seeThrough = ([red, green, blue]: Colour, alpha: number): Colour => [red, green, blue, alpha]
const between = (p: Colour, q: Colour, part: number): Colour =>
  p.map((value, i) => value + (q[i]! - value) * part) as unknown as Colour

/** Lines of the ground, each way from the middle. */
const GROUND_LINES = 30

function groundGeometry(up: Camera['up']): Geometry {
  const geometry: Geometry = { positions: [], normals: [], triangles: [], edges: [], points: [] }
  const add = (u: number, v: number) => {
    geometry.positions.push(u, up === 'y' ? 0 : v, up === 'y' ? v : 0)
    geometry.normals.push(0, 0, 0)
  }
  for (let i = -GROUND_LINES; i <= GROUND_LINES; i++) {
    for (const sense of [-1, 1]) add(i, sense * GROUND_LINES)
    for (const sense of [-1, 1]) add(sense * GROUND_LINES, i)
  }
  geometry.edges = Array.from({ length: geometry.positions.length / 3 }, (_, i) => i)
  return geometry
}
const GROUND = { y: groundGeometry('y'), z: groundGeometry('z') }

/** A step of 1, 2 or 5 times a power of ten. */
export function stepOf({ distance, near }: Camera): number {
  const least = (distance || 200 * near) / 25
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10)
}

export interface SpaceStage {
  element: SVGSVGElement
  setMarks(marks: readonly Mark[]): void
  setAlarms(ids: ReadonlySet<string>): void
  setGuides(marks: readonly Mark[]): void
  /** Colours of bodies by their tags. */
  setTints(tints: Tints): void
  setTree(boxes: readonly TreeBox[]): void
  handles(): readonly Handle[]
  redraw(): void
}

/** What one body looks like, kept while it is the same. */
interface Kept {
  body: SketchBody
  look: string
  drawn: Drawn
}

class SpacePicture implements SpaceStage {
  readonly element = byId<SVGSVGElement>('stage')
  readonly #desk: Desk<Camera>
  readonly #makeHandles: () => readonly Handle[]
  readonly #canvas = document.createElement('canvas')
  readonly #renderer: Renderer | null
  readonly #labels = svgElement('g', { class: 'labels', 'aria-hidden': 'true' })
  readonly #markGroup = svgElement('g', { class: 'marks' })
  readonly #guideGroup = svgElement('g', { class: 'marks guides' })
  readonly #handleGroup = svgElement('g', { class: 'handles' })
  #marks: readonly Mark[] = []
  #guides: readonly Mark[] = []
  #alarms: ReadonlySet<string> = new Set()
  #handles: readonly Handle[] = []
  #tints: Tints = { of: () => null }
  #tree: readonly TreeBox[] = []
  /** What the boxes of the tree were drawn from last, and how. */
  #lastTree: { from: readonly unknown[]; drawn: readonly Drawn[] } = { from: [], drawn: [] }
  readonly #tintColours = new Map<number, Colour>()
  #palette = readPalette()
  #theme = ''
  #base: Vec3 = { x: 0, y: 0, z: 0 }
  #kept = new Map<string, Kept>()
  /** What the bodies were drawn from last, and how: where only the camera moves, they stay. */
  #last: { from: readonly unknown[]; drawn: readonly Drawn[] } = { from: [], drawn: [] }
  #isWaiting = false
  /** The view that was drawn last, since when, and whether it has changed more than once of late. */
  #seen: Camera | null = null
  #seenAt = 0
  #isMoving = false
  #restTimer: ReturnType<typeof setTimeout> | undefined

  constructor(desk: Desk<Camera>, makeHandles: () => readonly Handle[]) {
    this.#desk = desk
    this.#makeHandles = makeHandles
    this.element.tabIndex = 0
    this.element.replaceChildren(this.#labels, this.#markGroup, this.#guideGroup, this.#handleGroup)
    this.#canvas.id = 'canvas'
    this.#canvas.ariaHidden = 'true'
    this.element.before(this.#canvas)
    this.#renderer = createRenderer(this.#canvas)
    new ResizeObserver(() => {
      const { width, height } = this.element.getBoundingClientRect()
      desk.look({ ...desk.view, width, height })
    }).observe(this.element)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw())
    new MutationObserver(() => this.redraw()).observe(document.documentElement, { attributeFilter: ['data-theme'] })
    desk.onChange(() => this.redraw())
  }

  setMarks(marks: readonly Mark[]): void {
    this.#marks = marks
    this.redraw()
  }

  setAlarms(ids: ReadonlySet<string>): void {
    this.#alarms = ids
    this.redraw()
  }

  setGuides(marks: readonly Mark[]): void {
    if (marks.length === 0 && this.#guides.length === 0) return
    this.#guides = marks
    this.redraw()
  }

  setTints(tints: Tints): void {
    this.#tints = tints
    this.redraw()
  }

  setTree(boxes: readonly TreeBox[]): void {
    this.#tree = boxes
    this.redraw()
  }

  handles(): readonly Handle[] {
    return this.#handles
  }

  redraw(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    requestAnimationFrame(() => this.#draw())
  }

  #draw(): void {
    this.#isWaiting = false
    const { sketch, view, settings } = this.#desk
    if (view.width === 0 || view.height === 0) return
    this.#followTheme()
    this.#followBase()
    const projection = projectionOf(view)
    const space = createLabelSpace(view)
    const ghosts: Drawn[] = []
    const own = (mark: OwnMark, room: LabelSpace) => this.#ownElements(mark, projection, room, ghosts)
    drawMarks(this.#guideGroup, this.#guides, projection, space, own)
    drawMarks(this.#markGroup, this.#marks, projection, space, own)
    const reach = reachOf(view)
    const { forward, eye } = basisOf(view)
    const isDraft = this.#isDraft()
    const ratio = Math.min(2, devicePixelRatio) * (isDraft ? DRAFT_RATIO : 1)
    this.#renderer?.draw({
      bodies: this.#bodiesNow(sketch, reach),
      ghosts,
      lines: [...(settings.grid ? [this.#ground()] : []), ...this.#treeNow()],
      clip: clipMatrix(view, this.#base),
      near: nearOf(view),
      light: times(forward, -1) as Vec3,
      eye: inSpace(minus(eye, this.#base)),
      isDraft,
      paper: this.#palette.paper,
      width: Math.round(view.width * ratio),
      height: Math.round(view.height * ratio),
    })
    this.#handles = this.#makeHandles()
    drawHandles(this.#handleGroup, this.#handles, projection)
    this.#labels.replaceChildren(...(isFirstPerson(view) ? [] : labelsOf(sketch, projection, space)))
  }

  /** Whether the view is moving, and pixels are dear: then it is drawn with fewer of them, and again once it has come to rest. */
  #isDraft(): boolean {
    const { view } = this.#desk
    if (this.#renderer?.isSlow !== true) return false
    const now = performance.now()
    if (view !== this.#seen) {
      this.#isMoving = now - this.#seenAt < REST_MS
      this.#seen = view
      this.#seenAt = now
      if (this.#isMoving) this.#rest()
    }
    return this.#isMoving
  }

  #rest(): void {
    clearTimeout(this.#restTimer)
    this.#restTimer = setTimeout(() => {
      this.#isMoving = false
      this.redraw()
    }, REST_MS)
  }

  #followTheme(): void {
    const { theme = '' } = document.documentElement.dataset
    const now = `${theme} ${matchMedia('(prefers-color-scheme: dark)').matches}`
    if (now === this.#theme) return
    this.#theme = now
    this.#palette = readPalette()
    this.#tintColours.clear()
    this.#kept.clear()
  }

  #followBase(): void {
    const { target, distance, near } = this.#desk.view
    if (lengthOf(minus(target, this.#base)) < FAR_FROM_BASE * (distance || 1000 * near)) return
    this.#base = target
    this.#kept.clear()
  }

  #bodiesNow(sketch: Sketch, reach: number): readonly Drawn[] {
    const { bodies, hidden, selected, other } = sketch
    const own = isFirstPerson(this.#desk.view)
    const how = [reach, own, this.#marks, this.#alarms, this.#tints, this.#palette, this.#base]
    const from = [bodies, hidden, selected, other, ...how]
    if (from.length !== this.#last.from.length || from.some((value, i) => value !== this.#last.from[i]))
      this.#last = { from, drawn: this.#drawnBodies(sketch, reach) }
    return this.#last.drawn
  }

  #drawnBodies(sketch: Sketch, reach: number): Drawn[] {
    const { selected, other } = sketch
    const concerned = new Set([...highlightsOf(this.#marks), ...this.#alarms])
    const kept = new Map<string, Kept>()
    // nobody sees their own head from within
    const own = isFirstPerson(this.#desk.view) ? selected : null
    const seen = shownBodies(sketch).filter(({ id }) => id !== own)
    const drawn = seen.map((body) => {
      const tint = this.#tints.of(body)
      const state = `${body.id === selected ? 's' : body.id === other ? 'o' : ''}${concerned.has(body.id) ? 'h' : ''}`
      const look = `${state}${tint ?? ''} ${reach}`
      const before = this.#kept.get(body.id)
      const same = before !== undefined && before.body === body && before.look === look
      const entry = same
        ? before
        : { body, look, drawn: this.#drawn(body, reach, ...this.#coloursOf(body, state, tint)) }
      kept.set(body.id, entry)
      return entry.drawn
    })
    this.#kept = kept
    return drawn
  }

  #coloursOf({ sensor }: SketchBody, state: string, tint: number | null): [fill: Colour, edges: Colour] {
    const { body, edge, pick, hit, paper, 'hit-fill': hitFill } = this.#palette
    const own = tint === null ? body : between(body, this.#tint(tint), 0.6)
    const fill = state.includes('h') ? between(hitFill, hit, 0.25) : sensor ? between(own, paper, 0.6) : own
    const edges = /[so]/.test(state) ? pick : state.includes('h') ? hit : edge
    return [state.includes('s') ? between(fill, pick, 0.3) : fill, edges]
  }

  #tint(tint: number): Colour {
    const style = getComputedStyle(document.documentElement)
    const known = this.#tintColours.get(tint) ?? colourOf(style.getPropertyValue(`--tint-${tint}`).trim())
    this.#tintColours.set(tint, known)
    return known
  }

  #drawn(body: PlacedBody, reach: number, colour: Colour, edges: Colour): Drawn {
    return {
      geometry: geometryOf(body.shape as Shape3d, reach),
      position: inSpace(minus(inSpace(positionOf(body)), this.#base)),
      orientation: body.orientation ?? NO_TURN,
      scale: 1,
      colour,
      edges,
    }
  }

  #drawnBox({ min, max }: { min: Vec3; max: Vec3 }, edges: Colour): Drawn {
    const center = middle(min, max)
    const size = inSpace(minus(max, min))
    return this.#drawn({ shape: { type: 'box', size }, position: center }, 1, seeThrough(edges, 0.08), edges)
  }

  #treeNow(): readonly Drawn[] {
    const from = [this.#tree, this.#palette, this.#base]
    if (from.some((value, i) => value !== this.#lastTree.from[i])) this.#lastTree = { from, drawn: this.#drawnTree() }
    return this.#lastTree.drawn
  }

  /** Boxes of one depth have one colour; those within others are fainter. */
  #drawnTree(): Drawn[] {
    const deepest = this.#tree.at(-1)?.depth ?? -1
    return Array.from({ length: deepest + 1 }, (_, depth) => {
      const boxes = this.#tree.filter((box) => box.depth === depth)
      const edges = seeThrough(this.#tint(depth % TINTS), Math.max(LEAST_TREE_ALPHA, 1 - depth / 20))
      const geometry = wireGeometry(boxes, this.#base)
      return { geometry, position: { x: 0, y: 0, z: 0 }, orientation: NO_TURN, scale: 1, colour: edges, edges }
    })
  }

  #ground(): Drawn {
    const { view } = this.#desk
    const step = stepOf(view)
    const { x, y, z } = view.target
    const near = (value: number) => Math.round(value / (10 * step)) * 10 * step
    const at = view.up === 'y' ? { x: near(x), y: 0, z: near(z) } : { x: near(x), y: near(y), z: 0 }
    const edges = seeThrough(this.#palette.faint, 0.3)
    const position = inSpace(minus(at, this.#base))
    return { geometry: GROUND[view.up], position, orientation: NO_TURN, scale: step, colour: edges, edges }
  }

  /** Adds what is drawn on the canvas to `ghosts`; its text goes over it. */
  #ownElements(mark: OwnMark, projection: Projection, space: LabelSpace, ghosts: Drawn[]): SVGElement[] {
    const { ghost, faint, mark: ink } = this.#palette
    const { view } = this.#desk
    if (mark.kind === 'box') {
      const box = this.#bounded(mark.min, mark.max)
      ghosts.push(this.#drawnBox(box, seeThrough(ink, 0.9)))
      return markElements(mark, 'box', '', projection.at(box.max), space)
    }
    if (mark.kind === 'border') {
      const shape: Shape3d = { type: 'halfspace', normal: inSpace(unit(mark.normal)), offset: 0 }
      const reach = (view.distance || 10 * view.near) / 3
      ghosts.push(this.#drawn({ shape, position: mark.at }, reach, seeThrough(faint, 0.18), seeThrough(faint, 0.5)))
      return markElements(mark, 'border', '', projection.at(mark.at), space)
    }
    const isFaint = mark.name === 'swept' || mark.name === 'candidate'
    const [fill, edges] = isFaint ? [0.1, 0.35] : [0.3, 0.9]
    ghosts.push(this.#drawn(mark.body, reachOf(view), seeThrough(ghost, fill), seeThrough(ghost, edges)))
    return markElements(mark, mark.name, '', projection.at(positionOf(mark.body)), space)
  }

  /** A side without an end goes as far as is seen. */
  #bounded(min: Corner, max: Corner): { min: Vec3; max: Vec3 } {
    const { target } = this.#desk.view
    const reach = reachOf(this.#desk.view)
    const side = (corner: Corner, sense: number): Vec3 => ({
      x: corner.x ?? target.x + sense * reach,
      y: corner.y ?? target.y + sense * reach,
      z: corner.z ?? target.z + sense * reach,
    })
    return { min: side(min, -1), max: side(max, 1) }
  }
}

export function createSpaceStage(desk: Desk<Camera>, makeHandles: () => readonly Handle[]): SpaceStage {
  return new SpacePicture(desk, makeHandles)
}
