// Every named schema, in the order in which the OpenAPI document lists them.

import type { TSchema } from '@sinclair/typebox'
import { ShapeFeature } from '../../../schemas/feature.ts'
import { ProblemDetails, ProblemError, ProblemKind, ProblemList } from '../../../schemas/problem.ts'
import { BatchRequest, BatchResponse } from '../../../schemas/queries/batch.ts'
import { BatchQuery, batchQueries } from '../../../schemas/queries/batch-query.ts'
import { BatchResult, batchResults, ProblemResult } from '../../../schemas/queries/batch-result.ts'
import { BoundsCorner, BoundsRequest, BoundsResponse } from '../../../schemas/queries/bounds.ts'
import { CastExit, CastHit } from '../../../schemas/queries/cast-hit.ts'
import { ContactFeature, ContactPoint, ContactRequest, ContactResponse } from '../../../schemas/queries/contact.ts'
import { DecomposeRequest, DecomposeResponse } from '../../../schemas/queries/decompose.ts'
import { DistanceRequest, DistanceResponse } from '../../../schemas/queries/distance.ts'
import { HullRequest, HullResponse } from '../../../schemas/queries/hull.ts'
import { MassRequest, MassResponse } from '../../../schemas/queries/mass.ts'
import { MinkowskiRequest, MinkowskiResponse } from '../../../schemas/queries/minkowski.ts'
import { OverlapRequest, OverlapResponse } from '../../../schemas/queries/overlap.ts'
import {
  CommonPointCertificate,
  OverlapCertificate,
  SeparatingAxisCertificate,
} from '../../../schemas/queries/overlap-certificate.ts'
import { PairsRequest, PairsResponse, PairsStats } from '../../../schemas/queries/pairs.ts'
import { RayCastRequest, RayCastResponse, RayDefinition } from '../../../schemas/queries/ray-cast.ts'
import { RayExit, RayHit } from '../../../schemas/queries/ray-hit.ts'
import { ShapeCastRequest, ShapeCastResponse } from '../../../schemas/queries/shape-cast.ts'
import { SupportRequest, SupportResponse } from '../../../schemas/queries/support.ts'
import { TableRequest, TableResponse, tables } from '../../../schemas/queries/table.ts'
import { TimeOfImpactRequest, TimeOfImpactResponse } from '../../../schemas/queries/time-of-impact.ts'
import { TrajectoryRequest, TrajectoryResponse } from '../../../schemas/queries/trajectory.ts'
import { TrajectoryBounce, TrajectoryEnd } from '../../../schemas/queries/trajectory-bounce.ts'
import { ValidateRequest, ValidateResponse } from '../../../schemas/queries/validate.ts'
import { SceneBounds, SceneDocument, SceneList, SceneRequest } from '../../../schemas/scenes/scene.ts'
import { SceneBody, SceneBodyPatch, SceneBodyRequest } from '../../../schemas/scenes/scene-body.ts'
import {
  SceneBodyList,
  SceneBodyPutResponse,
  SceneBodyResponse,
  SceneVersionResponse,
} from '../../../schemas/scenes/scene-body-answer.ts'
import { SceneFilter, SceneIdFilter, SceneTagFilter } from '../../../schemas/scenes/scene-filter.ts'
import { SceneOperation, sceneOperations } from '../../../schemas/scenes/scene-operation.ts'
import { SceneChange, SceneOperationsRequest, SceneOperationsResponse } from '../../../schemas/scenes/scene-write.ts'
import { ServiceHealth, ServiceLimits, ServiceStatus, ServiceVersion } from '../../../schemas/service.ts'
import { ServiceIndex } from '../../../schemas/service-index.ts'
import { Body2d, MovingBody2d } from '../../../schemas/shapes/body.ts'
import { Shape2d, shapes } from '../../../schemas/shapes/shape.ts'
import { ShapeFinding } from '../../../schemas/shapes/shape-finding.ts'
import { Vec2 } from '../../../schemas/vec2.ts'
import { sceneQuerySchemas } from './scene-query-schemas.ts'

export const namedSchemas: readonly TSchema[] = [
  Vec2,
  ...shapes,
  Shape2d,
  Body2d,
  MovingBody2d,
  ShapeFeature,
  OverlapRequest,
  SeparatingAxisCertificate,
  CommonPointCertificate,
  OverlapCertificate,
  OverlapResponse,
  DistanceRequest,
  DistanceResponse,
  ContactRequest,
  ContactFeature,
  ContactPoint,
  ContactResponse,
  TimeOfImpactRequest,
  TimeOfImpactResponse,
  RayDefinition,
  RayCastRequest,
  RayExit,
  RayHit,
  RayCastResponse,
  ShapeCastRequest,
  CastExit,
  CastHit,
  ShapeCastResponse,
  TrajectoryRequest,
  TrajectoryBounce,
  TrajectoryEnd,
  TrajectoryResponse,
  TableRequest,
  ...tables,
  TableResponse,
  PairsRequest,
  PairsStats,
  PairsResponse,
  BoundsRequest,
  BoundsCorner,
  BoundsResponse,
  SupportRequest,
  SupportResponse,
  MassRequest,
  MassResponse,
  HullRequest,
  HullResponse,
  MinkowskiRequest,
  MinkowskiResponse,
  DecomposeRequest,
  DecomposeResponse,
  ValidateRequest,
  ShapeFinding,
  ValidateResponse,
  ...batchQueries,
  BatchQuery,
  BatchRequest,
  ...batchResults,
  ProblemResult,
  BatchResult,
  BatchResponse,
  SceneRequest,
  SceneBounds,
  SceneDocument,
  SceneList,
  SceneBody,
  SceneBodyRequest,
  SceneBodyPatch,
  SceneBodyResponse,
  SceneBodyPutResponse,
  SceneVersionResponse,
  SceneBodyList,
  ...sceneOperations,
  SceneOperation,
  SceneOperationsRequest,
  SceneChange,
  SceneOperationsResponse,
  SceneTagFilter,
  SceneIdFilter,
  SceneFilter,
  ...sceneQuerySchemas,
  ProblemError,
  ProblemDetails,
  ProblemKind,
  ProblemList,
  ServiceStatus,
  ServiceHealth,
  ServiceIndex,
  ServiceVersion,
  ServiceLimits,
]

/** The same, each under its `$id`. */
export const schemasByName = Object.fromEntries(namedSchemas.map((schema) => [schema.$id as string, schema]))
