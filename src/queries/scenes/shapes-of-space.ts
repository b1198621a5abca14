// The shapes of bodies in space that features are named by: their types, and the children of compounds.

import type { Shape3d } from '../../../schemas/shapes3d.ts'
import type { Space } from '../../scene/state/geometry.ts'
import { PackedShape } from '../../scene/state/shape-text.ts'
import { shapeAt, type View } from '../../scene/state/view.ts'
import type { Probe } from '../../wire/decode-probe.ts'

/** Of a body of the scene. */
export function shapeIn(view: View<Space>, slot: number): Shape3d {
  return shapeAt(view, slot) as Shape3d
}

/** Of what is asked about. One that is packed has its type, and is read where it is a compound. */
export function shapeOfProbe(probe: Pick<Probe<Space>, 'shape'>): Shape3d {
  const shape = probe.shape()
  return (shape instanceof PackedShape && shape.type === 'compound' ? shape.toJSON() : shape) as Shape3d
}
