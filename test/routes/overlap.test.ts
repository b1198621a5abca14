import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, startClient } from '../support/services/client.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

const box = { shape: { type: 'box', width: 2, height: 2 } }
const circleAt = (x: number) => ({ shape: { type: 'circle', radius: 1 }, position: { x, y: 0 } })

describe('POST /v1/2d/overlap', () => {
  it.each([
    [1.5, { overlap: true, relation: 'overlapping' }],
    [2, { overlap: true, relation: 'touching' }],
    [2 + 2 ** -51, { overlap: false, relation: 'separated' }],
    [3, { overlap: false, relation: 'separated' }],
  ])('answers a box and a circle at x = %d', async (x, expected) => {
    const { status, type, body } = await client.post('overlap', { a: box, b: circleAt(x) })
    expect(status).toBe(200)
    expect(type).toBe('application/json; charset=utf-8')
    expect(body).toEqual(expected)
  })

  it('explains a separation by an axis from A to B with a gap', async () => {
    const { body } = await client.post('overlap', { a: box, b: circleAt(3.5), explain: true })
    expect(body).toEqual({
      overlap: false,
      relation: 'separated',
      aContainsB: false,
      bContainsA: false,
      certificate: { kind: 'separating-axis', normal: { x: 1, y: 0 }, gap: 1.5 },
    })
  })

  it('explains an overlap by a common point', async () => {
    const { body } = await client.post('overlap', { a: box, b: circleAt(2), explain: true })
    expect(body).toEqual({
      overlap: true,
      relation: 'touching',
      aContainsB: false,
      bContainsA: false,
      certificate: { kind: 'common-point', point: { x: 1, y: 0 } },
    })
  })

  it('tells which body contains the other', async () => {
    const inside = { shape: { type: 'circle', radius: 1 } }
    const { body } = await client.post('overlap', { a: box, b: inside, explain: true })
    expect(body).toMatchObject({ relation: 'overlapping', aContainsB: true, bContainsA: false })
    const swapped = await client.post('overlap', { a: inside, b: box, explain: true })
    expect(swapped.body).toMatchObject({ relation: 'overlapping', aContainsB: false, bContainsA: true })
    const batch = await client.post('batch', { queries: [{ op: 'overlap', a: box, b: box, explain: true }] })
    expect(batch.body).toMatchObject({ results: [{ aContainsB: true, bContainsA: true }] })
  })

  it('gives no certificate when none is asked for', async () => {
    const { body } = await client.post('overlap', { a: box, b: circleAt(2), explain: false })
    expect(body).toEqual({ overlap: true, relation: 'touching' })
  })
})
