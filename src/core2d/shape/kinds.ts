/**
 * The table of kinds: for each kind of convex body a row of the functions that only the kind can tell.
 *
 * Kinds come in three families, in the order of their numbers, which is also the order in which pairs are put. *Cored* ones
 * (circle, polygon) are core points with a skin: most of the core walks over their points. *Curved* ones (ellipse) have a boundary
 * given by functions, about their position, which is their anchor too. A half-plane has no bounds. Algorithms ask for the family,
 * and the rows for what only the kind can tell; so a new curved kind is a file of functions and a row here. Hot paths have closed
 * forms of their own beside it.
 * Frame: world axes; each function says what it counts from.
 */

import { vectorLength } from '../../numeric/safe-range.ts'
import {
  type Body,
  CIRCLE,
  type COMPOSITE,
  ELLIPSE,
  HALFPLANE,
  type Kind,
  NORMAL_X,
  NORMAL_Y,
  OFFSET,
  POLYGON,
  RADIUS,
  RX,
  RY,
  UNIT_X,
  UNIT_Y,
} from './body.ts'
import {
  type BoundaryPoint,
  compareEllipses,
  ellipseHeight,
  ellipseHolds,
  ellipseInnerRadius,
  ellipseSupport,
  setEllipseBox,
  setEllipseMoments,
} from './ellipse.ts'

type ConvexKind = Exclude<Kind, typeof COMPOSITE>
type CoredKind = typeof CIRCLE | typeof POLYGON
type CurvedKind = Exclude<ConvexKind, CoredKind | typeof HALFPLANE>

interface KindFunctions {
  /** In errors. */
  name: string
  /** Greatest height over the body's position along the unit vector (nx, ny); Infinity where there is none. Cost O(points). */
  height(body: Body, nx: number, ny: number): number
  /** Sets min x, min y, max x, max y relative to the body's position, rounded; exact if the body is not turned. */
  setBox(body: Body, box: Float64Array): void
  /** Radius of a disc about the point (x, y), relative to the anchor, that lies in the body; negative where there is none. */
  innerRadius(body: Body, x: number, y: number): number
  /** Whether the body looks the same however it is turned about its anchor. */
  isRound(body: Body): boolean
  /** The lengths that it has besides its position, core points and skin. */
  lengths(body: Body): readonly number[]
  /** Some order of two bodies of the kind by what they have besides that: negative, 0 for equal ones, or positive. */
  compare(a: Body, b: Body): number
}

interface Moments {
  area: number
  /** Moment of inertia about the anchor, for a density of 1. */
  inertia: number
}

interface CurveFunctions extends KindFunctions {
  /**
   * The boundary point farthest along (nx, ny), a vector of any length but 0, relative to the anchor; returns its height along
   * that vector. Of several the same one for every length of the vector.
   */
  support(body: Body, nx: number, ny: number, out: BoundaryPoint): number
  /** Whether the point (x, y), relative to the anchor, lies in the body by more than `margin` for certain. */
  holds(body: Body, x: number, y: number, margin: number): boolean
  /** Sets area and inertia, in units of length of `unit`. The centroid is the anchor. */
  setMoments(body: Body, unit: number, out: Moments): void
}

type KindTable = { readonly [K in ConvexKind]: K extends CurvedKind ? CurveFunctions : KindFunctions }

const KINDS: KindTable = {
  [CIRCLE]: {
    name: 'circle',
    height: heightOfPoints,
    setBox: setBoxOfPoints,
    innerRadius: ({ numbers }, x, y) => numbers[RADIUS] - vectorLength(x, y),
    isRound: () => true,
    lengths: () => NOTHING,
    compare: () => 0,
  },
  [POLYGON]: {
    name: 'polygon',
    height: heightOfPoints,
    setBox: setBoxOfPoints,
    innerRadius: innerRadiusOfPolygon,
    isRound: () => false,
    lengths: () => NOTHING,
    compare: () => 0,
  },
  [ELLIPSE]: {
    name: 'ellipse',
    height: ellipseHeight,
    support: ellipseSupport,
    setBox: setEllipseBox,
    innerRadius: ellipseInnerRadius,
    holds: ellipseHolds,
    setMoments: setEllipseMoments,
    isRound: ({ numbers }) => numbers[RX] === numbers[RY],
    lengths: ({ numbers }) => [numbers[RX], numbers[RY]],
    compare: compareEllipses,
  },
  [HALFPLANE]: {
    name: 'halfplane',
    height: ({ numbers }, nx, ny) => (numbers[UNIT_X] === nx && numbers[UNIT_Y] === ny ? numbers[OFFSET] : Infinity),
    setBox: (_, box) => {
      box[0] = -Infinity
      box[1] = -Infinity
      box[2] = Infinity
      box[3] = Infinity
    },
    innerRadius: ({ numbers }, x, y) => numbers[OFFSET] - numbers[UNIT_X] * x - numbers[UNIT_Y] * y,
    isRound: () => false,
    lengths: ({ numbers }) => [numbers[OFFSET]],
    compare: compareHalfplanes,
  },
}

/** The row of a convex body. */
export function kindOf({ kind }: Body): KindFunctions {
  return KINDS[kind as ConvexKind]
}

/** The row of a curved body. */
export function curveOf({ kind }: Body): CurveFunctions {
  return KINDS[kind as CurvedKind]
}

const NOTHING: readonly number[] = []

function heightOfPoints({ vertices, count, numbers }: Body, nx: number, ny: number): number {
  const radius = numbers[RADIUS]
  let highest = -Infinity
  for (let i = 0; i < count; i++) {
    const height = numbers[vertices + 2 * i] * nx + numbers[vertices + 2 * i + 1] * ny
    if (height > highest) highest = height
  }
  return highest + radius
}

/** The box of a cored body, as in its row. */
export function setBoxOfPoints({ vertices, count, numbers }: Body, box: Float64Array): void {
  const radius = numbers[RADIUS]
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (let i = 0; i < count; i++) {
    const x = numbers[vertices + 2 * i]
    const y = numbers[vertices + 2 * i + 1]
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
  }
  box[0] = minX - radius
  box[1] = minY - radius
  box[2] = maxX + radius
  box[3] = maxY + radius
}

/** About a point outside the core no disc is looked for, although one may lie in the skin. */
function innerRadiusOfPolygon({ normals, offsets, count, numbers }: Body, x: number, y: number): number {
  const radius = numbers[RADIUS]
  let inner = Infinity
  for (let i = 0; i < count; i++)
    inner = Math.min(inner, numbers[offsets + i] - numbers[normals + 2 * i] * x - numbers[normals + 2 * i + 1] * y)
  return inner < 0 ? -1 : inner + radius
}

function compareHalfplanes(a: Body, b: Body): number {
  if (a.numbers[NORMAL_X] !== b.numbers[NORMAL_X]) return a.numbers[NORMAL_X] - b.numbers[NORMAL_X]
  if (a.numbers[NORMAL_Y] !== b.numbers[NORMAL_Y]) return a.numbers[NORMAL_Y] - b.numbers[NORMAL_Y]
  return a.numbers[OFFSET] - b.numbers[OFFSET]
}

/** Copies what a body has besides its pose, core points and skin, and what no turn changes. */
export function copyLengths(from: Body, to: Body): void {
  if (from.count > 0) return
  to.numbers[RX] = from.numbers[RX]
  to.numbers[RY] = from.numbers[RY]
  to.numbers[OFFSET] = from.numbers[OFFSET]
}
