// Rapier (Rust compiled to WebAssembly, single precision), by its raw calls: what the wrapper makes anew for every call is made
// once. Colliders are fixed; its tree takes notice of a move in the next step of the world, so a move is timed with that step.
// Its boxes are wider than the colliders, so what it finds is held against the boxes themselves.

import RAPIER from '@dimforge/rapier2d-compat'
import { type Field, placesOf, RAY_LENGTH } from './broad-phase-field.ts'
import { asking, type Operations } from './broad-phase-operations.ts'

const NO_FLAGS = 0
/** Nothing is asked about what the ray meets, which would call back into JavaScript. */
const NO_FILTER = undefined as unknown as () => boolean

export async function rapierOperations(field: Field): Promise<Operations> {
  await RAPIER.init()
  const { count, boxes, queries, rays, movers } = field
  const current = boxes.slice()
  const fill = () => {
    const world = new RAPIER.World({ x: 0, y: 0 })
    const colliders: RAPIER.Collider[] = []
    for (let at = 0; at < 4 * count; at += 4) {
      const x = 0.5 * (boxes[at]! + boxes[at + 2]!)
      const y = 0.5 * (boxes[at + 1]! + boxes[at + 3]!)
      const shape = RAPIER.ColliderDesc.cuboid(
        0.5 * (boxes[at + 2]! - boxes[at]!),
        0.5 * (boxes[at + 3]! - boxes[at + 1]!),
      )
      colliders.push(world.createCollider(shape.setTranslation(x, y)))
    }
    world.step()
    return { world, colliders }
  }
  let { world, colliders } = fill()
  const a = RAPIER.VectorOps.intoRaw({ x: 0, y: 0 })
  const b = RAPIER.VectorOps.intoRaw({ x: 0, y: 0 })
  // A handle is a double whose lower half is the number of the collider.
  const handles = new Float64Array(1)
  const numbers = new Uint32Array(handles.buffer)
  let at = 0
  let hits = 0
  const visit = (handle: number) => {
    handles[0] = handle
    const i = 4 * numbers[0]!
    if (current[i]! <= queries[at + 2]! && queries[at]! <= current[i + 2]!) {
      if (current[i + 1]! <= queries[at + 3]! && queries[at + 1]! <= current[i + 3]!) hits++
    }
    return true
  }
  const query = asking((k) => {
    at = 4 * k
    hits = 0
    a.x = 0.5 * (queries[at]! + queries[at + 2]!)
    a.y = 0.5 * (queries[at + 1]! + queries[at + 3]!)
    b.x = 0.5 * (queries[at + 2]! - queries[at]!)
    b.y = 0.5 * (queries[at + 3]! - queries[at + 1]!)
    world.broadPhase.raw.collidersWithAabbIntersectingAabb(
      world.narrowPhase.raw,
      world.bodies.raw,
      world.colliders.raw,
      a,
      b,
      visit,
    )
    return hits
  })
  const centre = { x: 0, y: 0 }
  const moving = (isFar: boolean) => {
    const places = placesOf(field, isFar)
    return (pass: number) => {
      const place = places[(pass + 1) % places.length]!
      for (let k = 0; k < movers.length; k++) {
        const i = movers[k]!
        for (let side = 0; side < 4; side++) current[4 * i + side] = place[4 * k + side]!
        centre.x = 0.5 * (place[4 * k]! + place[4 * k + 2]!)
        centre.y = 0.5 * (place[4 * k + 1]! + place[4 * k + 3]!)
        colliders[i]!.setTranslation(centre)
      }
      world.step()
      return movers.length
    }
  }
  return {
    build: () => {
      world.free()
      const filled = fill()
      world = filled.world
      colliders = filled.colliders
      return colliders.length
    },
    query,
    ray: asking((k) => {
      a.x = rays[4 * k]!
      a.y = rays[4 * k + 1]!
      b.x = rays[4 * k + 2]!
      b.y = rays[4 * k + 3]!
      const hit = world.broadPhase.raw.castRay(
        world.narrowPhase.raw,
        world.bodies.raw,
        world.colliders.raw,
        a,
        b,
        RAY_LENGTH,
        true,
        NO_FLAGS,
        null,
        null,
        null,
        NO_FILTER,
      )
      if (hit === undefined) return RAY_LENGTH
      const time = hit.timeOfImpact()
      hit.free()
      return time
    }),
    move: moving(false),
    jump: moving(true),
    movedQuery: query,
  }
}
