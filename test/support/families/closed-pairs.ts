/**
 * Random pairs of shapes that have closed forms, for laws about the last place of an answer: short coordinates (whole answers),
 * random doubles, pairs far from the origin, rotated ones, numbers of very different size, and all sizes down to subnormals and
 * up to the limit. A plain generator, because hundreds of thousands are drawn.
 */

import type { MovingBody2d, Shape2d } from '../../../schemas/shapes2d.ts'

export type Draw = () => number

/** Numbers in [0, 1) with 53 bits; mulberry32 twice. */
export function createDraw(seed: number): Draw {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }
  return () => (next() * 2 ** 21 + (next() >>> 11)) * 2 ** -53
}

/** What coordinates, sizes, speeds and rotations of one pair are drawn from. */
export interface Numbers {
  place: Draw
  size: Draw
  speed: Draw
  turn: Draw
}

type Family = (draw: Draw) => Numbers

const whole = (draw: Draw, count: number): number => Math.floor(draw() * count)
const power = (draw: Draw, low: number, high: number): number => 2 ** (low + whole(draw, high - low + 1))
const upright = (): number => 0

function short(draw: Draw, unit: number, turn: Draw): Numbers {
  return {
    place: () => ((whole(draw, 81) - 40) / 4) * unit,
    size: () => (whole(draw, 16) / 4) * unit,
    speed: () => ((whole(draw, 33) - 16) / 4) * unit,
    turn,
  }
}

/** One rotation for both, or one each. */
function turning(draw: Draw): Draw {
  const one = draw() * 6
  return draw() < 0.5 ? () => one : () => draw() * 6
}

const uniform = (draw: Draw, origin: number, turn: Draw): Numbers => ({
  place: () => origin + draw() * 20 - 10,
  size: () => draw() * 4,
  speed: () => draw() * 8 - 4,
  turn,
})

export const NUMBERS: Readonly<Record<string, Family>> = {
  'short coordinates': (draw) => short(draw, 1, upright),
  'short coordinates, rotated': (draw) => short(draw, 1, turning(draw)),
  'random doubles': (draw) => uniform(draw, 0, upright),
  'random doubles, rotated': (draw) => uniform(draw, 0, turning(draw)),
  'far from the origin': (draw) => uniform(draw, draw() * 1e9, upright),
  'very different sizes': (draw) => ({
    place: () => (draw() - 0.5) * power(draw, -40, 40),
    size: () => draw() * power(draw, -40, 40),
    speed: () => (draw() - 0.5) * power(draw, -20, 20),
    turn: upright,
  }),
  'short coordinates at any scale': (draw) => short(draw, power(draw, -1060, 320), upright),
}

const SHAPES: Readonly<Record<string, (numbers: Numbers, draw: Draw) => Shape2d>> = {
  point: () => ({ type: 'point' }),
  circle: ({ size }) => ({ type: 'circle', radius: size() }),
  segment: ({ size }) => ({ type: 'segment', a: { x: size(), y: size() }, b: { x: -size(), y: size() } }),
  capsule: ({ size }) => ({
    type: 'capsule',
    a: { x: size(), y: size() },
    b: { x: -size(), y: size() },
    radius: size() / 2,
  }),
  box: ({ size }, draw) => ({
    type: 'box',
    width: size(),
    height: size(),
    ...(draw() < 0.3 ? { radius: size() / 2 } : {}),
  }),
  aabb: ({ size }) => ({ type: 'aabb', min: { x: -size(), y: -size() }, max: { x: size(), y: size() } }),
  halfplane: ({ size }, draw) => {
    const normal =
      draw() < 0.3 ? { x: 0, y: 1 } : { x: whole(draw, 9) - 4 || 1, y: draw() < 0.5 ? whole(draw, 9) : draw() }
    return { type: 'halfplane', normal, offset: size() }
  },
}

export const CLOSED_SHAPES = Object.keys(SHAPES)

/** Every unordered pair of them that has a separation. */
export const CLOSED_PAIRS: readonly (readonly [string, string])[] = CLOSED_SHAPES.flatMap((a, i) =>
  CLOSED_SHAPES.slice(i).map((b) => [a, b] as const),
).filter(([a, b]) => a !== 'halfplane' || b !== 'halfplane')

export function drawBody(type: string, numbers: Numbers, draw: Draw): MovingBody2d {
  const { place, speed, turn } = numbers
  return {
    shape: SHAPES[type](numbers, draw),
    position: { x: place(), y: place() },
    rotation: type === 'aabb' ? 0 : turn(),
    velocity: { x: speed(), y: speed() },
  }
}
