// Whatever is asked about space and answered can be drawn from anywhere: well-formed, with coordinates that renderers hold, and the
// same every time.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PICTURE_VIEWS } from '../../schemas/picture.ts'
import { loadConfig, queryLimits } from '../../src/config.ts'
import { hasPicture3d } from '../../src/pictures/queries/draw-query.ts'
import { catalogues } from '../../src/queries/stateless/all.ts'
import { Answerer, answerQuery } from '../../src/queries/stateless/answerer.ts'
import { withHostileNumbers } from '../fuzz/hostile-numbers.ts'
import { QUERIES_3D } from '../fuzz/wild-requests.ts'
import { toJson } from '../support/answers/json.ts'
import { runCount } from '../support/runs.ts'
import { readSvg } from './svg-check.ts'

const config = loadConfig({})
const answerer = new Answerer(
  catalogues['3d'],
  { ...queryLimits(config), maxBatch: config.MAX_BATCH },
  {
    answer: answerQuery,
    onProgress: () => undefined,
    onFault: (fault) => {
      throw fault
    },
  },
)
const drawn = Object.entries(QUERIES_3D).filter(([op]) => hasPicture3d(op))

describe.each(drawn)('%s', (op, requests) => {
  it('is drawn whatever it holds', () => {
    let pictures = 0
    for (const [k, request] of fc.sample(requests, { numRuns: runCount(40), seed: 20261123 }).entries()) {
      for (const text of [toJson(request), withHostileNumbers(toJson(request), 7919 * k)]) {
        const view = PICTURE_VIEWS[k % PICTURE_VIEWS.length]
        const draw = () => answerer.answerQuery(op, Buffer.from(text), 'r', { view })
        const { status, type, body } = draw()
        if (status !== 200) continue
        pictures++
        expect(type).toBe('image/svg+xml; charset=utf-8')
        const svg = Buffer.from(body).toString()
        try {
          readSvg(svg)
        } catch (fault) {
          throw new Error(`${op} ${view} of ${text}`, { cause: fault })
        }
        if (pictures % 8 === 0) expect(Buffer.from(draw().body).toString()).toBe(svg)
      }
    }
    expect(pictures).toBeGreaterThan(0)
  })
})
