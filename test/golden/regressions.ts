/**
 * Inputs that broke other collision libraries, with the right answers. Every name is the thread it comes from.
 * Values that are not obvious were checked with the exact oracle, or with the sweep where a rotation is involved.
 */

import type { RayCastRequest, RayDefinition } from '../../schemas/queries/ray-cast.ts'
import type { Body2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { aabb, at, box, CONCAVE_18_GON, circle, list, PLUS, POINT, v } from './regression-shapes.ts'

export interface PairRow {
  name: string
  a: Body2d
  b: Body2d
  relation: 'separated' | 'touching' | 'overlapping'
  separation: number
  /** Nearest points, where they are unique. */
  points?: [Vec2, Vec2]
  /** Any of these is right, from a to b. */
  normals?: Vec2[]
  /** Any unit normal from the first direction counter-clockwise to the second is right. */
  normalArc?: [Vec2, Vec2]
}

export interface RayRow {
  name: string
  target: Body2d
  ray: RayDefinition
  startInside?: RayCastRequest['startInside']
  hit: boolean
  fraction?: number
  point?: Vec2
  /** Any of these is right. */
  normals?: Vec2[]
  startedInside?: boolean
  exit?: { distance: number; point: Vec2 } | null
}

export interface PolygonRow {
  name: string
  vertices: Vec2[]
  /** null when the polygon is convex, else the vertices that may be blamed. */
  reflex: number[] | null
}

const segment = (ax: number, ay: number, bx: number, by: number): Shape2d => ({
  type: 'segment',
  a: v(ax, ay),
  b: v(bx, by),
})
const polygon = (...points: [number, number][]): Shape2d => ({
  type: 'polygon',
  vertices: points.map(([x, y]) => v(x, y)),
})
/** A ray given by its two end points, as long as they are apart. */
const between = (ax: number, ay: number, bx: number, by: number): RayDefinition => ({
  origin: v(ax, ay),
  direction: v(bx - ax, by - ay),
  maxDistance: Math.hypot(bx - ax, by - ay),
})
const HEXAGON = polygon([2, 1], [2, 2], [1, 3], [0, 2], [0, 1], [1, 0])
const f = Math.fround
/** Corner (−2.5, 7.5) over the long side of the box turned by π/3 (python-fcl#28). */
const NEAREST = 1.6830127018922205

// A box cut in two by a line; each point lies in exactly one half (godot#82305).
const CUT: [Vec2, Vec2] = [v(1105.720703, 50), v(1268.352295, 1130)]
const LEFT_HALF = polygon([50, 50], [CUT[0].x, CUT[0].y], [CUT[1].x, CUT[1].y], [50, 1130])
const RIGHT_HALF = polygon([CUT[0].x, CUT[0].y], [1970, 50], [1970, 1130], [CUT[1].x, CUT[1].y])

export const PAIR_ROWS: PairRow[] = [
  {
    name: 'box2d test_distance.c ShapeDistanceShortEdgeTest',
    a: at(box(0.5, 0.0016), 0, 0),
    b: at(POINT, 0.505, 0),
    relation: 'separated',
    separation: 0.005,
    points: [v(0.5, 0), v(0.505, 0)],
    normals: [v(1, 0)],
  },
  {
    name: 'box2d#917, as a contact of touching boxes',
    a: at(aabb(f(-0.6), f(-0.7), f(0.45), f(0.35)), 0, 0),
    b: at(aabb(f(0.45), f(-0.1), f(0.55), f(0.1)), 0, 0),
    relation: 'touching',
    separation: 0,
    normals: [v(1, 0)],
  },
  {
    name: 'box2d#883 boxes with the same centre',
    a: at(box(0.5, 0.5), 3, 5),
    b: at(box(0.4, 0.4), 3, 5),
    relation: 'overlapping',
    separation: -0.9,
    normals: [v(1, 0), v(-1, 0), v(0, 1), v(0, -1)],
  },
  {
    name: 'parry#378 capsule on a cuboid',
    a: at({ type: 'capsule', a: v(0, 0.25), b: v(0, -0.25), radius: 0.5 }, 0, 0),
    b: at(box(4, 0.5), 4 - 6.0373735, 1.5 - 2.75),
    relation: 'touching',
    separation: 0,
    points: [v(0, -0.75), v(0, -0.75)],
    normals: [v(0, -1)],
  },
  {
    name: 'parry#34 ball centred on a corner',
    a: at(circle(1), 1, 1),
    b: at(box(1, 1), 0, 0),
    relation: 'overlapping',
    separation: -1,
    normalArc: [v(-1, 0), v(0, -1)],
  },
  {
    name: 'parry#205 capsule deep in a triangle',
    a: at({ type: 'capsule', a: v(0, -5), b: v(0, 5), radius: 10 }, 381.592, 348.491),
    b: at(polygon([64, 507], [440, 326], [1072, 507]), 0, 0),
    relation: 'overlapping',
    separation: -9.436296317489052,
  },
  {
    name: 'sat-js#41 point in a hexagon',
    a: at(POINT, 1, 1.1),
    b: at(HEXAGON, 0, 0),
    relation: 'overlapping',
    separation: -1.1 / Math.SQRT2,
    normals: [v(1, 1)].map(({ x, y }) => v(x / Math.SQRT2, y / Math.SQRT2)),
  },
  {
    name: 'sat-js#44 circle far from a turned triangle',
    a: at(circle(67), 444, 571),
    b: at(polygon([1, -70], [-60, 46], [60, 46]), 750, 294, 2.7173982456860264),
    relation: 'separated',
    separation: 307.9194895180117,
  },
  {
    name: 'tile38#305 line and rectangle, first segment',
    a: at(segment(20, 20, 30, 20), 0, 0),
    b: at(aabb(24, 8, 25, 18), 0, 0),
    relation: 'separated',
    separation: 2,
    normals: [v(0, -1)],
  },
  {
    name: 'tile38#305 line and rectangle, second segment',
    a: at(segment(30, 20, 30, 10), 0, 0),
    b: at(aabb(24, 8, 25, 18), 0, 0),
    relation: 'separated',
    separation: 5,
    normals: [v(-1, 0)],
  },
  {
    name: 'cute_headers#92 touching boxes as two AABBs',
    a: at(aabb(-50, -200, 50, -100), 0, 0),
    b: at(aabb(-10, -225, 49, -200), 0, 0),
    relation: 'touching',
    separation: 0,
    normals: [v(0, -1)],
  },
  {
    name: 'cute_headers#92 touching boxes as AABB and polygon',
    a: at(aabb(-50, -200, 50, -100), 0, 0),
    b: at(polygon([-10, -225], [49, -225], [49, -200], [-10, -200]), 0, 0),
    relation: 'touching',
    separation: 0,
    normals: [v(0, -1)],
  },
  {
    name: 'python-fcl#28 nearest points of a turned box',
    a: at(box(10, 2.5), -2, 0, Math.PI / 3),
    b: at(box(2.5, 2.5), -5, 10),
    relation: 'separated',
    separation: NEAREST,
    points: [v(-2.5 + (NEAREST * Math.sqrt(3)) / 2, 7.5 - NEAREST / 2), v(-2.5, 7.5)],
  },
  {
    name: 'fcl#545 small cube in a corner',
    a: at(box(0.5, 0.5), 0, 0),
    b: at(box(0.1, 0.1), 0.4, 0.4),
    relation: 'overlapping',
    separation: -0.2,
    normals: [v(1, 0), v(0, 1)],
  },
  {
    name: 'jitterphysics2#302 box and point apart',
    a: at(box(0.5, 0.5), 0, 0),
    b: at(POINT, 1, 0),
    relation: 'separated',
    separation: 0.5,
    points: [v(0.5, 0), v(1, 0)],
    normals: [v(1, 0)],
  },
  ...halfRows(),
]

/** godot#82305: both halves as polygons, and both sides of the line as half-planes. */
function halfRows(): PairRow[] {
  const direction = v(CUT[1].x - CUT[0].x, CUT[1].y - CUT[0].y)
  const length = Math.hypot(direction.x, direction.y)
  const distances = [v(455, 374), v(1823, 168)].map(
    (p) => ((p.x - CUT[0].x) * direction.y - (p.y - CUT[0].y) * direction.x) / length,
  )
  // Both points are nearest to the side y = 50 of their own half.
  const side = (sign: number): Body2d => ({
    shape: { type: 'halfplane', normal: v(sign * direction.y, -sign * direction.x), offset: 0 },
    position: CUT[0],
  })
  const row = (name: string, point: Vec2, b: Body2d, separation: number): PairRow => ({
    name: `godot#82305 ${name}`,
    a: at(POINT, point.x, point.y),
    b,
    relation: separation < 0 ? 'overlapping' : 'separated',
    separation,
  })
  const [first, second] = [v(455, 374), v(1823, 168)]
  return [
    row('first point, left half', first, at(LEFT_HALF, 0, 0), -324),
    row('first point, right half', first, at(RIGHT_HALF, 0, 0), -distances[0]),
    row('second point, left half', second, at(LEFT_HALF, 0, 0), distances[1]),
    row('second point, right half', second, at(RIGHT_HALF, 0, 0), -118),
    row('first point, left half-plane', first, side(1), distances[0]),
    row('first point, right half-plane', first, side(-1), -distances[0]),
    row('second point, left half-plane', second, side(1), distances[1]),
    row('second point, right half-plane', second, side(-1), -distances[1]),
  ]
}

const UNIT_AABB = at(aabb(-1, -1, 1, 1), 0, 0)
const LEFT = [v(-1, 0)]

export const RAY_ROWS: RayRow[] = [
  {
    name: 'box2d#523 from inside a circle, solid',
    target: at(circle(1), 0, 0),
    ray: between(0, 0.5, 0, 1.5),
    hit: true,
    fraction: 0,
    startedInside: true,
    exit: { distance: 0.5, point: v(0, 1) },
  },
  {
    name: 'box2d#523 from inside a circle, the way out',
    target: at(circle(1), 0, 0),
    ray: between(0, 0.5, 0, 1.5),
    startInside: 'exit',
    hit: true,
    fraction: 0.5,
    point: v(0, 1),
    startedInside: true,
  },
  {
    name: 'box2d#523 from inside a circle, ignored',
    target: at(circle(1), 0, 0),
    ray: between(0, 0.5, 0, 1.5),
    startInside: 'ignore',
    hit: false,
  },
  {
    name: 'box2d#64 past the end of a segment',
    target: at(segment(0, 0, 10, 10), 0, 0),
    ray: between(8, 4, 13, 15),
    hit: false,
  },
  {
    name: 'rapier.js#258 thin box, falling',
    target: at(box(244.5, 0.5), 884.5, 188.5),
    ray: between(380, 241, 1004, 137),
    hit: true,
    fraction: 0.5,
    point: v(692, 189),
    normals: [v(0, 1)],
  },
  {
    name: 'rapier.js#258 thin box, falling the other way',
    target: at(box(335, 0.5), 408, 286.5),
    ray: between(894, 328, 385, 217),
    hit: true,
    fraction: 41 / 111,
    point: v(894 - (509 * 41) / 111, 287),
    normals: [v(0, 1)],
  },
  {
    name: 'parry issue_178_parallel_raycast, parallel',
    target: at(segment(2, 1, 2, 0), 0, 0),
    ray: { origin: v(0, 0), direction: v(0, 1) },
    hit: false,
  },
  {
    name: 'parry issue_178_parallel_raycast, collinear',
    target: at(segment(0, 1, 0, -1), 0, 0),
    ray: { origin: v(0, -2), direction: v(0, 1) },
    hit: true,
    fraction: 1,
    point: v(0, -1),
  },
  {
    name: 'planck#309 vertical ray through an AABB',
    target: at(aabb(0, 0, 1, 1), 0, 0),
    ray: between(0.5, -1, 0.5, 2),
    hit: true,
    fraction: 1 / 3,
    point: v(0.5, 0),
    normals: [v(0, -1)],
  },
  // The situations of box2d test/test_collision.c AABBRayCastTest, with closed sets' answers.
  aabbRay('1 from the left', between(-3, 0, 3, 0), 1 / 3, v(-1, 0), LEFT),
  aabbRay('2 from the right', between(3, 0, -3, 0), 1 / 3, v(1, 0), [v(1, 0)]),
  aabbRay('3 from below', between(0, -3, 0, 3), 1 / 3, v(0, -1), [v(0, -1)]),
  aabbRay('4 from above', between(0, 3, 0, -3), 1 / 3, v(0, 1), [v(0, 1)]),
  aabbMiss('5 beside it, along x', between(-3, 2, 3, 2)),
  aabbMiss('6 beside it, along y', between(2, -3, 2, 3)),
  {
    ...aabbRay('7 from inside (hit at the origin: closed sets)', between(0, 0, 2, 0), 0, v(0, 0)),
    startedInside: true,
    exit: { distance: 1, point: v(1, 0) },
  },
  aabbRay('8 through the corner', between(-2, -2, 2, 2), 0.25, v(-1, -1), [v(-1, 0), v(0, -1)]),
  aabbMiss('9 parallel and outside', between(-2, 1.5, 2, 1.5)),
  aabbRay('10 along the boundary', between(-2, 1, 2, 1), 0.25, v(-1, 1), LEFT),
  aabbMiss('11 too short', between(-3, 0, -2.5, 0)),
  {
    ...aabbRay('12 of length zero, inside', { origin: v(0, 0), direction: v(1, 0), maxDistance: 0 }, 0, v(0, 0)),
    startedInside: true,
    exit: null,
  },
  aabbRay('13 ending on the face', between(-2, 0, -1, 0), 1, v(-1, 0), LEFT),
  {
    ...aabbRay('14 away from the origin', between(0, 4, 6, 4), 1 / 3, v(2, 4), LEFT),
    target: at(aabb(2, 3, 4, 5), 0, 0),
  },
]

function aabbRay(name: string, ray: RayDefinition, fraction: number, point: Vec2, normals?: Vec2[]): RayRow {
  const row = { name: `box2d test_collision.c ${name}`, target: UNIT_AABB, ray, hit: true, fraction, point }
  return normals === undefined ? row : { ...row, normals }
}

function aabbMiss(name: string, ray: RayDefinition): RayRow {
  return { name: `box2d test_collision.c ${name}`, target: UNIT_AABB, ray, hit: false }
}

export const POLYGON_ROWS: PolygonRow[] = [
  {
    name: 'box2d#296 nearly collinear hull',
    vertices: list(
      [-1.70082211, -1.43221712],
      [0.5, -0.5],
      [0.104992867, 0.97400856],
      [-0.658002853, 0.926608086],
      [-0.994554818, 0.165337861],
    ),
    reflex: null,
  },
  {
    name: 'rapier#223 circle of 240 vertices',
    vertices: Array.from({ length: 240 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 240
      return v(Math.cos(angle), Math.sin(angle))
    }),
    reflex: null,
  },
  {
    name: 'sromku/polygon-contains-point#3 dented polygon',
    vertices: list([0, 0], [0, 1], [1, 2], [1, 99], [100, 0]),
    reflex: [2],
  },
  {
    name: 'sat-js#69 bow-tie',
    vertices: list([958.4658, 115.4169], [1565.7858, 690.9971], [536.2902, 560.8729], [1143.6102, 1136.4531]),
    reflex: [0, 1, 2, 3],
  },
  {
    name: 'pymunk#208 clockwise plus',
    vertices: PLUS,
    reflex: [2, 6, 10, 14],
  },
  {
    name: 'parry#280 concave 18-gon',
    vertices: CONCAVE_18_GON,
    reflex: [0, 1, 2, 5, 6, 7, 15],
  },
]
