// Maps of Tiled in JSON, to be written in few words.

import { bodiesOf, type Files, imported, type TakenBody } from './imported.ts'

export const text = (value: object): string => JSON.stringify(value)

export const map = (more: object) => ({
  orientation: 'orthogonal',
  width: 4,
  height: 4,
  tilewidth: 16,
  tileheight: 16,
  layers: [],
  tilesets: [],
  ...more,
})

export const objects = (...list: object[]) => ({
  type: 'objectgroup',
  name: 'Things',
  objects: list.map((each, k) => ({ id: k + 1, x: 0, y: 0, ...each })),
})

export const tile = (id: number, ...collisions: object[]) => ({
  id,
  objectgroup: { objects: collisions.map((each, k) => ({ id: k, x: 0, y: 0, ...each })) },
})

export const tileset = (more: object, ...tiles: object[]) => ({
  firstgid: 1,
  name: 'Set',
  tilewidth: 16,
  tileheight: 16,
  tiles,
  ...more,
})

/** A layer of four columns. */
export const cells = (data: unknown, more: object = {}) => ({
  type: 'tilelayer',
  name: 'Ground',
  width: 4,
  height: Array.isArray(data) ? data.length / 4 : 2,
  data,
  ...more,
})

export const FLIP_X = 0x80000000
export const FLIP_Y = 0x40000000
export const DIAGONAL = 0x20000000
export const TURN_120 = 0x10000000

export const taken = (files: Files, merge = true) => imported(files, { format: 'tiled', merge })
export const takenMap = (more: object, merge = true) => taken({ 'a.tmj': text(map(more)) }, merge)
export const onlyBody = (more: object): TakenBody => bodiesOf(takenMap(more))[0]!
