// Query strings about scenes: of pictures, exports and lists of bodies. A query string has no pointers.

import type { PictureView } from '../../schemas/picture.ts'
import type { ProblemCode } from '../../schemas/problem.ts'
import type {
  ExportFormatName,
  SceneExportParameters,
  ScenePicture3dParameters,
  ScenePictureParameters,
  SceneRender3dParameters,
  SceneRenderParameters,
} from '../../schemas/scenes/export.ts'
import type { SceneBodyListParameters } from '../../schemas/scenes/scene.ts'
import type { Bounds } from '../core2d/queries/bounds.ts'
import { type DecodeProblem, inRange, isProblem, MAX_COORDINATE, outOfRange, problemOf } from './decode-problem.ts'

export interface AskedRender {
  bounds: Bounds | null
  /** Where a scene of space is looked at from. */
  view: PictureView
  width: number
  height: number | null
  tag: string | null
  highlight: readonly string[]
  bodies: boolean
  labels: boolean
  tree: boolean
  background: boolean
  yDown: boolean
}

const WIDTH = 800

export function readRender(parameters: SceneRenderParameters & SceneRender3dParameters): AskedRender | DecodeProblem {
  const { bounds, view = 'iso', width = WIDTH, height = null, tag = null, highlight } = parameters
  const { bodies = true, labels = true, tree = false, background = true, yDown = false } = parameters
  const box = bounds === undefined ? null : readBounds(bounds)
  if (box !== null && isProblem(box)) return box
  const ids = highlight === undefined ? [] : highlight.split(',')
  return { bounds: box, view, width, height, tag, highlight: ids, bodies, labels, tree, background, yDown }
}

export interface AskedPicture {
  bounds: Bounds | null
  /** Where a scene of space is looked at from. */
  view: PictureView
  width: number
  yDown: boolean
}

/** The picture of a query about a scene. */
export function readScenePicture(
  parameters: ScenePictureParameters & ScenePicture3dParameters,
): AskedPicture | DecodeProblem {
  const { bounds, view = 'iso', width = WIDTH, yDown = false } = parameters
  const box = bounds === undefined ? null : readBounds(bounds)
  return box !== null && isProblem(box) ? box : { bounds: box, view, width, yDown }
}

/** Four numbers with commas between. */
function readBounds(text: string): Bounds | DecodeProblem {
  const [minX, minY, maxX, maxY] = text.split(',').map(Number)
  const far = [minX, minY, maxX, maxY].find((side) => !inRange(side))
  if (far !== undefined) {
    const detail = `bounds may reach ${MAX_COORDINATE} in magnitude, got ${far}.`
    return problemOf('coordinate-out-of-range', detail, { limit: MAX_COORDINATE })
  }
  if (minX <= maxX && minY <= maxY) return { minX, minY, maxX, maxY }
  const detail = `bounds are least x, least y, greatest x, greatest y, got ${text}: the least are not to be greater.`
  return problemOf('aabb-inverted', detail)
}

export interface AskedExport {
  format: ExportFormatName
  tag: string | null
  bounds: Bounds | null
  tolerance: number
  source: string | null
  /** Of the import that is undone. */
  yUp: boolean
  scale: number
  offsetX: number
  offsetY: number
}

/** Of flattened curves, in the file's units: that of imports. */
const TOLERANCE = 0.05
/** Lengths that are divided by less may leave the range of doubles. */
const LEAST_SCALE = 1 / MAX_COORDINATE

export function readExport(
  parameters: Omit<SceneExportParameters, 'format'> & { format: ExportFormatName },
): AskedExport | DecodeProblem {
  const { format, tag = null, bounds, tolerance = TOLERANCE, source = null } = parameters
  const { yUp = false, scale = 1, offsetX = 0, offsetY = 0 } = parameters
  const box = bounds === undefined ? null : readBounds(bounds)
  if (box !== null && isProblem(box)) return box
  if (!inRange(scale)) return outOfRange(scale, '/scale', 'Scales')
  if (scale < LEAST_SCALE) {
    const detail = `scale must be at least ${LEAST_SCALE}, got ${scale}.`
    return problemOf('coordinate-out-of-range', detail)
  }
  if (!inRange(offsetX)) return outOfRange(offsetX, '/offsetX', 'Offsets')
  if (!inRange(offsetY)) return outOfRange(offsetY, '/offsetY', 'Offsets')
  return { format, tag, bounds: box, tolerance, source, yUp, scale, offsetX, offsetY }
}

interface ListProblem {
  code: ProblemCode
  detail: string
  sizes: { limit?: number }
}

/** The problem of the box of a list of bodies, or null. */
export function checkListBox({ minX, minY, minZ, maxX, maxY, maxZ }: SceneBodyListParameters): ListProblem | null {
  // the validator of query strings lets numbers pass that are too large for a double
  for (const [name, side] of Object.entries({ minX, minY, minZ, maxX, maxY, maxZ })) {
    if (side !== undefined && !inRange(side)) return tooFar(name, side)
  }
  return checkSides('X', minX, maxX) ?? checkSides('Y', minY, maxY) ?? checkSides('Z', minZ, maxZ)
}

function checkSides(axis: string, min = -Infinity, max = Infinity): ListProblem | null {
  return min > max ? inverted(axis, min, max) : null
}

function tooFar(name: string, side: number): ListProblem {
  const detail = `${name} may reach ${MAX_COORDINATE} in magnitude, got ${side}.`
  return { code: 'coordinate-out-of-range', detail, sizes: { limit: MAX_COORDINATE } }
}

function inverted(axis: string, min: number, max: number): ListProblem {
  const detail = `min${axis} must not be greater than max${axis}, got ${min} and ${max}.`
  return { code: 'aabb-inverted', detail, sizes: {} }
}
