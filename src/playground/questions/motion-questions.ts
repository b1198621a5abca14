// Questions about bodies that move: time-of-impact, trajectory, bounds.

import { positionOf, type Sketch, type SketchBody } from '../sketch/sketch.ts'
import { digits } from '../sketch/vector.ts'
import type { Mark } from './mark.ts'
import { type Answer, after, type Choice, chosen, couple, moving, others, type Question, subject } from './question.ts'

const DURATION: Choice = { key: 'duration', label: 'duration', initial: 2 }
const durationOf = (sketch: Sketch) => Number(chosen(sketch, [DURATION]).duration)

/** The way of a body that bounces; `body` gives the ghost at the end. */
export function bounceMarks({ bounces, end }: Answer, body: SketchBody): Mark[] {
  let at = positionOf(body)
  let time = 0
  let velocity = body.velocity ?? { x: 0, y: 0 }
  const way = [at]
  const marks: Mark[] = []
  for (const bounce of bounces) {
    const passed = bounce.time - time
    at = { x: at.x + velocity.x * passed, y: at.y + velocity.y * passed }
    way.push(at)
    marks.push({ kind: 'point', at: bounce.point, label: `${digits(bounce.time)} s` })
    marks.push({ kind: 'normal', at: bounce.point, along: bounce.normal })
    marks.push({ kind: 'ghost', name: 'bounce', body: { ...body, position: at } })
    time = bounce.time
    velocity = bounce.velocityAfter
  }
  marks.unshift({ kind: 'line', name: 'path', points: [...way, end.position] })
  marks.push({ kind: 'ghost', name: 'end', body: { ...body, position: end.position }, label: `${digits(end.time)} s` })
  return marks
}

/** Two moving bodies at the instant of their impact. */
export function impactMarks({ time, normal, pointA }: Answer, bodies: readonly SketchBody[]): Mark[] {
  const marks: Mark[] = bodies
    .filter(({ velocity, angularVelocity }) => velocity || angularVelocity)
    .map((body) => ({ kind: 'ghost', name: 'impact', body: after(body, time) }))
  if (pointA) marks.push({ kind: 'point', at: pointA, label: `${digits(time)} s` })
  if (pointA && normal) marks.push({ kind: 'normal', at: pointA, along: normal })
  return marks
}

const timeOfImpact: Question = {
  name: 'time-of-impact',
  title: 'Time of impact',
  hint: 'Drag the tips of the velocities: when do the first two bodies touch? Ghosts stand where they do.',
  choices: [DURATION],
  moves: true,
  ask(sketch) {
    const bodies = couple(sketch)
    if (bodies === null) return null
    const [a, b] = bodies
    return { path: '/v1/2d/time-of-impact', body: { a: moving(a), b: moving(b), duration: durationOf(sketch) } }
  },
  says: ({ hit, time, exitTime }) =>
    hit ? `impact after ${digits(time)} s, apart again after ${digits(exitTime)} s` : 'no impact',
  marks(answer, sketch) {
    const bodies = couple(sketch)!
    if (answer.hit) return impactMarks(answer, bodies)
    return bodies.map((body) => ({ kind: 'ghost', name: 'end', body: after(body, durationOf(sketch)) }))
  },
}

const RESTITUTION: Choice = { key: 'restitution', label: 'restitution', initial: 1 }
const BOUNCES: Choice = { key: 'maxBounces', label: 'max bounces', initial: 20 }

const trajectory: Question = {
  name: 'trajectory',
  title: 'Trajectory',
  hint: 'Drag the velocity of the selected body: which way does it take as it bounces off the others?',
  choices: [DURATION, RESTITUTION, BOUNCES],
  moves: true,
  ask(sketch) {
    const body = subject(sketch)
    if (body === undefined) return null
    const obstacles = others(sketch).map(moving)
    const { duration, restitution, maxBounces } = chosen(sketch, [DURATION, RESTITUTION, BOUNCES])
    return { path: '/v1/2d/trajectory', body: { body: moving(body), obstacles, duration, restitution, maxBounces } }
  },
  says: ({ bounces, end, status }) => `${bounces.length} bounces, ${status} after ${digits(end.time)} s`,
  marks: (answer, sketch) => bounceMarks(answer, subject(sketch)!),
}

const bounds: Question = {
  name: 'bounds',
  title: 'Bounds',
  hint: 'The box of the selected body, or of all it covers while it moves.',
  choices: [DURATION],
  moves: true,
  ask(sketch) {
    const body = subject(sketch)
    return body === undefined
      ? null
      : { path: '/v1/2d/bounds', body: { body: moving(body), duration: durationOf(sketch) } }
  },
  says: ({ min, max }) => `x ${digits(min.x)} to ${digits(max.x)}, y ${digits(min.y)} to ${digits(max.y)}`,
  marks({ min, max }, sketch) {
    const body = subject(sketch)!
    return [
      { kind: 'box', min, max },
      { kind: 'ghost', name: 'end', body: after(body, durationOf(sketch)) },
    ]
  },
}

export const motionQuestions: readonly Question[] = [timeOfImpact, trajectory, bounds]
