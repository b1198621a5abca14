// Large composite bodies that touch everywhere: every question about them ends within the steps that it was granted.
import { describe, expect, it } from 'vitest'
import { countSteps, OutOfBudget, within } from '../../../src/containers/budget.ts'
import { isOpenEdge, type Mesh, prepareMesh } from '../../../src/core3d/mesh/mesh.ts'
import { createTimeOfImpact, timeOfImpact } from '../../../src/core3d/motion/time-of-impact.ts'
import { contact, createContact } from '../../../src/core3d/queries/contact.ts'
import { contactPoints } from '../../../src/core3d/queries/contact-points.ts'
import { containment } from '../../../src/core3d/queries/containment.ts'
import { createDistance, distance } from '../../../src/core3d/queries/distance.ts'
import { createOverlap, overlap } from '../../../src/core3d/queries/overlap.ts'
import { type Body, createBody, setPose } from '../../../src/core3d/shape/body.ts'
import { setMesh } from '../../../src/core3d/shape/composite.ts'
import { anyBodyOf } from '../../support/composite-bodies-3d.ts'
import type { Triple } from '../../support/convex-cases-3d.ts'
import { ball } from '../../support/families/generated-meshes-3d.ts'

/** A floor of 2·side² triangles. */
function floorOf(side: number): Mesh {
  const vertices: number[] = []
  const triangles: number[] = []
  for (let j = 0; j <= side; j++) for (let i = 0; i <= side; i++) vertices.push(i, 0, j)
  for (let j = 0; j < side; j++) {
    for (let i = 0; i < side; i++) {
      const a = j * (side + 1) + i
      triangles.push(a, a + side + 1, a + 1, a + 1, a + side + 1, a + side + 2)
    }
  }
  const made = prepareMesh({ vertices, triangles, solid: false })
  if (isOpenEdge(made)) throw new RangeError('open')
  return made
}

/** So many triangles that share a corner. */
function fanOf(count: number): Mesh {
  const vertices = [0, 0, 0]
  const triangles: number[] = []
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count
    vertices.push(Math.cos(angle), 1, Math.sin(angle))
    triangles.push(0, 1 + ((i + 1) % count), 1 + i)
  }
  const made = prepareMesh({ vertices, triangles, solid: false })
  if (isOpenEdge(made)) throw new RangeError('open')
  return made
}

function placed(mesh: Mesh, x: number, y: number): Body {
  const body = createBody()
  setPose(body, { position: [x, y, 0.25] })
  setMesh(body, mesh)
  return body
}

const STILL = { vx: 0, vy: 0, vz: 0, wx: 0, wy: 0, wz: 0 }

const floor = floorOf(224)
const fan = fanOf(130_000)

describe.each<[string, Body, Body]>([
  ['two meshes of 100,000 triangles that touch everywhere', placed(floor, 0, 0), placed(floor, 0.5, 0)],
  ['two meshes of 130,000 triangles that meet at one corner', placed(fan, 0, 0), placed(fan, 0, 0)],
])('%s', (_, a, b) => {
  const questions: [string, (a: Body, b: Body) => void][] = [
    ['overlap', (a, b) => overlap(a, b, createOverlap())],
    ['containment', (a, b) => containment(a, b, -1)],
    ['distance', (a, b) => distance(a, b, createDistance())],
    ['contact', (a, b) => contact(a, b, createContact())],
    ['contact points', (a, b) => contactPoints(a, b, { ...createContact(), hasNormal: true, ny: 1 }, 0, 4)],
    [
      'time of impact',
      (a, b) => timeOfImpact(a, STILL, b, { ...STILL, vx: 1, wy: 1 }, 1, true, 'exit', createTimeOfImpact()),
    ],
  ]

  it.each(questions)('%s ends when the steps are used up', (__, ask) => {
    const start = process.cpuUsage()
    try {
      within(2 ** 21, () => ask(a, b))
    } catch (error) {
      expect(error).toBeInstanceOf(OutOfBudget)
    }
    // Some tens of nanoseconds a step, on the slowest machine.
    expect(process.cpuUsage(start).user).toBeLessThan(5e6)
  })
})

it('finds the way out of two meshes of 10,000 triangles deep in each other in few steps', () => {
  const [a, b] = [
    [0, 0, 0],
    [0.3, 0.2, 0.1],
  ].map((position) => anyBodyOf({ shape: ball(100, 50), position: position as Triple }))
  const found = createContact()
  const { steps } = countSteps(() => contact(a, b, found))
  expect(found.separation).toBeLessThan(-1.6)
  expect(steps).toBeLessThan(2 ** 23)
})
