// A region of 10,000 vertices, one of 100,000, and boxes and rays about its outline. It is a coast: its distance from the middle is a sum
// of waves that grow finer and flatter, down to a jag at every vertex; a star, and so never crosses itself.

import type { Body2d } from '../../schemas/shapes2d.ts'
import { type Between, box, seeded } from '../measuring/random-body.ts'
import { CONCAVE_COUNT } from './kernel-table.ts'

interface Region {
  shape: { type: 'region'; outer: { x: number; y: number }[] }
}

export interface ConcaveInputs {
  region: Region
  /** The same coast, with ten times as many vertices. */
  finerRegion: Region
  /** A third well inside, a third across the outline, a third outside; 1 in size where the region is 100. */
  boxes: Body2d[]
  rays: { origin: { x: number; y: number }; direction: { x: number; y: number } }[]
}

const VERTEX_COUNT = 10_000
const FINER_VERTEX_COUNT = 100_000
const RADIUS = 50

function coast(between: Between): (angle: number) => number {
  const waves = [2, 5, 11, 29, 67, 151, 353, 811].map((frequency) => ({
    frequency,
    height: between(0.1, 0.3) / Math.sqrt(frequency),
    phase: between(-Math.PI, Math.PI),
  }))
  return (angle) =>
    RADIUS *
    (1 + waves.reduce((sum, { frequency, height, phase }) => sum + height * Math.sin(frequency * angle + phase), 0))
}

export function makeConcaveInputs(): ConcaveInputs {
  const between = seeded(100)
  const radiusAt = coast(between)
  const at = (angle: number, radius: number) => ({ x: radius * Math.cos(angle), y: radius * Math.sin(angle) })
  const outlineOf = (count: number, jag: Between) =>
    Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * i) / count
      return at(angle, radiusAt(angle) * jag(0.999, 1.001))
    })
  const outer = outlineOf(VERTEX_COUNT, between)
  const finer = outlineOf(FINER_VERTEX_COUNT, seeded(101))
  const boxes = Array.from({ length: CONCAVE_COUNT }, (_, i) => {
    const angle = between(-Math.PI, Math.PI)
    const radius = radiusAt(angle) * [0.5, 1, 1.5][i % 3]!
    return { ...box(between), position: at(angle, radius) }
  })
  const rays = Array.from({ length: CONCAVE_COUNT }, () => {
    const angle = between(-Math.PI, Math.PI)
    const inward = angle + Math.PI + between(-0.8, 0.8)
    return { origin: at(angle, 2 * RADIUS), direction: { x: Math.cos(inward), y: Math.sin(inward) } }
  })
  return {
    region: { shape: { type: 'region', outer } },
    finerRegion: { shape: { type: 'region', outer: finer } },
    boxes,
    rays,
  }
}
