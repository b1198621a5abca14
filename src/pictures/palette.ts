/**
 * Colours, widths and dashes of everything that is drawn.
 *
 * The hues are those of M. Okabe and K. Ito, "Color Universal Design" (2008), distinguishable with every kind of colour vision;
 * a hue never carries a meaning alone, but together with a letter, a number, a dash or a form. Widths are picture units (800 across).
 */
export const INK = '#1a1a1a'
export const PAPER = '#ffffff'
export const MUTED = '#5f6670'
export const GRID = '#e9ecef'
export const GRID_AXIS = '#c3c9d0'
export const FRAME = '#adb5bd'

const BLUE = '#0072b2'
const VERMILLION = '#d55e00'
const GREEN = '#009e73'
const PURPLE = '#aa4488'
const SKY = '#56b4e9'
const ORANGE = '#e69f00'
const GREY = '#6c757d'
/** For lines and letters, where the hue itself is too light. */
const DARK_ORANGE = '#946200'
const DARK_SKY = '#22719e'

export interface Look {
  stroke: string
  width: number
  /** Colour of the inside, 'none' for none. */
  fill: string
  opacity: number
  dash?: string
}

function solid(stroke: string, opacity = 0.16, width = 2.5): Look {
  return { stroke, width, fill: stroke, opacity }
}

function ghost(stroke: string, opacity = 0.04): Look {
  return { stroke, width: 1.6, fill: stroke, opacity, dash: '7 5' }
}

/** Shapes by their role in the query. */
export const SHAPE_LOOKS = {
  a: solid(BLUE),
  b: solid(VERMILLION),
  /** Where A and B start, if they move. */
  'a-start': solid(BLUE, 0.08, 1.8),
  'b-start': solid(VERMILLION, 0.08, 1.8),
  /** Poses of A or B at the instant of the answer. */
  'a-then': solid(BLUE, 0.28, 2.8),
  'b-then': solid(VERMILLION, 0.28, 2.8),
  'a-ghost': ghost(BLUE),
  'b-ghost': ghost(VERMILLION),
  /** B after the translation that separates it from A. */
  'b-parted': { ...ghost(GREEN, 0), fill: 'none', width: 2.2 },
  /** Poses at which the bodies separate again. */
  'a-exit': { ...ghost(BLUE, 0), fill: 'none', dash: '1.5 5', width: 2.2 },
  'b-exit': { ...ghost(VERMILLION, 0), fill: 'none', dash: '1.5 5', width: 2.2 },
  /** Cells of a grid that bodies pass through, and cells that one holds. */
  sector: ghost(GREY),
  'sector-full': solid(GREEN, 0.12, 1.6),
  target: solid(GREY, 0.14, 2),
  'target-hit': solid(VERMILLION, 0.2, 3),
  'target-ghost': ghost(GREY),
  body: solid(GREY, 0.12, 1.8),
  meeting: solid(VERMILLION, 0.2, 2.2),
  result: solid(GREEN, 0.2),
  gyration: { ...ghost(GREEN, 0), fill: 'none' },
  outline: { stroke: INK, width: 2, fill: 'none', opacity: 0 },
  /** Bodies of a scene: plain ones, sensors, moving and highlighted ones. */
  'of-scene': solid(GREY, 0.2, 1.2),
  sensor: { ...solid(GREEN, 0.08, 1.2), dash: '5 4' },
  mover: solid(BLUE, 0.2, 1.4),
  highlight: solid(VERMILLION, 0.35, 2.4),
  /** Bodies of a scene by their role in a query: the body asked about, bodies in the answer, and bodies that the filter excludes. */
  asked: solid(BLUE, 0.08, 1.6),
  met: solid(VERMILLION, 0.3, 2.4),
  touched: solid(VERMILLION, 0.1, 2.4),
  'passed-over': { ...ghost(GREY, 0.02), width: 1, dash: '2 4' },
  'box-of-met': { ...ghost(VERMILLION, 0.2), width: 1 },
  'speck-of-met': { stroke: 'none', width: 0, fill: VERMILLION, opacity: 0.9 },
  /** The range of a search. */
  reach: { stroke: GREY, width: 1.4, fill: 'none', opacity: 0, dash: '10 6' },
  /** Stands for bodies that are too many to be drawn one by one. */
  'box-of-body': { ...ghost(GREY, 0.06), width: 1 },
  speck: { stroke: 'none', width: 0, fill: GREY, opacity: 0.75 },
  /** Boxes of a tree. */
  'tree-node': { stroke: PURPLE, width: 0.8, fill: 'none', opacity: 0 },
  'tree-leaf': { stroke: GREEN, width: 0.8, fill: 'none', opacity: 0, dash: '3 3' },
  'piece-0': solid(BLUE, 0.26, 1.4),
  'piece-1': { ...solid(DARK_ORANGE, 0.34, 1.4), fill: ORANGE },
  'piece-2': solid(GREEN, 0.26, 1.4),
  'piece-3': solid(PURPLE, 0.24, 1.4),
  'piece-4': { ...solid(DARK_SKY, 0.34, 1.4), fill: SKY },
  'piece-5': solid(GREY, 0.24, 1.4),
} as const satisfies Record<string, Look>
export type ShapeRole = keyof typeof SHAPE_LOOKS

/** Lines that are not part of a shape. */
export const STROKE_LOOKS = {
  measure: { stroke: INK, width: 2.5 },
  ray: { stroke: BLUE, width: 2.5 },
  'ray-beyond': { stroke: BLUE, width: 1.6, dash: '3 6' },
  inside: { stroke: INK, width: 5 },
  path: { stroke: BLUE, width: 2 },
  'path-b': { stroke: VERMILLION, width: 1.6, dash: '2 5' },
  'path-a': { stroke: BLUE, width: 1.6, dash: '2 5' },
  support: { stroke: GREEN, width: 2, dash: '9 6' },
  link: { stroke: VERMILLION, width: 3 },
  'path-to': { stroke: GREY, width: 1.4 },
  box: { stroke: GREEN, width: 3.5, dash: '10 8' },
  fault: { stroke: VERMILLION, width: 4 },
  /** Lines of sight: free, and behind an occluder. */
  seen: { stroke: GREEN, width: 2.2 },
  unseen: { stroke: VERMILLION, width: 2, dash: '3 6' },
  /** A side that was snapped to another, and a grid. */
  snapped: { stroke: GREEN, width: 5 },
  cells: { stroke: SKY, width: 1 },
} as const satisfies Record<string, { stroke: string; width: number; dash?: string }>
export type StrokeRole = keyof typeof STROKE_LOOKS

export const ARROW_COLOURS = {
  normal: INK,
  'exit-normal': MUTED,
  translation: GREEN,
  motion: BLUE,
  direction: GREEN,
} as const
export type ArrowRole = keyof typeof ARROW_COLOURS

/** Filled discs, rings and crosses, so that points differ without colour. */
export const DOT_LOOKS = {
  point: { form: 'disc', colour: INK, size: 5.5 },
  start: { form: 'ring', colour: BLUE, size: 5.5 },
  exit: { form: 'ring', colour: INK, size: 5.5 },
  input: { form: 'disc', colour: GREY, size: 4.4 },
  corner: { form: 'disc', colour: GREEN, size: 5.5 },
  centroid: { form: 'cross', colour: INK, size: 10 },
  refused: { form: 'cross', colour: VERMILLION, size: 10 },
} as const satisfies Record<string, { form: 'disc' | 'ring' | 'cross'; colour: string; size: number }>
export type DotRole = keyof typeof DOT_LOOKS
