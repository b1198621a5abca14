/** Composite bodies in space for tests: those of the exact cases of ../shared/cases3d, and all leaves of a body at once. */

import { readFileSync } from 'node:fs'
import { createPlacement, isOpenEdge, type Mesh, type Placement, prepareMesh } from '../../src/core3d/mesh/mesh.ts'
import { type Body, COMPOSITE, type Composite, createBody, setPose } from '../../src/core3d/shape/body.ts'
import {
  addConvexPart,
  addMeshPart,
  beginComposite,
  finishComposite,
  rootPlacement,
  setChildPlacement,
  setLeaf,
  setMesh,
} from '../../src/core3d/shape/composite.ts'
import { type CaseBody, type CaseShape, setConvexShape, type Triple } from './convex-cases-3d.ts'

const FOLDER = new URL('../../../shared/cases3d/', import.meta.url)

export interface AnyShape extends CaseShape {
  vertices?: Triple[]
  triangles?: Triple[]
  solid?: boolean
  children?: AnyBody[]
}

export interface AnyBody extends Omit<CaseBody, 'shape'> {
  shape: AnyShape
}

/** The pairs of a file of which at least one is composite. */
export function compositeCases<Case extends { a: AnyBody; b: AnyBody }>(name: string): Case[] {
  return readFileSync(new URL(`${name}.ndjson`, FOLDER), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case)
    .filter(({ a, b }) => b !== undefined && (isComposite(a) || isComposite(b)))
}

function isComposite({ shape }: AnyBody): boolean {
  return shape.type === 'mesh' || shape.type === 'compound'
}

export function meshOfTriangles(vertices: readonly Triple[], triangles: readonly Triple[], solid = false): Mesh {
  const made = prepareMesh({ vertices: vertices.flat(), triangles: triangles.flat(), solid })
  if (isOpenEdge(made)) throw new RangeError('the mesh is not closed')
  return made
}

export function anyBodyOf({ shape, position = [0, 0, 0], orientation }: AnyBody): Body {
  const body = createBody()
  setPose(body, { position, orientation })
  if (shape.type === 'mesh') setMesh(body, meshOfShape(shape))
  else if (shape.type === 'compound') setCompound(body, shape)
  else setConvexShape(body, shape)
  return body
}

function meshOfShape({ vertices = [], triangles = [], solid = false }: AnyShape): Mesh {
  return meshOfTriangles(vertices, triangles, solid)
}

function setCompound(body: Body, { children = [] }: AnyShape): void {
  const composite = beginComposite(body)
  const root = createPlacement()
  rootPlacement(body, root)
  addChildren(composite, root, children, [])
  finishComposite(body)
}

function addChildren(
  composite: Composite,
  parent: Placement,
  children: readonly AnyBody[],
  path: readonly number[],
): void {
  children.forEach(({ shape, position = [0, 0, 0], orientation }, i) => {
    const placement = createPlacement()
    setChildPlacement(placement, parent, position, orientation)
    const here = [...path, i]
    if (shape.type === 'compound') addChildren(composite, placement, shape.children ?? [], here)
    else if (shape.type === 'mesh') addMeshPart(composite, meshOfShape(shape), placement, here)
    else setConvexShape(addConvexPart(composite, placement, here), shape)
  })
}

/** All leaves of a body, each in a slot of its own. */
export function leavesOf(body: Body): Body[] {
  if (body.kind !== COMPOSITE) return [body]
  const { leafCount } = body.composite as Composite
  return Array.from({ length: leafCount }, (_, leaf) => setLeaf(body, leaf, createBody()))
}
