/** The ways in which every regression is asked, and what they do to bodies, lengths and points. */
import type { Vec2 } from '../../schemas/vector.ts'

export interface Variant<B> {
  body(body: B): B
  scale: number
  shift: number
  swapped: boolean
}

/** How bodies of one sort are scaled, moved, and written the other way round. */
export interface Changes<B> {
  scaled(body: B, k: number): B
  translated(body: B, x: number, y: number): B
  reversed(body: B): B
}

export function variantsOf<B>({ scaled, translated, reversed }: Changes<B>): [string, Variant<B>][] {
  const plain: Variant<B> = { body: (body) => body, scale: 1, shift: 0, swapped: false }
  const scaledBy = (k: number): Variant<B> => ({ ...plain, body: (body) => scaled(body, k), scale: k })
  return [
    ['as reported', plain],
    ['swapped', { ...plain, swapped: true }],
    ['moved by 1e6', { ...plain, body: (body) => translated(body, 1e6, 1e6), shift: 1e6 }],
    ['scaled by 1e-3', scaledBy(1e-3)],
    ['scaled by 1e3', scaledBy(1e3)],
    ['written the other way round', { ...plain, body: reversed }],
  ]
}

export function pointIn({ scale, shift }: Pick<Variant<unknown>, 'scale' | 'shift'>, { x, y }: Vec2): Vec2 {
  return { x: x * scale + shift, y: y * scale + shift }
}
