// Every named schema, in the order in which the OpenAPI document lists them: each after those that it refers to.

import type { TSchema } from '@sinclair/typebox'
import type { Exchange } from '../../schemas/exchange.ts'
import { Barycentric3d, ShapeFeature, ShapeFeature3d } from '../../schemas/feature.ts'
import { ProblemDetails, ProblemError, ProblemKind, ProblemList } from '../../schemas/problem.ts'
import { Batch3dRequest, Batch3dResponse, BatchRequest, BatchResponse } from '../../schemas/queries/batch.ts'
import { exchanges, exchanges3d } from '../../schemas/queries/exchanges.ts'
import { KeptShape, KeptShape3d, KeptShape3dList, KeptShapeList } from '../../schemas/queries/kept-shapes.ts'
import { referredTo } from '../../schemas/reference.ts'
import {
  SceneBatch3dRequest,
  SceneBatch3dResponse,
  SceneBatchRequest,
  SceneBatchResponse,
} from '../../schemas/scenes/batch.ts'
import {
  SceneBody,
  SceneBody3d,
  SceneBody3dPatch,
  SceneBody3dRequest,
  SceneBodyPatch,
  SceneBodyRequest,
} from '../../schemas/scenes/body.ts'
import { sceneExchanges, sceneExchanges3d } from '../../schemas/scenes/exchanges.ts'
import { GeoJsonFeatures, SceneExport, SceneExport3d } from '../../schemas/scenes/export.ts'
import { importProgress, SceneImport3dResponse, SceneImportResponse } from '../../schemas/scenes/import.ts'
import { SceneFilter } from '../../schemas/scenes/probe.ts'
import {
  SceneBody3dList,
  SceneBody3dResponse,
  SceneBodyList,
  SceneBodyPutResponse,
  SceneBodyResponse,
  SceneDocument,
  SceneDocument3d,
  SceneList,
  SceneList3d,
  SceneRequest,
  SceneVersionResponse,
} from '../../schemas/scenes/scene.ts'
import { SceneTree, SceneTree3d } from '../../schemas/scenes/tree.ts'
import {
  SceneOperations3dRequest,
  SceneOperationsRequest,
  SceneOperationsResponse,
} from '../../schemas/scenes/write.ts'
import {
  ServiceHealth,
  ServiceIndex,
  ServiceLimits,
  ServiceStatus,
  ServiceVersion,
  StoreHealth,
} from '../../schemas/service.ts'
import { Body2d, MovingBody2d, RefShape, Shape2d, shapes } from '../../schemas/shapes2d.ts'
import { Body3d, BoxSize3d, CellSize3d, EllipsoidRadii3d, Shape3d, shapes3d } from '../../schemas/shapes3d.ts'
import { Quaternion, Vec2, Vec3 } from '../../schemas/vector.ts'

/** Parts of most other schemas in 2D; they refer to each other in a circle. */
const COMMON = [Vec2, ...shapes, RefShape, Shape2d, Body2d, MovingBody2d, ShapeFeature]

/** Parts of most other schemas in 3D. */
const COMMON_3D = [
  Vec3,
  Quaternion,
  BoxSize3d,
  EllipsoidRadii3d,
  CellSize3d,
  ...shapes3d,
  Shape3d,
  Body3d,
  Barycentric3d,
  ShapeFeature3d,
]

/** Schemas that come last, though some others refer to them. */
const GENERAL = [
  ProblemError,
  ProblemDetails,
  ProblemKind,
  ProblemList,
  ServiceStatus,
  ServiceHealth,
  StoreHealth,
  ServiceIndex,
  ServiceVersion,
  ServiceLimits,
]

/** Bodies of requests and answers. */
const ROOTS = [
  ...both(exchanges),
  BatchRequest,
  BatchResponse,
  SceneRequest,
  SceneDocument,
  SceneList,
  SceneBody,
  SceneBodyRequest,
  SceneBodyPatch,
  SceneBodyResponse,
  SceneBodyPutResponse,
  SceneVersionResponse,
  SceneBodyList,
  SceneOperationsRequest,
  SceneOperationsResponse,
  SceneImportResponse,
  SceneImport3dResponse,
  importProgress.line,
  SceneExport,
  SceneTree,
  GeoJsonFeatures,
  SceneFilter,
  ...both(sceneExchanges),
  SceneBatchRequest,
  SceneBatchResponse,
  SceneDocument3d,
  SceneList3d,
  SceneBody3d,
  SceneBody3dRequest,
  SceneBody3dPatch,
  SceneBody3dResponse,
  SceneBody3dList,
  SceneOperations3dRequest,
  SceneExport3d,
  SceneTree3d,
  ...both(sceneExchanges3d),
  SceneBatch3dRequest,
  SceneBatch3dResponse,
  ...both(exchanges3d),
  Batch3dRequest,
  Batch3dResponse,
  KeptShape,
  KeptShapeList,
  KeptShape3d,
  KeptShape3dList,
]

function both(list: readonly Exchange[]): TSchema[] {
  return list.flatMap(({ request, response, progress }) => [request, response, ...(progress ? [progress.line] : [])])
}

export const namedSchemas: readonly TSchema[] = [
  ...COMMON,
  ...COMMON_3D,
  ...behindTargets(ROOTS, [...COMMON, ...COMMON_3D, ...GENERAL]),
  ...GENERAL,
]

/** The schemas, each after those that it refers to, but for those that are known. */
function behindTargets(roots: readonly TSchema[], known: readonly TSchema[]): TSchema[] {
  const seen = new Set(known)
  const ordered: TSchema[] = []
  const follow = (schema: TSchema): void => {
    if (seen.has(schema)) return
    seen.add(schema)
    for (const name of targetNames(schema)) follow(referredTo(name))
    ordered.push(schema)
  }
  roots.forEach(follow)
  return ordered
}

/** The names in the references of a schema, in their order. */
function targetNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, inner]) => {
    if (field === '$ref') return [String(inner)]
    return field === 'examples' ? [] : targetNames(inner)
  })
}

/** The same, each under its `$id`. */
export const schemasByName = Object.fromEntries(namedSchemas.map((schema) => [schema.$id as string, schema]))
