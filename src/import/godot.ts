/**
 * Scenes of Godot 4: collision shapes and polygons as bodies, where their nodes lie, in the plane or in space.
 *
 * Each `CollisionShape` and `CollisionPolygon` is a body. Its class, its groups and its layers of collision are those of the collision object
 * that it belongs to: they become tags, areas become sensors, metadata become data. Every other node that has none of these
 * below it is listed. Frame: that of the scene: of the plane pixels with y down, of space metres with y up.
 */

import type { MovingBody2d } from '../../schemas/shapes2d.ts'
import type { MovingBody3d } from '../../schemas/shapes3d.ts'
import { type Drawing, type Drawn, draw, skip } from './drawing.ts'
import type { GltfAround } from './gltf.ts'
import type { GodotModels } from './godot-models.ts'
import {
  GodotFiles as Files,
  type GodotFiles,
  type GodotModelNode,
  type GodotNode,
  MODEL,
  NodeFault,
  numberOf,
  type Properties,
  valuesOf,
} from './godot-scene.ts'
import { GodotCall, type GodotValue } from './godot-text.ts'
import { ImportFault, type SourceFiles } from './source-files.ts'

/** What a dimension makes of nodes. `Map`: from the frame of a node into that of the scene. */
export interface GodotSpace<Moving extends MovingBody2d | MovingBody3d, Map> {
  readonly identity: Map
  /** Its collision objects, shapes and tile maps; those of the other dimension. */
  readonly objects: RegExp
  readonly shapes: RegExp
  readonly others: RegExp
  /** The map of a node in one with the map. */
  placed(node: GodotNode, around: Map): Map
  /** The body of a node that `shapes` names; a sentence where it has none. */
  bodyOf(node: GodotNode, map: Map, files: GodotFiles): Moving | string
  /** Draws a node of another kind that has bodies of its own, or says why not; null where it is of no such kind. */
  drawMany?(node: GodotNode, map: Map, run: GodotRun<Moving>, place: NodePlace): string | true | null
  /** Models that its nodes are instances of; absent where they have no use. */
  models?(files: SourceFiles, drawing: Drawing<Moving>): ModelDrawer<Map>
}

/** What takes models apart, and draws a node of one where the map puts it. */
export interface ModelDrawer<Map> extends Pick<GodotModels, 'tree'> {
  draw(node: GodotModelNode, map: Map, around: GltfAround, path: string, where: string): boolean
}

export interface GodotRun<Moving> {
  drawing: Drawing<Moving>
  files: GodotFiles
  /** Whether solid cells of tile maps are joined. */
  isMerged: boolean
}

/** How nodes may lie in each other, with those of instances. */
const MOST_DEPTH = 1024
const MOST_LAYERS = 32

/** What the bodies of a node have in common. */
export interface NodePlace {
  /** The name of the outermost node. */
  layer: string
  /** Names of the nodes that it lies in below the outermost one, and its own. */
  path: string
  isHidden: boolean
  tags: readonly string[]
  data: Record<string, unknown>
  isSensor: boolean
  where: string
}

interface Around<Map> {
  map: Map
  path: string
  depth: number
  isHidden: boolean
  object: GodotNode | null
  instance: string | null
}

export function importGodot<Moving extends MovingBody2d | MovingBody3d, Map>(
  sources: SourceFiles,
  space: GodotSpace<Moving, Map>,
  isMerged: boolean,
  drawing: Drawing<Moving>,
): void {
  const models = space.models?.(sources, drawing) ?? null
  const files = new Files(sources, models && ((source, count) => models.tree(source, count)))
  const root = files.tree()
  const run = { drawing, files, isMerged }
  const start = { map: space.identity, path: '', depth: 0, isHidden: false, object: null, instance: null }
  visit(root, start)

  /** Whether anything of it, or below it, is a body or listed. */
  function visit(node: GodotNode, around: Around<Map>): boolean {
    if (around.depth > MOST_DEPTH) {
      throw new ImportFault('import-malformed', around.path.slice(0, 200), `Nodes lie more than ${MOST_DEPTH} deep.`)
    }
    const path = around.depth === 0 ? '' : around.path === '' ? node.name : `${around.path}/${node.name}`
    const where = path === '' ? node.name : path
    let inside: Around<Map>
    let isSaid = false
    try {
      inside = {
        map: space.placed(node, around.map),
        path,
        depth: around.depth + 1,
        isHidden: around.isHidden || node.properties.get('visible')?.value === false,
        object: space.objects.test(node.type) ? node : around.object,
        instance: node.instanceOf ?? around.instance,
      }
      isSaid = drawNode(node, inside, where)
    } catch (error) {
      if (!(error instanceof NodeFault)) throw error
      skip(drawing, where, node.type || 'node', `${error.message} What lies below it is left out, too.`)
      return true
    }
    if (node.missing !== null) {
      skip(drawing, where, 'instance', missingScene(node.missing, models !== null))
      isSaid = true
    }
    for (const child of node.children.values()) isSaid = visit(child, inside) || isSaid
    if (!isSaid) skip(drawing, where, node.type || 'node', reasonOf(node))
    return true
  }

  function drawNode(node: GodotNode, inside: Around<Map>, where: string): boolean {
    if (node.model !== null && models !== null) return drawModel(node, node.model, inside, where)
    const isShape = space.shapes.test(node.type)
    if (!isShape && space.drawMany === undefined) return false
    const place = placeOf(node, inside, where)
    if (!isShape) {
      const drawn = space.drawMany?.(node, inside.map, run, place) ?? null
      if (typeof drawn === 'string') skip(drawing, where, node.type, drawn)
      return drawn !== null
    }
    const body = space.bodyOf(node, inside.map, files)
    if (typeof body === 'string') skip(drawing, where, node.type, body)
    else drawPlaced(drawing, place, body)
    return true
  }

  function drawModel(node: GodotNode, model: GodotModelNode, inside: Around<Map>, where: string): boolean {
    // what collides is a static body of its own, whatever it lies in
    const isCollider = model.suffix !== null
    const { tags, ...place } = placeOf(node, isCollider ? { ...inside, object: null } : inside, where)
    const own = isCollider ? ['class:StaticBody3D', `name:${node.name}`, ...collisionTags(new Map())] : []
    const key = place.path === '' ? 'root' : place.path
    return models?.draw(model, inside.map, { ...place, tags: [...own, ...tags] }, key, where) ?? false
  }

  function placeOf(node: GodotNode, { path, isHidden, object, instance }: Around<Map>, where: string): NodePlace {
    const holder = object ?? node
    const isDisabled = node.properties.get('disabled')?.value === true
    const isOneWay = node.properties.get('one_way_collision')?.value === true
    const tags = [
      ...(object === null ? [] : [`class:${object.type}`, `name:${object.name}`]),
      ...(instance === null ? [] : [`scene:${instance}`]),
      ...[...new Set([...holder.groups, ...node.groups])].map((group) => `group:${group}`),
      ...(object === null ? [] : collisionTags(valuesOf(object))),
      ...(isDisabled ? ['disabled'] : []),
      ...(isOneWay ? ['one-way'] : []),
    ]
    const data = { ...metadataOf(holder), ...metadataOf(node) }
    return { layer: root.name, path, isHidden, tags, data, isSensor: /^Area[23]D$/.test(holder.type), where }
  }

  function reasonOf({ type, missing }: GodotNode): string {
    if (space.others.test(type)) {
      return `Collision shapes of the ${space.others.test('CollisionShape3D') ? 'space' : 'plane'} go into scenes of that dimension.`
    }
    if (type === '')
      return missing === null
        ? 'It is no node of a scene or a model that was sent.'
        : missingScene(missing, models !== null)
    return space.objects.test(type)
      ? 'It has no collision shape.'
      : `Nodes of the type ${type.slice(0, 60)} have no collision shape.`
  }
}

function missingScene(path: string, isSpace: boolean): string {
  const name = JSON.stringify(path.slice(path.lastIndexOf('/') + 1))
  if (isSpace && MODEL.test(path))
    return `It is an instance of the model ${name}, which was not sent: add it to the request as a further file.`
  return /\.(tscn|scn)$/i.test(path)
    ? `It is an instance of ${name}, which was not sent as text.`
    : `It is an instance of ${name}, which is no text scene: only what the scene adds to it is taken.`
}

export function drawPlaced<Moving extends MovingBody2d | MovingBody3d>(
  drawing: Drawing<Moving>,
  { layer, path, isHidden, tags, data, isSensor, where }: NodePlace,
  body: Moving,
): void {
  draw(drawing, {
    layer,
    key: path === '' ? 'root' : path,
    kind: 'node',
    ...body,
    isHidden,
    tags,
    data,
    where,
    ...(isSensor && { sensor: true }),
  } as Drawn<Moving>)
}

/** Tags of the layers that a collision object is in, and of those that it scans; `all` stands for more of these than a body has room for. */
export function collisionTags(properties: Properties, prefix = ''): string[] {
  const layers = layersOf(numberOf(properties, `${prefix}collision_layer`, 1))
  const masks = layersOf(numberOf(properties, `${prefix}collision_mask`, 1))
  return [
    ...layers.map((layer) => `collision-layer:${layer}`),
    ...(masks.length === MOST_LAYERS ? ['all'] : masks).map((layer) => `collision-mask:${layer}`),
  ]
}

/** Numbers of the bits that are set, from 1. */
function layersOf(bits: number): number[] {
  const isSet = (layer: number) => Math.floor(bits / 2 ** (layer - 1)) % 2 === 1
  return Array.from({ length: MOST_LAYERS }, (_, k) => k + 1).filter(isSet)
}

function metadataOf({ properties }: GodotNode): Record<string, unknown> {
  const named = [...properties].filter(([name]) => name.startsWith('metadata/') && !name.startsWith('metadata/_'))
  return Object.fromEntries(named.map(([name, { value }]) => [name.slice('metadata/'.length), plainValue(value)]))
}

/** As JSON has it. */
function plainValue(value: GodotValue): unknown {
  if (value instanceof GodotCall) return { type: value.name, values: value.given.map(plainValue) }
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plainValue(each)]))
  if (Array.isArray(value)) return value.map(plainValue)
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
