// The outlook on the plane: boxes of bodies as they are drawn, and the view that shows them.

import type { Desk } from './desk.ts'
import type { Outlook } from './outlook.ts'
import { byId } from './page-elements.ts'
import { questionOf } from './sketch/all-questions.ts'
import type { Box } from './sketch/free-place.ts'
import { rectangle, shapePath } from './sketch/shape-outline.ts'
import { positionOf, type SketchBody } from './sketch/sketch.ts'
import { plus, times, toWorld, unit, type Vec } from './sketch/vector.ts'
import { svgElement } from './svg-elements.ts'
import { corners, fitted, fromScreen, type View } from './view.ts'

/** A box around bodies, by what their outlines measure as drawn; half-planes, which have no end, count by one point of their line. */
function boxOf(bodies: readonly SketchBody[], tips: readonly Vec[]): Box | null {
  const path = svgElement('path')
  byId('stage').append(path)
  const outlines = bodies.flatMap((body) => {
    if (body.shape.type === 'halfplane') return [toWorld(body, times(unit(body.shape.normal), body.shape.offset))]
    if (isEndless(body)) return [positionOf(body)]
    path.setAttribute('d', shapePath(body.shape))
    const { x, y, width, height } = path.getBBox()
    return rectangle({ x, y }, { x: x + width, y: y + height }).map((corner) => toWorld(body, corner))
  })
  path.remove()
  const points = [...outlines, ...tips]
  if (points.length === 0) return null
  let [min, max] = [points[0]!, points[0]!]
  for (const { x, y } of points) {
    min = { x: Math.min(min.x, x), y: Math.min(min.y, y) }
    max = { x: Math.max(max.x, x), y: Math.max(max.y, y) }
  }
  return { min, max }
}

const isEndless = ({ shape }: Pick<SketchBody, 'shape'>): boolean =>
  shape.type === 'halfplane' || (shape.type === 'compound' && shape.children.some(isEndless))

export function createPlane(desk: Desk<View>): Outlook {
  /** What the question is put with. */
  const tips = (): Vec[] => {
    const { handles, moves } = questionOf(desk.sketch)
    const movers = moves ? desk.sketch.bodies : []
    const ends = movers.flatMap((body) => (body.velocity ? [plus(positionOf(body), body.velocity)] : []))
    return [...(handles?.(desk.sketch) ?? []).map(({ at }) => at), ...ends]
  }
  return {
    seen: () => corners(desk.view),
    fit(box) {
      const shown = box ?? boxOf(desk.sketch.bodies, tips())
      if (shown !== null && desk.view.width > 0) desk.look(fitted(desk.view, shown.min, shown.max))
    },
    middle() {
      const { width, height } = desk.view
      const { x, y } = fromScreen(desk.view, { x: width / 2, y: height / 2 })
      return { x: Number(x.toPrecision(4)), y: Number(y.toPrecision(4)) }
    },
    boxOf: (body) => (isEndless(body) ? null : boxOf([body], [])),
    link() {
      const { center, scale, yUp } = desk.view
      return { ...center, scale, yUp }
    },
    // files are drawn as their editors draw them: y down
    showAs: (format) => format !== 'json' && desk.look({ ...desk.view, yUp: format === 'geojson' }),
  }
}
