// Times trees over boxes in space: Tangent's, beside its tree of the plane in the same process, Rapier's and Jolt's. Boxes of sides
// between 0.5 and 1.5 fill a quarter of space (of the plane), and queries meet about ten. All must agree on what they find. Rapier and
// Jolt compute in single precision and keep wider boxes: what they find is held against the boxes themselves. Rapier takes notice of
// moves in the next step of the world, which is timed with them, Jolt when bodies are placed. To build, Rapier makes its colliders
// anew; Jolt takes its bodies out before it inserts them, and builds by optimizing. Moves end where they began.

import RAPIER from '@dimforge/rapier3d-compat'
import Jolt from 'jolt-physics'
import { createItemList } from '../../src/containers/item-list.ts'
import { createPairList } from '../../src/containers/pair-list.ts'
import { insertItem, moveItem } from '../../src/core/dynamic-tree.ts'
import { buildDynamicTree } from '../../src/core/dynamic-tree-build.ts'
import { createDynamicTree as createTree2d } from '../../src/core2d/broad-phase/dynamic-tree.ts'
import { queryBox as queryBox2d, treePairs as treePairs2d } from '../../src/core2d/broad-phase/dynamic-tree-queries.ts'
import { createDynamicTree as createTree3d } from '../../src/core3d/broad-phase/dynamic-tree.ts'
import { queryBox as queryBox3d, treePairs as treePairs3d } from '../../src/core3d/broad-phase/dynamic-tree-queries.ts'
import type { Between } from '../measuring/random-body.ts'

const QUERY_COUNT = 1024
const HIT_COUNT = 10
const COVER = 0.25
const MARGIN = 0.1
/** One in so many moves, by a small step or to anywhere. */
const MOVING_SHARE = 20
const STEP = 0.05
const ROUND_COUNT = 7
/** Of what is found in single precision. */
const AGREEMENT_RATIO = 1e-3

interface Field {
  axes: number
  count: number
  boxes: Float64Array
  queries: Float64Array
  movers: Int32Array
  /** Boxes of the movers, one behind the other, in turn. */
  steps: Float64Array[]
  jumps: Float64Array[]
}

/** An operation returns how many answers were found, or nothing to be compared. */
type Operations = Record<string, () => number>

function makeField(between: Between, axes: number, count: number): Field {
  const sides = 2 * axes
  const width = (count / COVER) ** (1 / axes)
  const scatter = (length: number, grow: number) =>
    Float64Array.from({ length: sides * length }, (_, at) => (at % sides < axes ? between(0, width) : grow))
  const finish = (boxes: Float64Array, size: () => number) => {
    for (let at = 0; at < boxes.length; at++) if (at % sides >= axes) boxes[at] = boxes[at - axes]! + size()
    return boxes
  }
  const boxes = finish(scatter(count, 0), () => between(0.5, 1.5))
  const reach = (HIT_COUNT / COVER) ** (1 / axes) - 1
  const queries = finish(scatter(QUERY_COUNT, 0), () => reach)
  const movers = Int32Array.from({ length: count / MOVING_SHARE }, (_, k) => k * MOVING_SHARE)
  const placed = (by: (at: number) => number) =>
    Float64Array.from({ length: sides * movers.length }, (_, at) => {
      const home = boxes[sides * movers[Math.floor(at / sides)]! + (at % sides)]!
      return home + by(axes * Math.floor(at / sides) + (at % axes))
    })
  const offsets = (length: number) =>
    Float64Array.from({ length: axes * movers.length }, () => between(-length, length))
  const small = offsets(STEP)
  const far = [offsets(width / 2), offsets(width / 2)]
  return {
    axes,
    count,
    boxes,
    queries,
    movers,
    steps: [0, 1, 2, 3, 2, 1].map((times) => placed((k) => times * small[k]!)),
    jumps: [placed(() => 0), ...far.map((by) => placed((k) => by[k]!))],
  }
}

function tangentOperations({ axes, count, boxes, queries, movers, steps, jumps }: Field): Operations {
  const tree = axes === 2 ? createTree2d(MARGIN) : createTree3d(MARGIN)
  const found = createItemList()
  const query = () => {
    let total = 0
    for (let k = 0; k < QUERY_COUNT; k++) {
      if (axes === 2) queryBox2d(tree, queries, k, found)
      else queryBox3d(tree, queries, k, found)
      total += found.count
    }
    return total
  }
  const move = (places: Float64Array[]) => () => {
    for (const place of places) for (const [k, item] of movers.entries()) moveItem(tree, item, place, k)
    return 0
  }
  return {
    'insert one by one': () => {
      buildDynamicTree(tree, boxes, 0)
      for (let i = 0; i < count; i++) insertItem(tree, i, boxes, i)
      return 0
    },
    'query after inserting': query,
    'bulk build': () => {
      buildDynamicTree(tree, boxes, count)
      return 0
    },
    query,
    pairs: () => {
      const list = createPairList(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
      if (axes === 2) treePairs2d(tree, list)
      else treePairs3d(tree, list)
      return list.count
    },
    'small moves': move([...steps.slice(1), steps[0]!]),
    'far moves': move([...jumps.slice(1), jumps[0]!]),
    'query after moves': query,
  }
}

/** Whether box i meets query k, exactly. */
function meets(boxes: Float64Array, i: number, queries: Float64Array, k: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (boxes[6 * i + axis]! > queries[6 * k + 3 + axis]! || queries[6 * k + axis]! > boxes[6 * i + 3 + axis]!)
      return false
  }
  return true
}

const middle = (boxes: Float64Array, k: number, axis: number) =>
  0.5 * boxes[6 * k + axis]! + 0.5 * boxes[6 * k + 3 + axis]!
const halfSide = (boxes: Float64Array, k: number, axis: number) =>
  0.5 * boxes[6 * k + 3 + axis]! - 0.5 * boxes[6 * k + axis]!

async function rapierOperations({ count, boxes, queries, movers, steps, jumps }: Field): Promise<Operations> {
  await RAPIER.init()
  const vector = (of: typeof middle, list: Float64Array, k: number) => ({
    x: of(list, k, 0),
    y: of(list, k, 1),
    z: of(list, k, 2),
  })
  let world = new RAPIER.World({ x: 0, y: 0, z: 0 })
  let colliders: RAPIER.Collider[] = []
  let asked = 0
  let hits = 0
  const visit = (collider: RAPIER.Collider) => {
    if (meets(boxes, indexOf.get(collider.handle)!, queries, asked)) hits++
    return true
  }
  const indexOf = new Map<number, number>()
  const query = () => {
    hits = 0
    for (asked = 0; asked < QUERY_COUNT; asked++) {
      world.collidersWithAabbIntersectingAabb(vector(middle, queries, asked), vector(halfSide, queries, asked), visit)
    }
    return hits
  }
  const move = (places: Float64Array[]) => () => {
    for (const place of places) {
      for (const [k, item] of movers.entries()) colliders[item]!.setTranslation(vector(middle, place, k))
      world.step()
    }
    return 0
  }
  return {
    'bulk build': () => {
      world.free()
      world = new RAPIER.World({ x: 0, y: 0, z: 0 })
      colliders = []
      indexOf.clear()
      for (let i = 0; i < count; i++) {
        const { x, y, z } = vector(halfSide, boxes, i)
        const place = vector(middle, boxes, i)
        const shape = RAPIER.ColliderDesc.cuboid(x, y, z).setTranslation(place.x, place.y, place.z)
        colliders.push(world.createCollider(shape))
        indexOf.set(colliders[i]!.handle, i)
      }
      world.step()
      return 0
    },
    query,
    'small moves': move([...steps.slice(1), steps[0]!]),
    'far moves': move([...jumps.slice(1), jumps[0]!]),
    'query after moves': query,
  }
}

async function joltOperations({ count, boxes, queries, movers, steps, jumps }: Field): Promise<Operations> {
  const jolt = await Jolt()
  const settings = new jolt.JoltSettings()
  settings.mMaxWorkerThreads = 0
  settings.mMaxBodies = count + 1
  const layers = new jolt.BroadPhaseLayerInterfaceTable(1, 1)
  layers.MapObjectToBroadPhaseLayer(0, new jolt.BroadPhaseLayer(0))
  settings.mBroadPhaseLayerInterface = layers
  settings.mObjectLayerPairFilter = new jolt.ObjectLayerPairFilterTable(1)
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(
    layers,
    1,
    settings.mObjectLayerPairFilter,
    1,
  )
  const system = new jolt.JoltInterface(settings).GetPhysicsSystem()
  const bodies = system.GetBodyInterface()
  const turn = new jolt.Quat(0, 0, 0, 1)
  const place = new jolt.RVec3(0, 0, 0)
  const ids: Jolt.BodyID[] = []
  const indexOf = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const half = new jolt.Vec3(halfSide(boxes, i, 0), halfSide(boxes, i, 1), halfSide(boxes, i, 2))
    place.Set(middle(boxes, i, 0), middle(boxes, i, 1), middle(boxes, i, 2))
    const made = new jolt.BodyCreationSettings(new jolt.BoxShape(half, 0), place, turn, jolt.EMotionType_Kinematic, 0)
    const id = bodies.CreateBody(made).GetID()
    ids.push(id)
    indexOf.set(id.GetIndexAndSequenceNumber(), i)
    jolt.destroy(made)
    jolt.destroy(half)
  }
  let asked = 0
  let hits = 0
  const collector = new jolt.CollideShapeBodyCollectorJS()
  collector.Reset = () => {}
  collector.AddHit = (id: number) => {
    const number = jolt.wrapPointer(id, jolt.BodyID).GetIndexAndSequenceNumber()
    if (meets(boxes, indexOf.get(number)!, queries, asked)) hits++
  }
  const anyLayer = new jolt.BroadPhaseLayerFilter()
  const anyObject = new jolt.ObjectLayerFilter()
  const min = new jolt.Vec3(0, 0, 0)
  const max = new jolt.Vec3(0, 0, 0)
  const query = () => {
    hits = 0
    for (asked = 0; asked < QUERY_COUNT; asked++) {
      const at = 6 * asked
      min.Set(queries[at]!, queries[at + 1]!, queries[at + 2]!)
      max.Set(queries[at + 3]!, queries[at + 4]!, queries[at + 5]!)
      const box = new jolt.AABox(min, max)
      system.GetBroadPhaseQuery().CollideAABox(box, collector, anyLayer, anyObject)
      jolt.destroy(box)
    }
    return hits
  }
  const move = (places: Float64Array[]) => () => {
    for (const list of places) {
      for (const [k, item] of movers.entries()) {
        place.Set(middle(list, k, 0), middle(list, k, 1), middle(list, k, 2))
        bodies.SetPosition(ids[item]!, place, jolt.EActivation_DontActivate)
      }
    }
    return 0
  }
  let isFilled = false
  return {
    'insert one by one': () => {
      if (isFilled) for (const id of ids) bodies.RemoveBody(id)
      isFilled = true
      for (const id of ids) bodies.AddBody(id, jolt.EActivation_DontActivate)
      return 0
    },
    'query after inserting': query,
    'bulk build': () => {
      system.OptimizeBroadPhase()
      return 0
    },
    query,
    'small moves': move([...steps.slice(1), steps[0]!]),
    'far moves': move([...jumps.slice(1), jumps[0]!]),
    'query after moves': query,
  }
}

/** Prints the least time of an operation over some rounds, for each box, query or move. */
export async function timeTrees(between: Between, count: number): Promise<void> {
  const space = makeField(between, 3, count)
  const contenders: Record<string, Operations> = {
    tangent: tangentOperations(space),
    'tangent, plane': tangentOperations(makeField(between, 2, count)),
    Rapier: await rapierOperations(space),
    Jolt: await joltOperations(space),
  }
  const unitsOf = (name: string) =>
    name.startsWith('query')
      ? QUERY_COUNT
      : name === 'small moves'
        ? space.movers.length * space.steps.length
        : name === 'far moves'
          ? space.movers.length * space.jumps.length
          : count
  const least = new Map<string, Map<string, number>>()
  const found = new Map<string, number>()
  for (let round = 0; round < ROUND_COUNT; round++) {
    for (const [library, operations] of Object.entries(contenders)) {
      for (const [name, run] of Object.entries(operations)) {
        const start = performance.now()
        const answer = run()
        const nanoseconds = ((performance.now() - start) * 1e6) / unitsOf(name)
        const row = least.get(name) ?? new Map<string, number>()
        least.set(name, row.set(library, Math.min(row.get(library) ?? Number.POSITIVE_INFINITY, nanoseconds)))
        const key = `${name}, ${library === 'tangent, plane' ? 2 : 3} axes`
        const expected = found.get(key) ?? answer
        if (Math.abs(answer - expected) > AGREEMENT_RATIO * expected)
          throw new Error(`${key}: ${library} finds ${answer} instead of ${expected}`)
        found.set(key, expected)
      }
    }
  }
  console.log(`${count.toLocaleString('en')} boxes, trees: ns for each box, query or move`)
  for (const [name, row] of least) {
    const values = [...row].map(([library, value]) => `${library} ${value.toFixed(0)}`)
    console.log(`  ${name.padEnd(22)} ${values.join('   ')}`)
  }
}
