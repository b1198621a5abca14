// The operations of the kernel bench.

export const PAIR_COUNT = 512
export const CONCAVE_COUNT = 64
/** Inputs of each row of the mixed bench. */
export const MIXED_COUNT = 4096

export interface KernelKind {
  title: string
  /** How many inputs it has. */
  inputs: number
  /** How far a library's answer may lie from ours: as a ratio of the answer, and in seconds for times of impact. */
  agreementRatio: number
  agreement: number
}

/** Rapier computes in single precision. Answers of yes and no (1 and 0) are far coarser than that. */
const SINGLE_PRECISION_RATIO = 1e-4
/** Seconds, of impacts within one; see `moving-inputs.ts`. */
export const TIME_AGREEMENT = 0.03

const kind = (title: string, inputs = PAIR_COUNT): KernelKind => ({
  title,
  inputs,
  agreementRatio: SINGLE_PRECISION_RATIO,
  agreement: 0,
})
const timed = (title: string): KernelKind => ({ ...kind(title), agreement: TIME_AGREEMENT })

export const KERNELS = {
  polygonPolygon: kind('polygon(8)–polygon(8) contact'),
  boxBox: kind('box–box contact'),
  boxBoxApart: kind('box–box contact, apart'),
  polygonCircle: kind('polygon(8)–circle contact'),
  polygonCircleApart: kind('polygon(8)–circle contact, apart'),
  distance: kind('distance of apart polygons(8)'),
  ray: kind('ray–polygon(8)'),
  rayCircle: kind('ray–circle'),
  coldPair: kind('cold pair: polygons(8) from JSON values, contact'),
  explainPolygons: kind('polygon(8)–polygon(8) overlap with certificate'),
  explainBoxes: kind('box–box overlap with certificate'),
  explainPolygonCircles: kind('polygon(8)–circle overlap with certificate'),
  impactCircles: timed('time of impact, circle–circle'),
  impactAabbs: timed('time of impact, AABB–AABB'),
  impactPolygons: timed('time of impact, polygon(8)–polygon(8)'),
  impactCapsuleBox: timed('time of impact, capsule–box'),
  impactCircleSegment: timed('time of impact, circle–segment'),
  impactSpinningBoxes: timed('time of impact with spin, box–box'),
  impactSpinningPolygons: timed('time of impact with spin, polygon(8)–polygon(8)'),
  impactSpinningBoxesTime: timed('time of impact with spin, box–box, the time alone'),
  impactSpinningPolygonsTime: timed('time of impact with spin, polygon(8)–polygon(8), the time alone'),
  castPolygons: timed('shape cast, polygon(8) onto polygon(8)'),
  castCircleBox: timed('shape cast, circle onto box'),
  regionDecode: kind('region(10,000) from JSON values', 1),
  regionOverlap: kind('region(10,000)–box overlap', CONCAVE_COUNT),
  regionDistance: kind('region(10,000)–box distance', CONCAVE_COUNT),
  regionContact: kind('region(10,000)–box contact', CONCAVE_COUNT),
  finerRegionContact: kind('region(100,000)–box contact', CONCAVE_COUNT),
  regionRay: kind('ray–region(10,000)', CONCAVE_COUNT),
} as const satisfies Record<string, KernelKind>

export type KernelName = keyof typeof KERNELS

/** Runs the operation on input i and returns something that depends on its result. */
export type Kernel = (i: number) => number

/**
 * One kernel for each operation a library has. Contacts, overlaps and rays return 1 when the bodies meet and 0
 * otherwise, distances the distance, times of impact and casts the time or `MISS`.
 */
export type Kernels = Partial<Record<KernelName, Kernel>>
