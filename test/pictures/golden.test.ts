// Pictures against ones that were looked at. After a wanted change: `npx vitest run test/pictures -u`, then look at every
// file that changed, as small as 400 pixels and as large as 2,000.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueryOp, QueryRequest, QueryResponse } from '../../schemas/queries/exchanges.ts'
import { drawQuery, hasPicture } from '../../src/pictures/queries/draw-query.ts'
import { queries } from '../../src/queries/stateless/all.ts'
import { type Client, startClient } from '../support/services/client.ts'
import { PICTURE_SCENES, type PictureScene } from './scenes.ts'
import { readSvg } from './svg-check.ts'

let client: Client

beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.close())

async function draw({ op, request, yDown = false }: PictureScene): Promise<string> {
  expect(hasPicture(op)).toBe(true)
  const { status, body } = await client.post(op, request)
  expect(status).toBe(200)
  return drawQuery(op as QueryOp, request as QueryRequest, body as QueryResponse, { yDown })
}

describe('pictures', () => {
  it.each(PICTURE_SCENES.map((scene) => [scene.name, scene] as const))('%s', async (name, scene) => {
    const svg = await draw(scene)
    readSvg(svg)
    await expect(svg).toMatchFileSnapshot(`golden/${name}.svg`)
    expect(await draw(scene)).toBe(svg)
  })

  it('has one of every query', () => {
    const drawn = new Set(PICTURE_SCENES.map(({ op }) => op))
    expect(queries.map(({ op }) => op).filter((op) => !drawn.has(op))).toEqual([])
  })
})
