/**
 * Principal axes: the turn in which a tensor of inertia is diagonal.
 *
 * Method: C. G. J. Jacobi's rotations (1846), as in G. H. Golub, C. F. Van Loan, "Matrix Computations", section 8.5, on the second
 * moments, which are never negative: so the small ones keep their digits beside large ones.
 * Order: by moment of inertia, least first; equal ones in the order of the axes that they are nearest to. The largest coordinate of
 * each of the first two axes is positive.
 */

import { JACOBI_COUNT } from '../tolerances.ts'
import type { Moments } from './lump.ts'

export interface PrincipalAxes {
  /** Of inertia, per density and of the same unit as what they are made from. */
  moments: [number, number, number]
  /** Unit quaternion x, y, z, w, w ≥ 0: from the principal axes to the frame of the moments. */
  orientation: [number, number, number, number]
}

type Row = [number, number, number]

/** Of second moments about the centroid. */
export function principalAxes({ xx, yy, zz, xy, xz, yz }: Moments): PrincipalAxes {
  const a: Row[] = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ]
  /** Its columns are the axes. */
  const v: Row[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  for (let sweep = 0; sweep < JACOBI_COUNT && (a[0][1] !== 0 || a[0][2] !== 0 || a[1][2] !== 0); sweep++) {
    rotate(a, v, 0, 1)
    rotate(a, v, 0, 2)
    rotate(a, v, 1, 2)
  }
  const inertia = [a[1][1] + a[2][2], a[0][0] + a[2][2], a[0][0] + a[1][1]]
  const order = [0, 1, 2].sort((i, j) => inertia[i] - inertia[j] || i - j)
  const first = upright(v.map((row) => row[order[0]]) as Row)
  const second = upright(v.map((row) => row[order[1]]) as Row)
  const third: Row = [
    first[1] * second[2] - first[2] * second[1],
    first[2] * second[0] - first[0] * second[2],
    first[0] * second[1] - first[1] * second[0],
  ]
  return {
    moments: order.map((k) => inertia[k]) as Row,
    orientation: quaternion(first, second, third),
  }
}

/** Turns axes p and q so that they have no product. */
function rotate(a: Row[], v: Row[], p: number, q: number): void {
  const product = a[p][q]
  // What adds nothing to either is none.
  if (a[p][p] + Math.abs(product) === a[p][p] && a[q][q] + Math.abs(product) === a[q][q]) {
    a[p][q] = a[q][p] = 0
    return
  }
  const slope = (a[q][q] - a[p][p]) / (2 * product)
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.sqrt(slope * slope + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  const r = 3 - p - q
  const [rp, rq] = [a[r][p], a[r][q]]
  a[p][p] -= tangent * product
  a[q][q] += tangent * product
  a[p][q] = a[q][p] = 0
  a[r][p] = a[p][r] = cosine * rp - sine * rq
  a[r][q] = a[q][r] = sine * rp + cosine * rq
  for (const row of v) {
    const [vp, vq] = [row[p], row[q]]
    row[p] = cosine * vp - sine * vq
    row[q] = sine * vp + cosine * vq
  }
}

function upright([x, y, z]: Row): Row {
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  const leading = Math.abs(x) === largest ? x : Math.abs(y) === largest ? y : z
  return leading < 0 ? [0 - x, 0 - y, 0 - z] : [x, y, z]
}

/** Of the rotation with these columns. S. W. Shepperd, "Quaternion from rotation matrix", 1978: the largest coordinate first. */
function quaternion(a: Row, b: Row, c: Row): [number, number, number, number] {
  const squares = [1 + a[0] - b[1] - c[2], 1 - a[0] + b[1] - c[2], 1 - a[0] - b[1] + c[2], 1 + a[0] + b[1] + c[2]]
  const [yz, zx, xy] = [b[2] - c[1], c[0] - a[2], a[1] - b[0]]
  const [sumYz, sumZx, sumXy] = [b[2] + c[1], c[0] + a[2], a[1] + b[0]]
  const largest = squares.indexOf(Math.max(...squares))
  const rows = [
    [squares[0], sumXy, sumZx, yz],
    [sumXy, squares[1], sumYz, zx],
    [sumZx, sumYz, squares[2], xy],
    [yz, zx, xy, squares[3]],
  ]
  const row = rows[largest]
  const length = Math.sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3])
  const sign = row[3] < 0 ? -1 : 1
  return row.map((x) => (sign * x) / length + 0) as [number, number, number, number]
}
