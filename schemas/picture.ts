// Answers as pictures.

import { type Static, Type } from '@sinclair/typebox'
import { word } from './quantity.ts'

/** The query string of the stateless queries of the plane. */
export const PictureParameters = Type.Object({
  yDown: Type.Optional(
    Type.Boolean({
      description:
        'Draw y downwards, as screens and most editors have it. Up when absent; answers in numbers are the same.',
    }),
  ),
})
export type PictureParameters = Static<typeof PictureParameters>

export const PICTURE_VIEWS = ['iso', 'x', 'y', 'z'] as const
export type PictureView = (typeof PICTURE_VIEWS)[number]

/** The query string of the stateless queries of space. */
export const PictureParameters3d = Type.Object({
  view: Type.Optional(
    word(
      PICTURE_VIEWS,
      'Where a picture is looked at from: along an axis, from its positive end, or iso: from (1, 1, 1), y upwards. iso when absent; answers in numbers are the same.',
    ),
  ),
})
export type PictureParameters3d = Static<typeof PictureParameters3d>

/** Options of a picture in either dimension. */
export type PictureOptions = Readonly<PictureParameters & PictureParameters3d>

export const SvgPicture = Type.String({
  description:
    'A drawing of the bodies and of the answer as a self-contained SVG: no script, nothing loaded from outside.',
})
