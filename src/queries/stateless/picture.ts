// Answers as pictures.

import type { TObject } from '@sinclair/typebox'
import { type PictureOptions, PictureParameters, PictureParameters3d } from '../../../schemas/picture.ts'
import { drawWhole } from '../../pictures/draw-picture.ts'
import type { Picture } from '../../pictures/picture.ts'
import {
  drawQuery,
  drawQuery3d,
  hasPicture,
  hasPicture3d,
  queryPicture,
  queryPicture3d,
} from '../../pictures/queries/draw-query.ts'
import { PICTURE_LIMITS, pictureSize } from '../../pictures/shape-parts.ts'
import { type Block, drawStack, noticeBlock, panelBlock, restBlock } from '../../pictures/stack.ts'
import { type DecodeProblem, isProblem, problemAt } from '../../wire/decode-problem.ts'
import type { Dimension, Query } from '../ask/query.ts'
import type { Sent } from '../ask/sent.ts'

export const PICTURE_TYPE = 'image/svg+xml'
const PICTURE = `${PICTURE_TYPE}; charset=utf-8`

/** The problem of a request that is too large to be drawn, or null. */
export function checkPictureSize(request: object): DecodeProblem | null {
  const size = pictureSize(request)
  for (const noun of ['shapes', 'vertices'] as const) {
    const limit = PICTURE_LIMITS[noun]
    const actual = size[noun]
    const detail = `A picture has at most ${limit} ${noun}, but there are ${actual}. Ask for application/json.`
    if (actual > limit) return problemAt('', 'picture-too-large', detail, { limit, actual })
  }
  return null
}

interface Drawing {
  has(op: string): boolean
  /** Parameters of the query string that describe a picture. */
  parameters: TObject
  draw(op: string, request: object, answer: object, options: PictureOptions): string
  /** Draws it as one of several; `prefix` comes before its heading. */
  drawBlock(op: string, request: object, answer: object, options: PictureOptions, prefix: string): Block
}

const drawings: Readonly<Record<Dimension, Drawing>> = {
  '2d': {
    has: hasPicture,
    parameters: PictureParameters,
    draw: (op, request, answer, { yDown = false }) =>
      drawQuery(op as never, request as never, answer as never, { yDown }),
    drawBlock: (op, request, answer, { yDown = false }, prefix) =>
      blockOf(queryPicture(op as never, request as never, answer as never), yDown, prefix),
  },
  '3d': {
    has: hasPicture3d,
    parameters: PictureParameters3d,
    draw: (op, request, answer, { view = 'iso' }) => drawQuery3d(op as never, request as never, answer as never, view),
    drawBlock: (op, request, answer, { view = 'iso' }, prefix) =>
      blockOf(queryPicture3d(op as never, request as never, answer as never, view), false, prefix),
  },
}

function blockOf(picture: Picture, yDown: boolean, prefix: string): Block {
  picture.heading = `${prefix}${picture.heading}`
  return panelBlock(drawWhole(picture, { yDown }))
}

/** Parameters of the picture of a batch. */
export function batchPictureParameters(dimension: Dimension): TObject {
  return drawings[dimension].parameters
}

/** A query of a batch, and what it came to: its answer or its problem. */
export interface AskedOfBatch {
  readonly op: string
  readonly request: object
  readonly outcome: object
}

/** A picture of the first queries of a batch, one below the other. `count`: of all its queries. */
export function sentPictures(
  dimension: Dimension,
  asked: readonly AskedOfBatch[],
  count: number,
  options: PictureOptions,
): Sent {
  const blocks = asked.map(({ op, request, outcome }, i) => {
    const prefix = `${i + 1}. ${op}: `
    if (isProblem(outcome)) return noticeBlock(`${prefix}${outcome.code}`, outcome.detail)
    return drawings[dimension].drawBlock(op, request, outcome, options, prefix)
  })
  const rest = restBlock(count)
  const text = drawStack(rest === null ? blocks : [...blocks, rest], 'batch')
  return { status: 200, type: PICTURE, body: Buffer.from(text) }
}

/** Parameters of the picture of a query; null for a query without one. */
export function pictureParameters({ dimension, op }: Pick<Query, 'dimension' | 'op'>): TObject | null {
  const { has, parameters } = drawings[dimension]
  return has(op) ? parameters : null
}

export function sentPicture(
  { dimension, op }: Pick<Query, 'dimension' | 'op'>,
  request: object,
  answer: object,
  options: PictureOptions,
): Sent {
  const text = drawings[dimension].draw(op, request, answer, options)
  return { status: 200, type: PICTURE, body: Buffer.from(text) }
}
