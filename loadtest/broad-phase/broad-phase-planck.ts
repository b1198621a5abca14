// planck's DynamicTree: Box2D's. Its boxes are wider by 0.1; what it finds is held against the boxes themselves.

import { AABB, DynamicTree } from 'planck'
import { type Field, placesOf, RAY_LENGTH, slab } from './broad-phase-field.ts'
import { asking, type Operations } from './broad-phase-operations.ts'

export async function planckOperations(field: Field): Promise<Operations> {
  const { count, boxes, queries, rays, movers } = field
  const current = boxes.slice()
  const aabbAt = (from: Float64Array, at: number) =>
    new AABB({ x: from[at]!, y: from[at + 1]! }, { x: from[at + 2]!, y: from[at + 3]! })
  const aabbs = Array.from({ length: count }, (_, i) => aabbAt(boxes, 4 * i))
  const asked = Array.from({ length: queries.length / 4 }, (_, k) => aabbAt(queries, 4 * k))
  const proxies = new Int32Array(count)
  let tree = new DynamicTree<number>()
  const insert = () => {
    tree = new DynamicTree<number>()
    for (let i = 0; i < count; i++) proxies[i] = tree.createProxy(aabbs[i]!, i)
    return count
  }
  const meets = (i: number, at: number, of: Float64Array) =>
    current[4 * i]! <= of[at + 2]! &&
    of[at]! <= current[4 * i + 2]! &&
    current[4 * i + 1]! <= of[at + 3]! &&
    of[at + 1]! <= current[4 * i + 3]!
  let at = 0
  let hits = 0
  const count1 = (proxy: number) => {
    if (meets(tree.getUserData(proxy), at, queries)) hits++
    return true
  }
  const query = asking((k) => {
    at = 4 * k
    hits = 0
    tree.query(asked[k]!, count1)
    return hits
  })
  let ray = 0
  let nearest = RAY_LENGTH
  const visit = (_input: unknown, proxy: number) => {
    const distance = slab(current, tree.getUserData(proxy), rays, ray, nearest)
    if (distance < nearest) nearest = distance
    // a maxFraction of 0 would end the cast
    return Math.max(nearest / RAY_LENGTH, Number.MIN_VALUE)
  }
  const inputs = Array.from({ length: rays.length / 4 }, (_, k) => {
    const [x, y, dx, dy] = rays.subarray(4 * k, 4 * k + 4) as unknown as [number, number, number, number]
    return { p1: { x, y }, p2: { x: x + RAY_LENGTH * dx, y: y + RAY_LENGTH * dy }, maxFraction: 1 }
  })
  const by = { x: 0, y: 0 }
  const moving = (isFar: boolean) => {
    const places = placesOf(field, isFar)
    return (pass: number) => {
      const place = places[(pass + 1) % places.length]!
      for (let k = 0; k < movers.length; k++) {
        const i = movers[k]!
        const { lowerBound, upperBound } = aabbs[i]!
        by.x = place[4 * k]! - lowerBound.x
        by.y = place[4 * k + 1]! - lowerBound.y
        lowerBound.x = current[4 * i] = place[4 * k]!
        lowerBound.y = current[4 * i + 1] = place[4 * k + 1]!
        upperBound.x = current[4 * i + 2] = place[4 * k + 2]!
        upperBound.y = current[4 * i + 3] = place[4 * k + 3]!
        tree.moveProxy(proxies[i]!, aabbs[i]!, by)
      }
      return movers.length
    }
  }
  insert()
  return {
    query,
    ray: asking((k) => {
      ray = k
      nearest = RAY_LENGTH
      tree.rayCast(inputs[k]!, visit)
      return nearest
    }),
    move: moving(false),
    jump: moving(true),
    movedQuery: query,
    insert,
    insertedQuery: query,
  }
}
