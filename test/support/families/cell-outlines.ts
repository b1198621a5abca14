/** Outlines of a set of grid cells, for making regions whose cells are known. */

export interface Cell {
  x: number
  y: number
}

/** The cells that can be reached from the first one over shared sides. */
export function connectedCells(solid: (x: number, y: number) => boolean, first: Cell): Cell[] {
  const found = new Map<string, Cell>([[`${first.x},${first.y}`, first]])
  for (const { x, y } of found.values()) {
    for (const [dx, dy] of STEPS) {
      const next = { x: x + dx, y: y + dy }
      const key = `${next.x},${next.y}`
      if (solid(next.x, next.y) && !found.has(key)) found.set(key, next)
    }
  }
  return [...found.values()]
}

/** Right, up, left, down. */
const STEPS: readonly [number, number][] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
]

interface Side {
  from: Cell
  heading: number
  used: boolean
}

/**
 * Rings of corners with the cells on their left, the outer one first, holes clockwise, no collinear vertices. Where
 * cells meet only at a corner, rings part there, or pass through it one after the other when `selfTouching`.
 */
export function cellOutlines(cells: readonly Cell[], selfTouching: boolean): Cell[][] {
  const solid = new Set(cells.map(({ x, y }) => `${x},${y}`))
  const sides: Side[] = cells.flatMap(({ x, y }) => {
    const corners = [
      { x, y },
      { x: x + 1, y },
      { x: x + 1, y: y + 1 },
      { x, y: y + 1 },
    ]
    // The neighbour below the bottom side, right of the right side, and so on.
    const beyond = [3, 0, 1, 2].map((heading) => `${x + STEPS[heading][0]},${y + STEPS[heading][1]}`)
    return corners.map((from, heading) => ({ from, heading, used: solid.has(beyond[heading]) }))
  })
  const rings: Cell[][] = []
  for (const start of sides) if (!start.used) rings.push(withoutCollinear(follow(sides, start, selfTouching)))
  return rings.sort((p, q) => area(q) - area(p))
}

function follow(sides: readonly Side[], start: Side, selfTouching: boolean): Cell[] {
  const ring: Cell[] = []
  let side: Side | undefined = start
  while (side !== undefined) {
    const { from, heading }: Side = side
    side.used = true
    ring.push(from)
    const end: Cell = { x: from.x + STEPS[heading][0], y: from.y + STEPS[heading][1] }
    // A left turn stays with the cell, a right turn goes over to the one across the corner.
    const turns: number[] = selfTouching ? [3, 0, 1] : [1, 0, 3]
    side = turns
      .map((turn) => sides.find((s) => !s.used && at(s, end) && s.heading === (heading + turn) % 4))
      .find((s) => s !== undefined)
    if (!selfTouching && at(start, end)) break
  }
  return ring
}

function at({ from }: Side, { x, y }: Cell): boolean {
  return from.x === x && from.y === y
}

function area(ring: readonly Cell[]): number {
  return ring.reduce((sum, p, i) => {
    const q = ring[(i + 1) % ring.length]
    return sum + p.x * q.y - p.y * q.x
  }, 0)
}

function withoutCollinear(ring: readonly Cell[]): Cell[] {
  return ring.filter((p, i) => {
    const before = ring[(i + ring.length - 1) % ring.length]
    const after = ring[(i + 1) % ring.length]
    return (p.x - before.x) * (after.y - p.y) !== (p.y - before.y) * (after.x - p.x)
  })
}
