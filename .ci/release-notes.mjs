// Prints the section of CHANGELOG.md about a version, as the notes of its release. Links to files of the repository lead to them by FILES.
// Usage: node .ci/release-notes.mjs VERSION FILES, where FILES is such as https://…/blob/v0.3.0

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Without the heading: a release has a title. An error where there is no such section, or nothing in it. */
export function notesOf(changelog, version, files) {
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`[${version}]`))
  const notes = section?.slice(section.indexOf('\n')).trim() ?? ''
  if (notes === '') throw new Error(`CHANGELOG.md says nothing about ${version}.`)
  return `${notes.replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, `](${files}/$1)`)}\n`
}

const [script, version, files] = process.argv.slice(1)
if (script === import.meta.filename) {
  const changelog = readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8')
  process.stdout.write(notesOf(changelog, version, files))
}
