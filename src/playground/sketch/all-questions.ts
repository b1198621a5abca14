// Every question that can be asked here.

import { filterOf, shownBodies } from './legend.ts'
import {
  type Answer,
  type Asked,
  after,
  type Choice,
  chosen,
  type Mark,
  pathOf,
  type Question,
  rayHandles,
  SETTLE,
  subject,
  vectorHandles,
} from './question.ts'
import { bodyOf, poseOf, positionOf, type Sketch, type SketchBody, withBody } from './sketch.ts'
import { atCandidate, candidateMarks, candidateText } from './snapping.ts'
import {
  bounceMarks,
  castMarks,
  contactMarks,
  gapMarks,
  rayMarks,
  saysHits,
  statelessQuestions,
} from './stateless-questions.ts'
import { digits, lengthOf, pair, type Vec } from './vector.ts'

export const questionsFor = ({ scene, dimension }: Sketch): readonly Question[] =>
  (scene === null ? statelessQuestions : sceneQuestions).filter(({ only = dimension }) => only === dimension)

/** The first one where the sketch names none that it may. */
export function questionOf(sketch: Sketch): Question {
  const questions = questionsFor(sketch)
  return questions.find(({ name }) => name === sketch.question) ?? questions[0]!
}

// Questions about the bodies of a scene, which the service holds. What is dragged is asked about where it is now: `bodyId` and `pose`.

const idIn = ({ id }: Answer): string => id
const about = (sketch: Sketch, name: string, body: object): Asked => ({
  path: pathOf(sketch, `scenes/${encodeURIComponent(sketch.scene ?? '')}/${name}`),
  body: { ...filterOf(sketch), ...body },
})

/** The subject where it is drawn. */
const posed = (body: SketchBody) => ({ bodyId: body.id, pose: poseOf(body) })

/** A question about the subject; `more`: what else it takes. */
function aboutBody(
  name: string,
  texts: { title: string; hint: string; choices?: readonly Choice[]; moves?: boolean },
  more: (sketch: Sketch, body: SketchBody) => object,
  answer: Pick<Question, 'says' | 'marks' | 'handles' | 'settle'>,
): Question {
  return {
    name: `scene ${name}`,
    choices: [],
    ...texts,
    ...answer,
    ask(sketch) {
      const body = subject(sketch)
      return body === undefined ? null : about(sketch, name, { ...posed(body), ...more(sketch, body) })
    },
  }
}

const highlights = (ids: readonly string[]): Mark[] => ids.map((id) => ({ kind: 'highlight', id }))
const idsOf = (list: Answer[]): string[] => list.map(idIn)
const named = (ids: string[]): string =>
  ids.length === 0 ? 'nothing' : `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' …' : ''}`

/** Bodies that took part, the touch and the normal of each. */
const touches = (contacts: Answer[]): Mark[] =>
  contacts.flatMap(({ id, point, normal }: Answer): Mark[] => [
    { kind: 'highlight', id },
    { kind: 'point', at: point, label: id },
    { kind: 'normal', at: point, along: normal },
  ])

const overlap = aboutBody(
  'overlap',
  { title: 'Overlap', hint: 'Drag a body: what does it meet, how deep, and what parts them?' },
  () => ({ contacts: true }),
  {
    says: ({ bodies }) => `meets ${named(idsOf(bodies))}`,
    marks: ({ bodies }) => bodies.flatMap(({ id, contact }: Answer) => [...highlights([id]), ...contactMarks(contact)]),
  },
)

const COUNT: Choice = { key: 'count', label: 'count', initial: 3 }

const nearest = aboutBody(
  'nearest',
  { title: 'Nearest', hint: 'Drag a body: which bodies are nearest to it?', choices: [COUNT] },
  (sketch) => chosen(sketch, [COUNT]),
  {
    says: ({ bodies }) => bodies.map(({ id, distance }: Answer) => `${id} ${digits(distance)}`).join(', ') || 'none',
    marks: ({ bodies }) =>
      bodies.flatMap((near: Answer) => [...highlights([near.id]), ...gapMarks(near, bodies.length === 1)]),
  },
)

const MODE: Choice = { key: 'mode', label: 'mode', among: ['closest', 'any', 'all'], initial: 'all' }

const rayCast: Question = {
  name: 'scene ray-cast',
  title: 'Ray cast',
  hint: 'Drag the tail and the tip of the ray: which bodies of the scene does it hit?',
  choices: [MODE],
  ask(sketch) {
    const ray = { ...sketch.ray, maxDistance: lengthOf(sketch.ray.direction) }
    return about(sketch, 'ray-cast', { ray, ...chosen(sketch, [MODE]) })
  },
  says: ({ hits }) => saysHits(hits, idIn),
  marks: ({ hits }, { ray }) => rayMarks(hits, ray, idIn),
  handles: rayHandles,
}

const shapeCast = aboutBody(
  'shape-cast',
  { title: 'Shape cast', hint: 'The selected body goes along the arrow: what does it meet?', choices: [MODE] },
  (sketch) => ({ translation: sketch.translation, ...chosen(sketch, [MODE]) }),
  {
    says: ({ hits }) => saysHits(hits, idIn),
    marks: ({ hits }, sketch) => castMarks(hits, sketch, 0, idIn),
    handles: (sketch) => vectorHandles(sketch, 'translation'),
  },
)

/** A line between two bodies of the scene. */
function coupleMarks({ a, b }: Answer, sketch: Sketch): Mark[] {
  const [p, q] = [bodyOf(sketch, a), bodyOf(sketch, b)]
  if (!p || !q) return []
  return [...highlights([a, b]), { kind: 'line', name: 'pair', points: [positionOf(p), positionOf(q)] }]
}

const pairs: Question = {
  name: 'scene pairs',
  title: 'Pairs',
  hint: 'Which bodies of the scene meet?',
  choices: [],
  ask: (sketch) => about(sketch, 'pairs', { limit: 1000 }),
  says: ({ pairs: found, truncated }) => `${found.length}${truncated ? ' or more' : ''} pairs`,
  marks: ({ pairs: found }, sketch) => found.flatMap((met: Answer) => coupleMarks(met, sketch)),
}

const DURATION: Choice = { key: 'duration', label: 'duration', initial: 2 }

const timeOfImpact: Question = {
  name: 'scene time-of-impact',
  title: 'Time of impact',
  hint: 'Drag velocities: when do the moving bodies of the scene first touch others?',
  choices: [DURATION],
  moves: true,
  ask: (sketch) => about(sketch, 'time-of-impact', { ...chosen(sketch, [DURATION]), limit: 100 }),
  says: ({ impacts }) =>
    impacts.map(({ a, b, time }: Answer) => `${a} and ${b} after ${digits(time)} s`).join(', ') || 'no impact',
  marks: ({ impacts }, sketch) =>
    impacts.flatMap(({ a, b, time, pointA, normal }: Answer): Mark[] => [
      ...highlights([a, b]),
      ...[bodyOf(sketch, a), bodyOf(sketch, b)].flatMap((body): Mark[] =>
        body?.velocity || body?.angularVelocity ? [{ kind: 'ghost', name: 'impact', body: after(body, time) }] : [],
      ),
      { kind: 'point', at: pointA, label: `${digits(time)} s` },
      ...(normal ? [{ kind: 'normal' as const, at: pointA, along: normal as Vec }] : []),
    ]),
}

const trajectory = aboutBody(
  'trajectory',
  {
    title: 'Trajectory',
    hint: 'Drag the velocity of the selected body: how does it bounce through the scene?',
    choices: [DURATION],
    moves: true,
  },
  (sketch, { velocity }) => ({ ...(velocity && { velocity }), ...chosen(sketch, [DURATION]) }),
  {
    says: ({ bounces, end, status }) => `${bounces.length} bounces, ${status} after ${digits(end.time)} s`,
    marks: (answer, sketch) => bounceMarks(answer, subject(sketch)!),
  },
)

const move = aboutBody(
  'move',
  {
    title: 'Move',
    hint: 'Walk the selected body with the arrow keys, or drag the arrow: how far does it get, sliding along what it meets?',
  },
  (sketch) => ({ translation: sketch.translation }),
  {
    says: ({ status, position }) => `${status} at ${pair(position)}`,
    marks: ({ path, contacts, position }, sketch) => [
      { kind: 'line', name: 'path', points: path },
      { kind: 'ghost', name: 'end', body: { ...subject(sketch)!, position } },
      ...touches(contacts),
    ],
    handles: (sketch) => vectorHandles(sketch, 'translation'),
  },
)

const separate = aboutBody(
  'separate',
  { title: 'Separate', hint: 'Drag a body into others: the least way out of everything it overlaps.' },
  () => ({}),
  {
    says: ({ separated, translation, bodies }) =>
      `${separated ? 'free' : 'not free'} after ${pair(translation)}, out of ${named(bodies)}`,
    marks: ({ translation, position, bodies }, sketch) =>
      wayTo(subject(sketch)!, position, 'separated', lengthOf(translation), bodies),
  },
)

/** An arrow from where the body is to where it may be, and a ghost there. */
function wayTo(body: SketchBody, position: Vec | null, name: string, distance: number, ids: string[] = []): Mark[] {
  if (position === null) return highlights(ids)
  const from = positionOf(body)
  return [
    ...highlights(ids),
    { kind: 'arrow', name: 'translation', from, to: position, label: digits(distance) },
    { kind: 'ghost', name, body: { ...body, position } },
  ]
}

const sightTargets = (sketch: Sketch, body: SketchBody) =>
  shownBodies(sketch)
    .filter(({ id }) => id !== body.id)
    .slice(0, 500)

const lineOfSight: Question = {
  name: 'scene line-of-sight',
  title: 'Line of sight',
  hint: 'What does the selected body see of all the others? Drag it about.',
  choices: [],
  ask(sketch) {
    const body = subject(sketch)
    if (body === undefined) return null
    const targets = sightTargets(sketch, body)
    const point = positionOf(body)
    return about(sketch, 'line-of-sight', {
      point,
      targets: targets.map(({ id }) => ({ bodyId: id })),
      ...filterOf(sketch, { ids: { exclude: [body.id] } }),
      limit: 1,
    })
  },
  says: ({ sights }) => `${sights.filter(({ visible }: Answer) => visible).length} of ${sights.length} in sight`,
  marks({ sights }, sketch) {
    const body = subject(sketch)!
    const targets = sightTargets(sketch, body)
    const from = positionOf(body)
    return sights.flatMap(({ visible, point, occluders }: Answer, i: number): Mark[] =>
      visible
        ? [
            { kind: 'line', name: 'sight', points: [from, point] },
            { kind: 'highlight', id: targets[i]!.id },
          ]
        : occluders.slice(0, 1).map((hit: Answer) => ({ kind: 'line', name: 'blocked', points: [from, hit.point] })),
    )
  },
}

const WITHIN: Choice = { key: 'maxDistance', label: 'max distance', initial: 10 }

/** The subject at another place. */
function subjectAt(sketch: Sketch, position: Vec | null, rotation?: number | null): Sketch | null {
  const body = subject(sketch)
  if (body === undefined || position === null) return null
  return withBody(sketch, { ...body, position, ...(rotation && { rotation }) })
}

const place = aboutBody(
  'place',
  {
    title: 'Place',
    hint: 'Drag a body anywhere: the nearest place where it is free.',
    choices: [WITHIN, SETTLE],
  },
  (sketch) => chosen(sketch, [WITHIN]),
  {
    says: ({ position, distance }) =>
      position ? `free at ${pair(position)}, ${digits(distance)} away` : 'no free place',
    marks: ({ position, distance }, sketch) => wayTo(subject(sketch)!, position, 'placed', distance),
    settle: ({ position }, sketch) => subjectAt(sketch, position),
  },
)

const REACH: Choice = { key: 'snapDistance', label: 'max distance', initial: 1 }
const ROTATE: Choice = { key: 'rotate', label: 'turn it too', initial: false }
/** As many as can be told apart. */
const MOST_CANDIDATES = 5

const snap = aboutBody(
  'snap',
  {
    title: 'Snap',
    hint: 'Drag a body near others: the least moves that lay its corners and sides exactly on theirs.',
    choices: [REACH, ROTATE, SETTLE],
  },
  (sketch) => ({
    maxDistance: chosen(sketch, [REACH]).snapDistance,
    features: ['vertex', 'edge', 'midpoint', 'center'],
    ...(chosen(sketch, [ROTATE]).rotate === true && { rotate: true }),
    limit: MOST_CANDIDATES,
  }),
  {
    says: ({ candidates }) =>
      candidates.length === 0
        ? 'nothing within reach'
        : `${candidateText(candidates[0])}, ${digits(candidates[0].distance)} away`,
    marks: ({ candidates }, sketch) => candidateMarks(candidates, sketch, subject(sketch)!),
    settle({ candidates: [best] }, sketch) {
      const body = subject(sketch)
      return best === undefined || body === undefined ? null : withBody(sketch, atCandidate(body, best))
    },
  },
)

/** Bodies do not fall unless that is wished. */
const SETTLE_DROP: Choice = { ...SETTLE, initial: false }
const ALIGN: Choice = { key: 'align', label: 'align', among: ['none', 'face', 'normal'], initial: 'none' }

const drop = aboutBody(
  'drop',
  { title: 'Drop', hint: 'The selected body falls along the arrow until it rests.', choices: [ALIGN, SETTLE_DROP] },
  (sketch) => {
    const { align } = chosen(sketch, [ALIGN])
    return { direction: sketch.direction, ...(align !== 'none' && { align }) }
  },
  {
    says: ({ status, distance }) => `${status}${distance === null ? '' : `, fell ${digits(distance)}`}`,
    marks({ position, rotation, distance, contact }, sketch) {
      if (position === null) return []
      const body = { ...subject(sketch)!, rotation: rotation ?? 0 }
      return [...wayTo(body, position, 'landed', distance), ...(contact ? touches([contact]) : [])]
    },
    handles: (sketch) => vectorHandles(sketch, 'direction'),
    settle: ({ position, rotation }, sketch) => subjectAt(sketch, position, rotation),
  },
)

const sceneQuestions: readonly Question[] = [
  overlap,
  nearest,
  rayCast,
  shapeCast,
  pairs,
  timeOfImpact,
  trajectory,
  move,
  separate,
  lineOfSight,
  place,
  snap,
  drop,
]
