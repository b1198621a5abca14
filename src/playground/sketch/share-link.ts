// A sketch as the fragment of a link, which browsers do not send: JSON in base64url. Bodies of a scene stay with the service.

import { type Dimension, emptySketch, type Sketch, type SketchBody } from './sketch.ts'
import type { Quaternion } from './vector.ts'

interface Shared<View> {
  sketch: Sketch
  view: View
}

/** What a page can show: of its own dimension. */
interface Showing<View> {
  dimension: Dimension
  /** Whether a value has all parts that the drawing of a shape needs. */
  isDrawable(shape: unknown): boolean
  /** Null where it is no view. */
  viewOf(view: unknown): View | null
}

/** Browsers take longer ones, but people do not send them. */
export const MOST_FRAGMENT = 200_000

export function fragmentOf({ sketch, view }: Shared<object>): string {
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
  Number.isFinite((value as { y: unknown }).y) &&
  ((value as { z?: unknown }).z === undefined || Number.isFinite((value as { z: unknown }).z))

/** As ids of scenes and bodies are. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/

const isTurn = (value: unknown): boolean => isVector(value) && Number.isFinite((value as Quaternion).w)
const isSpin = (value: unknown): boolean => Number.isFinite(value) || isVector(value)
const orAbsent = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value)

const isBody = (body: SketchBody, isDrawable: (shape: unknown) => boolean): boolean =>
  ID.test(body.id) &&
  isDrawable(body.shape) &&
  orAbsent(body.position, isVector) &&
  orAbsent(body.velocity, isVector) &&
  orAbsent(body.rotation, Number.isFinite) &&
  orAbsent(body.orientation, isTurn) &&
  orAbsent(body.angularVelocity, isSpin)

const areBodies = (bodies: readonly SketchBody[], isDrawable: (shape: unknown) => boolean): boolean =>
  Array.isArray(bodies) &&
  bodies.every((body) => isBody(body, isDrawable)) &&
  new Set(bodies.map(({ id }) => id)).size === bodies.length

/** Numbers, words, yes and no; what they mean, the question says. */
const areOptions = (options: unknown): boolean =>
  typeof options === 'object' &&
  options !== null &&
  Object.values(options).every((value) => ['number', 'string', 'boolean'].includes(typeof value))

/** Null where the fragment is no sketch of that dimension. */
export function sharedIn<View>(
  fragment: string,
  { dimension, isDrawable, viewOf }: Showing<View>,
): Shared<View> | null {
  try {
    const text = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'))
    const { sketch, view } = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (c) => c.charCodeAt(0))))
    const whole: Sketch = { ...emptySketch(dimension), ...sketch }
    const sound =
      whole.dimension === dimension &&
      areBodies(whole.bodies, isDrawable) &&
      areOptions(whole.options) &&
      Array.isArray(whole.hidden) &&
      whole.hidden.every((tag) => typeof tag === 'string') &&
      [whole.ray.origin, whole.ray.direction, whole.translation, whole.direction].every(isVector) &&
      (whole.scene === null || ID.test(whole.scene))
    const seen = viewOf(view)
    return sound && seen !== null ? { sketch: whole, view: seen } : null
  } catch {
    return null
  }
}
