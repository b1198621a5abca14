/**
 * Lumps in space: weight, centroid and second moments about it, of pieces and of what they add up to.
 *
 * Method: as `core2d/measures/mass-lump.ts`, one piece at a time by the parallel axis theorem: no large terms cancel.
 * Frame: any, the same for all pieces of a lump.
 */

/** ∫ (p − c)(p − c)ᵀ over what is meant, c its centroid: a symmetric matrix. */
export interface Moments {
  xx: number
  yy: number
  zz: number
  xy: number
  xz: number
  yz: number
}

export interface Lump extends Moments {
  weight: number
  x: number
  y: number
  z: number
}

export function createLump(): Lump {
  return { weight: 0, x: 0, y: 0, z: 0, xx: 0, yy: 0, zz: 0, xy: 0, xz: 0, yz: 0 }
}

export function clearLump(lump: Lump): void {
  lump.weight = 0
  lump.x = 0
  lump.y = 0
  lump.z = 0
  clearMoments(lump)
}

export function clearMoments(moments: Moments): void {
  moments.xx = 0
  moments.yy = 0
  moments.zz = 0
  moments.xy = 0
  moments.xz = 0
  moments.yz = 0
}

/** Adds weight · v vᵀ. */
export function addSquare(moments: Moments, weight: number, x: number, y: number, z: number): void {
  moments.xx += weight * x * x
  moments.yy += weight * y * y
  moments.zz += weight * z * z
  moments.xy += weight * x * y
  moments.xz += weight * x * z
  moments.yz += weight * y * z
}

/** Adds a piece, its moments about its own centroid. One without weight changes nothing. */
export function addPiece(lump: Lump, piece: Lump): void {
  if (!(piece.weight > 0)) return
  const sum = lump.weight + piece.weight
  const share = piece.weight / sum
  const dx = piece.x - lump.x
  const dy = piece.y - lump.y
  const dz = piece.z - lump.z
  lump.xx += piece.xx
  lump.yy += piece.yy
  lump.zz += piece.zz
  lump.xy += piece.xy
  lump.xz += piece.xz
  lump.yz += piece.yz
  addSquare(lump, lump.weight * share, dx, dy, dz)
  lump.x += share * dx
  lump.y += share * dy
  lump.z += share * dz
  lump.weight = sum
}

/** Sets a piece without extent of its own. */
export function setPiece(piece: Lump, weight: number, x: number, y: number, z: number): void {
  piece.weight = weight
  piece.x = x
  piece.y = y
  piece.z = z
  clearMoments(piece)
}
