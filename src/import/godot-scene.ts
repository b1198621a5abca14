/**
 * Scenes of Godot as trees of nodes: instanced and inherited scenes put in, and what the outer scene changes in them.
 *
 * Scenes and resources in files of their own are sent along; those that are missing leave a node that says so. A property keeps the file that
 * it comes from, by whose sections the resources that it names are found.
 */

import type { Vec2 } from '../../schemas/vector.ts'
import type { Suffix } from './gltf.ts'
import { GodotCall, type GodotSection, type GodotValue, readGodot } from './godot-text.ts'
import { baseName, fileNamed, ImportFault, isSent, type SourceFile, type SourceFiles } from './source-files.ts'

/** A value, and the file whose resources it names; of a model none. */
export interface Property {
  value: GodotValue
  file?: GodotFile
}

/** A node of a model, by its file. */
export interface GodotModelNode {
  source: SourceFile
  index: number
  suffix: Suffix | null
}

/** The nodes of a model, below one that stands for all of it. `count` is told of each. */
export type ModelTree = (source: SourceFile, count: () => void) => GodotNode

export interface GodotNode {
  name: string
  /** Empty where it is that of a scene which is missing. */
  type: string
  properties: Map<string, Property>
  groups: Set<string>
  children: Map<string, GodotNode>
  /** The file that it is an instance of, without its ending; null of none. */
  instanceOf: string | null
  /** The file that it would be an instance of, but which was not sent or is no scene; null of none. */
  missing: string | null
  /** What it is in the model that it belongs to; null of none. */
  model: GodotModelNode | null
}

export interface GodotResource {
  type: string
  properties: ReadonlyMap<string, GodotValue>
  file: GodotFile
}

/** Nodes of all scenes, instances counted as often as they come. */
const MOST_NODES = 2 ** 18
/** How deep scenes may lie in scenes, and nodes of a scene in each other. */
const MOST_INSTANCES = 64
const MOST_DEPTH = 256
/** Files of models by their names. */
export const MODEL = /\.(glb|gltf)$/i
/** Written by Godot 4; earlier ones call and count things otherwise. */
const LEAST_FORMAT = 3

/** A scene or a resource, by its sections. */
export class GodotFile {
  readonly name: string
  readonly head: GodotSection
  readonly nodes: readonly GodotSection[]
  /** Of a resource: its own properties. */
  readonly body: ReadonlyMap<string, GodotValue>
  readonly #outer = new Map<string, { type: string; path: string }>()
  readonly #inner = new Map<string, GodotResource>()

  constructor(file: SourceFile) {
    const sections = readGodot(file)
    const [head] = sections
    this.name = file.name
    if (head === undefined || !/^gd_(scene|resource)$/.test(head.tag)) {
      throw new ImportFault(
        'import-malformed',
        file.name,
        'It is no scene of Godot: it does not begin with [gd_scene].',
      )
    }
    const format = head.attributes.get('format')
    if (typeof format === 'number' && format < LEAST_FORMAT) {
      throw new ImportFault('import-malformed', file.name, 'It is of Godot 3 or earlier: open and save it in Godot 4.')
    }
    this.head = head
    this.nodes = sections.filter(({ tag }) => tag === 'node')
    this.body = sections.find(({ tag }) => tag === 'resource')?.properties ?? new Map()
    for (const { tag, attributes, properties } of sections) {
      const id = String(attributes.get('id'))
      const type = textOf(attributes.get('type'))
      if (tag === 'ext_resource') this.#outer.set(id, { type, path: textOf(attributes.get('path')) })
      if (tag === 'sub_resource') this.#inner.set(id, { type, properties, file: this })
    }
  }

  inner(id: string): GodotResource | undefined {
    return this.#inner.get(id)
  }

  outer(id: string): { type: string; path: string } | undefined {
    return this.#outer.get(id)
  }
}

function textOf(value: GodotValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

export class GodotFiles {
  readonly #files: SourceFiles
  readonly #read = new Map<SourceFile, GodotFile>()
  readonly #resources = new Map<GodotFile, GodotResource>()
  readonly #modelTree: ModelTree | null
  #count = 0

  /** `modelTree`: null where models are of no use. */
  constructor(files: SourceFiles, modelTree: ModelTree | null) {
    this.#files = files
    this.#modelTree = modelTree
  }

  /** The tree of the main scene. */
  tree(): GodotNode {
    return this.#build(this.#fileOf(this.#files.main), [])
  }

  /** The resource that a property names; a sentence where it is missing, null where it names none. */
  resource({ value, file }: Property): GodotResource | string | null {
    if (!(value instanceof GodotCall)) return null
    const id = String(value.given[0])
    if (value.name === 'SubResource') return file?.inner(id) ?? `The file has no resource ${JSON.stringify(id)}.`
    if (value.name !== 'ExtResource') return null
    const outer = file?.outer(id)
    if (outer === undefined) return `The file names no resource ${JSON.stringify(id)}.`
    const own = this.#sent(outer.path)
    if (own === null)
      return `It names the resource ${JSON.stringify(baseName(outer.path))}, which was not sent as text.`
    const known = this.#resources.get(own)
    const resource = known ?? { type: textOf(own.head.attributes.get('type')), properties: own.body, file: own }
    this.#resources.set(own, resource)
    return resource
  }

  /** Null: it was not sent, or is no text. */
  #sent(path: string): GodotFile | null {
    if (!/\.(tscn|tres)$/i.test(path) || !isSent(this.#files, path)) return null
    return this.#fileOf(fileNamed(this.#files, path, '', 'resource'))
  }

  #fileOf(source: SourceFile): GodotFile {
    const file = this.#read.get(source) ?? new GodotFile(source)
    this.#read.set(source, file)
    return file
  }

  /** `around`: the scenes that it is an instance in. */
  #build(file: GodotFile, around: readonly GodotFile[]): GodotNode {
    if (around.includes(file)) throw new ImportFault('import-malformed', file.name, 'It is an instance in itself.')
    if (around.length === MOST_INSTANCES) {
      throw new ImportFault('import-malformed', file.name, `Scenes lie in scenes more than ${MOST_INSTANCES} deep.`)
    }
    let root: GodotNode | null = null
    for (const section of file.nodes) {
      const where = `${file.name}, line ${section.line}`
      const parent = section.attributes.get('parent')
      if (root === null) {
        if (parent !== undefined) throw new ImportFault('import-malformed', where, 'The first node has no parent.')
        root = this.#nodeOf(section, file, around, where)
      } else {
        const holder = this.#nodeAt(root, textOf(parent), where)
        if (holder === null) {
          throw new ImportFault(
            'import-malformed',
            where,
            `There is no node ${JSON.stringify(shortened(textOf(parent)))}.`,
          )
        }
        this.#add(holder, section, file, around, where)
      }
    }
    if (root === null) throw new ImportFault('import-malformed', file.name, 'It has no node.')
    return root
  }

  #add(holder: GodotNode, section: GodotSection, file: GodotFile, around: readonly GodotFile[], where: string): void {
    const name = textOf(section.attributes.get('name'))
    const known = holder.children.get(name)
    const { attributes } = section
    const isChange = ['type', 'instance', 'instance_placeholder'].every((key) => attributes.get(key) === undefined)
    if (known !== undefined && isChange) change(known, section, file)
    else holder.children.set(name, this.#nodeOf(section, file, around, where))
  }

  #nodeOf(section: GodotSection, file: GodotFile, around: readonly GodotFile[], where: string): GodotNode {
    this.#countNode(where)
    const path = instancePath(section, file)
    const tree = path === null ? null : this.#instance(path, [...around, file], where)
    const name = textOf(section.attributes.get('name'))
    const node: GodotNode =
      tree !== null && path !== null
        ? { ...tree, name, instanceOf: baseName(path).replace(/\.[^.]*$/, '') }
        : {
            name,
            type: textOf(section.attributes.get('type')),
            properties: new Map(),
            groups: new Set(),
            children: new Map(),
            instanceOf: null,
            missing: path,
            model: null,
          }
    change(node, section, file)
    return node
  }

  /** The nodes of a scene or a model that was sent; null of others. */
  #instance(path: string, around: readonly GodotFile[], where: string): GodotNode | null {
    const scene = this.#sent(path)
    if (scene !== null) return this.#build(scene, around)
    if (this.#modelTree === null || !MODEL.test(path) || !isSent(this.#files, path)) return null
    return this.#modelTree(fileNamed(this.#files, path, '', 'model'), () => this.#countNode(where))
  }

  /** Null where there is none. What lies in a missing scene is made up, and what Godot puts below a node of a model. */
  #nodeAt(root: GodotNode, path: string, where: string): GodotNode | null {
    if (path === '.') return root
    const names = path.split('/', MOST_DEPTH + 1)
    if (names.length > MOST_DEPTH) {
      throw new ImportFault('import-malformed', where, `Nodes lie in nodes more than ${MOST_DEPTH} deep.`)
    }
    let node = root
    let isMissing = root.missing !== null || root.model !== null
    for (const name of names) {
      let next = node.children.get(name)
      if (next === undefined) {
        if (!isMissing) return null
        this.#countNode(where)
        next = {
          ...node,
          name,
          type: '',
          properties: new Map(),
          groups: new Set(),
          children: new Map(),
          instanceOf: null,
          model: null,
        }
        node.children.set(name, next)
      }
      isMissing ||= next.missing !== null || next.model !== null
      node = next
    }
    return node
  }

  #countNode(where: string): void {
    if (++this.#count <= MOST_NODES) return
    throw new ImportFault('import-malformed', where, `With its instances it has more than ${MOST_NODES} nodes.`)
  }
}

/** The scene that a node is an instance of; null of none. */
function instancePath({ attributes }: GodotSection, file: GodotFile): string | null {
  const placeholder = attributes.get('instance_placeholder')
  if (typeof placeholder === 'string') return placeholder
  const instance = attributes.get('instance')
  if (!(instance instanceof GodotCall)) return null
  return file.outer(String(instance.given[0]))?.path ?? String(instance.given[0])
}

function change(node: GodotNode, { attributes, properties }: GodotSection, file: GodotFile): void {
  for (const [name, value] of properties) node.properties.set(name, { value, file })
  const groups = attributes.get('groups')
  if (Array.isArray(groups)) for (const group of groups) if (typeof group === 'string') node.groups.add(group)
}

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`
}

// Values of properties as what they should be. What is not is a fault of its node, which is left out.

/** Why a node cannot be taken. */
export class NodeFault extends Error {}

export type Properties = ReadonlyMap<string, GodotValue>

export function numberOf(properties: Properties, name: string, fallback: number): number {
  const value = properties.get(name) ?? fallback
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new NodeFault(`Its ${name} is not a number that can be taken.`)
}

/** A constructor of one of the names with only numbers; as many as `count`, if that is given. */
export function numbersOf(
  properties: Properties,
  name: string,
  call: RegExp,
  count?: number,
): readonly number[] | null {
  const value = properties.get(name)
  if (value === undefined || value === null) return null
  if (value instanceof GodotCall && call.test(value.name) && (count === undefined || value.given.length === count)) {
    if (value.given.every((each) => typeof each === 'number' && Number.isFinite(each))) return value.given as number[]
  }
  throw new NodeFault(`Its ${name} is not what it should be, or has numbers that cannot be taken.`)
}

export function valuesOf(node: GodotNode): Properties {
  const values = new Map<string, GodotValue>()
  for (const [name, { value }] of node.properties) values.set(name, value)
  return values
}

export function planeVector(properties: Properties, name: string): Vec2 | null {
  const given = numbersOf(properties, name, /^Vector2i?$/, 2)
  return given && { x: given[0], y: given[1] }
}

export function planePoints(properties: Properties, name: string): Vec2[] {
  const given = numbersOf(properties, name, /^PackedVector2Array$/) ?? []
  if (given.length % 2 !== 0) throw new NodeFault(`Its ${name} are not pairs of numbers.`)
  return Array.from({ length: given.length / 2 }, (_, k) => ({ x: given[2 * k], y: given[2 * k + 1] }))
}

/** Whether the place of a node is one of that dimension: its class may be one that nobody knows. */
export function isOfDimension({ properties }: GodotNode, dimension: 2 | 3): boolean {
  return ['transform', 'position', 'scale'].some((name) => {
    const value = properties.get(name)?.value
    return (
      value instanceof GodotCall && (value.name === `Transform${dimension}D` || value.name === `Vector${dimension}`)
    )
  })
}
