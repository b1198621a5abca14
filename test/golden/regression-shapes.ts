/** What the rows of the regressions are written with. */

import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'

export const v = (x: number, y: number): Vec2 => ({ x, y })

export const list = (...points: [number, number][]): Vec2[] => points.map(([x, y]) => v(x, y))

export const at = (shape: Shape2d, x: number, y: number, rotation = 0): Body2d => ({
  shape,
  position: v(x, y),
  rotation,
})

export const POINT: Shape2d = { type: 'point' }

export const circle = (radius: number): Shape2d => ({ type: 'circle', radius })

export const box = (halfWidth: number, halfHeight: number): Shape2d => ({
  type: 'box',
  width: 2 * halfWidth,
  height: 2 * halfHeight,
})

export const aabb = (minX: number, minY: number, maxX: number, maxY: number): Shape2d => ({
  type: 'aabb',
  min: v(minX, minY),
  max: v(maxX, maxY),
})

const HALF_PLUS: [number, number][] = [
  [-45, 0],
  [-40, 4],
  [-5, 4],
  [-4, 40],
  [0, 45],
  [4, 40],
  [5, 4],
  [40, 4],
]

/** pymunk#208: a plus with dented arms, clockwise. */
export const PLUS = list(...HALF_PLUS, ...HALF_PLUS.map(([x, y]): [number, number] => [-x, -y]))

/** parry#280: concave, seven reflex vertices. */
export const CONCAVE_18_GON = list(
  [0.287, 0.542],
  [0.405, 0.666],
  [0.549, 0.556],
  [0.464, 0.322],
  [0.621, 0.234],
  [0.706, 0.493],
  [0.769, 0.417],
  [0.664, 0.116],
  [0.317, 0.19],
  [0.295, 0.067],
  [0.819, 0.022],
  [0.879, 0.552],
  [0.613, 0.798],
  [0.307, 0.919],
  [0.139, 0.743],
  [0.151, 0.475],
  [0.085, 0.209],
  [0.212, 0.178],
)
