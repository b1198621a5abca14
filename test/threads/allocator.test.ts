// The allocator gives back what is freed: in a process of its own, since it is told once for all.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const module = join(import.meta.dirname, '../../src/threads/allocator.ts')
const isGlibc =
  process.platform === 'linux' && 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header

/** MiB that the process keeps of 40 buffers of 8 MiB, filled and let go of after one of them had been, by itself. */
function keptMiB(isTold: boolean): number {
  const program = `
    import { keepLittle } from ${JSON.stringify(module)}
    const rest = () => new Promise((resolve) => setTimeout(resolve, 50))
    const fill = (count) => Array.from({ length: count }, () => new Uint8Array(8 * 2 ** 20).fill(1))
    const letGo = async () => { for (let i = 0; i < 4; i++) { gc(); await rest() } }
    if (${isTold} && !(await keepLittle())) throw new Error('the allocator was not told')
    fill(1)
    await letGo()
    const before = process.memoryUsage.rss()
    // every other one stays for a while, so that what is freed lies between
    let all = fill(40)
    const some = all.filter((_, i) => i % 4 === 3)
    all = null
    await letGo()
    console.log((process.memoryUsage.rss() - before) / 2 ** 20 - 8 * some.length)`
  const options = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', program]
  return Number(execFileSync(process.execPath, options, { encoding: 'utf8', cwd: join(import.meta.dirname, '../..') }))
}

it.skipIf(!isGlibc)('keeps little of what was freed once it is told to', { timeout: 30_000 }, () => {
  expect(keptMiB(true)).toBeLessThan(40)
})
