import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { roundStep, scalesOf, type Tick } from '../../src/pictures/grid.ts'
import { runs } from '../support/runs.ts'

const NAMES = { across: 'x', up: 'y' }

/** A plot 640 wide and 480 high that shows `span` across about a point relative to the picture's origin. */
const frameOf = (span: number, x = 0, y = 0) => ({ span, width: 640, height: 480, centre: { x, y }, yDown: false })

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** The number that is written as `−2.5×10¹²`, `10¹⁵` or `12.5`. */
function numberOf(text: string): number {
  const [, mantissa = '', exponent = ''] =
    /^(.*?)×?(10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?$/.exec(text.replace('−', '-')) ?? expect.fail(`${text} is no number`)
  const digits = exponent.slice(2).replace(/[^⁻]/g, (digit) => String(SUPERSCRIPTS.indexOf(digit)))
  const power = exponent === '' ? 0 : Number(digits.replace('⁻', '-'))
  return (mantissa === '' ? 1 : Number(mantissa)) * 10 ** power
}

/** What the labels of an axis stand for, by the note. */
function values(ticks: readonly Tick[], note: string, axis: 'x' | 'y'): number[] {
  const own = note.split(';  ').find((part) => part.split(': ')[0].includes(axis))
  const [, offset = '0', power = '1'] = /: (?:(.*) \+ )?…(?:×(.*))?$/.exec(own ?? ': …') ?? expect.fail(note)
  return ticks.map(({ text }) => numberOf(offset) + Number(text.replace('−', '-')) * numberOf(power))
}

describe('the grid of a picture', () => {
  it.each([
    [0.9, 1],
    [1, 1],
    [1.1, 2],
    [2.5, 5],
    [6, 10],
    [0.03, 0.05],
    [700, 1000],
  ])('has the least round step of at least %d: %d', (least, size) => {
    expect(roundStep(least).size).toBeCloseTo(size, 12)
  })

  it.each([
    [10, 0, ''],
    [10, 1e6, 'x: 1000000 + …;  y: 1000000 + …'],
    [10, 1e12, 'x: 10¹² + …;  y: 10¹² + …'],
    [10, -1e12, 'x: −1×10¹² + …;  y: −1×10¹² + …'],
    [10, 2.5e13, 'x: 2.5×10¹³ + …;  y: 2.5×10¹³ + …'],
    [1e7, 0, 'x, y: …×10⁶'],
    [1e-5, 0, 'x, y: …×10⁻⁶'],
    [1e-5, 3, 'x: 3 + …×10⁻⁶;  y: 3 + …×10⁻⁶'],
  ])('%d wide about %d has a note where labels are not the numbers: %s', (span, at, note) => {
    expect(scalesOf(frameOf(span), { x: at, y: at }, NAMES).note).toBe(note)
  })

  it('says for each line the number that it is at', () => {
    const span = fc
      .integer({ min: -40, max: 40 })
      .chain((e) => fc.integer({ min: 10, max: 99 }).map((m) => m * 10 ** e))
    const ratio = fc.oneof(
      fc.constant(0),
      fc.integer({ min: -999_999, max: 999_999 }).map((n) => n / 7),
    )
    fc.assert(
      fc.property(span, ratio, ratio, (span, ratioX, ratioY) => {
        const origin = { x: ratioX * span, y: ratioY * span }
        const frame = frameOf(span)
        const scales = scalesOf(frame, origin, NAMES)
        for (const [axis, side] of [
          ['x', 1],
          ['y', -1],
        ] as const) {
          const ticks = scales[axis]
          const size = axis === 'x' ? 640 : 480
          expect(ticks.length).toBeGreaterThanOrEqual(Math.floor(size / 160))
          expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length)
          const places = ticks.map(({ at }) => origin[axis] + (side * at * span) / 640)
          const said = values(ticks, scales.note, axis)
          for (let k = 0; k < ticks.length; k++) {
            expect(Math.abs(ticks[k].at)).toBeLessThanOrEqual(size / 2 + 1e-6)
            expect(Math.abs(said[k] - places[k])).toBeLessThan(1e-6 * span)
            expect(ticks[k].isZero).toBe(Math.abs(said[k]) < 1e-9 * span)
            if (k > 0) expect(Math.abs(ticks[k].at - ticks[k - 1].at)).toBeGreaterThan(64 - 1e-6)
          }
        }
      }),
      runs(1000),
    )
  })

  it('is relative to the origin of the picture where doubles are coarser than its steps, and has no lines where they are there, too', () => {
    const far = scalesOf(frameOf(1), { x: 1e300, y: 0 }, NAMES)
    expect(far.note).toBe('x: 10³⁰⁰ + …')
    expect(far.x.map(({ text }) => text)).toContain('0.1')
    const { x, y } = scalesOf(frameOf(1, 1e300), { x: 0, y: 0 }, NAMES)
    expect(x).toEqual([])
    expect(y.length).toBeGreaterThan(3)
  })
})
