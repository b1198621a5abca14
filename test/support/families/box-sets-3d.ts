/** Sets of boxes in space that are hard on broad phases each in a way of its own; seeded. */
import { seededRandom } from './box-sets.ts'

type Triple = readonly [x: number, y: number, z: number]
type Make = (random: () => number, index: number, count: number) => { min: Triple; max: Triple }

const sized = ([x, y, z]: Triple, [width, height, depth]: Triple) => ({
  min: [x, y, z] as const,
  max: [x + width, y + height, z + depth] as const,
})
const anywhere = (random: () => number, field: number): Triple => [field * random(), field * random(), field * random()]

const uniform: Make = (random, _i, count) =>
  sized(anywhere(random, 2 * Math.cbrt(count)), [1 + random(), 1 + random(), 1 + random()])

export const BOX_SETS_3D: Record<string, Make> = {
  uniform,
  'grid-touching': (_random, i, count) => {
    const side = Math.ceil(Math.cbrt(count))
    const at: Triple = [0.5 * (i % side), 0.5 * (Math.floor(i / side) % side), 0.5 * Math.floor(i / side / side)]
    return sized(at, [0.5, 0.5, 0.5])
  },
  identical: () => ({ min: [1, 2, 3], max: [4, 5, 6] }),
  points: (random, _i, count) => {
    const [x, y, z] = anywhere(random, Math.ceil(Math.cbrt(count)))
    return sized([Math.floor(x), Math.floor(y), Math.floor(z)], [0, 0, 0])
  },
  'one huge among tiny': (random, i, count) =>
    i === 7
      ? { min: [-1e9, -1e9, -1e9], max: [1e9, 1e9, 1e9] }
      : sized(anywhere(random, Math.cbrt(count)), [0.3, 0.3, 0.3]),
  'sizes of all scales': (random, _i, count) => {
    const side = 10 ** (6 * random() - 5)
    return sized(anywhere(random, Math.cbrt(count)), [side, side * random(), side * random()])
  },
  slivers: (random, i, count) => {
    const field = 6 * Math.cbrt(count)
    const thick = (axis: number) => (i % 3 === axis ? 1e-3 : 0.3 * field)
    return sized(anywhere(random, field), [thick(0), thick(1), thick(2)])
  },
  'in a plane': (random, _i, count) => {
    const [x, y] = anywhere(random, 2 * Math.sqrt(count))
    return sized([x, y, 0], [1, 1, random()])
  },
  nested: (_random, i) => ({ min: [-i, -i, -i], max: [i, i, i] }),
  unbounded: (random, i, count) => {
    const { min, max } = uniform(random, i, count)
    if (i % 100 !== 0) return { min, max }
    const axis = Math.floor(3 * random())
    const sides = [-Infinity, Infinity].map((end) => min.map((side, k) => (k === axis ? side : end)))
    return { min: [-Infinity, -Infinity, -Infinity], max: sides[1] as unknown as Triple }
  },
  'far away': (random, i, count) => {
    const [x, y, z] = uniform(random, i, count).min
    return sized([1e15 + Math.floor(x), -1e15 + Math.floor(y), 1e15 + Math.floor(z)], [1, 1, 1])
  },
  'at both ends of the doubles': (random, i, count) => {
    const { min, max } = uniform(random, i, count)
    const scale = i % 10 === 0 ? 1e300 : i % 10 === 1 ? 1e-300 : 1
    return {
      min: min.map((side) => scale * side) as unknown as Triple,
      max: max.map((side) => scale * side) as unknown as Triple,
    }
  },
  'of subnormal size': (random) => {
    const at = () => Math.floor(20 * random()) * Number.MIN_VALUE
    return sized([at(), at(), at()], [Number.MIN_VALUE, 2 * Number.MIN_VALUE, Number.MIN_VALUE])
  },
}

export function boxSet3d(name: string, count: number, seed: number): Float64Array {
  const random = seededRandom(seed)
  const boxes = Array.from({ length: count }, (_, i) => BOX_SETS_3D[name](random, i, count))
  return Float64Array.from(boxes.flatMap(({ min, max }) => [...min, ...max]))
}
