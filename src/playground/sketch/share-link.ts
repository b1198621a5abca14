// A sketch as the fragment of a link, which browsers do not send: JSON in base64url. Bodies of a scene stay with the service.

import { isDrawable } from './shape-outline.ts'
import { EMPTY_SKETCH, type Sketch, type SketchBody } from './sketch.ts'

interface Shared {
  sketch: Sketch
  view: { x: number; y: number; scale: number; yUp: boolean }
}

/** Browsers take longer ones, but people do not send them. */
export const MOST_FRAGMENT = 200_000

export function fragmentOf({ sketch, view }: Shared): string {
  const bodies = sketch.scene === null ? sketch.bodies : []
  const bytes = new TextEncoder().encode(JSON.stringify({ sketch: { ...sketch, bodies }, view }))
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export const isVector = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Number.isFinite((value as { x: unknown }).x) &&
  Number.isFinite((value as { y: unknown }).y)

/** As ids of scenes and bodies are. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/

const isBody = ({ id, shape, position, rotation, velocity, angularVelocity }: SketchBody): boolean =>
  ID.test(id) &&
  isDrawable(shape) &&
  (position === undefined || isVector(position)) &&
  (velocity === undefined || isVector(velocity)) &&
  (rotation === undefined || Number.isFinite(rotation)) &&
  (angularVelocity === undefined || Number.isFinite(angularVelocity))

const areBodies = (bodies: readonly SketchBody[]): boolean =>
  Array.isArray(bodies) && bodies.every(isBody) && new Set(bodies.map(({ id }) => id)).size === bodies.length

/** Numbers, words, yes and no; what they mean, the question says. */
const areOptions = (options: unknown): boolean =>
  typeof options === 'object' &&
  options !== null &&
  Object.values(options).every((value) => ['number', 'string', 'boolean'].includes(typeof value))

/** Null where the fragment is no sketch. */
export function sharedIn(fragment: string): Shared | null {
  try {
    const text = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'))
    const { sketch, view } = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))))
    const whole: Sketch = { ...EMPTY_SKETCH, ...sketch }
    const sound =
      areBodies(whole.bodies) &&
      areOptions(whole.options) &&
      [whole.ray.origin, whole.ray.direction, whole.translation, whole.direction].every(isVector) &&
      (whole.scene === null || ID.test(whole.scene)) &&
      isVector(view) &&
      Number.isFinite(view.scale) &&
      view.scale > 0
    const { x, y, scale, yUp } = view
    return sound ? { sketch: whole, view: { x, y, scale, yUp: yUp !== false } } : null
  } catch {
    return null
  }
}
