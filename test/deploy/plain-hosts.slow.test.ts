// deploy/haproxy-plain.cfg and deploy/tangent.service: what docs/plain-hosts.md has people copy.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'tangent-plain-'))
afterAll(() => rmSync(folder, { recursive: true }))
const text = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')
const has = (program: string) => spawnSync(program, ['-v']).error === undefined

/** What the file says, without comments and what tells its replicas' addresses. */
const settings = (name: string) =>
  text(name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

it('balances as the file of the compose file does, but for where replicas are found', () => {
  const [plain, docker] = [settings('haproxy-plain.cfg'), settings('haproxy.cfg')]
  const isAddress = (line: string) =>
    /^(resolvers|nameserver|accepted|timeout re|hold|default-server|server)/.test(line)
  expect(plain.filter((line) => !isAddress(line))).toEqual(docker.filter((line) => !isAddress(line)))
  expect(plain.join('\n')).not.toContain('resolve')
  expect(plain.filter((line) => line.startsWith('server '))).toHaveLength(2)
})

it.skipIf(!has('haproxy'))('is what HAProxy takes', () => {
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, text('haproxy-plain.cfg'))
  execFileSync('haproxy', ['-c', '-q', '-f', file])
})

it('stops a replica later than that has drained', () => {
  const unit = text('tangent.service')
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(3 + 10)
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node dist\/src\/server[.]js$/m)
  expect(unit).toMatch(/^KillSignal=SIGTERM$/m)
})
