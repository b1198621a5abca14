// Moves that the scene itself decides: a body walks as far as it lets it, and falls until it rests. Both are written.

import type { Desk } from './desk.ts'
import { byId, notice } from './page-elements.ts'
import { scenePath } from './scene-session.ts'
import { call, latestCall, problemText } from './service.ts'
import { questionOf } from './sketch/all-questions.ts'
import { subject } from './sketch/question.ts'
import { bodyOf, withBody } from './sketch/sketch.ts'
import { times, type Vec } from './sketch/vector.ts'

/** Lengths that one press walks. */
const STRIDE = 0.5

interface Walking {
  /** False where nothing walks; `by`: of length 1, world frame. */
  walk(by: Vec): boolean
  /** Down the screen. False where nothing can fall. */
  fall(): boolean
}

/** `down`: the way that bodies fall, of length 1. */
export function createWalking(desk: Desk, down: () => Vec): Walking {
  const step = latestCall(
    ({ scene, id, translation }: { scene: string; id: string; translation: Vec }) =>
      call({ path: `${scenePath(scene)}/move`, body: { bodyId: id, translation } }),
    ({ scene, id }, reply) => {
      const body = bodyOf(desk.sketch, id)
      if (!reply.ok) notice(problemText(reply))
      else if (body && desk.sketch.scene === scene)
        desk.commit(withBody(desk.sketch, { ...body, position: reply.value.position }))
    },
  )
  const land = latestCall(
    ({ scene, id, direction }: { scene: string; id: string; direction: Vec }) =>
      call({ path: `${scenePath(scene)}/drop`, body: { bodyId: id, direction } }),
    ({ scene, id }, reply) => {
      const body = bodyOf(desk.sketch, id)
      if (!reply.ok) notice(problemText(reply))
      else if (reply.value.position === null) notice(`${id} does not fall: ${reply.value.status}`)
      else if (body && desk.sketch.scene === scene)
        desk.commit(withBody(desk.sketch, { ...body, position: reply.value.position }))
    },
  )
  const walks = () => desk.sketch.scene !== null && questionOf(desk.sketch).name === 'scene move'

  const walking: Walking = {
    walk(by) {
      const { sketch } = desk
      const body = subject(sketch)
      if (sketch.scene === null || body === undefined || !walks()) return false
      step({ scene: sketch.scene, id: body.id, translation: times(by, STRIDE) })
      return true
    },
    fall() {
      const { scene, selected } = desk.sketch
      if (scene === null || selected === null) return false
      land({ scene, id: selected, direction: down() })
      return true
    },
  }
  const drop = byId<HTMLButtonElement>('drop')
  drop.addEventListener('click', walking.fall)
  // for fingers, which have no arrow keys
  const pad = byId('pad')
  for (const button of pad.querySelectorAll<HTMLButtonElement>('button:not(#jump)'))
    button.addEventListener('click', () => {
      const [x, y] = button.value.split(' ').map(Number) as [number, number]
      walking.walk({ x, y: -y * Math.sign(down().y) })
    })
  const update = () => {
    drop.hidden = desk.sketch.scene === null
    drop.disabled = desk.sketch.selected === null
    pad.hidden = !walks()
  }
  desk.onChange(update)
  update()
  return walking
}
