/**
 * Moving bodies, chains and regions that broke other libraries, with the right answers. Every name is the thread it
 * comes from. Values that are not obvious were checked with the exact oracle.
 */

import type { Body2d, MovingBody2d, Shape2d } from '../../schemas/shapes2d.ts'
import type { Vec2 } from '../../schemas/vector.ts'
import { aabb, at, box, CONCAVE_18_GON, circle, list, PLUS, POINT, v } from './regression-shapes.ts'
import type { PairRow } from './regressions.ts'

export interface ImpactRow {
  name: string
  a: MovingBody2d
  b: MovingBody2d
  duration: number
  /** null: they miss. */
  time: number | null
  /** Any of these is right, from a to b. */
  normals?: Vec2[]
  /** Where they touch. */
  point?: Vec2
  startedOverlapping?: boolean
}

export interface RegionRow {
  name: string
  outer: Vec2[]
  /** null when the outline bounds a region; else its crossings, each with its two edges. */
  crossings: { edges: [number, number]; at: Vec2 }[] | null
  inside?: Vec2[]
  outside?: Vec2[]
}

/** From one place to another in one second. */
const cast = (shape: Shape2d, ax: number, ay: number, bx: number, by: number): MovingBody2d => ({
  shape,
  position: v(ax, ay),
  velocity: v(bx - ax, by - ay),
})
const f = Math.fround

const BLOCK = at(aabb(f(-0.6), f(-0.7), f(0.45), f(0.35)), 0, 0)
const SLIDER = aabb(f(0.45), f(-0.1), f(0.55), f(0.1))
const THIN: Body2d = at(box(244.5, 0.5), 884.5, 188.5)
const THINNER: Body2d = at(box(335, 0.5), 408, 286.5)
const UP = [v(0, 1)]
const WALL: Body2d = { shape: { type: 'chain', vertices: list([1, 1], [-1, 1]) }, rotation: -Math.PI / 2 }

export const IMPACT_ROWS: ImpactRow[] = [
  {
    name: 'box2d#917 a cast along the common face',
    a: BLOCK,
    b: cast(SLIDER, 0, 0, 0, 1),
    duration: 1,
    time: 0,
    normals: [v(1, 0)],
    startedOverlapping: true,
  },
  {
    name: 'ncollide#214 boxes that meet face to face',
    a: { ...at(box(1, 1), 0, 0), velocity: v(1, 0) },
    b: at(box(1, 1.5), 10, 0),
    duration: 20,
    time: 8,
    normals: [v(1, 0)],
  },
  {
    name: 'parry#19 ball against a turned polyline',
    a: WALL,
    b: { ...at(circle(0.5), 0, 0), velocity: v(1, 0) },
    duration: 3,
    time: 0.5,
    normals: [v(-1, 0)],
    point: v(1, 0),
  },
  {
    name: 'parry#19 ball that passes the polyline by',
    a: WALL,
    b: { ...at(circle(0.5), 0, 0), velocity: v(0, 1) },
    duration: 3,
    time: null,
  },
  {
    name: 'rapier.js#258 point cast at a thin box',
    a: THIN,
    b: cast(POINT, 380, 241, 1004, 137),
    duration: 1,
    time: 0.5,
    normals: UP,
    point: v(692, 189),
  },
  {
    name: 'rapier.js#258 ball cast at a thin box',
    a: THIN,
    b: cast(circle(4), 380, 241, 1004, 137),
    duration: 1,
    // Its centre falls by 104 a second and meets y = 193.
    time: 48 / 104,
    normals: UP,
    point: v(380 + (624 * 48) / 104, 189),
  },
  {
    name: 'rapier.js#258 point cast at a thin box, the other way',
    a: THINNER,
    b: cast(POINT, 894, 328, 385, 217),
    duration: 1,
    time: 41 / 111,
    normals: UP,
    point: v(894 - (509 * 41) / 111, 287),
  },
  {
    name: 'rapier.js#258 box cast at a thin box, the other way',
    a: THINNER,
    b: cast(box(2, 2), 894, 328, 385, 217),
    duration: 1,
    time: 39 / 111,
    normals: UP,
  },
  {
    name: 'physics_server_box2d#21 circle cast 360 far',
    a: at(circle(0.5), 11.52, 3.24),
    b: cast(circle(0.5), 5.76, 3.24, 365.76, 3.24),
    duration: 1,
    time: 4.76 / 360,
    normals: [v(-1, 0)],
    point: v(11.02, 3.24),
  },
]

/** Like the outline of the thread, which is not given in full: concave, and small until it is doubled. */
const ELEVEN = list(
  [10, 10],
  [20, 12],
  [30, 8],
  [34, 20],
  [28, 30],
  [33, 42],
  [20, 36],
  [16, 40],
  [8, 34],
  [14, 26],
  [6, 18],
)

const BRACKET = list(
  [-11.25, -6.76],
  [-12.5, -6.76],
  [-12.5, 6.75],
  [-3.1, 6.75],
  [-3.1, 0.41],
  [-2.35, 0.41],
  [-2.35, 6.75],
  [0.77, 6.75],
  [0.77, 7.5],
  [-13.25, 7.5],
  [-13.25, -7.51],
  [-11.25, -7.51],
)

const region = (outer: Vec2[]): Body2d => ({ shape: { type: 'region', outer } })

/** As pairs; depths of concave overlaps are the translation's own tests. */
export const CONCAVE_ROWS: (Omit<PairRow, 'separation'> & { distance: number })[] = [
  {
    name: 'check2d#33 bracket and circle',
    a: region(BRACKET),
    b: at(circle(1), 0, 7),
    relation: 'overlapping',
    distance: 0,
  },
  {
    name: 'check2d#33 circle in the corner of the bracket',
    a: region(BRACKET),
    b: at(circle(1), -8, 0),
    relation: 'separated',
    distance: 3.5,
    points: [v(-12.5, 0), v(-9, 0)],
    normals: [v(1, 0)],
  },
  {
    name: 'check2d#91 eleven corners, doubled',
    a: region(ELEVEN.map(({ x, y }) => v(2 * x, 2 * y))),
    b: at(circle(4), 50, 60),
    relation: 'overlapping',
    distance: 0,
  },
  {
    name: 'check2d#91 eleven corners as they were',
    a: region(ELEVEN),
    b: at(circle(4), 50, 60),
    relation: 'separated',
    distance: Math.hypot(50 - 33, 60 - 42) - 4,
  },
  {
    name: 'tile38#305 polyline beside a rectangle',
    a: { shape: { type: 'chain', vertices: list([20, 20], [30, 20], [30, 10]) } },
    b: at(aabb(24, 8, 25, 18), 0, 0),
    relation: 'separated',
    distance: 2,
    normals: [v(0, -1)],
  },
  ...[v(3, 4), v(3, 3.9), v(3, 4.1)].map(({ x, y }) => ({
    name: `sromku/polygon-contains-point#3 (${x}, ${y})`,
    a: region(list([0, 0], [0, 1], [1, 2], [1, 99], [100, 0])),
    b: at(POINT, x, y),
    relation: 'overlapping' as const,
    distance: 0,
  })),
]

export const REGION_ROWS: RegionRow[] = [
  {
    name: 'sat-js#69 bow-tie',
    outer: list([958.4658, 115.4169], [1565.7858, 690.9971], [536.2902, 560.8729], [1143.6102, 1136.4531]),
    crossings: [{ edges: [1, 3], at: v(1051.038, 625.935) }],
  },
  {
    name: 'dyn4j#24 first outline',
    outer: list([48, 1], [70, -28], [51, -58], [17, -49], [78.69931639118523, -52.394108883581644]),
    crossings: [
      { edges: [1, 3], at: v(55.3634, -51.1104) },
      { edges: [1, 4], at: v(67.2082, -32.4081) },
    ],
  },
  {
    name: 'dyn4j#24 second outline',
    outer: list([15, -14], [17, -49], [51, -58], [70, -28], [136.56366555776418, -49.38052989277156]),
    crossings: [{ edges: [2, 4], at: v(68.9265, -29.695) }],
  },
  {
    name: 'polypartition#20 one reflex vertex',
    outer: list([2.88, 11.04], [3.84, 10.56], [5.12, 10.56], [5.12, 10.88], [5.44, 11.04]),
    crossings: null,
    inside: [v(3.9, 10.8), v(5.1, 10.9), v(5.3, 11.0)],
    outside: [v(5.3, 10.9), v(3, 10.9), v(4, 11.1)],
  },
  {
    name: 'hxGeomAlgo#11 a corner that got lost',
    outer: list([0, 0], [300, 280], [200, 300], [150, 350], [0, 400], [400, 400], [400, 0]),
    crossings: null,
    inside: [v(399, 399), v(399, 1), v(10, 399), v(2, 1), v(310, 280), v(160, 350)],
    outside: [v(1, 2), v(290, 275), v(150, 345), v(1, 390), v(100, 200)],
  },
  {
    name: 'pymunk#208 clockwise plus',
    outer: PLUS,
    crossings: null,
    inside: [v(0, 0), v(-44, 0), v(0, 44), v(39, -3), v(-4, -39)],
    outside: [v(6, 5), v(-6, 5), v(6, -5), v(-45, 1), v(5, 40)],
  },
  {
    name: 'rapier#223 circle of 240 vertices',
    outer: Array.from({ length: 240 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 240
      return v(Math.cos(angle), Math.sin(angle))
    }),
    crossings: null,
    inside: [v(0, 0), v(0.999, 0), v(-0.7, 0.7)],
    outside: [v(1.001, 0), v(0.71, 0.71)],
  },
  {
    name: 'parry#280 concave 18-gon',
    outer: CONCAVE_18_GON,
    crossings: null,
    inside: [v(0.25, 0.4), v(0.8, 0.3), v(0.4, 0.8)],
    outside: [v(0.4, 0.4), v(0.5, 0.2), v(0.65, 0.3)],
  },
]
