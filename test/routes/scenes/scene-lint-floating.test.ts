// What nothing holds up, alone or in groups, and that it lands as it hangs.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SceneClient, startScenes } from '../../support/services/scene-client.ts'

let client: SceneClient
beforeAll(async () => {
  client = await startScenes()
})
afterAll(() => client.close())

interface Finding {
  bodies: string[]
  measure: number | null
  message: string
  fix: { operations: { id: string; position: { x: number; y: number } }[] } | null
}

const box = (id: string, x: number, y: number, width = 1, height = 1, tags: string[] = []) => ({
  id,
  shape: { type: 'box', width, height },
  position: { x, y },
  tags,
})
const floor = box('floor', 0, -0.5, 100, 1, ['wall'])
const rule = { rule: 'floating', down: { x: 0, y: -1 }, filter: { tags: { none: ['wall'] } } }

async function found(bodies: readonly object[], asked: object = rule): Promise<Finding[]> {
  const id = await client.createScene(bodies)
  const { status, body, text } = await client.send('POST', `/${id}/lint`, { rules: [asked] })
  if (status !== 200) throw new Error(text)
  return body.findings
}

/** What is found, mended and found again. */
async function mended(bodies: readonly object[]) {
  const id = await client.createScene(bodies)
  const before = await client.send('POST', `/${id}/lint?fix=true`, { rules: [rule] })
  const after = await client.send('POST', `/${id}/lint`, { rules: [rule] })
  return { before: before.body.findings as Finding[], after: after.body.findings as Finding[] }
}

describe('groups', () => {
  it.each([
    ['two that stand in each other', [box('b', 0, 5.25), box('a', 0.5, 5)], ['a', 'b'], 4.5],
    ['a stack', [box('low', 0, 5.5), box('middle', 0, 6.5), box('top', 0.25, 7.5)], ['low', 'middle', 'top'], 5],
    ['a ring', [box('a', 0, 5), box('b', 0.75, 5.5), box('c', 0.75, 4.75)], ['a', 'b', 'c'], 4.25],
    // the plank reaches over a table, on which it lands before the crate is on the floor: that hangs then, alone
    [
      'what lies on one',
      [box('crate', 0, 5.5), box('plank', 2, 6.25, 6, 0.5), box('table', 4, 1.5, 1, 3, ['wall'])],
      ['crate', 'plank'],
      3,
    ],
  ])('%s: fall as one', async (_, bodies, ids, measure) => {
    const { before, after } = await mended([floor, ...bodies])
    expect(before).toMatchObject([{ bodies: ids, measure }])
    expect(before[0].message).toContain(` float ${measure} above `)
    const places = new Map(before[0].fix?.operations.map(({ id, position }) => [id, position]))
    for (const { id, position } of bodies.filter(({ tags }) => tags.length === 0)) {
      expect(places.get(id)).toEqual({ x: position.x, y: position.y - measure })
    }
    expect(after.map(({ bodies: [id] }) => id)).toEqual(bodies.some(({ id }) => id === 'table') ? ['crate'] : [])
  })

  it('stand if a chain of them leads to what is not asked about', async () => {
    const tower = Array.from({ length: 12 }, (_, k) => box(`tower-${20 - k}`, 0, k + 0.5))
    // lower than what holds it, by standing in it
    const lamp = box('lamp', 0.25, 10.5, 0.25, 2.5)
    const shade = box('shade', 0.25, 9.125, 4, 0.5)
    expect(await found([floor, ...tower, lamp, shade])).toEqual([])
    const [first] = await found([...tower, lamp, shade])
    expect(first).toMatchObject({ measure: null, fix: null })
    expect(first.bodies[0]).toBe('tower-20')
    expect(first.bodies).toHaveLength(14)
  })

  it('hang apart where they only touch sideways, and rest only on what may hold them', async () => {
    const side = [box('a', 0, 5.5), box('b', 1, 5.5)]
    expect((await found([floor, ...side])).map(({ bodies }) => bodies)).toEqual([['a'], ['b']])
    const stack = [box('low', 0, 0.5), box('top', 0, 1.5)]
    expect(await found([floor, ...stack])).toEqual([])
    const walls = { ...rule, against: { tags: { any: ['wall'] } } }
    expect(await found([floor, ...stack], walls)).toMatchObject([{ bodies: ['top'], measure: 1 }])
  })

  it('have what has no bounds, or is not in the filter, to stand on', async () => {
    const all = { rule: 'floating', down: { x: 0, y: -1 } }
    const ground = { id: 'ground', shape: { type: 'halfplane', normal: { x: 0, y: 1 }, offset: 0 } }
    const stack = [box('low', 0, 0.5), box('top', 0, 1.5)]
    expect(await found([ground, ...stack], all)).toEqual([])
    expect(await found([floor, ...stack], all)).toMatchObject([{ bodies: ['floor', 'low', 'top'], measure: null }])
  })

  it('of many are not measured', async () => {
    const tower = Array.from({ length: 300 }, (_, k) => box(`t${1000 + k}`, 0, k + 5.5))
    const [one, ...rest] = await found([floor, ...tower])
    expect(rest).toEqual([])
    expect(one).toMatchObject({ measure: null, fix: null })
    expect(one.message).toBe('t1000, t1001, t1002 and 297 more float: nothing holds them up.')
  })
})

/** The same by looking at all pairs, of boxes in integers: [x, y, width, height] of the low corner. */
type Cell = readonly [number, number, number, number]

function hangingOf(cells: readonly Cell[]): number[][] {
  const meets = (a: number, b: number, c: number, d: number) => a < c + d && c < a + b
  const rests = ([x, y, w, h]: Cell, [u, v, s, t]: Cell) => meets(x, w, u, s) && (meets(y, h, v, t) || y === v + t)
  const stands = cells.map(([, y]) => y === 0)
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const [i, a] of cells.entries()) {
      if (stands[i] || !cells.some((b, j) => i !== j && stands[j] && rests(a, b))) continue
      stands[i] = isNew = true
    }
  }
  const left = [...cells.keys()].filter((i) => !stands[i])
  const groups: number[][] = []
  for (const i of left) {
    const near = groups.filter((group) => group.some((j) => rests(cells[i], cells[j]) || rests(cells[j], cells[i])))
    for (const group of near) groups.splice(groups.indexOf(group), 1)
    groups.push([...near.flat(), i].sort((p, q) => p - q))
  }
  return groups
}

it('finds what a look at all pairs finds, whatever the order', async () => {
  let seed = 5
  const random = (n: number) => {
    seed = (seed * 16807) % 2147483647
    return seed % n
  }
  let groupCount = 0
  for (let round = 0; round < 12; round++) {
    const cells = Array.from({ length: 24 }, (): Cell => [random(16), random(12), 1 + random(3), 1 + random(3)])
    const bodies = cells.map(([x, y, width, height], k) =>
      box(`b${10 + k}`, (x + width / 2) / 2, (y + height / 2) / 2, width / 2, height / 2),
    )
    const findings = await found([floor, ...bodies])
    const known = hangingOf(cells).map((group) => group.map((k) => `b${10 + k}`))
    const sorted = (groups: readonly string[][]) => groups.map((group) => [...group].sort().join()).sort()
    expect(sorted(findings.map((finding) => finding.bodies))).toEqual(sorted(known))
    groupCount += known.filter((group) => group.length > 1).length
  }
  expect(groupCount).toBeGreaterThan(5)
})

it('in space too', async () => {
  const space = await startScenes({}, '3d')
  const cube = (id: string, x: number, y: number, tags: string[] = []) => ({
    id,
    shape: { type: 'box', size: { x: 1, y: 1, z: 1 } },
    position: { x, y, z: 0 },
    tags,
  })
  const id = await space.createScene([cube('floor', 0, -0.5, ['wall']), cube('b', 0, 5.25), cube('a', 0.25, 5)])
  const rules = [{ ...rule, down: { x: 0, y: -1, z: 0 } }]
  const { body } = await space.send('POST', `/${id}/lint?fix=true`, { rules })
  expect(body.findings).toMatchObject([{ bodies: ['a', 'b'], measure: 4.5, message: 'a and b float 4.5 above floor.' }])
  expect((await space.send('POST', `/${id}/lint`, { rules })).body.findings).toEqual([])
  await space.close()
})
