// Shapes of space, told apart by `type`, and bodies: shapes placed in the world, at rest or moving.
// All shapes are closed, solid sets in their local frame. Sizes of zero are legal and give the lower-dimensional set.

import { type Static, Type } from '@sinclair/typebox'
import { index, length, real, word } from './quantity.ts'
import { named, reference, referenceByName, taggedUnion } from './reference.ts'
import { MAX_COMPOUND_DEPTH, MAX_COMPOUND_PARTS, RefShape } from './shapes2d.ts'
import { Quaternion, Vec3 } from './vector.ts'

// Shapes of few points: a point, a segment, a triangle, and all points within a radius of the first two.

const PointShape3d = Type.Object(
  { type: Type.Literal('point') },
  named('PointShape3d', 'A single point, at the local origin. Its one vertex is 0.'),
)

const SphereShape3d = Type.Object(
  { type: Type.Literal('sphere'), radius: length('Radius, at least 0; 0 is a point.') },
  named('SphereShape3d', 'A solid ball about the local origin. Its one feature is its surface.'),
)

const SegmentShape3d = Type.Object(
  {
    type: Type.Literal('segment'),
    a: reference(Vec3, 'First end, local frame.'),
    b: reference(Vec3, 'Second end, local frame; may equal a, which gives a point.'),
  },
  named(
    'SegmentShape3d',
    'A line segment from a to b, both ends included, without thickness. Vertex 0 is a, vertex 1 is b.',
  ),
)

const CapsuleShape3d = Type.Object(
  {
    type: Type.Literal('capsule'),
    a: reference(Vec3, 'First end of the core segment, local frame.'),
    b: reference(Vec3, 'Second end of the core segment, local frame; may equal a, which gives a sphere.'),
    radius: length('Distance from the core segment to the surface, at least 0; 0 is a segment.'),
  },
  named(
    'CapsuleShape3d',
    'All points within radius of the segment from a to b. Vertex 0 is the cap about a, vertex 1 the cap about b.',
  ),
)

const TriangleShape3d = Type.Object(
  {
    type: Type.Literal('triangle'),
    a: reference(Vec3, 'First corner, local frame.'),
    b: reference(Vec3, 'Second corner, local frame.'),
    c: reference(Vec3, 'Third corner, local frame; corners on one line make it a segment, equal ones a point.'),
  },
  named('TriangleShape3d', 'A flat triangle without thickness. Vertices 0, 1, 2 are a, b, c.'),
)

// Shapes with flat sides: boxes, hulls of points, half-spaces.

export const MAX_HULL_POINTS = 4096

export const BoxSize3d = Type.Object(
  {
    x: length('Full extent along local x, at least 0, rounding not counted.'),
    y: length('Full extent along local y, at least 0, rounding not counted.'),
    z: length('Full extent along local z, at least 0, rounding not counted.'),
  },
  named('BoxSize3d', 'The extents of a box along its own axes.'),
)

const BoxShape3d = Type.Object(
  {
    type: Type.Literal('box'),
    size: reference(BoxSize3d, 'Full extents, rounding not counted.'),
    radius: Type.Optional(
      length('Rounds the box outward by this much (it grows by radius on every side); 0 when absent.'),
    ),
  },
  named(
    'BoxShape3d',
    'A box centred on the local origin, optionally rounded. Vertex i lies at the greater x if bit 0 of i is set, the greater y by bit 1, the greater z by bit 2.',
  ),
)

export const AabbShape3d = Type.Object(
  {
    type: Type.Literal('aabb'),
    min: reference(Vec3, 'Corner with the least x, y and z, local frame.'),
    max: reference(
      Vec3,
      'Corner with the greatest x, y and z, local frame; no component below that of min (problem `aabb-inverted`).',
    ),
  },
  named(
    'AabbShape3d',
    'An axis-aligned box given by two corners. A body with this shape takes no orientation (problem `aabb-rotated`). Vertices as for a box.',
  ),
)

export const HullShape3d = Type.Object(
  {
    type: Type.Literal('hull'),
    points: Type.Array(reference(Vec3), {
      minItems: 1,
      maxItems: MAX_HULL_POINTS,
      description:
        'Points in any order, local frame, of which the convex hull is taken: inner, repeated, coplanar and collinear ones are accepted.',
    }),
    radius: Type.Optional(length('Rounds the hull outward by this much; 0 when absent.')),
  },
  named(
    'HullShape3d',
    'The convex hull of 1 to 4096 points, optionally rounded. Its vertices go by the index of the point given here, of equal points the first.',
  ),
)

export const HalfspaceShape3d = Type.Object(
  {
    type: Type.Literal('halfspace'),
    normal: reference(
      Vec3,
      'Points out of the solid side; any length but 0 (problem `halfspace-normal-zero`), normalised on entry.',
    ),
    offset: real(
      'Signed distance of the boundary from the local origin along the unit normal: the solid side is every x with n·x ≤ offset.',
    ),
  },
  named('HalfspaceShape3d', 'Everything on one side of a plane, the plane included. Its one feature is its face.'),
)

export type AabbShape3d = Static<typeof AabbShape3d>
export type HullShape3d = Static<typeof HullShape3d>
export type HalfspaceShape3d = Static<typeof HalfspaceShape3d>

// Curved shapes: cylinders, cones and ellipsoids, represented exactly and not by facets.

const axis = Type.Optional(word(['x', 'y', 'z'], 'Which local axis it is turned about; y when absent.'))

export const CylinderShape3d = Type.Object(
  {
    type: Type.Literal('cylinder'),
    radius: length('Radius, at least 0; 0 is a segment.'),
    height: length('Full extent along the axis, at least 0; 0 is a disc.'),
    axis,
  },
  named(
    'CylinderShape3d',
    'A solid cylinder centred on the local origin, closed by discs; no prism. Its one feature is its surface.',
  ),
)

export const ConeShape3d = Type.Object(
  {
    type: Type.Literal('cone'),
    radius: length('Radius of the base, at least 0; 0 is a segment.'),
    height: length('Full extent along the axis, at least 0; 0 is a disc.'),
    axis,
  },
  named(
    'ConeShape3d',
    'A solid cone about the local origin: its apex at +height/2 along the axis, its base at −height/2. Its one feature is its surface.',
  ),
)

const halfAxis = (name: string) => real(`Half extent along local ${name}, greater than 0.`, { exclusiveMinimum: 0 })

export const EllipsoidRadii3d = Type.Object(
  { x: halfAxis('x'), y: halfAxis('y'), z: halfAxis('z') },
  named('EllipsoidRadii3d', 'The half axes of an ellipsoid.'),
)

const EllipsoidShape3d = Type.Object(
  { type: Type.Literal('ellipsoid'), radii: reference(EllipsoidRadii3d, 'Half extents along the local axes.') },
  named(
    'EllipsoidShape3d',
    'A solid ellipsoid about the local origin; the exact surface, no facets. Its one feature is its surface.',
  ),
)

export type CylinderShape3d = Static<typeof CylinderShape3d>
export type ConeShape3d = Static<typeof ConeShape3d>

// Shapes that need not be convex: meshes, height fields, and compounds of placed shapes. None is decomposed: features are the caller's own
// triangles and children.

/** Hard limits; the service is configured with lower ones. */
export const MAX_MESH_VERTICES = 10_000_000
export const MAX_MESH_TRIANGLES = 20_000_000

export const MeshShape3d = Type.Object(
  {
    type: Type.Literal('mesh'),
    vertices: Type.Array(real('A coordinate.'), {
      minItems: 3,
      maxItems: 3 * MAX_MESH_VERTICES,
      description: 'Coordinates of the vertices, x, y, z of one after the other, local frame.',
    }),
    triangles: Type.Array(index('Index of a vertex.'), {
      minItems: 3,
      maxItems: 3 * MAX_MESH_TRIANGLES,
      description: 'Three indices of vertices for each triangle, counter-clockwise seen from outside.',
    }),
    groups: Type.Optional(
      Type.Array(index('Any number.'), {
        maxItems: MAX_MESH_TRIANGLES,
        description: 'A number for each triangle, such as its material, which answers about the triangle repeat.',
      }),
    ),
    solid: Type.Optional(
      Type.Boolean({
        description:
          'Whether the inside belongs to the mesh; false when absent: the surface alone. A solid mesh must be closed and wound one way (problem `mesh-not-closed`); one that is wound inward is turned round.',
      }),
    ),
  },
  named(
    'MeshShape3d',
    'Triangles: a surface, or with solid all that it encloses. Triangles may cross, repeat and have no area. Features are the triangles, edges and vertices as they are given here.',
  ),
)
/** Of a kept shape the numbers lie in memory that threads share. */
export interface MeshShape3d {
  type: 'mesh'
  vertices: ArrayLike<number>
  triangles: ArrayLike<number>
  groups?: ArrayLike<number>
  solid?: boolean
}

export const CellSize3d = Type.Object(
  {
    x: real('Extent of a cell along its columns, greater than 0.', { exclusiveMinimum: 0 }),
    z: real('Extent of a cell along its rows, greater than 0.', { exclusiveMinimum: 0 }),
  },
  named('CellSize3d', 'The extents of the cells of a height field.'),
)

export const HeightfieldShape3d = Type.Object(
  {
    type: Type.Literal('heightfield'),
    heights: Type.Array(Type.Unsafe<number | null>({ type: ['number', 'null'], format: 'double' }), {
      minItems: 4,
      maxItems: MAX_MESH_VERTICES,
      description: 'Heights of the grid’s points, row by row; null is a hole: there are no triangles with that corner.',
    }),
    columns: Type.Integer({
      format: 'int32',
      minimum: 2,
      description: 'Points of a row. The number of heights is a multiple of it, and there are two rows or more.',
    }),
    cellSize: reference(CellSize3d, 'Distances between neighbours: x from column to column, z from row to row.'),
    axis: Type.Optional(
      word(
        ['x', 'y', 'z'],
        'The local axis along which heights count; y when absent. Columns then go along x and rows along z; with z columns along x and rows along y; with x columns along y and rows along z.',
      ),
    ),
  },
  named(
    'HeightfieldShape3d',
    'A surface over a grid, its first point at the local origin. Each cell is two triangles that share the diagonal from its least to its greatest column and row. Vertex: index of the height. Triangle: 2·cell or 2·cell + 1, of cells counted row by row.',
  ),
)
export interface HeightfieldShape3d {
  type: 'heightfield'
  heights: ArrayLike<number | null>
  columns: number
  cellSize: { x: number; z: number }
  axis?: 'x' | 'y' | 'z'
}

export const CompoundShape3d = Type.Object(
  {
    type: Type.Literal('compound'),
    children: Type.Array(referenceByName<Body3d>('Body3d'), {
      minItems: 1,
      maxItems: MAX_COMPOUND_PARTS,
      'x-max-nesting': MAX_COMPOUND_DEPTH,
      description:
        'Bodies placed in the local frame of the compound; they may overlap. Compounds may hold compounds, 8 deep at most (problem `compound-too-deep`).',
    }),
  },
  named(
    'CompoundShape3d',
    'The union of its children. Features are those of a child, with the path that leads to it. An aabb among them takes no orientation from any compound around it (problem `aabb-rotated`).',
  ),
)
/** An interface: bodies and shapes hold each other. */
export interface CompoundShape3d {
  type: 'compound'
  children: Body3d[]
}

const convexShapes3d = [
  PointShape3d,
  SphereShape3d,
  SegmentShape3d,
  CapsuleShape3d,
  TriangleShape3d,
  BoxShape3d,
  AabbShape3d,
  CylinderShape3d,
  ConeShape3d,
  EllipsoidShape3d,
  HullShape3d,
  HalfspaceShape3d,
] as const
export type ConvexShape3d = Static<(typeof convexShapes3d)[number]>

export const shapes3d = [...convexShapes3d, MeshShape3d, HeightfieldShape3d, CompoundShape3d] as const

/** A kept shape has taken the place of each reference when a request is answered: the type has none. */
export type Shape3d = ConvexShape3d | MeshShape3d | HeightfieldShape3d | CompoundShape3d
export const Shape3d = Type.Unsafe<Shape3d>(
  taggedUnion('type', [...shapes3d, RefShape], {
    $id: 'Shape3d',
    description: 'A shape of space in its own local frame; `type` says which.',
  }),
)

// Bodies

const placement = {
  shape: reference(Shape3d, 'The shape, in its own local frame.'),
  position: Type.Optional(reference(Vec3, 'Where the shape’s local origin lies in the world; (0, 0, 0) when absent.')),
  orientation: Type.Optional(
    reference(
      Quaternion,
      'How the shape is turned about its local origin, before position is added; not at all when absent. Its length must be within 1e-3 of 1 (problem `orientation-not-unit`).',
    ),
  ),
}

export const Body3d = Type.Object(
  placement,
  named(
    'Body3d',
    'A shape placed in the world, or in the frame of the compound that holds it: turned about its local origin, then moved to position.',
  ),
)
/** An interface, because shapes hold bodies; a test compares it with the schema. */
export interface Body3d {
  shape: Shape3d
  position?: Vec3
  orientation?: Quaternion
}

export const MovingBody3d = Type.Object(
  {
    ...placement,
    velocity: Type.Optional(
      reference(
        Vec3,
        'Constant velocity of the body’s position, length per second, world frame; (0, 0, 0) when absent.',
      ),
    ),
    angularVelocity: Type.Optional(
      reference(
        Vec3,
        'Constant angular velocity about the body’s position: the axis, in the world frame, times radians per second, right-handed; (0, 0, 0) when absent.',
      ),
    ),
  },
  named('MovingBody3d', 'A body that moves and turns at constant speed from where it is placed at time 0.'),
)
export interface MovingBody3d extends Body3d {
  velocity?: Vec3
  angularVelocity?: Vec3
}
