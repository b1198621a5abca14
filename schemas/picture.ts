// Answers as pictures.

import { type Static, Type } from '@sinclair/typebox'

/** The query string of the stateless queries. */
export const PictureParameters = Type.Object(
  {
    yDown: Type.Optional(
      Type.Boolean({
        description:
          'Draw y downwards, as screens and most editors have it. Up when absent; answers in numbers are the same.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type PictureParameters = Static<typeof PictureParameters>

export const SvgPicture = Type.String({
  description:
    'A drawing of the bodies and of the answer as a self-contained SVG: no script, nothing loaded from outside.',
})
