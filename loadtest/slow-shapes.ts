/**
 * Pairs of concave bodies that are legal and hard: everything meets everything, or nearly. They are for those who look at how
 * much work a question takes, and for those who see to it that none takes too much.
 *
 * Every generator is deterministic; `size` counts vertices or children of one body.
 */

import type { Body2d, Shape2d } from '../schemas/shapes2d.ts'
import type { Vec2 } from '../schemas/vector.ts'

export interface HardPair {
  a: Body2d
  b: Body2d
}

/** Numbers in [0, 1), the same ones for the same seed (mulberry32, T. Ettinger). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const repeat = <Item>(size: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: size }, (_, i) => make(i))

const polar = (radius: number, angle: number): Vec2 => ({ x: radius * Math.cos(angle), y: radius * Math.sin(angle) })

const at = (shape: Shape2d, x = 0, y = 0, rotation = 0): Body2d => ({ shape, position: { x, y }, rotation })

/** A ring about the origin whose radius is given for each vertex. */
const ring = (size: number, radius: (index: number) => number): Shape2d => ({
  type: 'region',
  outer: repeat(size, (i) => polar(radius(i), (2 * Math.PI * i) / size)),
})

export const star = (size: number, inner = 0.5): Shape2d => ring(size, (i) => (i % 2 === 0 ? 1 : inner))

export const gear = (size: number): Shape2d => ring(size, (i) => (i % 4 < 2 ? 1 : 0.9))

export const roughDisc = (size: number, seed: number): Shape2d => {
  const random = randomNumbers(seed)
  return ring(size, () => 0.5 + random() / 2)
}

/** Teeth on a bar. */
export const comb = (size: number): Shape2d => {
  const teeth = size >> 2
  const top = repeat(4 * teeth, (i) => ({ x: (i >> 1) / teeth, y: ((i + 1) >> 1) % 2 === 0 ? 0.2 : 1 }))
  return { type: 'region', outer: [{ x: (2 * teeth - 1) / teeth, y: 0 }, ...top.reverse(), { x: 0, y: 0 }] }
}

export const randomChain = (size: number, seed: number): Shape2d => {
  const random = randomNumbers(seed)
  return { type: 'chain', vertices: repeat(size, () => ({ x: random(), y: random() })) }
}

/** There and back again along nearly one line. */
export const doubledChain = (size: number): Shape2d => ({
  type: 'chain',
  vertices: repeat(size, (i) => ({ x: i % 2, y: (i % 7) / 1e6 })),
})

/** An arm of several turns; two of them, one turned by half a turn, run between each other without touching. */
export const spiral = (size: number, turns: number): Shape2d => ({
  type: 'chain',
  vertices: repeat(size, (i) => polar(1 + (turns * i) / size, (2 * Math.PI * turns * i) / size)),
})

const compound = (size: number, child: (index: number) => Body2d): Shape2d => ({
  type: 'compound',
  children: repeat(size, child),
})

export const circlesInOnePlace = (size: number): Shape2d => compound(size, () => at({ type: 'circle', radius: 1 }))

/** Circles that grow, each around the one before. */
export const nestedCircles = (size: number): Shape2d =>
  compound(size, (i) => at({ type: 'circle', radius: 0.5 + i / (2 * size) }))

export const circlesInOneLine = (size: number): Shape2d =>
  compound(size, (i) => at({ type: 'circle', radius: 1 }, i / size))

/** Circles through one point, about centres on a circle. */
export const rosette = (size: number): Shape2d =>
  compound(size, (i) => {
    const { x, y } = polar(1, (2 * Math.PI * i) / size)
    return at({ type: 'circle', radius: 1 }, x, y)
  })

export const boxesInOnePlace = (size: number): Shape2d => compound(size, () => at({ type: 'box', width: 2, height: 1 }))

/** Boxes about one point, each turned a little against the one before. */
export const turnedBoxes = (size: number): Shape2d =>
  compound(size, (i) => at({ type: 'box', width: 2, height: 1 }, 0, 0, (Math.PI * i) / size))

export const needles = (size: number, seed: number): Shape2d => {
  const random = randomNumbers(seed)
  return compound(size, () => at({ type: 'ellipse', rx: 1, ry: 0.001 }, random(), random(), Math.PI * random()))
}

export const segmentsThroughOnePoint = (size: number): Shape2d =>
  compound(size, (i) => {
    const end = polar(1, (Math.PI * i) / size)
    return at({ type: 'segment', a: end, b: { x: -end.x, y: -end.y } })
  })

export const halfplanes = (size: number): Shape2d =>
  compound(size, (i) => at({ type: 'halfplane', normal: polar(1, (0.5 * i) / size), offset: 0 }))

/** Square frames around each other. */
export const nestedFrames = (size: number): Shape2d =>
  compound(size, (i) => {
    const half = 1 + i
    const square = (s: number): Vec2[] => [
      { x: -s, y: -s },
      { x: s, y: -s },
      { x: s, y: s },
      { x: -s, y: s },
    ]
    return at({ type: 'region', outer: square(half), holes: [square(half - 0.4)] })
  })

/** Region squares, apart from each other on a lattice: many solid outlines in one body. */
export const squares = (size: number): Shape2d => {
  const side = Math.ceil(Math.sqrt(size))
  return compound(size, (i) =>
    at(
      {
        type: 'region',
        outer: [
          { x: 0, y: 0 },
          { x: 0.6, y: 0 },
          { x: 0.6, y: 0.6 },
          { x: 0, y: 0.6 },
        ],
      },
      i % side,
      Math.floor(i / side),
    ),
  )
}

/** A pair of each kind, `size` vertices or children a body. */
export const hardPairs: Record<string, (size: number) => HardPair> = {
  'circles in one place': (n) => ({ a: at(circlesInOnePlace(n)), b: at(circlesInOnePlace(n)) }),
  'circles in one place, shifted': (n) => ({ a: at(circlesInOnePlace(n)), b: at(circlesInOnePlace(n), 0.3, 0.1) }),
  'nested circles': (n) => ({ a: at(nestedCircles(n)), b: at(nestedCircles(n), 0.3, 0.1) }),
  'circles in one line': (n) => ({ a: at(circlesInOneLine(n)), b: at(circlesInOneLine(n), 0.1, 0.1) }),
  rosettes: (n) => ({ a: at(rosette(n)), b: at(rosette(n), 0.3, 0.1) }),
  'boxes in one place': (n) => ({ a: at(boxesInOnePlace(n)), b: at(boxesInOnePlace(n), 0.3, 0.1) }),
  'turned boxes': (n) => ({ a: at(turnedBoxes(n)), b: at(turnedBoxes(n), 0.3, 0.1) }),
  stars: (n) => ({ a: at(star(n)), b: at(star(n), 0.3, 0.1) }),
  'stars in one place': (n) => ({ a: at(star(n)), b: at(star(n)) }),
  'stars far out': (n) => ({ a: at(star(n), 1e9, 1e9), b: at(star(n), 1e9 + 0.3, 1e9 + 0.1) }),
  'thin stars': (n) => ({ a: at(star(n, 0.01)), b: at(star(n, 0.01), 0.3, 0.1) }),
  gears: (n) => ({ a: at(gear(n)), b: at(gear(n), 0.3, 0.1) }),
  'rough discs': (n) => ({ a: at(roughDisc(n, 1)), b: at(roughDisc(n, 2), 0.3, 0.1) }),
  combs: (n) => ({ a: at(comb(n)), b: at(comb(n), 2, 1.1, Math.PI) }),
  'random chains': (n) => ({ a: at(randomChain(n, 1)), b: at(randomChain(n, 2), 0.3, 0.1) }),
  'doubled chains': (n) => ({ a: at(doubledChain(n)), b: at(doubledChain(n), 0.5, 0, 0.5) }),
  'doubled chains along each other': (n) => ({ a: at(doubledChain(n)), b: at(doubledChain(n), 0.3) }),
  spirals: (n) => ({ a: at(spiral(n, 10)), b: at(spiral(n, 10), 0, 0, Math.PI) }),
  'crossing spirals': (n) => ({ a: at(spiral(n, 10)), b: at(spiral(n, 10), 0.3, 0.1, Math.PI) }),
  needles: (n) => ({ a: at(needles(n, 1)), b: at(needles(n, 2), 0.3, 0.1) }),
  'segments through one point': (n) => ({
    a: at(segmentsThroughOnePoint(n)),
    b: at(segmentsThroughOnePoint(n), 0.3, 0.1),
  }),
  'half-planes': (n) => ({ a: at(halfplanes(n)), b: at(circlesInOneLine(n)) }),
  'half-planes against half-planes': (n) => ({ a: at(halfplanes(n)), b: at(halfplanes(n), 0, 0, Math.PI) }),
  'nested frames': (n) => ({ a: at(nestedFrames(n)), b: at(nestedFrames(n), 0.1, 0.05) }),
  squares: (n) => ({ a: at(squares(n)), b: at(squares(n), 0.3, 0.1) }),
}
