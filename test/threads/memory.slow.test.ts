// The allocator gives back what is freed: in a process of its own, since it is told once for all.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const isGlibc =
  process.platform === 'linux' && 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header

/** What a program prints as JSON, in a process of its own from the sources. */
function ran(program: string) {
  const options = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', program]
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8', cwd: root }))
}

/** MiB that the process keeps of 320 MiB in buffers of one size, of which three in four were let go of: as told, and trimmed. */
function keptMiB(bytes: number): [told: number, trimmed: number] {
  return ran(`
    import { keepLittle } from './src/threads/memory.ts'
    const rest = () => new Promise((resolve) => setTimeout(resolve, 50))
    const fill = (count) => Array.from({ length: count }, () => new Uint8Array(${bytes}).fill(1))
    const letGo = async () => { for (let i = 0; i < 4; i++) { gc(); await rest() } }
    const trim = await keepLittle()
    if (trim === null) throw new Error('the allocator was not told')
    fill(1)
    await letGo()
    const before = process.memoryUsage.rss()
    let all = fill(${Math.ceil((320 * 2 ** 20) / bytes)})
    // What is freed lies between what stays.
    const some = all.filter((_, i) => i % 4 === 3)
    all = null
    await letGo()
    const kept = () => (process.memoryUsage.rss() - before - ${bytes} * some.length) / 2 ** 20
    const told = kept()
    await trim()
    console.log(JSON.stringify([told, kept()]))`)
}

it('makes the young generation small right after a start that allocated much', () => {
  const [collected, shrunk] = ran(`
    import { collectAll, shrink } from './src/threads/memory.ts'
    import { getHeapSpaceStatistics } from 'node:v8'
    const young = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20
    for (let i = 0, all = []; i < 3e6; i++, all = i % 1e5 === 0 ? [] : all) all.push({ i })
    collectAll()
    const collected = young()
    await shrink()
    console.log(JSON.stringify([collected, young()]))`)
  // which the engine keeps at that: without this, there would be nothing to do
  expect(collected).toBeGreaterThan(15)
  expect(shrunk).toBeLessThan(4)
})

it.skipIf(!isGlibc)('keeps nothing of large blocks once it is told to', { timeout: 120_000 }, () => {
  // two thirds of it by itself, since the first block that is freed tells it to keep as much as twice its length
  expect(keptMiB(8 * 2 ** 20)[0]).toBeLessThan(40)
})

it.skipIf(!isGlibc)('gives back small blocks between others when it is trimmed', { timeout: 120_000 }, () => {
  const [told, trimmed] = keptMiB(40 * 1024)
  expect(told).toBeGreaterThan(100)
  expect(trimmed).toBeLessThan(80)
})
