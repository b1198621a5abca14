// What became of a file: how many bodies, and what was left out, and why. The same reason is listed once.

import { byId, setText } from './page-elements.ts'

interface Remark {
  where: string
  what: string
  why: string
}

export interface ImportReport {
  added: number
  updated: number
  removed: number
  skipped: readonly Remark[]
  repaired?: readonly Remark[]
}

/** Reasons that are listed, and places of each. */
const MOST_REASONS = 100
const MOST_PLACES = 5

interface Reason {
  text: string
  places: string[]
}

function reasonsOf(remarks: readonly Remark[]): Reason[] {
  const reasons = new Map<string, string[]>()
  for (const { where, what, why } of remarks) {
    const text = `${what}: ${why}`
    const places = reasons.get(text) ?? []
    places.push(where)
    reasons.set(text, places)
  }
  return [...reasons].map(([text, places]) => ({ text, places })).sort((p, q) => q.places.length - p.places.length)
}

const item = ({ text, places }: Reason): HTMLLIElement => {
  const row = document.createElement('li')
  const more = places.length > MOST_PLACES ? ` and ${places.length - MOST_PLACES} more` : ''
  row.textContent = `${places.length > 1 ? `${places.length} × ` : ''}${text} (${places.slice(0, MOST_PLACES).join(', ')}${more})`
  return row
}

/** Null: there is none. */
export function showReport(report: ImportReport | null): void {
  const remarks = [...(report?.skipped ?? []), ...(report?.repaired ?? [])]
  byId('report').hidden = remarks.length === 0
  if (report === null) return
  const repaired = report.repaired?.length ?? 0
  setText(
    byId('report-count'),
    `${report.skipped.length} skipped${repaired > 0 ? `, ${repaired} repaired` : ''}, and why`,
  )
  byId('report-list').replaceChildren(...reasonsOf(remarks).slice(0, MOST_REASONS).map(item))
}

/** In one line. */
export const reportText = (name: string, { added, updated, removed, skipped }: ImportReport): string =>
  `${name}: ${added} added, ${updated} updated, ${removed} removed, ${skipped.length} skipped`
