/** A PostgreSQL server of its own on loopback, to be stopped, killed, paused, copied and put back. It writes to disk as in earnest. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { appendFile, chmod, chown, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { childrenOf, copyDirectory, isAlive, newDirectory, removeDirectory, serverUser } from './server-directory.ts'

const run = promisify(execFile)

const START_PATIENCE_MS = 30_000

/** As in postgresql.conf. */
export type ServerSettings = Readonly<Record<string, string | number>>

export interface ServerOptions {
  settings?: ServerSettings
  /** Lines of pg_hba.conf that come before those that let everybody in. */
  access?: readonly string[]
  /** Text files beside its data, such as a certificate and its key, which only it may read. */
  files?: Readonly<Record<string, string>>
}

/** Signals by which a server stops: when all have left; all are sent away; at once, to recover when it starts again. */
const STOP_SIGNALS = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const
export type StopMode = keyof typeof STOP_SIGNALS

const DEFAULTS: ServerSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_connections: 100,
  max_wal_senders: 4,
}

const confLines = (settings: ServerSettings) =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`)
    .join('')

const templates = new Map<string, Promise<string>>()

/** A directory with a fresh database, made once; its locale sorts in another order than bytes do. */
function templateOf(binaries: string): Promise<string> {
  let template = templates.get(binaries)
  if (template === undefined) {
    template = initialised(binaries)
    templates.set(binaries, template)
  }
  return template
}

async function initialised(binaries: string): Promise<string> {
  const directory = newDirectory('template')
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en']
  const args = ['-D', directory, '-U', 'postgres', '--auth=trust', '--no-sync', '--no-instructions', ...locale]
  await run(join(binaries, 'initdb'), args, { ...serverUser, cwd: '/' })
  return directory
}

/** A server of its own, started; `binaries`: where its programs lie. */
export async function startDatabaseServer(binaries: string, options: ServerOptions = {}): Promise<DatabaseServer> {
  const directory = newDirectory('postgres')
  await copyDirectory(await templateOf(binaries), directory)
  const { settings = {}, access = [], files = {} } = options
  const server = new DatabaseServer(binaries, directory, await freePort())
  await appendFile(join(directory, 'postgresql.conf'), confLines({ ...DEFAULTS, port: server.port, ...settings }))
  const rules = join(directory, 'pg_hba.conf')
  await writeFile(rules, `${access.join('\n')}\n${await readFile(rules, 'utf8')}`)
  for (const [name, text] of Object.entries(files)) await server.addFile(name, text)
  await server.start()
  return server
}

export class DatabaseServer {
  readonly port: number
  readonly url: string
  /** Of its data. */
  readonly directory: string
  readonly #binaries: string
  #postmaster: ChildProcess | null = null
  /** Null while it runs freely. */
  #paused: number[] | null = null

  constructor(binaries: string, directory: string, port: number) {
    this.#binaries = binaries
    this.directory = directory
    this.port = port
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
  }

  get isRunning(): boolean {
    return this.#postmaster !== null
  }

  /** Of the process that has started all others. */
  get pid(): number | undefined {
    return this.#postmaster?.pid
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    if (this.#postmaster !== null) throw new Error('The server runs already')
    const log = openSync(`${this.directory}.log`, 'a')
    const child = spawn(join(this.#binaries, 'postgres'), ['-D', this.directory], {
      ...serverUser,
      cwd: this.directory,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    child.unref()
    this.#postmaster = child
    child.once('exit', () => {
      if (this.#postmaster === child) this.#postmaster = null
    })
    const deadline = performance.now() + START_PATIENCE_MS
    while (!(await this.#isReady(child.pid as number))) {
      if (this.#postmaster !== child || performance.now() > deadline) {
        throw new Error(`The server does not start: ${(await this.log()).slice(-2000)}`)
      }
      await pause(5)
    }
  }

  async #isReady(pid: number): Promise<boolean> {
    try {
      const lines = (await readFile(join(this.directory, 'postmaster.pid'), 'utf8')).split('\n')
      return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
    } catch {
      return false
    }
  }

  /** Resolves when it has ended. */
  async stop(mode: StopMode = 'fast'): Promise<void> {
    const child = this.#postmaster
    if (child === null) return
    const ended = endOf(child)
    this.resume()
    child.kill(STOP_SIGNALS[mode])
    await ended
  }

  async restart(mode: StopMode = 'fast'): Promise<void> {
    await this.stop(mode)
    await this.start()
  }

  /** Ends all of its processes at once, as when the machine loses power, but for what the system has not written yet. */
  async kill9(): Promise<void> {
    const child = this.#postmaster
    if (child === null) return
    const ended = endOf(child)
    // stopped first: a process that sees the others go gives up its wait for a standby, and what it wrote is seen by those that are left
    await this.pause()
    const all = this.#paused ?? []
    for (const pid of all) signal(pid, 'SIGKILL')
    await ended
    this.#paused = null
    // it does not start while any of them is left
    for (const pid of all) while (await isAlive(pid)) await pause(2)
  }

  /** Stops all of its processes where they are; connections stay open, and nobody answers. */
  async pause(): Promise<void> {
    const pid = this.#postmaster?.pid
    if (pid === undefined || this.#paused !== null) return
    signal(pid, 'SIGSTOP')
    this.#paused = [...(await childrenOf(pid)), pid]
    for (const each of this.#paused) signal(each, 'SIGSTOP')
  }

  resume(): void {
    for (const pid of this.#paused ?? []) signal(pid, 'SIGCONT')
    this.#paused = null
  }

  /** What a statement gives, on a connection of its own, which is the superuser's. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  /** Changes settings that need no restart. Resolves when connections that are made from now on have them. */
  async change(settings: ServerSettings): Promise<void> {
    await appendFile(join(this.directory, 'postgresql.conf'), confLines(settings))
    const loaded = async () => (await this.query<{ at: string }>('select pg_conf_load_time()::text as at'))[0]?.at
    const before = await loaded()
    await this.query('select pg_reload_conf()')
    while ((await loaded()) === before) await pause(10)
  }

  async addFile(name: string, text: string): Promise<void> {
    const path = join(this.directory, name)
    await writeFile(path, text)
    await chmod(path, 0o600)
    if (serverUser.uid !== undefined) await chown(path, serverUser.uid, serverUser.gid as number)
  }

  /** What it has logged so far. */
  log(): Promise<string> {
    return readFile(`${this.directory}.log`, 'utf8')
  }

  /** A copy of all its data as it stands; it is stopped for that, and started again. The path of the copy. */
  async backup(): Promise<string> {
    const copy = newDirectory('backup')
    await this.stop()
    await copyDirectory(this.directory, copy)
    await this.start()
    return copy
  }

  /** Puts its data back to what they were when `backup` was made, and starts it. */
  async restore(backup: string): Promise<void> {
    await this.kill9()
    await removeDirectory(this.directory)
    await copyDirectory(backup, this.directory)
    await this.start()
  }

  /**
   * Another server that follows this one; this one is stopped for a copy of its data, and started again. `name`: under which it may be
   * named in `synchronous_standby_names`. `through`: the port at which it reaches this one, which may be that of a proxy.
   */
  async startStandby({ name = 'standby', through = this.port } = {}): Promise<DatabaseServer> {
    const standby = new DatabaseServer(this.#binaries, await this.backup(), await freePort())
    const primary = `host=127.0.0.1 port=${through} user=postgres application_name=${name}`
    const settings = { port: standby.port, primary_conninfo: primary, wal_retrieve_retry_interval: '100ms' }
    await appendFile(join(standby.directory, 'postgresql.conf'), confLines(settings))
    await standby.addFile('standby.signal', '')
    await standby.start()
    return standby
  }

  /** Makes a standby a server that is written to. */
  async promote(): Promise<void> {
    const args = ['promote', '-w', '-D', this.directory]
    await run(join(this.#binaries, 'pg_ctl'), args, { ...serverUser, cwd: '/' })
  }

  async dispose(): Promise<void> {
    await this.kill9()
    await removeDirectory(this.directory)
    await rm(`${this.directory}.log`, { force: true })
  }
}

/** Waited for; else it keeps no process that has nothing more to do. */
function endOf(child: ChildProcess): Promise<unknown> {
  child.ref()
  return once(child, 'exit')
}

/** Nothing where there is no such process any more. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended by itself
  }
}
