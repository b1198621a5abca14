/** Sets of boxes that are hard on broad phases each in a way of its own; seeded. */

/** Numbers in [0, 1), the same for each seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Box = readonly [minX: number, minY: number, maxX: number, maxY: number]
type Make = (random: () => number, index: number, count: number) => Box

const sized = (x: number, y: number, width: number, height: number): Box => [x, y, x + width, y + height]

const uniform: Make = (random, _i, count) => {
  const field = 4 * Math.sqrt(count)
  return sized(field * random(), field * random(), 1 + random(), 1 + random())
}

export const BOX_SETS: Record<string, Make> = {
  uniform,
  clustered: (random, i, count) => {
    const field = 100 * Math.sqrt(count)
    const cluster = seededRandom(i % 10)
    const spread = Math.sqrt(count)
    const x = field * cluster() + spread * (random() + random() + random())
    const y = field * cluster() + spread * (random() + random() + random())
    return sized(x, y, random(), random())
  },
  'grid-touching': (_random, i, count) => {
    const side = Math.ceil(Math.sqrt(count))
    return sized(0.5 * (i % side), 0.5 * Math.floor(i / side), 0.5, 0.5)
  },
  identical: () => [1, 2, 3, 4],
  points: (random, _i, count) => {
    const field = Math.ceil(Math.sqrt(count))
    return sized(Math.floor(field * random()), Math.floor(field * random()), 0, 0)
  },
  'huge and tiny': (random, i, count) => {
    const field = 4 * Math.sqrt(count)
    if (i % 50 !== 0) return sized(field * random(), field * random(), 0.01 * random(), 0.01 * random())
    return sized(field * (random() - 0.5), field * (random() - 0.5), field * random(), field * random())
  },
  'sizes of all scales': (random, _i, count) => {
    const field = Math.sqrt(count)
    const side = 10 ** (6 * random() - 5)
    return sized(field * random(), field * random(), side, side * random())
  },
  slivers: (random, i, count) => {
    const field = 8 * Math.sqrt(count)
    const long = 0.1 * field
    return sized(field * random(), field * random(), i % 2 === 0 ? long : 1e-3, i % 2 === 0 ? 1e-3 : long)
  },
  'in a column': (random, _i, count) => sized(0, count * random(), 1, random()),
  nested: (_random, i) => [-i, -i, i, i],
  unbounded: (random, i, count) => {
    if (i % 100 !== 0) return uniform(random, i, count)
    const side = 4 * Math.sqrt(count) * random()
    const sides: Box[] = [
      [-Infinity, -Infinity, side, Infinity],
      [-Infinity, side, Infinity, Infinity],
      [-Infinity, -Infinity, Infinity, Infinity],
    ]
    return sides[Math.floor(3 * random())]
  },
  'far away': (random, i, count) => {
    const [x, y] = uniform(random, i, count)
    return sized(1e15 + Math.floor(x), -1e15 + Math.floor(y), 1, 1)
  },
  'out of all bounds': (random, i, count) => {
    const [x, y, u, v] = uniform(random, i, count)
    return i % 10 === 0 ? [1e100 * x, 1e100 * y, 1e100 * u, 1e100 * v] : [x, y, u, v]
  },
  'of subnormal size': (random) => {
    const at = () => Math.floor(40 * random()) * Number.MIN_VALUE
    return sized(at(), at(), Number.MIN_VALUE, 2 * Number.MIN_VALUE)
  },
}

export function boxSet(name: string, count: number, seed: number): Float64Array {
  const random = seededRandom(seed)
  return Float64Array.from(Array.from({ length: count }, (_, i) => BOX_SETS[name](random, i, count)).flat())
}
