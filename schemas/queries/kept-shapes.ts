// Kept shapes: /v1/2d/shapes, /v1/3d/shapes and below.

import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { plane, space } from '../dimensions.ts'
import { index, real, word } from '../quantity.ts'
import { named, nullable, reference } from '../reference.ts'
import { KEPT_ID_PATTERN } from '../shapes2d.ts'
import { Vec2, Vec3 } from '../vector.ts'
import { ShapeFinding, ShapeFinding3d } from './validate.ts'

/** Findings that are kept with a shape at most. */
export const MAX_KEPT_FINDINGS = 100

export const KeptShapeParameters = Type.Object({
  shapeId: Type.String({ pattern: KEPT_ID_PATTERN, description: 'The id of the shape.' }),
})

export const KeepParameters = Type.Object({
  solid: Type.Optional(
    Type.Boolean({
      description: 'Of files: whether the inside belongs to the mesh, which must be closed; no when absent.',
    }),
  ),
  scale: Type.Optional(
    real('Of files: coordinates are multiplied by it; 1 when absent.', { exclusiveMinimum: 0, maximum: 1e100 }),
  ),
  up: Type.Optional(
    word(['x', 'y', 'z'], 'Of files: which axis of the file points up. It is turned to y; y when absent.'),
  ),
  node: Type.Optional(
    Type.String({
      description: 'Of glTF: name or index of the node that is taken, with those below it; all when absent.',
    }),
  ),
})
export type KeepParameters = Static<typeof KeepParameters>

export const KeptListParameters = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      format: 'int32',
      minimum: 1,
      maximum: 1000,
      description: 'Most shapes of a page; 100 when absent.',
    }),
  ),
  cursor: Type.Optional(Type.String({ description: 'The next of the page before; the first page when absent.' })),
})

const bytes = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description })

function kept<V extends TSchema, F extends TSchema>({ tag, vector, finding }: { tag: string; vector: V; finding: F }) {
  const bounds = Type.Object(
    { min: reference(vector, 'Least coordinates.'), max: reference(vector, 'Greatest coordinates.') },
    named(`KeptBounds${tag}`, 'The box around a kept shape in its local frame, rounded outward.'),
  )
  const shape = Type.Object(
    {
      id: Type.String({
        pattern: KEPT_ID_PATTERN,
        description: 'The digest of the shape’s content: the same shape has the same id everywhere and for ever.',
      }),
      type: Type.String({ description: 'The type of the shape.' }),
      triangles: index('Triangles of all meshes and height fields in it.'),
      vertices: index('Vertices, points and heights in it.'),
      bounds: nullable(bounds, 'The box around it; null where it has no end.'),
      bytes: bytes('Memory that it takes, with what was prepared.'),
      solid: Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'Of a mesh whether its inside belongs to it; null of other shapes.',
      }),
      findings: Type.Array(reference(finding), {
        maxItems: MAX_KEPT_FINDINGS,
        description: `What validate finds in it, the first ${MAX_KEPT_FINDINGS}; pointers lead into the request as if it were {"shape": …}.`,
      }),
    },
    named(
      `KeptShape${tag}`,
      'A shape that the service keeps. {"type":"ref","id":…} stands for it wherever a shape stands.',
    ),
  )
  const list = Type.Object(
    {
      shapes: Type.Array(reference(shape), { description: 'Shapes, by id.' }),
      next: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Cursor of the next page; null when there are no more shapes.',
      }),
    },
    named(`KeptShape${tag}List`, 'Kept shapes, a page at a time.'),
  )
  return { shape, list }
}

export const { shape: KeptShape, list: KeptShapeList } = kept({ tag: plane.tag, vector: Vec2, finding: ShapeFinding })
export const { shape: KeptShape3d, list: KeptShape3dList } = kept({
  tag: space.tag,
  vector: Vec3,
  finding: ShapeFinding3d,
})

/** What is said about a kept shape of either dimension. */
export type KeptSummary = Static<typeof KeptShape> | Static<typeof KeptShape3d>
