// Answers about the bodies of a scene, and what a list of them takes.

import { type Static, Type } from '@sinclair/typebox'
import { real } from '../quantity.ts'
import { named, reference } from '../reference.ts'
import { cursorField, pageSize, version } from './scene.ts'
import { SceneBody, tagText } from './scene-body.ts'
import { atLeast } from './scene-headers.ts'

const EXAMPLE = { id: 'floor', shape: { type: 'box', width: 4, height: 1 }, position: { x: 0, y: -1 } }

export const SceneBodyResponse = Type.Object(
  { version: version('The version of the scene that the body is of.'), body: reference(SceneBody, 'The body.') },
  named('SceneBodyResponse', 'A body of a scene.', [{ version: 2, body: EXAMPLE }]),
)
export type SceneBodyResponse = Static<typeof SceneBodyResponse>

export const SceneBodyPutResponse = Type.Object(
  {
    version: version('The number of this write.'),
    created: Type.Boolean({ description: 'Whether the body is new; false when it took the place of another.' }),
  },
  named('SceneBodyPutResponse', 'The body is in the scene, and durable.', [{ version: 2, created: true }]),
)
export type SceneBodyPutResponse = Static<typeof SceneBodyPutResponse>

export const SceneVersionResponse = Type.Object(
  { version: version('The number of this write.') },
  named('SceneVersionResponse', 'The write is durable.', [{ version: 3 }]),
)
export type SceneVersionResponse = Static<typeof SceneVersionResponse>

export const SceneBodyList = Type.Object(
  {
    version: version('The version of the scene that the list is of.'),
    bodies: Type.Array(reference(SceneBody), {
      description:
        'Bodies, in the order in which the scene holds them: more or less that in which they came. A body that is there from the first page to the last is listed once.',
    }),
    next: cursorField('bodies'),
  },
  named('SceneBodyList', 'Bodies of a scene, a page at a time.', [{ version: 2, bodies: [EXAMPLE], next: null }]),
)
export type SceneBodyList = Static<typeof SceneBodyList>

const side = (description: string) => Type.Optional(real(`${description} of a box; without an end there when absent.`))

/** What `next` looks like. */
export const BODY_CURSOR_PATTERN = '^[0-9]{1,10}$'

export const SceneBodyListParameters = Type.Object(
  {
    tag: Type.Optional(Type.String({ ...tagText, description: 'Only bodies with this tag.' })),
    minX: side('Only bodies whose axis-aligned boxes meet a given one: least x'),
    minY: side('Least y'),
    maxX: side('Greatest x'),
    maxY: side('Greatest y'),
    limit: pageSize,
    cursor: Type.Optional(
      Type.String({
        pattern: BODY_CURSOR_PATTERN,
        description: 'The next of the page before; the first page when absent.',
      }),
    ),
    atLeast,
  },
  { additionalProperties: false },
)
export type SceneBodyListParameters = Static<typeof SceneBodyListParameters>
