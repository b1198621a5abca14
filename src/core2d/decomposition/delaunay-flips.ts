/**
 * Turns the diagonals of a triangulation until it is the constrained Delaunay triangulation: of all triangulations of the
 * outline the one with the greatest least angles.
 *
 * Method: C. L. Lawson, "Software for C1 surface interpolation", Mathematical Software III (1977): a diagonal that has the
 * vertex beyond it inside its triangle's circle is exchanged for the other diagonal of the two triangles. Circles are decided
 * exactly, so this ends; four vertices on one circle keep the diagonal they have.
 */
import { spend } from '../../containers/budget.ts'
import { binaryExponent, createInputRange, includeInput } from '../../numeric/exact-ring.ts'
import { inCircleAt } from '../points/in-circle.ts'
import { FLIP_PER_TRIANGLE_COUNT } from '../tolerances.ts'
import { joinTwins, type Mesh, nextInTriangle } from './triangle-mesh.ts'

/** Exponents up to which 2^e and its reciprocal are both normal doubles. */
const LARGEST_EXPONENT = 1000
const SIGNIFICAND_BITS = 53

/** Diagonals that are still to be looked at. */
interface Flips {
  mesh: Mesh
  /** The mesh's vertices, scaled to where circles are decided quickly. */
  vertices: Float64Array
  stack: number[]
  isWaiting: Uint8Array
}

/** Turns diagonals until all are as they should be, or as many as may be have been turned. */
export function turnDiagonals(mesh: Mesh): void {
  const { triangleCount, origin, twin } = mesh
  spend(6 * triangleCount)
  const flips: Flips = {
    mesh,
    vertices: scaled(mesh.vertices),
    stack: [],
    isWaiting: new Uint8Array(3 * triangleCount),
  }
  const { vertices, stack, isWaiting } = flips
  for (let half = 3 * triangleCount - 1; half >= 0; half--) if (half < twin[half]) wait(flips, half)
  for (let left = FLIP_PER_TRIANGLE_COUNT * triangleCount; left > 0 && stack.length > 0; ) {
    const half = stack.pop() as number
    isWaiting[half] = 0
    spend(2)
    // Flips give half-edges other places: some that wait have come to lie on the boundary.
    if (twin[half] < 0) continue
    const after = nextInTriangle(half)
    const beyond = nextInTriangle(nextInTriangle(twin[half]))
    const apex = nextInTriangle(after)
    if (inCircleAt(vertices, origin[half], origin[after], origin[apex], origin[beyond]) <= 0) continue
    left--
    spend(2)
    flip(mesh, half)
    // The four sides around the new diagonal.
    const other = twin[half]
    wait(flips, nextInTriangle(half))
    wait(flips, nextInTriangle(nextInTriangle(half)))
    wait(flips, nextInTriangle(other))
    wait(flips, nextInTriangle(nextInTriangle(other)))
  }
}

/** The vertices times a power of two that brings them near 1, where that loses nothing. */
function scaled(vertices: Float64Array): Float64Array {
  const range = createInputRange()
  for (const value of vertices) includeInput(range, value)
  const exponent = Math.max(-LARGEST_EXPONENT, Math.min(LARGEST_EXPONENT, binaryExponent(range.largest)))
  const loses = exponent > 0 && binaryExponent(range.smallest) - exponent < -LARGEST_EXPONENT + SIGNIFICAND_BITS
  return exponent === 0 || loses ? vertices : vertices.map((value) => value * 2 ** -exponent)
}

/** A diagonal waits under the lower of its two half-edges. */
function wait({ mesh, stack, isWaiting }: Flips, half: number): void {
  const other = mesh.twin[half]
  if (other < 0) return
  const name = Math.min(half, other)
  if (isWaiting[name] === 1) return
  isWaiting[name] = 1
  stack.push(name)
}

/**
 * Exchanges a diagonal for the other one of its two triangles. The half-edges keep their triangles; `half` then runs from the
 * vertex beyond to the apex.
 */
function flip(mesh: Mesh, half: number): void {
  const { origin, twin } = mesh
  const other = twin[half]
  const after = nextInTriangle(half)
  const before = nextInTriangle(after)
  const otherAfter = nextInTriangle(other)
  const otherBefore = nextInTriangle(otherAfter)
  const apex = origin[before]
  const beyond = origin[otherBefore]
  const sides = [twin[before], twin[otherAfter], twin[otherBefore], twin[after]]
  const start = origin[half]
  const end = origin[other]
  origin[half] = beyond
  origin[after] = apex
  origin[before] = start
  origin[other] = apex
  origin[otherAfter] = beyond
  origin[otherBefore] = end
  reattach(mesh, after, sides[0])
  reattach(mesh, before, sides[1])
  reattach(mesh, otherAfter, sides[2])
  reattach(mesh, otherBefore, sides[3])
}

function reattach(mesh: Mesh, half: number, twin: number): void {
  if (twin < 0) mesh.twin[half] = -1
  else joinTwins(mesh, half, twin)
}
