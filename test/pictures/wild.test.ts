// Whatever is asked and answered can be drawn: well-formed, with coordinates that renderers hold, and the same every time.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueryOp, QueryRequest, QueryResponse } from '../../schemas/queries/exchanges.ts'
import { drawQuery, hasPicture } from '../../src/pictures/queries/draw-query.ts'
import { QUERIES } from '../fuzz/wild-requests.ts'
import { unshrunk } from '../support/runs.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { readSvg } from './svg-check.ts'

let client: Client

beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const drawn = Object.entries(QUERIES).filter(([op]) => hasPicture(op))

describe.each(drawn)('%s', (op, requests) => {
  it('is drawn whatever it holds', async () => {
    let pictures = 0
    await fc.assert(
      fc.asyncProperty(requests, fc.boolean(), async (request, yDown) => {
        const { status, body } = await client.post(op, request)
        if (status !== 200) return
        pictures++
        const draw = () => drawQuery(op as QueryOp, request as QueryRequest, body as QueryResponse, { yDown })
        const svg = draw()
        const { elements } = readSvg(svg)
        expect(elements.get('title')).toBe(1)
        expect(elements.get('desc')).toBe(1)
        expect(draw()).toBe(svg)
      }),
      unshrunk(50),
    )
    expect(pictures).toBeGreaterThan(0)
  })
})
