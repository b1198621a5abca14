// detect-collisions: bodies in an rbush. Bodies have a padding as wide as the margin of our tree. Its rays look for the nearest
// edge among all that lie in the ray's own box; its pairs are tested by separating axes too.

import { System } from 'detect-collisions'
import { type Field, MARGIN, placesOf, RAY_LENGTH } from './broad-phase-field.ts'
import { asking, type Operations } from './broad-phase-operations.ts'

export async function detectCollisionsOperations(field: Field): Promise<Operations> {
  const { count, boxes, queries, rays, movers } = field
  const fill = (boxes: Float64Array) => {
    const system = new System()
    const bodies = Array.from({ length: count }, (_, i) => {
      const [x, y, u, v] = boxes.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number]
      return system.createBox({ x, y }, u - x, v - y, { padding: MARGIN })
    })
    return { system, bodies }
  }
  let { system, bodies } = fill(boxes)
  const query = asking((k) => {
    const [minX, minY, maxX, maxY] = queries.subarray(4 * k, 4 * k + 4) as unknown as [number, number, number, number]
    let hits = 0
    for (const { bbox } of system.search({ minX, minY, maxX, maxY })) {
      if (bbox.minX <= maxX && minX <= bbox.maxX && bbox.minY <= maxY && minY <= bbox.maxY) hits++
    }
    return hits
  })
  const pairs = (boxes: Float64Array) => () => {
    let found = 0
    fill(boxes).system.checkAll(() => {
      found++
    })
    return found / 2
  }
  const moving = (isFar: boolean) => {
    const places = placesOf(field, isFar)
    return (pass: number) => {
      const place = places[(pass + 1) % places.length]!
      for (let k = 0; k < movers.length; k++) bodies[movers[k]!]!.setPosition(place[4 * k]!, place[4 * k + 1]!)
      return movers.length
    }
  }
  return {
    query,
    ray: asking((k) => {
      const [x, y, dx, dy] = rays.subarray(4 * k, 4 * k + 4) as unknown as [number, number, number, number]
      const hit = system.raycast({ x, y }, { x: x + RAY_LENGTH * dx, y: y + RAY_LENGTH * dy })
      return hit ? Math.hypot(hit.point.x - x, hit.point.y - y) : RAY_LENGTH
    }),
    pairs: pairs(boxes),
    densePairs: pairs(field.dense),
    move: moving(false),
    jump: moving(true),
    movedQuery: query,
    insert: () => {
      const filled = fill(boxes)
      system = filled.system
      bodies = filled.bodies
      return count
    },
    insertedQuery: query,
  }
}
