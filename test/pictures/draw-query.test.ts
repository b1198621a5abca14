// What pictures promise beside their looks: text is text, sizes do not matter, y may grow either way.
import { describe, expect, it } from 'vitest'
import type { PairsResponse } from '../../schemas/queries/pairs.ts'
import type { ValidateResponse } from '../../schemas/queries/validate.ts'
import type { Body2d } from '../../schemas/shapes2d.ts'
import { drawQuery, hasPicture } from '../../src/pictures/queries/draw-query.ts'
import { PICTURE_LIMITS } from '../../src/pictures/shape-parts.ts'
import { readSvg } from './svg-check.ts'

const HOSTILE = '</text><script>alert("1")</script>&amp;<!-- \u0000\u0007\ud800 \']]>'
const YUP = { yDown: false }

function circleAt(x: number, y: number, radius = 1): Body2d {
  return { shape: { type: 'circle', radius }, position: { x, y } }
}

describe('text', () => {
  it('is escaped wherever it comes from', () => {
    const answer: ValidateResponse = {
      valid: false,
      truncated: false,
      findings: [
        {
          kind: 'reflex',
          outcome: 'refused',
          detail: HOSTILE,
          action: HOSTILE,
          pointers: [HOSTILE],
          points: [{ x: 0, y: 0 }],
        },
      ],
    }
    const { texts, elements } = readSvg(drawQuery('validate', { shape: { type: 'point' } }, answer, YUP))
    expect(elements.has('script')).toBe(false)
    expect(texts.join(' ')).toContain('<script>alert("1")</script>&amp;<!--')
    expect(texts.join(' ')).toContain('\ufffd')
  })

  it('says the answer in its description', () => {
    const request = { a: circleAt(0, 0), b: circleAt(5, 0) }
    const answer = { distance: 3, pointA: { x: 1, y: 0 }, pointB: { x: 4, y: 0 }, normal: { x: 1, y: 0 } }
    const svg = drawQuery('distance', request, answer, YUP)
    expect(svg).toContain('<title>distance</title>')
    expect(svg).toContain('<desc>A and B are 3 apart. Nearest points: (1, 0) of A and (4, 0) of B.</desc>')
  })

  it('says which body contains the other', () => {
    const request = { a: circleAt(0, 0, 2), b: circleAt(0, 0), explain: true }
    const answer = (aContainsB: boolean, bContainsA: boolean) =>
      drawQuery('overlap', request, { overlap: true, relation: 'overlapping', aContainsB, bContainsA }, YUP)
    expect(answer(true, false)).toContain('A contains B.')
    expect(answer(false, true)).toContain('B contains A.')
    expect(answer(true, true)).toContain('They are the same set of points.')
    expect(answer(false, false)).not.toContain('contains')
  })
})

describe('scale', () => {
  const drawn = (k: number) => {
    const request = { a: circleAt(0, 0, k), b: circleAt(3 * k, k, k) }
    const svg = drawQuery('overlap', request, { overlap: false, relation: 'separated' }, YUP)
    readSvg(svg)
    return [...svg.matchAll(/<path d="(M[^"]*A[^"]*)"/g)].map(([, d]) => d)
  }

  it.each([1e-200, 1e-30, 1e-6, 1, 1e9, 1e90])('draws the same at %d', (k) => {
    expect(drawn(k)).toEqual(drawn(1))
    expect(drawn(k)).toHaveLength(2)
  })

  it('keeps apart what is apart far from the origin', () => {
    const far = 2 ** 40
    const request = { a: circleAt(far, far), b: circleAt(far + 2.5, far) }
    const near = { a: circleAt(0, 0), b: circleAt(2.5, 0) }
    const draw = (pair: typeof near) => {
      const svg = drawQuery('overlap', pair, { overlap: false, relation: 'separated' }, YUP)
      return [...svg.matchAll(/<path d="(M[^"]*A[^"]*)"/g)].map(([, d]) => d)
    }
    expect(draw(request)).toEqual(draw(near))
    expect(draw(near)).toHaveLength(2)
  })

  it('draws true curves', () => {
    const ellipse: Body2d = { shape: { type: 'ellipse', rx: 3, ry: 1 }, rotation: 0.5 }
    const answer = { overlap: false, relation: 'separated' as const }
    const svg = drawQuery('overlap', { a: ellipse, b: circleAt(9, 0) }, answer, YUP)
    expect(svg.match(/A[\d.]+ [\d.]+ -28.65 0 0 /g)).toHaveLength(4)
  })
})

describe('yDown', () => {
  it('mirrors the picture and not the text', () => {
    const request = { a: circleAt(0, 0), b: circleAt(0, 4) }
    const answer = { distance: 2, pointA: { x: 0, y: 1 }, pointB: { x: 0, y: 3 }, normal: { x: 0, y: 1 } }
    const [up, down] = [false, true].map((yDown) => drawQuery('distance', request, answer, { yDown }))
    const line = /<path d="M0 (-?[\d.]+)L0 (-?[\d.]+)"/
    const [, upFrom, upTo] = line.exec(up) as RegExpExecArray
    const [, downFrom, downTo] = line.exec(down) as RegExpExecArray
    expect([Number(downFrom), Number(downTo)]).toEqual([-Number(upFrom), -Number(upTo)])
    expect(Number(upTo)).toBeLessThan(Number(upFrom))
    expect(down).not.toMatch(/transform="(scale|matrix|rotate)/)
    expect(readSvg(up).texts.sort().join().replace('↑', '')).toBe(readSvg(down).texts.sort().join().replace('↓', ''))
  })
})

describe('many bodies', () => {
  it('are drawn up to the limit, without names', () => {
    const bodies = Array.from({ length: PICTURE_LIMITS.shapes }, (_, i) =>
      circleAt(3 * (i % 100), 3 * Math.floor(i / 100)),
    )
    const stats = { method: 'dynamic-tree' as const, reason: 'many', boxTests: 0, narrowTests: 0 }
    const answer: PairsResponse = { pairs: [], stats, truncated: false }
    const { elements } = readSvg(drawQuery('pairs', { bodies }, answer, YUP))
    expect(elements.get('path')).toBeGreaterThanOrEqual(PICTURE_LIMITS.shapes)
    expect(elements.get('text')).toBeLessThan(50)
  })
})

it('knows which queries have a picture', () => {
  expect(hasPicture('contact')).toBe(true)
  expect(hasPicture('batch')).toBe(false)
  expect(hasPicture('toString')).toBe(false)
})
