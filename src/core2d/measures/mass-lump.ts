/**
 * Lumps: weight, centroid and moment of inertia about the centroid, of pieces and of what they add up to.
 *
 * Method: pieces are joined by the parallel axis theorem one at a time, as B. P. Welford ("Note on a method for calculating
 * corrected sums of squares and products", Technometrics 4, 1962) updates a variance: no large terms cancel.
 * Frame: any, the same for all pieces of a lump.
 */

export interface Lump {
  weight: number
  x: number
  y: number
  inertia: number
}

export function createLump(): Lump {
  return { weight: 0, x: 0, y: 0, inertia: 0 }
}

export function clearLump(lump: Lump): void {
  lump.weight = 0
  lump.x = 0
  lump.y = 0
  lump.inertia = 0
}

/** Adds a piece; `inertia` is about the piece's own centroid (x, y). One without weight changes nothing. */
export function addPiece(lump: Lump, weight: number, x: number, y: number, inertia: number): void {
  if (!(weight > 0)) return
  const sum = lump.weight + weight
  const share = weight / sum
  const dx = x - lump.x
  const dy = y - lump.y
  lump.inertia += inertia + lump.weight * share * (dx * dx + dy * dy)
  lump.x += share * dx
  lump.y += share * dy
  lump.weight = sum
}
