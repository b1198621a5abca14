import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCObstacle, setCObstacle } from '../../../src/core2d/minimum-translation/c-obstacle.ts'
import { createLeaf, type Leaf, orderEdges, reserveLeaf } from '../../../src/core2d/minimum-translation/leaf-loop.ts'
import {
  addArc,
  addLine,
  clearPaths,
  createPathPoint,
  createPaths,
  endPath,
  goToObstacle,
  isAtBeginning,
  isLine,
  leaveHalfplane,
  leaveObstacle,
  measureWay,
  type PathPoint,
  type Paths,
  setCircleOf,
  setLineEnd,
  setPathPoint,
  splitPath,
  takeBack,
  type Way,
  wayToObstacle,
} from '../../../src/core2d/minimum-translation/paths.ts'
import { runCount, runs } from '../../support/runs.ts'

const TOLERANCE = 1e-9
const STEPS = 300

type Point = readonly [number, number]

function pointOf(paths: Paths, path: number): PathPoint {
  const point = createPathPoint()
  setPathPoint(paths, path, false, point)
  return point
}

/** Where the path is after every `step`, from where it stands to its end or until the last of so many. */
function followed(paths: Paths, path: number, step: number, most = STEPS): PathPoint[] {
  const points = [pointOf(paths, path)]
  while (points.length <= most && goToObstacle(paths, path, step)) points.push(pointOf(paths, path))
  return points
}

/** Each path that was added, and the other direction of each that has one. */
function directions(paths: Paths): number[] {
  const first = [...paths.added]
  return [...first, ...first.map((path) => splitPath(paths, path)).filter((path) => path >= 0)]
}

const between = (min: number, max: number) =>
  fc.noBias(fc.integer({ min: 0, max: 2 ** 20 })).map((part) => min + (part / 2 ** 20) * (max - min))
const coordinate = fc.oneof(
  { weight: 9, arbitrary: between(-10, 10) },
  { weight: 1, arbitrary: fc.constantFrom(0, 5e-324, -1e-323, 3e-310, 1e-300) },
)
const angle = between(0, 2 * Math.PI)
const unit = angle.map((turn): Point => [Math.cos(turn), Math.sin(turn)])
/** The origin lies behind it, on the side that is forbidden. */
const segment = fc
  .record({
    normal: unit,
    height: between(0, 10),
    from: coordinate,
    length: between(0.01, 20),
  })
  .map(({ normal: [nx, ny], height, from, length }) => ({
    x: height * nx - from * ny,
    y: height * ny + from * nx,
    nx,
    ny,
    height,
    from,
    length,
  }))

describe('straight paths', () => {
  it('go over every point of a segment, away from the origin, with its free side', () => {
    fc.assert(
      fc.property(segment, ({ x, y, nx, ny, height, from, length }) => {
        const paths = createPaths()
        paths.partA = 3
        paths.partB = 5
        const path = addLine(paths, { x, y, nx, ny, length }, TOLERANCE)
        expect(isLine(paths, path)).toBe(true)
        const ends = [false, true].map((back) => {
          const end = createPathPoint()
          setLineEnd(paths, path, back, end)
          return end
        })
        const covered: [number, number][] = []
        for (const each of directions(paths)) {
          expect(isAtBeginning(paths, each)).toBe(true)
          const points = followed(paths, each, length / 100)
          let before = -1
          expect(points.at(-1)).toMatchObject({ partA: 3, partB: 5, nx, ny })
          for (const { x, y } of points) {
            const isOn = Math.abs(x * nx + y * ny - height) < 1e-9
            const isWithin = Math.abs(y * nx - x * ny - from - length / 2) < length / 2 + 1e-9
            const away = Math.hypot(x, y)
            if (!isOn || !isWithin || away < before - 1e-9) expect.fail(`(${x}, ${y}) is not on the path`)
            before = away
          }
          if (points.length > 1) {
            expect(isAtBeginning(paths, each)).toBe(false)
            expect((points[1].x - points[0].x) * points[0].ux).toBeGreaterThanOrEqual(0)
            expect((points[1].y - points[0].y) * points[0].uy).toBeGreaterThanOrEqual(0)
          }
          covered.push([points[0], points.at(-1)!].map((p) => p.y * nx - p.x * ny) as [number, number])
        }
        // where they begin and end, but for the rest of a step
        const all = covered.flat()
        expect(Math.min(...all)).toBeLessThan(from + length / 99)
        expect(Math.max(...all)).toBeGreaterThan(from + length - length / 99)
        const nearest = from > 0 ? from : Math.min(from + length, 0)
        for (const [begin] of covered) expect(begin).toBeCloseTo(nearest, 9)
        const places = ends.map((p) => p.y * nx - p.x * ny).sort((p, q) => p - q)
        const [low, high] = nearest === 0 ? [from, from + length] : [nearest, from > 0 ? from + length : from]
        expect(places[0]).toBeCloseTo(Math.min(low, high), 9)
        expect(places[1]).toBeCloseTo(Math.max(low, high), 9)
        for (const end of ends) expect(end.x * nx + end.y * ny).toBeCloseTo(height, 9)
      }),
      runs(1000),
    )
  })

  it('are none where the origin lies on the free side', () => {
    const paths = createPaths()
    expect(addLine(paths, { x: -1, y: -2, nx: 0, ny: 1, length: 3 }, TOLERANCE)).toBe(-1)
    expect(addLine(paths, { x: -1, y: -2 * TOLERANCE, nx: 0, ny: 1, length: 3 }, TOLERANCE)).toBe(-1)
    expect(paths.added).toEqual([])
    expect(addLine(paths, { x: -1, y: -TOLERANCE / 2, nx: 0, ny: 1, length: 3 }, TOLERANCE)).toBe(0)
  })

  it('of a whole line begin at its foot, and go both ways for ever', () => {
    const paths = createPaths()
    const path = addLine(paths, { x: 7, y: 2, nx: 0, ny: 1, length: Infinity }, TOLERANCE)
    expect(pointOf(paths, path)).toMatchObject({ x: 0, y: 2 })
    const other = splitPath(paths, path)
    expect(splitPath(paths, path)).toBe(-1)
    for (const each of [path, other]) expect(goToObstacle(paths, each, 1e6)).toBe(true)
    expect([pointOf(paths, path).x, pointOf(paths, other).x].sort((p, q) => p - q)).toEqual([-1e6, 1e6])
  })
})

describe('circular paths', () => {
  const arc = fc.record({
    x: coordinate,
    y: coordinate,
    radius: between(0.1, 20),
    from: unit,
    span: fc.oneof(angle, fc.constant(2 * Math.PI)).filter((span) => span > 0.01),
  })

  it('go over every point of an arc once, away from the origin, with its free side outward', () => {
    fc.assert(
      fc.property(arc, ({ x, y, radius, from: [fx, fy], span }) => {
        const paths = createPaths()
        addArc(paths, { x, y, radius, fx, fy }, span)
        const circle = { x: 0, y: 0, radius: 0 }
        let total = 0
        for (const path of directions(paths)) {
          expect(isLine(paths, path)).toBe(false)
          setCircleOf(paths, path, circle)
          expect(circle).toEqual({ x, y, radius })
          const points = followed(paths, path, 0.01, 700)
          total += 0.01 * (points.length - 1)
          let before = -1
          for (const { x: px, y: py, nx, ny, ux, uy } of points) {
            const isOn = Math.hypot(px - x - radius * nx, py - y - radius * ny) < 1e-9
            const isUnit = Math.abs(Math.hypot(nx, ny) - 1) < 1e-12 && Math.abs(ux * nx + uy * ny) < 1e-12
            const turn = Math.atan2(fx * ny - fy * nx, fx * nx + fy * ny)
            const isWithin = (turn < -1e-9 ? turn + 2 * Math.PI : turn) < span + 1e-9
            const away = Math.hypot(px, py)
            if (!isOn || !isUnit || !isWithin || away < before - 1e-9) expect.fail(`(${px}, ${py}) is not on the path`)
            before = away
          }
          if (points.length < 2) continue
          const [{ x: px, y: py, ux, uy }, next] = points
          // the chord turns off by half a step
          expect((next.x - px) * ux + (next.y - py) * uy).toBeCloseTo(radius * Math.sin(0.01), 9)
        }
        // each of up to four directions leaves the rest of a step
        expect(total).toBeLessThan(span + 1e-9)
        expect(total).toBeGreaterThan(span - 0.045)
      }),
      runs(1000),
    )
  })

  it('about the origin begin anywhere, and go half of the way each', () => {
    const paths = createPaths()
    addArc(paths, { x: 0, y: 0, radius: 2, fx: 0, fy: 1 }, 2 * Math.PI)
    expect(pointOf(paths, 0)).toMatchObject({ x: 0, y: 2 })
    const other = splitPath(paths, 0)
    for (const path of [0, other]) {
      expect(goToObstacle(paths, path, Math.PI)).toBe(true)
      expect(pointOf(paths, path).y).toBeCloseTo(-2, 12)
      expect(goToObstacle(paths, path, 1e-9)).toBe(false)
    }
  })
})

describe('the list of paths', () => {
  const add = (paths: Paths, height: number) => addLine(paths, { x: 1, y: height, nx: 0, ny: 1, length: 2 }, TOLERANCE)

  it('keeps every path as it grows', () => {
    const paths = createPaths()
    for (let i = 0; i < 1000; i++) expect(add(paths, i)).toBe(i)
    expect(paths.added).toHaveLength(1000)
    for (let i = 0; i < 1000; i++) expect(pointOf(paths, i).y).toBe(i)
  })

  it('gives places that are free to the next ones, the last first', () => {
    const paths = createPaths()
    for (let i = 0; i < 5; i++) add(paths, i)
    endPath(paths, 1)
    endPath(paths, 3)
    expect(add(paths, 10)).toBe(3)
    expect(add(paths, 11)).toBe(1)
    expect(add(paths, 12)).toBe(5)
    expect([0, 3, 2, 1, 4, 5].map((path) => pointOf(paths, path).y)).toEqual([0, 10, 2, 11, 4, 12])
    expect(paths.count).toBe(6)
  })

  it('takes the last one back', () => {
    const paths = createPaths()
    add(paths, 0)
    takeBack(paths, add(paths, 1))
    expect(paths.added).toEqual([0])
    expect(add(paths, 2)).toBe(1)
  })

  it('is empty after it is cleared, however long it was', () => {
    for (const count of [3, 5000]) {
      const paths = createPaths()
      paths.partA = 1
      for (let i = 0; i < count; i++) add(paths, i)
      endPath(paths, 2)
      const grown = paths.data.length
      clearPaths(paths)
      expect(paths).toMatchObject({ count: 0, added: [], partA: -1, partB: -1 })
      if (count > 4096) expect(paths.data.length).toBeLessThan(grown)
      expect([add(paths, 7), add(paths, 8)]).toEqual([0, 1])
    }
  })
})

/** A convex loop about (x, y), with a vertex on a circle in each of these directions. */
function polygonLeaf(x: number, y: number, radius: number, turns: readonly number[], skin: number, sign: 1 | -1): Leaf {
  const leaf = createLeaf()
  const sorted = [...turns].sort((p, q) => p - q)
  reserveLeaf(leaf, sorted.length)
  for (const [i, turn] of sorted.entries()) {
    leaf.x[i] = x + radius * Math.cos(turn)
    leaf.y[i] = y + radius * Math.sin(turn)
  }
  for (let i = 0; i < sorted.length; i++) {
    const j = (i + 1) % sorted.length
    const [ex, ey] = [leaf.x[j] - leaf.x[i], leaf.y[j] - leaf.y[i]]
    const length = Math.hypot(ex, ey)
    leaf.nx[i] = ey / length
    leaf.ny[i] = -ex / length
  }
  leaf.radius = skin
  orderEdges(leaf, sign)
  return leaf
}

/** Distance from the convex hull of the differences of two loops, with their skins; inside of the core, of its nearest line. */
function distanceFrom(a: Leaf, b: Leaf): (x: number, y: number) => number {
  const points: Point[] = []
  for (let i = 0; i < a.count; i++) {
    for (let j = 0; j < b.count; j++) points.push([a.x[i] - b.x[j], a.y[i] - b.y[j]])
  }
  const sides = points
    .flatMap(([px, py]) =>
      points.map(([qx, qy]) => {
        const length = Math.hypot(qx - px, qy - py)
        return { px, py, length, ux: (qx - px) / length, uy: (qy - py) / length }
      }),
    )
    .filter(({ px, py, length, ux, uy }) => {
      return length > 1e-9 && points.every(([rx, ry]) => (rx - px) * uy - (ry - py) * ux <= 1e-9)
    })
  return (x, y) => {
    let highest = -Infinity
    let nearest = Infinity
    for (const { px, py, length, ux, uy } of sides) {
      const height = (x - px) * uy - (y - py) * ux
      const along = Math.min(Math.max((x - px) * ux + (y - py) * uy, 0), length)
      highest = Math.max(highest, height)
      nearest = Math.min(nearest, Math.hypot(x - px - along * ux, y - py - along * uy))
    }
    return (highest <= 0 ? highest : nearest) - a.radius - b.radius
  }
}

const turns = fc
  .array(between(0, 1), { minLength: 3, maxLength: 6 })
  .map((parts) => parts.map((part, i) => (2 * Math.PI * (i + 0.8 * part)) / parts.length))
const skin = fc.constantFrom(0, 0, 0.25, 1.5)
const leaves = fc
  .record({
    x: coordinate,
    y: coordinate,
    a: turns,
    b: turns,
    size: fc.constantFrom(0.5, 1, 3),
    skinA: skin,
    skinB: skin,
  })
  .map(({ x, y, a, b, size, skinA, skinB }) => {
    const first = polygonLeaf(x, y, size, a, skinA, 1)
    const second = polygonLeaf(0, 0, 1, b, skinB, -1)
    const obstacle = createCObstacle()
    setCObstacle(obstacle, first, second, TOLERANCE)
    return { obstacle, distance: distanceFrom(first, second), x, y, size }
  })
type Leaves = typeof leaves extends fc.Arbitrary<infer T> ? T : never

/** A path that may meet the obstacle: a line or a circle near it. */
function pathNear({ x, y, size }: Leaves, round: boolean, [nx, ny]: Point, aside: number): Paths {
  const paths = createPaths()
  if (round) {
    const radius = Math.abs(aside) + 0.3
    addArc(paths, { x: x + aside * nx, y: y + aside * ny, radius, fx: nx, fy: ny }, 2 * Math.PI)
    return paths
  }
  const height = nx * (x + aside * size * nx) + ny * (y + aside * size * ny)
  const side = height < 0 ? -1 : 1
  addLine(paths, { x: height * nx, y: height * ny, nx: side * nx, ny: side * ny, length: Infinity }, TOLERANCE)
  return paths
}

/** Points of the path from where it stands on: how far each is, and how far from the obstacle. */
function scan(paths: Paths, path: number, { distance }: Leaves, end: number): { at: number; distance: number }[] {
  const step = end / STEPS
  return followed(paths, path, step).map((point, i) => ({ at: i * step, distance: distance(point.x, point.y) }))
}

const paired = fc.record({
  pair: leaves,
  round: fc.boolean(),
  normal: unit,
  aside: between(-3, 3),
})
const reachOf = (paths: Paths, path: number) => (isLine(paths, path) ? 60 : Math.PI)
/** Metres a path goes in one of its own units. */
const scaleOf = (paths: Paths, path: number) => {
  const circle = { x: 0, y: 0, radius: 0 }
  setCircleOf(paths, path, circle)
  return isLine(paths, path) ? 1 : circle.radius
}

/** Where the sign of the distance first changes, as two neighbours of the scan; undefined when it never does. */
function firstChange(points: readonly { at: number; distance: number }[]): [number, number] | undefined {
  for (let i = 1; i < points.length; i++) {
    const [p, q] = [points[i - 1], points[i]]
    if (p.distance < -1e-6 !== q.distance < -1e-6 && Math.abs(p.distance) > 1e-6) return [p.at, q.at]
  }
  return undefined
}

describe('the way of a path to an obstacle', () => {
  it('ends where it first meets the boundary, as a fine scan does', () => {
    let met = 0
    fc.assert(
      fc.property(paired, ({ pair, round, normal, aside }) => {
        const paths = pathNear(pair, round, normal, aside)
        for (const path of directions(paths)) {
          const start = pointOf(paths, path)
          if (pair.distance(start.x, start.y) < 1e-3) continue
          const way = wayToObstacle(paths, path, start, pair.obstacle, TOLERANCE)
          const first = firstChange(scan(paths, path, pair, reachOf(paths, path)))
          if (first !== undefined) expect(way).toBeLessThan(first[1] + 1e-6)
          if (!(way < reachOf(paths, path))) continue
          met++
          // the path stands at the end of the scan: it is followed anew from its beginning
          const again = pathNear(pair, round, normal, aside)
          directions(again)
          expect(goToObstacle(again, path, way)).toBe(true)
          const end = pointOf(again, path)
          expect(Math.abs(pair.distance(end.x, end.y))).toBeLessThan(1e-6)
        }
        expect(goToObstacle(paths, paths.added[0], Infinity)).toBe(false)
      }),
      runs(1000),
    )
    expect(met).toBeGreaterThan(runCount(200))
  })

  it('begins a little beyond the point at which the path stands', () => {
    const paths = createPaths()
    const path = addLine(paths, { x: 0, y: 0, nx: 0, ny: 1, length: 100 }, TOLERANCE)
    const square = [0.25, 0.75, 1.25, 1.75].map((part) => part * Math.PI)
    const point = polygonLeaf(0, 0, 0, [0], 0, -1)
    const obstacle = createCObstacle()
    // from −12 to −10 along the path, which goes to −100
    setCObstacle(obstacle, polygonLeaf(-11, 0, Math.SQRT2, square, 0, 1), point, TOLERANCE)
    expect(wayToObstacle(paths, path, pointOf(paths, path), obstacle, TOLERANCE)).toBeCloseTo(10, 9)
    goToObstacle(paths, path, 10)
    expect(wayToObstacle(paths, path, pointOf(paths, path), obstacle, TOLERANCE)).toBeCloseTo(2, 9)
    goToObstacle(paths, path, 2)
    expect(wayToObstacle(paths, path, pointOf(paths, path), obstacle, TOLERANCE)).toBe(Infinity)
  })
})

describe('the way of a path out of an obstacle', () => {
  it('ends where the path first leaves it, as a fine scan does', () => {
    let left = 0
    fc.assert(
      fc.property(paired, ({ pair, round, normal, aside }) => {
        const paths = pathNear(pair, round, normal, aside)
        for (const path of directions(paths)) {
          const start = pointOf(paths, path)
          if (pair.distance(start.x, start.y) > -1e-3) continue
          const way: Way = { step: 0, trueStep: 0, unit: 0 }
          measureWay(paths, path, start, pair.obstacle, TOLERANCE, way)
          const scale = scaleOf(paths, path)
          expect(way.unit).toBe(scale)
          const again = pathNear(pair, round, normal, aside)
          directions(again)
          const first = firstChange(scan(paths, path, pair, reachOf(paths, path)))
          if (first === undefined) {
            expect(leaveObstacle(again, path, way, TOLERANCE)).toBe(way.step <= reachOf(paths, path))
            continue
          }
          left++
          expect(way.step).toBeGreaterThan(first[0] - 1e-5)
          expect(way.step).toBeLessThan(first[1] + 1e-5)
          expect(leaveObstacle(again, path, way, TOLERANCE)).toBe(true)
          expect(isAtBeginning(again, path)).toBe(false)
          const end = pointOf(again, path)
          expect(Math.abs(pair.distance(end.x, end.y))).toBeLessThan(1e-8)
          const exact = createPathPoint()
          setPathPoint(again, path, true, exact)
          expect(Math.abs(pair.distance(exact.x, exact.y))).toBeLessThan(1e-10)
        }
      }),
      runs(1000),
    )
    expect(left).toBeGreaterThan(runCount(200))
  })

  it('goes on by a little at least, whatever rounding says', () => {
    const paths = createPaths()
    const path = addLine(paths, { x: 0, y: 1, nx: 0, ny: 1, length: 2 }, TOLERANCE)
    expect(leaveObstacle(paths, path, { step: -1, trueStep: 0, unit: 1 }, TOLERANCE)).toBe(true)
    expect(isAtBeginning(paths, path)).toBe(false)
    expect(Math.abs(pointOf(paths, path).x)).toBeLessThan(TOLERANCE)
    expect(leaveObstacle(paths, path, { step: 3, trueStep: 3, unit: 1 }, TOLERANCE)).toBe(false)
  })
})

describe('the way of a path out of a half-plane', () => {
  it('ends at its height', () => {
    let left = 0
    fc.assert(
      fc.property(paired, unit, between(0, 1), ({ pair, round, normal, aside }, [nx, ny], share) => {
        const paths = pathNear(pair, round, normal, aside)
        for (const path of directions(paths)) {
          const start = pointOf(paths, path)
          const height = nx * start.x + ny * start.y + 0.01 + 3 * share
          const heightAt = ({ x, y }: PathPoint) => nx * x + ny * y - height
          const again = pathNear(pair, round, normal, aside)
          directions(again)
          const first = firstChange(
            followed(again, path, reachOf(paths, path) / STEPS).map((point, i) => ({
              at: (i * reachOf(paths, path)) / STEPS,
              distance: heightAt(point),
            })),
          )
          const leaves = leaveHalfplane(paths, path, start, nx, ny, height, TOLERANCE)
          if (first === undefined) {
            // a circle may touch the height between two looks
            if (leaves) expect(heightAt(pointOf(paths, path))).toBeGreaterThan(-1e-3)
            continue
          }
          left++
          expect(leaves).toBe(true)
          expect(Math.abs(heightAt(pointOf(paths, path)))).toBeLessThan(1e-8)
        }
      }),
      runs(1000),
    )
    expect(left).toBeGreaterThan(runCount(200))
  })
})
