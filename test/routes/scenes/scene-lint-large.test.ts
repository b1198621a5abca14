// Rules about shapes so large that a worker looks at them: the same as validate says, and never clean without a look.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { within } from '../../../src/containers/budget.ts'
import { describeText } from '../../../src/scene/queries/described-body.ts'
import { doLookTask } from '../../../src/wire/shape-looks.ts'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let plane: SceneClient
let space: SceneClient
beforeAll(async () => {
  plane = await startScenes()
  space = await startScenes({}, '3d')
})
afterAll(async () => {
  await plane.close()
  await space.close()
})

/** A star of so many corners, one of which lies on the line between its neighbours. */
function star(count: number) {
  const outer = Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count
    return { x: (100 + (k % 2)) * Math.cos(angle), y: (100 + (k % 2)) * Math.sin(angle) }
  })
  // three of one line
  outer[0] = { x: 101, y: -8 }
  outer[2] = { x: 101, y: 8 }
  outer[1] = { x: 101, y: 0 }
  return { type: 'region', outer }
}

/** A bumpy square of 2 m² triangles, two of which have no area. */
function ground(m: number) {
  const vertices: number[] = []
  const triangles: number[] = []
  for (let i = 0; i <= m; i++) for (let j = 0; j <= m; j++) vertices.push(i, ((i * 7 + j * 3) % 5) / 4, j)
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < m; j++) {
      const a = i * (m + 1) + j
      triangles.push(a, a + 1, a + m + 1, a + 1, a + m + 2, a + m + 1)
    }
  }
  triangles.push(0, 1, 1, 5, 5, 7)
  return { type: 'mesh', vertices, triangles }
}

async function found(client: SceneClient, shape: object, rule: object) {
  const id = await client.createScene([{ id: 'large', shape }])
  const { status, body, text } = await client.send('POST', `/${id}/lint`, { rules: [rule] })
  if (status !== 200) throw new Error(text)
  return body.findings as { measure: number | null; message: string; point: object }[]
}

async function validated(client: SceneClient, dimension: string, shape: object) {
  const response = await client.app.inject({ method: 'POST', url: `/v1/${dimension}/validate`, payload: { shape } })
  return response.json().findings as { kind: string; detail: string }[]
}

describe('large shapes', () => {
  it('in the plane: an outline of 6000 corners', async () => {
    const shape = star(6000)
    const known = await validated(plane, '2d', shape)
    expect(known.map(({ kind }) => kind)).toContain('collinear')
    const [one] = await found(plane, shape, { rule: 'invalid' })
    expect(one).toMatchObject({ measure: known.length, message: expect.stringContaining(known[0].detail) })
    expect(await found(plane, shape, { rule: 'degenerate' })).toEqual([])
    expect(await found(plane, shape, { rule: 'sliver' })).toEqual([])
  })

  it('in space: a mesh of 7200 triangles', async () => {
    const shape = ground(60)
    const known = await validated(space, '3d', shape)
    expect(known.filter(({ kind }) => kind === 'degenerate')).toHaveLength(2)
    expect(await found(space, shape, { rule: 'invalid' })).toMatchObject([{ measure: known.length }])
    expect(await found(space, shape, { rule: 'open-mesh' })).toMatchObject([{ measure: 4 * 60 }])
    expect(await found(space, shape, { rule: 'degenerate' })).toEqual([])
  })

  it('knows nothing of what takes more steps than there are', () => {
    const { limits, body } = {
      limits: { maxVertices: 100_000, maxParts: 1000 } as never,
      body: { dimension: 2 as const, shape: describeText(JSON.stringify(star(6000)), false), pose: [], position: [] },
    }
    const look = () => doLookTask({ kind: 'look', look: 'findings', body, limits })
    expect(look()).toMatchObject({ findings: [{ kind: 'collinear' }] })
    expect(within(1000, look)).toBeNull()
  })
})

it('too-steep: faces of boxes with a radius count too', async () => {
  const shape = { type: 'box', size: { x: 2, y: 2, z: 2 }, radius: 0.25 }
  const turn = { x: Math.sin(0.5), y: 0, z: 0, w: Math.cos(0.5) }
  const id = await space.createScene([{ id: 'tilted', shape, orientation: turn }])
  const rules = [{ rule: 'too-steep', maxSlope: 0.5, down: { x: 0, y: -1, z: 0 } }]
  const { body } = await space.send('POST', `/${id}/lint`, { rules })
  expect(body.findings).toMatchObject([{ bodies: ['tilted'], measure: expect.closeTo(1, 12) }])
})
