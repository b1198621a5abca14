// GET /v1/2d/scenes/{sceneId}/events: a stream of the changes of a scene, as they happen.

import { type Static, Type } from '@sinclair/typebox'
import { identifier, tagText } from './body.ts'
import { atLeast, QuestionHeaders } from './headers.ts'

const ID = '(0|[1-9][0-9]{0,14})([.][1-9][0-9]{0,4})?([.][0-9a-f]{8})?'
/** An event id, also in the form of an ETag. */
export const EVENT_ID_PATTERN = `^(${ID}|(W/)?"${ID}")$`

const eventId = (description: string) => Type.Optional(Type.String({ pattern: EVENT_ID_PATTERN, description }))

export const SceneEventsParameters = Type.Object({
  overlaps: Type.Optional(
    Type.Boolean({ description: 'Tell also which bodies begin and cease to overlap or touch. false when absent.' }),
  ),
  tag: Type.Optional(
    Type.String({ ...tagText, description: 'Only pairs of which one body at least has this tag. All when absent.' }),
  ),
  bodyId: Type.Optional(identifier('Only pairs of this body. All when absent.')),
  lastEventId: eventId('The same as Last-Event-ID, which counts where both are given.'),
  atLeast,
})
export type SceneEventsParameters = Static<typeof SceneEventsParameters>

export const SceneEventsHeaders = Type.Object({
  'last-event-id': eventId('The id of the last event that was received, or an ETag: the stream goes on behind it.'),
  ...QuestionHeaders.properties,
})
export type SceneEventsHeaders = Static<typeof SceneEventsHeaders>
