// What keeps a page from being used with a screen reader or by keys, as axe-core finds it.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const place = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** One line a finding: its rule, and the elements it is about. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(place, 'utf8'))
  return page.evaluate<string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, any }) => html.slice(0, 120) + ' ' + (any[0]?.message ?? '')).join(' | ')))`)
}
