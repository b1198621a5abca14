// Every named schema, in the order in which the OpenAPI document lists them.

import type { TSchema } from '@sinclair/typebox'
import { BatchRequest, BatchResponse } from '../../schemas/batch.ts'
import { BatchQuery, batchQueries } from '../../schemas/batch-query.ts'
import { BatchResult, batchResults, ProblemResult } from '../../schemas/batch-result.ts'
import { Body2d, MovingBody2d } from '../../schemas/body.ts'
import { BoundsCorner, BoundsRequest, BoundsResponse } from '../../schemas/bounds.ts'
import { CastExit, CastHit } from '../../schemas/cast-hit.ts'
import { ContactFeature, ContactPoint, ContactRequest, ContactResponse } from '../../schemas/contact.ts'
import { DecomposeRequest, DecomposeResponse } from '../../schemas/decompose.ts'
import { DistanceRequest, DistanceResponse } from '../../schemas/distance.ts'
import { ShapeFeature } from '../../schemas/feature.ts'
import { HullRequest, HullResponse } from '../../schemas/hull.ts'
import { MassRequest, MassResponse } from '../../schemas/mass.ts'
import { MinkowskiRequest, MinkowskiResponse } from '../../schemas/minkowski.ts'
import { OverlapRequest, OverlapResponse } from '../../schemas/overlap.ts'
import {
  CommonPointCertificate,
  OverlapCertificate,
  SeparatingAxisCertificate,
} from '../../schemas/overlap-certificate.ts'
import { PairsRequest, PairsResponse, PairsStats } from '../../schemas/pairs.ts'
import { ProblemDetails, ProblemError, ProblemKind, ProblemList } from '../../schemas/problem.ts'
import { RayCastRequest, RayCastResponse, RayDefinition } from '../../schemas/ray-cast.ts'
import { RayExit, RayHit } from '../../schemas/ray-hit.ts'
import { SceneBounds, SceneDocument, SceneList, SceneRequest } from '../../schemas/scene.ts'
import { SceneBody, SceneBodyPatch, SceneBodyRequest } from '../../schemas/scene-body.ts'
import {
  SceneBodyList,
  SceneBodyPutResponse,
  SceneBodyResponse,
  SceneVersionResponse,
} from '../../schemas/scene-body-answer.ts'
import { SceneFilter, SceneIdFilter, SceneTagFilter } from '../../schemas/scene-filter.ts'
import { SceneOperation, sceneOperations } from '../../schemas/scene-operation.ts'
import { SceneChange, SceneOperationsRequest, SceneOperationsResponse } from '../../schemas/scene-write.ts'
import { ServiceHealth, ServiceLimits, ServiceStatus, ServiceVersion } from '../../schemas/service.ts'
import { ServiceIndex } from '../../schemas/service-index.ts'
import { Shape2d, shapes } from '../../schemas/shape.ts'
import { ShapeCastRequest, ShapeCastResponse } from '../../schemas/shape-cast.ts'
import { ShapeFinding } from '../../schemas/shape-finding.ts'
import { SupportRequest, SupportResponse } from '../../schemas/support.ts'
import { TableRequest, TableResponse, tables } from '../../schemas/table.ts'
import { TimeOfImpactRequest, TimeOfImpactResponse } from '../../schemas/time-of-impact.ts'
import { TrajectoryRequest, TrajectoryResponse } from '../../schemas/trajectory.ts'
import { TrajectoryBounce, TrajectoryEnd } from '../../schemas/trajectory-bounce.ts'
import { ValidateRequest, ValidateResponse } from '../../schemas/validate.ts'
import { Vec2 } from '../../schemas/vec2.ts'
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
