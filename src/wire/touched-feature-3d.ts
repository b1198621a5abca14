/** Features of contacts and impacts in space, which are known by the vertices that span them. */

import type { ShapeFeature3d } from '../../schemas/feature.ts'
import type { Shape3d } from '../../schemas/shapes3d.ts'
import { type Body, COMPOSITE, type Composite } from '../core3d/shape/body.ts'
import { partOfLeaf } from '../core3d/shape/composite.ts'
import { encodeNames } from './encode.ts'
import { encodeLeafFeature } from './leaf-feature-3d.ts'

interface Touched {
  /** The vertices of the feature. */
  readonly names: readonly number[]
  /** The leaf of a composite body; −1 of a convex one, and where none is known. */
  readonly leaf: number
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Null where nothing of a composite body is touched: another lies inside it. */
export function encodeTouched(touched: Touched, body: Body, shape: Shape3d): ShapeFeature3d | null {
  const { names, leaf } = touched
  if (body.kind !== COMPOSITE) return encodeNames(names, shape)
  if (leaf < 0) return null
  const { parts } = body.composite as Composite
  const { path } = parts[partOfLeaf(body.composite as Composite, leaf)]
  return encodeLeafFeature(encodeNames(names, childAt(shape, path)), body, leaf, touched)
}

function childAt(shape: Shape3d, path: readonly number[]): Shape3d {
  let child = shape
  for (const index of path) if (child.type === 'compound') child = child.children[index].shape
  return child
}
