// Numbers, vectors and features in words, as people read them in a picture.

import type { ShapeFeature, ShapeFeature3d } from '../../../schemas/feature.ts'
import type { Vec2, Vec3 } from '../../../schemas/vector.ts'

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const SIGNIFICANT_DIGITS = 4
/** Numbers from 10^-4 to 10^6 are written out, others with a power of ten. */
const NEGLIGIBLE = 1e-10
const LEAST_PLAIN = 1e-4
const GREATEST_PLAIN = 1e6
/** Of a face, that are written. */
const MOST_VERTICES = 8

/** Four significant digits: 0.125, −3.333, 1.5×10⁻⁷. */
export function quantity(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= LEAST_PLAIN && size < GREATEST_PLAIN) {
    const rounded = Number(value.toPrecision(SIGNIFICANT_DIGITS))
    return signed(String(rounded))
  }
  const [mantissa, exponent] = value.toExponential(SIGNIFICANT_DIGITS - 1).split('e')
  const factor = Number(mantissa)
  const power = powerOfTen(Number(exponent))
  if (factor === 1) return power
  return factor === -1 ? `−${power}` : `${signed(String(factor))}×${power}`
}

/** With a proper minus sign. */
export function signed(text: string): string {
  return text.replace('-', '−')
}

export function powerOfTen(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)])
  return `10${exponent < 0 ? '⁻' : ''}${digits}`
}

/** A component that is nothing beside the other one reads as 0. */
export function vectorText({ x, y }: Vec2): string {
  const [shownX, shownY] = [beside(x, y), beside(y, x)].map(quantity)
  return `(${shownX}, ${shownY})`
}

export function vectorText3d({ x, y, z }: Vec3): string {
  const far = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  return `(${[x, y, z].map((value) => quantity(beside(value, far))).join(', ')})`
}

function beside(value: number, other: number): number {
  return Math.abs(value) < Math.abs(other) * NEGLIGIBLE ? 0 : value
}

/** `edge 2`, of a compound's child `edge 2 of child 0/1`. */
export function featureText({ kind, index, path }: ShapeFeature): string {
  const own = kind === 'surface' ? 'surface' : `${kind} ${index}`
  return path === undefined || path.length === 0 ? own : `${own} of child ${path.join('/')}`
}

/** `edge 2–6`, by the vertices that span it. */
export function featureText3d({ kind, vertices }: ShapeFeature3d): string {
  const shown = vertices.slice(0, MOST_VERTICES).join('–')
  const more = vertices.length > MOST_VERTICES ? '–…' : ''
  return vertices.length === 0 ? kind : `${kind} ${shown}${more}`
}

/** Ids longer than that, in characters, are written with their middle left out. */
const MOST_CHARACTERS = 24

/** An id as it is written in a picture. */
export function shortName(id: string): string {
  const characters = [...id]
  if (characters.length <= MOST_CHARACTERS) return id
  const half = (MOST_CHARACTERS - 1) >> 1
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`
}

/** `1 hit`, `2 hits`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`
}
