// What the query strings of a rendered scene, and of a question about one, ask for.

import type { ScenePictureParameters, SceneRenderParameters } from '../../../schemas/scenes/export.ts'
import type { Bounds } from '../../core2d/measures/bounds.ts'
import { type DecodeProblem, inRange, isProblem, MAX_COORDINATE, problemOf } from '../problems/decode-problem.ts'

export interface AskedRender {
  bounds: Bounds | null
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

export function readRender(parameters: SceneRenderParameters): AskedRender | DecodeProblem {
  const { bounds, width = WIDTH, height = null, tag = null, highlight } = parameters
  const { bodies = true, labels = true, tree = false, background = true, yDown = false } = parameters
  const box = bounds === undefined ? null : readBounds(bounds)
  if (box !== null && isProblem(box)) return box
  const ids = highlight === undefined ? [] : highlight.split(',')
  return { bounds: box, width, height, tag, highlight: ids, bodies, labels, tree, background, yDown }
}

export interface AskedPicture {
  bounds: Bounds | null
  width: number
  yDown: boolean
}

/** Of a question about a scene. */
export function readScenePicture(parameters: ScenePictureParameters): AskedPicture | DecodeProblem {
  const { bounds, width = WIDTH, yDown = false } = parameters
  const box = bounds === undefined ? null : readBounds(bounds)
  return box !== null && isProblem(box) ? box : { bounds: box, width, yDown }
}

/** Four numbers with commas between. */
export function readBounds(text: string): Bounds | DecodeProblem {
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
