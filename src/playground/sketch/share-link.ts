// A sketch as the fragment of a link, which browsers do not send: JSON in base64url. Bodies of a scene stay with the service.

import { isDrawable } from './shape-outline.ts'
import { EMPTY_SKETCH, type Sketch, type SketchBody } from './sketch.ts'

export interface Shared {
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
const ID = /^[A-Za-z0-9._:-]{1,128}$/

const isBody = ({ id, shape, position, rotation, velocity }: SketchBody): boolean =>
  ID.test(id) &&
  isDrawable(shape) &&
  (position === undefined || isVector(position)) &&
  (velocity === undefined || isVector(velocity)) &&
  (rotation === undefined || Number.isFinite(rotation))

/** Null where the fragment is no sketch. */
export function sharedIn(fragment: string): Shared | null {
  try {
    const text = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'))
    const { sketch, view } = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))))
    const whole: Sketch = { ...EMPTY_SKETCH, ...sketch }
    const sound =
      Array.isArray(whole.bodies) &&
      whole.bodies.every(isBody) &&
      [whole.ray.origin, whole.ray.direction, whole.translation, whole.direction].every(isVector) &&
      (whole.scene === null || ID.test(whole.scene)) &&
      isVector(view) &&
      view.scale > 0
    return sound ? { sketch: whole, view } : null
  } catch {
    return null
  }
}
