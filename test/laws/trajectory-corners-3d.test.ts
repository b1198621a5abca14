// Bodies thrown into corners of rooms in space: reflected by every wall that meets there, never outside, never stuck.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Trajectory, trajectory } from '../../src/core3d/motion/trajectory.ts'
import { createMotion } from '../../src/core3d/shape/motion.ts'
import { type AnyShape, anyBodyOf } from '../support/composite-bodies-3d.ts'
import { bodyOf, type CaseShape, type Triple } from '../support/convex-cases-3d.ts'
import { boxMesh } from '../support/families/meshes-3d.ts'
import { runs } from '../support/runs.ts'

type Turn = [number, number, number, number]

/** Where a room is: points of the room are turned, made larger and moved. */
interface Pose {
  size: number
  turn: Turn
  at: Triple
}

const HOME: Pose = { size: 1, turn: [0, 0, 0, 1], at: [0, 0, 0] }
const POSES: [string, Pose][] = [
  ['', HOME],
  [', a million units away', { ...HOME, at: [1e6, -1e6, 1e6] }],
  [', a thousandth of the size', { ...HOME, size: 1e-3 }],
  [', a thousand times the size', { ...HOME, size: 1e3 }],
  [', turned a quarter', { ...HOME, turn: [0, Math.SQRT1_2, 0, Math.SQRT1_2] }],
  [', turned oddly', { ...HOME, turn: [0.1, -0.3, 0.5, Math.sqrt(0.65)] }],
  [', turned oddly and far away', { size: 1, turn: [0.1, -0.3, 0.5, Math.sqrt(0.65)], at: [1e6, 2e6, -1e6] }],
]

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: readonly number[], b: readonly number[]): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

function turned([x, y, z, w]: Turn, p: readonly number[]): Triple {
  const q: Triple = [x, y, z]
  const t = cross(q, p).map((c) => 2 * c)
  const u = cross(q, t)
  return [0, 1, 2].map((k) => p[k] + w * t[k] + u[k]) as Triple
}

function put({ size, turn, at }: Pose, p: readonly number[]): Triple {
  const q = turned(
    turn,
    p.map((x) => size * x),
  )
  return q.map((x, k) => x + at[k]) as Triple
}

/** Back to where the room is at home. */
function taken({ size, turn: [x, y, z, w], at }: Pose, p: readonly number[]): Triple {
  const q = turned(
    [-x, -y, -z, w],
    p.map((c, k) => c - at[k]),
  )
  return q.map((c) => c / size) as Triple
}

interface Box {
  center: Triple
  half: Triple
}

type Joint = 'edges' | 'overlapping' | 'wheels' | 'halves' | 'quarters'
const JOINTS: Joint[] = ['edges', 'overlapping', 'wheels', 'halves', 'quarters']

/** The walls of a room from −half to half: boxes that touch along edges, overlap, each end in the next, or are cut in parts. */
function room(half: Triple, joint: Joint): Box[] {
  const boxes: Box[] = []
  for (let k = 0; k < 3; k++) {
    for (const side of [-1, 1]) {
      const center: Triple = [0, 0, 0]
      const own: Triple = [...half]
      center[k] = side * (half[k] + 1)
      own[k] = 1
      const across = [(k + 1) % 3, (k + 2) % 3]
      if (joint === 'overlapping') for (const i of across) own[i] += 0.5
      if (joint === 'wheels') own[across[0]] += 1
      let parts: Box[] = [{ center, half: own }]
      const cuts = joint === 'halves' ? 1 : joint === 'quarters' ? 2 : 0
      for (const i of across.slice(0, cuts)) parts = parts.flatMap((part) => halves(part, i))
      boxes.push(...parts)
    }
  }
  return boxes
}

function halves({ center, half }: Box, i: number): Box[] {
  return [-1, 1].map((side) => {
    const part: Box = { center: [...center], half: [...half] }
    part.half[i] /= 2
    part.center[i] += side * part.half[i]
    return part
  })
}

interface Thrown {
  shape: CaseShape
  /** From its position as far as this to either side. */
  half: Triple
}

const NONE: Triple = [0, 0, 0]
const THROWN: Record<string, (size: number) => Thrown> = {
  point: () => ({ shape: { type: 'point' }, half: NONE }),
  'sphere of radius 0': () => ({ shape: { type: 'sphere', radius: 0 }, half: NONE }),
  'box without sides': () => ({ shape: { type: 'box', size: NONE }, half: NONE }),
  segment: (size) => {
    const end: Triple = [0.25 * size, 0.125 * size, 0]
    return { shape: { type: 'segment', a: end, b: end.map((x) => -x) as Triple }, half: [0.25, 0.125, 0] }
  },
  sphere: (size) => ({ shape: { type: 'sphere', radius: 0.25 * size }, half: [0.25, 0.25, 0.25] }),
  box: (size) => ({
    shape: { type: 'box', size: [0.5 * size, 0.25 * size, 0.5 * size] },
    half: [0.25, 0.125, 0.25],
  }),
}
const KINDS = Object.keys(THROWN)

interface Throw {
  kind: string
  from: Triple
  velocity: Triple
  boxes: Box[]
  duration?: number
  restitution?: number
  drift?: Triple
  /** So many bodies far away come first, and as many last: boxes, and meshes. */
  aside?: number
}

function fly(
  pose: Pose,
  { kind, from, velocity, boxes, duration = 3, restitution = 1, drift = NONE, aside = 0 }: Throw,
): Trajectory {
  const { turn, size } = pose
  const moved = { ...pose, at: NONE }
  const motionOf = (speed: readonly number[]) => {
    const [vx, vy, vz] = put(moved, speed)
    return { ...createMotion(), vx, vy, vz }
  }
  const obstacles = boxes.map(({ center, half }) => ({
    body: bodyOf({
      shape: { type: 'box', size: half.map((x) => 2 * size * x) as Triple },
      position: put(pose, center),
      orientation: turn,
    }),
    motion: motionOf(drift),
  }))
  const { shape } = THROWN[kind](size)
  const body = bodyOf({ shape, position: put(pose, from), orientation: turn })
  const speed = velocity.map((x, k) => x + drift[k])
  const away = Array.from({ length: aside }, (_, i) => {
    const position = put(pose, [64 + 8 * i, 32, -16])
    const shape: AnyShape =
      i % 2 === 0 ? { type: 'box', size: [size, size, size] } : boxMesh([-size, -size, -size], [size, size, size])
    return { body: anyBodyOf({ shape, position, orientation: turn }), motion: createMotion() }
  })
  const all = [...away, ...obstacles, ...away]
  return trajectory(body, motionOf(speed), all, duration, restitution, 400)
}

const edgeBoxes: Box[] = [0, 1, 2].map((k) => {
  const center: Triple = [0, 0, 0]
  center[k] = 2
  return { center, half: [1, 1, 1] }
})

describe('a body without size that comes to where three boxes touch along their edges', () => {
  const thin = ['point', 'sphere of radius 0', 'box without sides']
  it.each(POSES.flatMap(([where, pose]) => thin.map((kind) => [kind, where, pose] as const)))(
    'turns back: a %s%s',
    (kind, _where, pose) => {
      for (const from of [
        [0, 0, 0],
        [-0.5, -0.5, -0.5],
        [0.25, 0.5, 0.75],
      ] as Triple[]) {
        const velocity = from.map((x) => 1 - x) as Triple
        const { status, position, bounces } = fly(pose, { kind, from, velocity, boxes: edgeBoxes, duration: 1.5 })
        const far = Math.max(...pose.at.map(Math.abs)) / pose.size
        expect(status).toBe('completed')
        expect(bounces.map(({ obstacle }) => obstacle).sort()).toEqual([0, 1, 2])
        for (const { time } of bounces) expect(Math.abs(time - 1)).toBeLessThan(1e-13 + 1e-14 * far)
        const end = taken(pose, position)
        for (let k = 0; k < 3; k++) expect(Math.abs(end[k] - (1 - velocity[k] / 2))).toBeLessThan(1e-13 + 1e-14 * far)
      }
    },
  )

  it('meets them in the order of the obstacles, at exactly one instant', () => {
    const { bounces } = fly(HOME, { kind: 'point', from: NONE, velocity: [1, 1, 1], boxes: edgeBoxes })
    expect(bounces.map(({ time, obstacle, normal, point }) => ({ time, obstacle, normal, point }))).toEqual([
      { time: 1, obstacle: 0, normal: [-1, 0, 0], point: [1, 1, 1] },
      { time: 1, obstacle: 1, normal: [0, -1, 0], point: [1, 1, 1] },
      { time: 1, obstacle: 2, normal: [0, 0, -1], point: [1, 1, 1] },
    ])
  })

  it('turns back at the edge where two of them touch', () => {
    for (const [, pose] of POSES) {
      const { status, position } = fly(pose, {
        kind: 'point',
        from: [0, 0, 0.5],
        velocity: [1, 1, 0],
        boxes: edgeBoxes.slice(0, 2),
        duration: 2,
      })
      expect(status).toBe('completed')
      const far = Math.max(...pose.at.map(Math.abs)) / pose.size
      const end = taken(pose, position)
      for (const [k, x] of [0, 0, 0.5].entries()) expect(Math.abs(end[k] - x)).toBeLessThan(1e-13 + 1e-14 * far)
    }
  })

  it('leaves the corner where it starts there, on whichever side', () => {
    for (const velocity of [
      [-1, -1, -1],
      [1, 1, 1],
      [1, 1, -1],
    ] as Triple[]) {
      const { status, bounces } = fly(HOME, { kind: 'point', from: [1, 1, 1], velocity, boxes: edgeBoxes })
      expect({ status, bounces }).toEqual({ status: 'completed', bounces: [] })
    }
  })
})

describe('a point that slides along the edge where two boxes touch', () => {
  it.each(POSES)('turns back at the third box, whose corner is on its way%s', (_where, pose) => {
    const { bounces, position } = fly(pose, { kind: 'point', from: [1, 1, 0], velocity: [0, 0, 1], boxes: edgeBoxes })
    expect(bounces.map(({ obstacle }) => obstacle)).toEqual([2])
    expect(taken(pose, position)[2]).toBeCloseTo(-1, 6)
  })
})

describe('walls that close', () => {
  it.each([1, 0.5, 0])('leave a point stuck, restitution %f', (restitution) => {
    const plates = [-1, 1].map((side) => ({
      body: bodyOf({ shape: { type: 'box', size: [2, 9, 9] }, position: [2 * side, 0, 0] }),
      motion: { ...createMotion(), vx: -side },
    }))
    const point = bodyOf({ shape: { type: 'point' }, position: NONE })
    const { status, time } = trajectory(point, { ...createMotion(), vy: 0.125 }, plates, 9, restitution, 100)
    expect({ status, time }).toEqual({ status: 'stuck', time: 1 })
  })
})

describe('a wall whose obstacle is alone', () => {
  it.each([
    ['point', 2.5 / 3],
    ['sphere', 2.25 / 3],
    ['box', 2.25 / 3],
  ])('is met at the quotient of way and speed, rounded once, where it is square to an axis: %s', (kind, time) => {
    for (const pose of [HOME, { ...HOME, at: [1024, 2048, -512] as Triple }, { ...HOME, size: 0.125 }]) {
      const from: Triple = [-1.5, 0.25, 0.375]
      const { bounces } = fly(pose, { kind, from, velocity: [3, 0.5, 0.25], boxes: edgeBoxes.slice(0, 1) })
      expect(bounces.map((bounce) => bounce.time)).toEqual([time])
    }
  })
})

const corner = fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(-1, 1)))
const part = fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 0.5, -0.25, 0.375)))
const throws = fc.record({
  joint: fc.constantFrom(...JOINTS),
  half: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(1, 2, 0.7))) as fc.Arbitrary<Triple>,
  pose: fc.constantFrom(...POSES.map(([, pose]) => pose)),
  corner,
  part,
  /** Of a corner, an edge, or a face where it is cut. */
  share: fc.constantFrom([1, 1, 1], [1, 1, 0.25], [1, 0, 1], [0, 1, 0]),
  restitution: fc.constantFrom(1, 1, 0.5, 0),
  drift: fc.constantFrom(NONE, [0.25, -0.5, 0.125] as Triple),
  isReversed: fc.boolean(),
})

describe('in a room of boxes, thrown into corners, at edges and at seams', () => {
  let count = 0

  it.each(KINDS)('a %s stays inside and flies on', (kind) => {
    fc.assert(
      fc.property(throws, ({ joint, half, pose, corner, part, share, restitution, drift, isReversed }) => {
        const reach = THROWN[kind](1).half
        const inner = half.map((x, k) => x - reach[k])
        const from = inner.map((x, k) => x * part[k]) as Triple
        const velocity = inner.map((x, k) => x * corner[k] * share[k] - from[k]) as Triple
        const boxes = room(half, joint)
        if (isReversed) boxes.reverse()
        const flown = fly(pose, { kind, from, velocity, boxes, restitution, drift, duration: 4 })
        const { status, position, bounces, time } = flown
        expect(status).toBe('completed')
        const amidst = fly(pose, { kind, from, velocity, boxes, restitution, drift, duration: 4, aside: 2 })
        const numbered = amidst.bounces.map((bounce) => ({ ...bounce, obstacle: bounce.obstacle - 2 }))
        expect({ ...amidst, bounces: numbered }).toStrictEqual(flown)
        count += bounces.length
        const end = taken(
          {
            ...pose,
            at: put(
              pose,
              drift.map((x) => x * time),
            ),
          },
          position,
        )
        const far = Math.max(...pose.at.map(Math.abs)) / pose.size
        const most = 1e-11 + 1e-13 * far
        expect(Math.max(...end.map((x, k) => Math.abs(x) - inner[k]))).toBeLessThan(most)
        if (restitution < 1) return
        // The mirror images of the room: where it would be without walls, folded back.
        for (let k = 0; k < 3; k++) {
          const way = from[k] + velocity[k] * time + inner[k]
          const folded = ((way % (4 * inner[k])) + 4 * inner[k]) % (4 * inner[k])
          const place = Math.min(folded, 4 * inner[k] - folded) - inner[k]
          expect(Math.abs(end[k] - place)).toBeLessThan(100 * most)
        }
        for (const { normal } of bounces) {
          const [x, y, z, w] = pose.turn
          expect(Math.max(...turned([-x, -y, -z, w], normal).map(Math.abs))).toBeGreaterThan(1 - 1e-12)
        }
      }),
      runs(150),
    )
  })

  it('all of them bounce', () => {
    expect(count).toBeGreaterThan(200)
  })
})

/** Corners, and faces as corners counter-clockwise or clockwise. */
const SOLIDS: Record<string, { corners: Triple[]; faces: number[][] }> = {
  tetrahedron: {
    corners: [
      [1, 1, 1],
      [1, -1, -1],
      [-1, 1, -1],
      [-1, -1, 1],
    ],
    faces: [
      [0, 1, 2],
      [0, 3, 1],
      [0, 2, 3],
      [1, 3, 2],
    ],
  },
  octahedron: {
    corners: [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 2, 0],
      [0, -2, 0],
      [0, 0, 1],
      [0, 0, -1],
    ],
    faces: [0, 1].flatMap((x) => [2, 3].flatMap((y) => [4, 5].map((z) => [x, y, z]))),
  },
}

describe('in a room whose walls are triangles without thickness, or half-spaces', () => {
  const aims = fc.record({
    solid: fc.constantFrom(...Object.keys(SOLIDS)),
    isOpen: fc.boolean(),
    corner: fc.nat({ max: 5 }),
    other: fc.nat({ max: 5 }),
    share: fc.constantFrom(0, 0, 0.25, 0.5),
    from: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -4, max: 4 }))),
    pose: fc.constantFrom(...POSES.map(([, pose]) => pose)),
    restitution: fc.constantFrom(1, 1, 0.5),
  })

  it('a point that is thrown into corners and at edges stays inside', () => {
    fc.assert(
      fc.property(aims, ({ solid, isOpen, corner, other, share, from, pose, restitution }) => {
        const { corners, faces } = SOLIDS[solid]
        const planes = faces.map((face) => {
          const [a, b, c] = face.map((i) => corners[i])
          const normal = cross(
            b.map((x, k) => x - a[k]),
            c.map((x, k) => x - a[k]),
          )
          const side = Math.sign(dot(normal, a)) / Math.hypot(...normal)
          return { normal: normal.map((x) => x * side) as Triple, height: side * dot(normal, a) }
        })
        const bodies = faces.map((face, i) => {
          const [a, b, c] = face.map((j) => put(pose, corners[j]))
          if (!isOpen) return bodyOf({ shape: { type: 'triangle', a, b, c }, position: NONE })
          const normal = turned(
            pose.turn,
            planes[i].normal.map((x) => -x),
          )
          return bodyOf({ shape: { type: 'halfspace', normal, offset: 0 }, position: a })
        })
        const start = from.map((x) => x / 32) as Triple
        const one = corners[corner % corners.length]
        const two = corners[other % corners.length]
        const target = one.map((x, k) => x + share * (two[k] - x))
        const moved = { ...pose, at: NONE }
        const [vx, vy, vz] = put(
          moved,
          target.map((x, k) => x - start[k]),
        )
        const obstacles = bodies.map((body) => ({ body, motion: createMotion() }))
        const body = bodyOf({ shape: { type: 'point' }, position: put(pose, start) })
        const { status, position } = trajectory(body, { ...createMotion(), vx, vy, vz }, obstacles, 3, restitution, 400)
        expect(status).toBe('completed')
        const end = taken(pose, position)
        const far = Math.max(...pose.at.map(Math.abs)) / pose.size
        for (const { normal, height } of planes) expect(dot(normal, end) - height).toBeLessThan(1e-11 + 1e-13 * far)
      }),
      runs(400),
    )
  })
})
