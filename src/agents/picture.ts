// The tool that draws a scene, or an answer about it: as SVG, which the service draws, and as PNG, which models can look at.

import { sceneExchanges, sceneExchanges3d } from '../../schemas/scenes/exchanges.ts'
import { checkArguments } from './arguments.ts'
import { BOX } from './find-bodies.ts'
import { SCENE, toolInput } from './input-schemas.ts'
import {
  type Arguments,
  answeredText,
  ask,
  type Content,
  type FoundScene,
  findScene,
  type Surroundings,
  type Tool,
  ToolFault,
} from './tool.ts'

const OPS = [...new Set([...sceneExchanges, ...sceneExchanges3d].map(({ op }) => op))]
/** Pixels of a picture, and letters of a drawing: as text, and to be painted. */
const USUAL_WIDTH = 800
const MOST_PIXELS = 2_000_000
const MOST_SVG_TEXT = 60_000
const MOST_SVG_PAINTED = 8_000_000

interface Asked {
  readonly scene: string
  readonly box?: { readonly min: { x: number; y: number }; readonly max: { x: number; y: number } }
  readonly view?: string
  readonly width?: number
  readonly highlight?: readonly string[]
  readonly tag?: string
  readonly labels?: boolean
  readonly yDown?: boolean
  readonly format?: 'png' | 'svg' | 'both'
  readonly query?: string
  readonly request?: object
}

export const picture: Tool = {
  name: 'picture',
  title: 'Look at the scene',
  description:
    'Draws the scene, or a part of it, as a picture to look at; with query and request the question and its answer in the scene, such as query lint with its rules. The picture says nothing that the other tools do not say exactly.',
  input: toolInput(
    {
      scene: SCENE,
      box: { ...BOX, description: '2D only. The part that is shown; all when absent.' },
      view: { enum: ['iso', 'x', 'y', 'z'], description: '3D only. Where it is looked at from; iso when absent.' },
      width: { type: 'integer', minimum: 16, maximum: 1600, description: 'Pixels; 800 when absent.' },
      highlight: { type: 'array', items: { type: 'string' }, description: 'Ids of bodies that are to stand out.' },
      tag: { type: 'string', description: 'Only bodies with this tag.' },
      labels: { type: 'boolean', description: 'Whether ids are written at the largest bodies; true when absent.' },
      yDown: { type: 'boolean', description: '2D only. Draw y downwards, as editors of levels do; false when absent.' },
      format: { enum: ['png', 'svg', 'both'], description: 'png when absent: an image; svg: text.' },
      query: { enum: OPS, description: 'Draw the answer to this query instead, which request asks.' },
      request: { type: 'object', description: 'With query: what the tool for it takes, without scene.' },
    },
    ['scene'],
  ),
  isReading: true,
  async run(args: Arguments, around: Surroundings) {
    const asked = checkArguments<Asked>('picture', args)
    const { format = 'png' } = asked
    const svg = await drawing(around, await findScene(around, asked.scene), asked)
    const content: Content[] = []
    if (format !== 'svg') content.push(await painted(svg, around.signal))
    if (format !== 'png') content.push({ type: 'text', text: shortEnough(svg) })
    return content
  },
}

function queryString({ dimension }: FoundScene, asked: Asked): string {
  const { box, view, width = USUAL_WIDTH, highlight, tag, labels, yDown, query: op } = asked
  const query = new URLSearchParams({ width: String(width) })
  const set = (name: string, value: unknown) => value !== undefined && query.set(name, String(value))
  set('bounds', box && [box.min.x, box.min.y, box.max.x, box.max.y].join())
  set('view', view)
  if (dimension === 2) set('yDown', yDown)
  if (op === undefined) for (const [name, value] of Object.entries({ highlight, tag, labels })) set(name, value)
  return `?${query}`
}

async function drawing(around: Surroundings, scene: FoundScene, asked: Asked): Promise<string> {
  const { query: op, request = {} } = asked
  const query = queryString(scene, asked)
  if (op === undefined) return answeredText(await ask(around, 'GET', `${scene.path}/render.svg${query}`))
  if (!(OPS as readonly string[]).includes(op)) {
    throw new ToolFault(`${JSON.stringify(op)} is no query.`, `Give one of ${OPS.join(', ')}.`)
  }
  const headers = { accept: 'image/svg+xml' }
  return answeredText(await ask(around, 'POST', `${scene.path}/${op}${query}`, { value: request, headers }))
}

const SHOW_LESS = 'Give a box, a tag or labels false, so that less is drawn.'

function shortEnough(svg: string): string {
  if (svg.length <= MOST_SVG_TEXT) return svg
  throw new ToolFault(`The SVG has ${svg.length} letters, too many to be read.`, `${SHOW_LESS} Or ask for png.`)
}

/** Painting keeps a thread busy, of the few that read and write files as well: one picture at a time, and few that wait. */
const MOST_WAITING = 8
let waiting = 0
let last: Promise<unknown> = Promise.resolve()

async function painted(svg: string, signal: AbortSignal | undefined): Promise<Content> {
  if (svg.length > MOST_SVG_PAINTED) throw new ToolFault('There is too much to be painted.', SHOW_LESS)
  if (waiting >= MOST_WAITING) throw new ToolFault('Too many pictures are being painted.', 'Ask again in some seconds.')
  waiting++
  const turn = last.then(() => paint(svg, signal))
  last = turn.catch(() => undefined)
  try {
    return { type: 'image', data: (await turn).toString('base64'), mimeType: 'image/png' }
  } finally {
    waiting--
  }
}

async function paint(svg: string, signal: AbortSignal | undefined): Promise<Buffer> {
  signal?.throwIfAborted()
  const { renderAsync } = await import('@resvg/resvg-js').catch(() => {
    throw new ToolFault(
      'Pictures cannot be painted here: the package @resvg/resvg-js is not installed.',
      'Ask for format svg.',
    )
  })
  const image = await renderAsync(svg, {
    fitTo: fitted(svg),
    background: '#fff',
    font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans' },
    logLevel: 'off',
  })
  return image.asPng()
}

/** A picture that is high has fewer pixels. */
function fitted(svg: string): { mode: 'original' } | { mode: 'zoom'; value: number } {
  const [width, height] = ['width', 'height'].map((name) => {
    return Number(new RegExp(`^<svg[^>]*\\s${name}="([\\d.]+)`).exec(svg)?.[1] ?? Number.NaN)
  })
  const pixels = width * height
  return pixels > MOST_PIXELS ? { mode: 'zoom', value: Math.sqrt(MOST_PIXELS / pixels) } : { mode: 'original' }
}
