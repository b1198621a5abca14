// Shapes of the plane, told apart by `type`, and bodies: shapes placed in the world, at rest or moving.
// All shapes are closed sets in their local frame. Sizes of zero are legal and give the lower-dimensional set.

import { type Static, Type } from '@sinclair/typebox'
import { length, real } from './quantity.ts'
import { named, reference, referenceByName, taggedUnion } from './reference.ts'
import { Vec2 } from './vector.ts'

// Round shapes: points and segments, all points within a radius of them, and the ellipse.

const PointShape = Type.Object(
  { type: Type.Literal('point') },
  named('PointShape', 'A single point, at the local origin.'),
)

export const CircleShape = Type.Object(
  { type: Type.Literal('circle'), radius: length('Radius, at least 0; 0 is a point.') },
  named('CircleShape', 'A solid disc about the local origin. Its one feature is surface 0.'),
)
export type CircleShape = Static<typeof CircleShape>

export const SegmentShape = Type.Object(
  {
    type: Type.Literal('segment'),
    a: reference(Vec2, 'First end, local frame.'),
    b: reference(Vec2, 'Second end, local frame; may equal a, which gives a point.'),
  },
  named(
    'SegmentShape',
    'A line segment from a to b, both ends included, without thickness. Features: vertex 0 is a, vertex 1 is b, edge 0 is the side to the right of a→b, edge 1 the side to the left.',
  ),
)
export type SegmentShape = Static<typeof SegmentShape>

export const CapsuleShape = Type.Object(
  {
    type: Type.Literal('capsule'),
    a: reference(Vec2, 'First end of the core segment, local frame.'),
    b: reference(Vec2, 'Second end of the core segment, local frame; may equal a, which gives a circle.'),
    radius: length('Distance from the core segment to the surface, at least 0; 0 is a segment.'),
  },
  named(
    'CapsuleShape',
    'All points within radius of the segment from a to b. Features: vertex 0 is the cap about a, vertex 1 the cap about b, edge 0 is the side to the right of a→b, edge 1 the side to the left.',
  ),
)
export type CapsuleShape = Static<typeof CapsuleShape>

const EllipseShape = Type.Object(
  {
    type: Type.Literal('ellipse'),
    rx: real('Half extent along local x, greater than 0.', { exclusiveMinimum: 0 }),
    ry: real('Half extent along local y, greater than 0.', { exclusiveMinimum: 0 }),
  },
  named(
    'EllipseShape',
    'A solid ellipse about the local origin, its axes along local x and y; the exact curve, not a polygon. Its one feature is surface 0.',
  ),
)

// Shapes with straight sides, which may be rounded outward by a radius.

export const MIN_POLYGON_VERTICES = 3
export const MAX_POLYGON_VERTICES = 1024

export const BoxShape = Type.Object(
  {
    type: Type.Literal('box'),
    width: length('Full extent along local x, at least 0, rounding not counted.'),
    height: length('Full extent along local y, at least 0, rounding not counted.'),
    radius: Type.Optional(
      length('Rounds the box outward by this much (it grows by radius on every side); 0 when absent.'),
    ),
  },
  named(
    'BoxShape',
    'A rectangle centred on the local origin, optionally rounded. Features: vertices counter-clockwise from (min x, min y), edge i runs from vertex i to vertex i + 1.',
  ),
)
export type BoxShape = Static<typeof BoxShape>

export const AabbShape = Type.Object(
  {
    type: Type.Literal('aabb'),
    min: reference(Vec2, 'Corner with the least x and y, local frame.'),
    max: reference(
      Vec2,
      'Corner with the greatest x and y, local frame; neither component below that of min (problem `aabb-inverted`).',
    ),
  },
  named(
    'AabbShape',
    'An axis-aligned box given by two corners. A body with this shape takes no rotation (problem `aabb-rotated`). Features as for a box: vertices counter-clockwise from min, edge i runs from vertex i to vertex i + 1.',
  ),
)
export type AabbShape = Static<typeof AabbShape>

export const PolygonShape = Type.Object(
  {
    type: Type.Literal('polygon'),
    vertices: Type.Array(reference(Vec2), {
      minItems: MIN_POLYGON_VERTICES,
      maxItems: MAX_POLYGON_VERTICES,
      description:
        'Corners in order, clockwise or counter-clockwise, local frame. Repeated and collinear ones are accepted; a reflex one is the problem `polygon-not-convex`.',
    }),
    radius: Type.Optional(length('Rounds the polygon outward by this much; 0 when absent.')),
  },
  named(
    'PolygonShape',
    'A convex polygon of 3 to 1024 vertices, optionally rounded. Features: vertices by the index given here; edge i runs from vertex i to vertex i + 1 in the order given here. Collinear vertices are merged, and the merged edge carries the index of its first one.',
  ),
)
export type PolygonShape = Static<typeof PolygonShape>

export const HalfplaneShape = Type.Object(
  {
    type: Type.Literal('halfplane'),
    normal: reference(
      Vec2,
      'Points out of the solid side; any length but 0 (problem `halfplane-normal-zero`), normalised on entry.',
    ),
    offset: real(
      'Signed distance of the boundary from the local origin along the unit normal: the solid side is every x with n·x ≤ offset.',
    ),
  },
  named('HalfplaneShape', 'Everything on one side of a line, the line included. Its one feature is edge 0.'),
)
export type HalfplaneShape = Static<typeof HalfplaneShape>

// Shapes that need not be convex: line work, outlines with holes, and compounds of placed shapes.
// Answers never show the convex parts they are decomposed into: features are the caller's own vertices and edges.

/** Hard limits; the service is configured with lower ones. */
export const MAX_OUTLINE_VERTICES = 1_000_000
export const MAX_COMPOUND_PARTS = 100_000

export const MAX_COMPOUND_DEPTH = 8

export const ChainShape = Type.Object(
  {
    type: Type.Literal('chain'),
    vertices: Type.Array(reference(Vec2), {
      minItems: 2,
      maxItems: MAX_OUTLINE_VERTICES,
      description: 'Points in order, local frame. Repeated ones are accepted, and lines may cross.',
    }),
    loop: Type.Optional(
      Type.Boolean({
        description: 'Join the last vertex to the first one too; false when absent. A loop has no inside.',
      }),
    ),
  },
  named(
    'ChainShape',
    'Connected line segments without thickness and without an inside. Features: vertices by the index given here; edge i runs from vertex i to the next one.',
  ),
)
export type ChainShape = Static<typeof ChainShape>

const ring = {
  minItems: 3,
  maxItems: MAX_OUTLINE_VERTICES,
}

export const RegionShape = Type.Object(
  {
    type: Type.Literal('region'),
    outer: Type.Array(reference(Vec2), {
      ...ring,
      description:
        'Outline in order, clockwise or counter-clockwise, local frame; may be concave. Repeated and collinear vertices are accepted, and the outline may touch itself at single points; where it crosses itself or runs along itself is the problem `region-self-intersecting`.',
    }),
    holes: Type.Optional(
      Type.Array(Type.Array(reference(Vec2), { ...ring, description: 'One hole, in either winding.' }), {
        description:
          'Holes: inside outer and outside each other, else the problem `region-hole-misplaced`. Their boundaries belong to the region. None when absent.',
      }),
    ),
  },
  named(
    'RegionShape',
    'Everything within an outline but not within its holes; solid. Features: vertices counted over outer, then over each hole in turn, in the order given here; edge i runs from vertex i to the next one of its ring.',
  ),
)
export type RegionShape = Static<typeof RegionShape>

export const CompoundShape = Type.Object(
  {
    type: Type.Literal('compound'),
    children: Type.Array(referenceByName<Body2d>('Body2d'), {
      minItems: 1,
      maxItems: MAX_COMPOUND_PARTS,
      'x-max-nesting': MAX_COMPOUND_DEPTH,
      description:
        'Bodies placed in the local frame of the compound; they may overlap. Compounds may hold compounds, 8 deep at most (problem `compound-too-deep`).',
    }),
  },
  named(
    'CompoundShape',
    'The union of its children. Features are those of a child, with the path that leads to it. An aabb among them takes no rotation from any compound around it (problem `aabb-rotated`).',
  ),
)
/** An interface: bodies and shapes hold each other. */
export interface CompoundShape {
  type: 'compound'
  children: Body2d[]
}

// Shapes that were sent before.

export const KEPT_ID_PATTERN = '^sha256-[0-9a-f]{64}$'

export const RefShape = Type.Object(
  {
    type: Type.Literal('ref'),
    id: Type.String({
      pattern: KEPT_ID_PATTERN,
      description: 'The id that POST /v1/2d/shapes or /v1/3d/shapes answered.',
    }),
  },
  named(
    'RefShape',
    'A kept shape, which stands wherever a shape stands. One that is not here is the problem `shape-unknown`: send it and ask again.',
  ),
)

export const shapes = [
  PointShape,
  CircleShape,
  SegmentShape,
  CapsuleShape,
  BoxShape,
  AabbShape,
  PolygonShape,
  EllipseShape,
  HalfplaneShape,
  ChainShape,
  RegionShape,
  CompoundShape,
] as const

/** A kept shape has taken the place of each reference when a request is answered: the type has none. */
export type Shape2d = Static<(typeof shapes)[number]>
export const Shape2d = Type.Unsafe<Shape2d>(
  taggedUnion('type', [...shapes, RefShape], {
    $id: 'Shape2d',
    description: 'A shape in its own local frame; `type` says which.',
  }),
)

// Bodies

const placement = {
  shape: reference(Shape2d, 'The shape, in its own local frame.'),
  position: Type.Optional(reference(Vec2, 'Where the shape’s local origin lies in the world; (0, 0) when absent.')),
  rotation: Type.Optional(
    real(
      'Angle in radians, counter-clockwise positive, about the shape’s local origin, before position is added; 0 when absent. At most 1e100 in magnitude.',
    ),
  ),
}

export const Body2d = Type.Object(
  placement,
  named(
    'Body2d',
    'A shape placed in the world, or in the frame of the compound that holds it: rotated about its local origin, then moved to position.',
  ),
)
/** An interface, because shapes hold bodies; a test compares it with the schema. */
export interface Body2d {
  shape: Shape2d
  position?: Vec2
  rotation?: number
}

export const MovingBody2d = Type.Object(
  {
    ...placement,
    velocity: Type.Optional(
      reference(Vec2, 'Constant velocity of the body’s position, length per second, world frame; (0, 0) when absent.'),
    ),
    angularVelocity: Type.Optional(
      real(
        'Constant angular velocity about the body’s position, radians per second, counter-clockwise positive; 0 when absent. At most 1e100 in magnitude.',
      ),
    ),
  },
  named('MovingBody2d', 'A body that moves and turns at constant speed from where it is placed at time 0.'),
)
export interface MovingBody2d extends Body2d {
  velocity?: Vec2
  angularVelocity?: number
}
