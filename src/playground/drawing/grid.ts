// Lines of the grid and the two axes, as path data in pixels.

import { linePath } from '../sketch/shape-outline.ts'
import { corners, gridStep, toScreen, type View } from './view.ts'

export function gridPaths(view: View): { lines: string; axes: string } {
  const { min, max } = corners(view)
  const step = gridStep(view)
  let lines = ''
  // steps are some pixels apart, so there are as many lines as the stage has pixels over that
  for (let i = Math.ceil(min.x / step); i * step <= max.x; i++) {
    const { x } = toScreen(view, { x: i * step, y: 0 })
    lines += `M${x.toFixed(1)} 0V${view.height}`
    if ((i + 1) * step === i * step) break
  }
  for (let i = Math.ceil(min.y / step); i * step <= max.y; i++) {
    const { y } = toScreen(view, { x: 0, y: i * step })
    lines += `M0 ${y.toFixed(1)}H${view.width}`
    if ((i + 1) * step === i * step) break
  }
  const { x, y } = toScreen(view, { x: 0, y: 0 })
  let axes = ''
  if (x >= 0 && x <= view.width)
    axes += linePath(
      [
        { x, y: 0 },
        { x, y: view.height },
      ],
      false,
    )
  if (y >= 0 && y <= view.height)
    axes += linePath(
      [
        { x: 0, y },
        { x: view.width, y },
      ],
      false,
    )
  return { lines, axes }
}
