// The profile of compilation that docs/editors/trenchbroom.md shows: its parts are what TrenchBroom reads, and its tool is run on maps
// with the parameters that TrenchBroom would give it.

import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runTangent } from '../support/command-run.ts'
import { documentText, fencesOf, ROOT } from '../support/document-requests.ts'

const page = documentText('docs/editors/trenchbroom.md')
const config = JSON.parse(fencesOf(page).find(({ language }) => language === 'cfg')!.text)
const RULES = join(ROOT, 'examples/editors/trenchbroom-rules.json')

const folder = mkdtempSync(join(tmpdir(), 'trenchbroom maps-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Variables in the text have their values; a name without any is refused, as the editor does. */
function interpolated(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    expect(values).toHaveProperty([name])
    return values[name]
  })
}

/** Words between blanks; a quoted one is whole. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain)
}

/** What the profile does for a map of the folder: the code and the lines of its tool. */
async function compiled(map: string, ...more: string[]) {
  const [{ workdir, tasks }] = config.profiles
  const base = basename(map, '.map')
  const own = { MAP_DIR_PATH: folder, MAP_BASE_NAME: base, MAP_FULL_NAME: `${base}.map` }
  // the work folder is known to tasks alone
  const values = { ...own, WORK_DIR_PATH: interpolated(workdir, own) }
  const [exported, tool] = tasks
  copyFileSync(map, interpolated(exported.target, values))
  const parameters = wordsOf(interpolated(tool.parameters, values))
  // a tool is run in the work folder
  const args = parameters.map((word) => (word === basename(RULES) ? RULES : word))
  expect(args).toContain(RULES)
  const { code, out } = await runTangent([...args, ...more])
  return { code, lines: out.replaceAll(`${folder}/`, '').trimEnd().split('\n') }
}

it('is a profile as TrenchBroom reads it', () => {
  expect(Object.keys(config)).toEqual(['version', 'profiles'])
  expect([config.version, config.profiles.length]).toEqual([1, 1])
  const [{ name, workdir, tasks }] = config.profiles
  expect([name, wordsOf(workdir)]).toEqual(['Check', [expect.stringMatching(/^\$\{MAP_DIR_PATH\}$/)]])
  const fields = {
    export: { type: 'export', target: expect.any(String) },
    tool: {
      type: 'tool',
      tool: 'tangent',
      parameters: expect.any(String),
      treatNonZeroResultCodeAsError: true,
    },
  }
  expect(tasks).toEqual([fields.export, fields.tool])
})

it('finds in the map of this repository what the page shows', async () => {
  const shown = fencesOf(page).find(({ text }) => text.startsWith('$ npx tangent check'))!
  const [, ...lines] = shown.text.split('\n')
  const found = await compiled(join(ROOT, 'examples/levels/cellar.map'))
  expect(found).toEqual({
    code: 1,
    lines: lines.map((line) => line.replace('examples/levels/cellar', 'cellar-compile')),
  })
})

const maps = join(ROOT, '../shared/data/quake')
describe.skipIf(!existsSync(maps))('real maps', () => {
  it('are clean, but for seams', async () => {
    const groups = join(maps, 'qodot-groups.map')
    expect(await compiled(groups)).toEqual({ code: 0, lines: ['qodot-groups-compile.map: 184 bodies, nothing found'] })
    const { code, lines } = await compiled(groups, '--severity', 'info')
    expect([code, lines[0]]).toEqual([1, 'qodot-groups-compile.map: 184 bodies, 8 infos'])
    expect(lines.at(-1)).toMatch(/ info {4}seam .* are apart by only 0\.124/)
  })

  it('of a published game have few entities in brushes, and no monster that falls out', async () => {
    const { code, lines } = await compiled(join(maps, 'librequake-e3m4.map'), '--severity', 'warning')
    expect([code, lines[0]]).toEqual([1, expect.stringMatching(/: 4035 bodies, 4 errors, 26 warnings$/)])
    const names = new Set(lines.slice(1).map((line) => line.trim().split(/\s+/)[1]))
    expect([...names]).toEqual(['in-a-brush', 'duplicate'])
  })

  it('are all read', async () => {
    for (const name of readdirSync(maps).filter((each) => each.endsWith('.map') && !each.startsWith('librequake')))
      expect((await compiled(join(maps, name))).code).toBe(0)
  })
})
