// What the query string of an export asks for.

import type { ExportFormatName, SceneExportParameters } from '../../../schemas/scenes/export.ts'
import type { Bounds } from '../../core2d/measures/bounds.ts'
import {
  type DecodeProblem,
  inRange,
  isProblem,
  MAX_COORDINATE,
  outOfRange,
  problemOf,
} from '../problems/decode-problem.ts'
import { readBounds } from './scene-render.ts'

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

export function readExport(parameters: SceneExportParameters): AskedExport | DecodeProblem {
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
