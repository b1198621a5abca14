// Walks through a level of LibreQuake from where its players start: never inside a brush, and nothing on a level floor holds them.
// `TANGENT_RUNS=10` makes 10,000 moves by each character, in some minutes.

import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createItemList } from '../../../src/containers/item-list.ts'
import { relate } from '../../../src/core3d/queries/overlap.ts'
import { type Body, POSITION } from '../../../src/core3d/shape/body.ts'
import { queryShapeCast } from '../../../src/scene/queries/shape-cast.ts'
import { SPACE } from '../../../src/scene/state/geometry.ts'
import type { SceneBody } from '../../../src/scene/state/operation.ts'
import { bodiesInBox, bodyAt, idAt } from '../../../src/scene/state/view.ts'
import { bodiesOf, imported } from '../../import/imported.ts'
import { finished } from '../../support/answers/finished.ts'
import { seededRandom } from '../../support/families/box-sets.ts'
import { runCount, seed } from '../../support/runs.ts'
import { type Asked, characterAt, move, type SpaceView, type Triple, viewOf } from './space-walks.ts'

const LEVEL = '../shared/data/quake/librequake-e3m4.map'

/** As large as the player of Quake, whose steps are 18 high, and slopes as steep as their normals rise by 0.7. */
const CHARACTERS = [
  ['a box', { type: 'box', size: { x: 32, y: 32, z: 56 } }],
  ['a capsule', { type: 'capsule', a: { x: 0, y: 0, z: -12 }, b: { x: 0, y: 0, z: 12 }, radius: 16 }],
  ['a cylinder', { type: 'cylinder', radius: 16, height: 56, axis: 'z' }],
] as const
const climb = { up: [0, 0, 1], least: 0.7 }
const WALKING: Asked = { climb, footing: { ...climb, stepHeight: 18, snap: 18 }, maxSlides: 8 }
const MOVES_PER_START = 50

interface Level {
  view: SpaceView
  starts: Triple[]
}

function readLevel(): Level {
  const bodies = bodiesOf(imported({ 'level.map': readFileSync(LEVEL, 'utf8') }, { format: 'map', dimension: 3 }))
  const has = (body: { tags?: readonly string[] }, tag: RegExp) => body.tags?.some((each) => tag.test(each)) === true
  const solid = bodies.filter((body) => has(body, /^kind:brush$/) && !has(body, /^class:(trigger_|func_detail_illus)/))
  const starts = bodies.filter((body) => has(body, /^class:info_(player_|teleport_destination)/))
  return {
    view: viewOf(solid.map(({ data: _, ...body }) => body as unknown as SceneBody)),
    starts: starts.map(({ data }) =>
      JSON.parse(data as string)
        .origin.split(' ')
        .map(Number),
    ),
  }
}

const near = createItemList()
const box = new Float64Array(6)

/** The ids of the brushes that a body is in, each decided by itself. */
function insideOf(view: SpaceView, body: Body): string[] {
  SPACE.measureOuterBox(body, box, 0)
  bodiesInBox(view, box, near)
  const slots = near.items.slice(0, near.count)
  return [...slots].filter((slot) => relate(bodyAt(view, slot), body) < 0).map((slot) => idAt(view, slot))
}

/** Lifted a little off the floor, how far the shape comes; null where there is no room for that. */
function lengthWithoutFloor(view: SpaceView, shape: object, [x, y, z]: Triple, [vx, vy]: Triple): number | null {
  const { body } = characterAt(shape, [x, y, z + 2 ** -8])
  if (insideOf(view, body).length > 0) return null
  const motion = { ...SPACE.createMotion(), vx, vy }
  const cast = { mode: 'closest', ignoreSeparating: true, want: 'time', accepts: () => true, limit: 1 } as const
  const [first] = finished(queryShapeCast(view, { body, motion, ...cast })).hits
  return Math.hypot(vx, vy) * (first?.hit.time ?? 1)
}

const level = existsSync(LEVEL) ? readLevel() : null

it.skipIf(level === null).each(CHARACTERS)(
  '%s walks through a level of LibreQuake',
  (_name, shape) => {
    const { view, starts } = level as Level
    const random = seededRandom(seed())
    const moves = runCount(1000)
    let floors = 0
    let length = 0
    for (let done = 0; done < moves; ) {
      const [x, y, z] = starts[Math.floor(starts.length * random())]
      // players stand 24 over the floor, their middle 28
      const character = characterAt(shape, [x, y, z + 4])
      const { body } = character
      let angle = 2 * Math.PI * random()
      for (let k = 0; k < MOVES_PER_START && done < moves; k++, done++) {
        if (random() < 0.2) angle = random() < 0.5 ? (Math.PI / 2) * Math.floor(4 * random()) : 2 * Math.PI * random()
        const reach = 2 ** (1 + 6 * random())
        const fall = random() < 0.5 ? 0 : random() < 0.1 ? 30 : -8
        const translation: Triple = [reach * Math.cos(angle), reach * Math.sin(angle), fall]
        const from = [...body.numbers.subarray(POSITION, POSITION + 3)]
        const { end, path, ground, status } = move(view, character, translation, WALKING)
        const note = JSON.stringify({ from, translation, path, status })
        expect(insideOf(view, body), note).toEqual([])
        length += Math.hypot(end[0] - from[0], end[1] - from[1])
        if (ground === null || ground.normal[2] !== 1 || k % 2 > 0) continue
        const along: Triple = [128 * Math.cos(angle), 128 * Math.sin(angle), 0]
        const free = lengthWithoutFloor(view, shape, end, along)
        if (free === null) continue
        floors++
        const { end: reached } = move(view, characterAt(shape, end), along, { maxSlides: 0 })
        expect(Math.hypot(reached[0] - end[0], reached[1] - end[1]), note).toBeGreaterThan(free - 0.1)
      }
    }
    console.log(`${moves} moves, ${length.toFixed()} units far, ${floors} along a level floor`)
    expect(length).toBeGreaterThan(5 * moves)
    expect(floors).toBeGreaterThan(moves / 20)
  },
  3_600_000,
)
