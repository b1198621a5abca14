// Which part of the plane is seen: world to pixels and back. A value that is never written to.

import type { Vec2 } from './sketch/vector.ts'

export interface View {
  /** The place in the middle, world frame. */
  center: Vec2
  /** Pixels a length. */
  scale: number
  yUp: boolean
  /** Of the stage, in pixels. */
  width: number
  height: number
}

const LEAST_SCALE = 1e-6
const MOST_SCALE = 1e6

/** Pixels a length that can be drawn. */
export const boundedScale = (scale: number): number => Math.min(MOST_SCALE, Math.max(LEAST_SCALE, scale))

/** As links carry it. */
type SharedView = Pick<View, 'scale' | 'yUp'> & Vec2

/** Null where it is no view. */
export function viewOf(view: unknown): SharedView | null {
  const { x, y, scale, yUp } = view as SharedView
  const sound = [x, y, scale].every(Number.isFinite) && scale > 0
  return sound ? { x, y, scale, yUp: yUp !== false } : null
}

const ySign = ({ yUp }: View) => (yUp ? -1 : 1)

export const toScreen = (view: View, { x, y }: Vec2): Vec2 => ({
  x: (x - view.center.x) * view.scale + view.width / 2,
  y: ySign(view) * (y - view.center.y) * view.scale + view.height / 2,
})

export const fromScreen = (view: View, { x, y }: Vec2): Vec2 => ({
  x: (x - view.width / 2) / view.scale + view.center.x,
  y: (ySign(view) * (y - view.height / 2)) / view.scale + view.center.y,
})

/** Zooms about `at`, a place of the screen. */
export function zoomed(view: View, factor: number, at: Vec2): View {
  const scale = boundedScale(view.scale * factor)
  const fixed = fromScreen(view, at)
  const moved = fromScreen({ ...view, scale }, at)
  const center = { x: view.center.x + fixed.x - moved.x, y: view.center.y + fixed.y - moved.y }
  return { ...view, scale, center }
}

/** `by`: pixels. */
export const panned = (view: View, by: Vec2): View => ({
  ...view,
  center: { x: view.center.x - by.x / view.scale, y: view.center.y - (ySign(view) * by.y) / view.scale },
})

/** Shows a box with a margin around. */
export function fitted(view: View, min: Vec2, max: Vec2): View {
  const width = Math.max(max.x - min.x, 1e-3)
  const height = Math.max(max.y - min.y, 1e-3)
  const scale = Math.min(view.width / width, view.height / height) * 0.85
  return {
    ...view,
    scale: boundedScale(scale),
    center: { x: min.x / 2 + max.x / 2, y: min.y / 2 + max.y / 2 },
  }
}

export const corners = (view: View): { min: Vec2; max: Vec2 } => {
  const p = fromScreen(view, { x: 0, y: 0 })
  const q = fromScreen(view, { x: view.width, y: view.height })
  return {
    min: { x: Math.min(p.x, q.x), y: Math.min(p.y, q.y) },
    max: { x: Math.max(p.x, q.x), y: Math.max(p.y, q.y) },
  }
}

/** A step of 1, 2 or 5 times a power of ten whose lines are some twenty pixels apart or more. */
export function gridStep({ scale }: View): number {
  const least = 20 / scale
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10)
}
