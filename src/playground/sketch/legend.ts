// Tags of bodies as a legend: those that say which layer a body is of have colours; every tag can be hidden.

import type { Sketch, SketchBody } from './sketch.ts'

/** Colours that can be told apart; further tags begin again. */
export const TINTS = 10
/** More are not listed: those of the most bodies are. */
const MOST_TAGS = 60

export interface LegendEntry {
  tag: string
  /** Bodies that carry it. */
  count: number
  /** Number of its colour; null of tags that have none. */
  tint: number | null
}

/** The tag that a body is coloured by: its layer, else its first. */
const mainTag = ({ tags = [] }: SketchBody): string | undefined =>
  tags.find((tag) => tag.startsWith('layer:')) ?? tags[0]

/** Those with colours first, by name. */
export function legendOf(bodies: readonly SketchBody[]): LegendEntry[] {
  const counts = new Map<string, number>()
  const main = new Set<string>()
  for (const body of bodies) {
    for (const tag of new Set(body.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
    const own = mainTag(body)
    if (own !== undefined) main.add(own)
  }
  const coloured = [...main].sort()
  const tints = new Map(coloured.map((tag, i) => [tag, i % TINTS]))
  const others = [...counts.keys()]
    .filter((tag) => !main.has(tag))
    .sort((p, q) => counts.get(q)! - counts.get(p)! || (p < q ? -1 : 1))
  return [...coloured, ...others]
    .slice(0, MOST_TAGS)
    .map((tag) => ({ tag, count: counts.get(tag)!, tint: tints.get(tag) ?? null }))
}

/** The number of a body's colour, null of one without tags. */
export function tintOf(body: SketchBody, legend: readonly LegendEntry[]): number | null {
  const own = mainTag(body)
  return own === undefined ? null : (legend.find(({ tag }) => tag === own)?.tint ?? null)
}

/** A body is hidden by any of its tags. */
export function shownBodies({ bodies, hidden }: Sketch): readonly SketchBody[] {
  if (hidden.length === 0) return bodies
  const gone = new Set(hidden)
  return bodies.filter(({ tags }) => tags?.some((tag) => gone.has(tag)) !== true)
}

/** What is hidden is not asked about either; `more`: what else a question leaves out. */
export function filterOf({ hidden }: Sketch, more: { ids?: object } = {}): { filter?: object } {
  const tags = hidden.length === 0 ? {} : { tags: { none: hidden } }
  return hidden.length === 0 && more.ids === undefined ? {} : { filter: { ...tags, ...more } }
}

export const withHidden = (sketch: Sketch, tag: string, isHidden: boolean): Sketch => ({
  ...sketch,
  hidden: isHidden ? [...sketch.hidden, tag] : sketch.hidden.filter((other) => other !== tag),
})
