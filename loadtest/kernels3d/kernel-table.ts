// The operations of the kernel bench in space.

/** Inputs of each row that asks about pairs or rays. */
export const SPACE_COUNT = 2048

export interface KernelKind {
  title: string
  inputs: number
  /** Passes over the inputs in a round; of hulls so many that a round is long enough to be timed. */
  passes: number
  /** How far another library's answer may lie from ours, relative to it: Rapier and Jolt compute in single precision. */
  agreementRatio: number
}

const pairs = (title: string): KernelKind => ({ title, inputs: SPACE_COUNT, passes: 1, agreementRatio: 0 })
const distances = (title: string): KernelKind => ({ ...pairs(title), agreementRatio: 1e-3 })
const hull = (title: string, passes: number): KernelKind => ({ title, inputs: 1, passes, agreementRatio: 0.01 })

export const KERNELS = {
  sphereBox: pairs('sphere–box contact, meeting'),
  boxBox: pairs('box–box contact, meeting'),
  capsuleBox: pairs('capsule–box contact, meeting'),
  hull8: pairs('hull(8)–hull(8) contact, meeting'),
  hull32: pairs('hull(32)–hull(32) contact, meeting'),
  cylinderBox: pairs('cylinder–box contact, meeting'),
  sphereBoxApart: pairs('sphere–box contact, apart'),
  boxBoxApart: pairs('box–box contact, apart'),
  capsuleBoxApart: pairs('capsule–box contact, apart'),
  hull8Apart: pairs('hull(8)–hull(8) contact, apart'),
  hull32Apart: pairs('hull(32)–hull(32) contact, apart'),
  cylinderBoxApart: pairs('cylinder–box contact, apart'),
  distanceSphereBoxFar: distances('sphere–box distance, apart'),
  distanceCapsuleBoxFar: distances('capsule–box distance, apart'),
  distanceHull8Far: distances('hull(8)–hull(8) distance, apart'),
  distanceCylinderBoxFar: distances('cylinder–box distance, apart'),
  distanceBoxFar: distances('box–box distance, apart'),
  distanceBoxNear: distances('box–box distance, near'),
  distanceHull32Far: distances('hull(32)–hull(32) distance, apart'),
  distanceHull32Near: distances('hull(32)–hull(32) distance, near'),
  raySphere: pairs('ray–sphere'),
  rayCapsule: pairs('ray–capsule'),
  rayBox: pairs('ray–box'),
  rayHull8: pairs('ray–hull(8)'),
  rayHull32: pairs('ray–hull(32)'),
  castSphereBox: pairs('sphere–box linear cast'),
  castCapsuleBox: pairs('capsule–box linear cast'),
  castCylinderBox: pairs('cylinder–box linear cast'),
  castBox: pairs('box–box linear cast'),
  castHull8: pairs('hull(8)–hull(8) linear cast'),
  castHull32: pairs('hull(32)–hull(32) linear cast'),
  spinSphereBox: pairs('sphere–box cast with spin'),
  spinBox: pairs('box–box cast with spin'),
  spinCapsuleBox: pairs('capsule–box cast with spin'),
  spinHull8: pairs('hull(8)–hull(8) cast with spin'),
  spinHull32: pairs('hull(32)–hull(32) cast with spin'),
  spinCylinderBox: pairs('cylinder–box cast with spin'),
  explainSphereBox: pairs('sphere–box overlap with certificate, meeting'),
  explainBoxBox: pairs('box–box overlap with certificate, meeting'),
  explainCapsuleBox: pairs('capsule–box overlap with certificate, meeting'),
  explainHull8: pairs('hull(8)–hull(8) overlap with certificate, meeting'),
  explainHull32: pairs('hull(32)–hull(32) overlap with certificate, meeting'),
  explainCylinderBox: pairs('cylinder–box overlap with certificate, meeting'),
  explainSphereBoxShallow: pairs('sphere–box overlap with certificate, shallow'),
  explainBoxBoxShallow: pairs('box–box overlap with certificate, shallow'),
  explainCapsuleBoxShallow: pairs('capsule–box overlap with certificate, shallow'),
  explainHull8Shallow: pairs('hull(8)–hull(8) overlap with certificate, shallow'),
  explainHull32Shallow: pairs('hull(32)–hull(32) overlap with certificate, shallow'),
  explainCylinderBoxShallow: pairs('cylinder–box overlap with certificate, shallow'),
  coldPair: pairs('cold pair: hulls(8) from JSON values, contact'),
  coldHull32: pairs('cold pair: hulls(32) from JSON values, contact'),
  hull1000: hull('hull of 1,000 points', 20),
  hull100000: hull('hull of 100,000 points', 1),
} as const satisfies Record<string, KernelKind>

export type KernelName = keyof typeof KERNELS

export const CONTACT_KINDS = ['sphereBox', 'boxBox', 'capsuleBox', 'hull8', 'hull32', 'cylinderBox'] as const
export type ContactKind = (typeof CONTACT_KINDS)[number]
/** In the order of their random numbers. */
export const RAY_NAMES = ['rayBox', 'rayHull8', 'rayHull32', 'raySphere', 'rayCapsule'] as const
export type RayName = (typeof RAY_NAMES)[number]
export const CAST_NAMES = [
  'castBox',
  'castHull8',
  'castHull32',
  'castSphereBox',
  'castCapsuleBox',
  'castCylinderBox',
] as const
export type CastName = (typeof CAST_NAMES)[number]
export const HULL_SIZES = { hull1000: 1000, hull100000: 100_000 } as const

/** Runs the operation on input i and returns something that depends on its result. */
export type Kernel = (i: number) => number

/** Contacts, rays and casts return 1 when they meet and 0 otherwise, distances the distance, hulls the number of their corners. */
export type Kernels = Partial<Record<KernelName, Kernel>>
