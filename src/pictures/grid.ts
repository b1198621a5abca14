/**
 * The grid behind the shapes: lines at round numbers, and their labels.
 *
 * Steps are 1, 2 or 5 times a power of ten. Numbers far from the origin are written relative to a common offset,
 * very large and very small ones as multiples of a power of ten, so that labels stay short and differ from each other.
 */
import type { Vec2 } from '../../schemas/vector.ts'
import { powerOfTen, signed } from './picture.ts'
import { type PictureFrame, toPicture } from './view-box.ts'

export interface Tick {
  /** Picture units along the axis. */
  at: number
  text: string
  isZero: boolean
}

export interface Scales {
  x: Tick[]
  y: Tick[]
  /** The common part of the labels, as in `x: 1000000 + …` or `x, y: …×10⁻⁶`; empty if labels are the numbers themselves. */
  note: string
}

/** Minimum distance of lines, in picture units. */
const LEAST_GAP = 64
const ROUND_NUMBERS = [1, 2, 5, 10]
/** Numbers of more steps than this from 0 are written with an offset. */
const MAX_STEPS = 5000
/** Larger integers have no distinct doubles. */
const FARTHEST_STEP = 2 ** 50
/** Plain numbers are below this, and their steps at least that. */
const GREATEST_PLAIN = 10_000
const LEAST_PLAIN = -3

/** `names`: names of the axes. */
export function scalesOf(frame: PictureFrame, origin: Vec2, names: { across: string; up: string }): Scales {
  const step = roundStep((frame.span / frame.width) * LEAST_GAP)
  if (!(step.size > 0) || !Number.isFinite(step.size)) return { x: [], y: [], note: '' }
  const x = axisRange('x', frame, origin, step)
  const y = axisRange('y', frame, origin, step)
  const greatest = Math.max(...[x.first, x.last, y.first, y.last].map(Math.abs)) * step.size
  const power = commonPower(greatest, step.exponent)
  return {
    x: ticksOf('x', x, frame, step, power),
    y: ticksOf('y', y, frame, step, power),
    note: noteOf(x, y, power, names),
  }
}

interface RoundStep {
  digit: number
  exponent: number
  size: number
}

/** Labels stand at offset + k · step, for k from first to last. */
interface AxisRange {
  offset: number
  /** The offset relative to the picture's origin. */
  base: number
  first: number
  last: number
}

function axisRange(
  axis: 'x' | 'y',
  { span, width, height, centre }: PictureFrame,
  origin: Vec2,
  step: RoundStep,
): AxisRange {
  const half = (span / width) * ((axis === 'x' ? width : height) / 2)
  const offset = offsetFor(centre[axis] + origin[axis], origin[axis], step)
  const base = offset - origin[axis]
  const first = Math.ceil((centre[axis] - half - base) / step.size)
  const last = Math.floor((centre[axis] + half - base) / step.size)
  // If doubles are coarser than the plot, there are no values between two of them.
  if (!(Math.max(Math.abs(first), Math.abs(last)) < FARTHEST_STEP)) return { offset: 0, base: 0, first: 0, last: -1 }
  return { offset, base, first, last }
}

function ticksOf(axis: 'x' | 'y', range: AxisRange, frame: PictureFrame, step: RoundStep, power: number): Tick[] {
  const { offset, base, first, last } = range
  const ticks: Tick[] = []
  for (let k = first; k <= last; k++) {
    const place = toPicture(frame, { ...frame.centre, [axis]: base + k * step.size })
    const value = k * step.digit * 10 ** (step.exponent - power)
    const text = k === 0 ? '0' : signed(value.toFixed(Math.max(0, power - step.exponent)))
    ticks.push({ at: place[axis], text, isZero: k === 0 && offset === 0 })
  }
  return ticks
}

function noteOf(x: AxisRange, y: AxisRange, power: number, { across, up }: { across: string; up: string }): string {
  const shown = power === 0 ? '…' : `…×${powerOfTen(power)}`
  if (x.offset === 0 && y.offset === 0) return power === 0 ? '' : `${across}, ${up}: ${shown}`
  const one = ({ offset }: AxisRange) => (offset === 0 ? shown : `${offsetText(offset)} + ${shown}`)
  const notes = [`${across}: ${one(x)}`, `${up}: ${one(y)}`].filter((note) => !note.endsWith(': …'))
  return notes.join(';  ')
}

/** The least round step of at least `least`. */
export function roundStep(least: number): RoundStep {
  const exponent = Math.floor(Math.log10(least))
  const digit = ROUND_NUMBERS.find((number) => number * 10 ** exponent >= least) ?? 10
  const step = digit === 10 ? { digit: 1, exponent: exponent + 1 } : { digit, exponent }
  return { ...step, size: step.digit * 10 ** step.exponent }
}

/** 0 if labels need no offset; otherwise a number near the centre with as few digits as possible. */
function offsetFor(centre: number, origin: number, { size, exponent }: RoundStep): number {
  if (Math.abs(centre) <= MAX_STEPS * size) return 0
  const digits = Math.floor(Math.log10(Math.abs(centre))) - exponent - 2
  // If the step is below the resolution of doubles, only the origin itself is exact.
  return digits > 15 ? origin : Number(centre.toPrecision(Math.max(1, digits)))
}

function commonPower(greatest: number, exponent: number): number {
  if (greatest < GREATEST_PLAIN && exponent >= LEAST_PLAIN) return 0
  return greatest === 0 ? exponent : Math.floor(Math.log10(greatest))
}

function offsetText(offset: number): string {
  const plain = String(offset)
  if (!plain.includes('e') && plain.length <= 12) return signed(plain)
  const [mantissa, exponent] = offset.toExponential().split('e')
  return `${mantissa === '1' ? '' : `${signed(mantissa)}×`}${powerOfTen(Number(exponent))}`
}
