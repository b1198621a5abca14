/**
 * One process owns a data directory.
 *
 * The lock is a socket in it, `owner.N`, on which the owner listens: whoever can connect has found a living owner, and is told its
 * process id. The system closes a socket with its process however that ends, and finds it by its file, so the lock holds between
 * containers that share a volume, where process ids mean nothing: there a pid file would call a living owner dead. What is left of it
 * in the directory has no bytes that could be damaged.
 *
 * A file that nobody listens on any more cannot be taken over without two doing so at once. So it is never: a claim is a new file
 * with the next number, made by `link`, which succeeds for one only, from a socket that is listening already. The greatest number
 * counts. Who has linked looks once more whether a greater one has appeared, and steps back if so. Only an owner removes the files of
 * those before it.
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, type FileHandle, link, mkdir, open, readdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { StoreFailed, StoreLocked } from './store.ts'

/** The directories that this process owns, or is about to, and how they are let go: a handle that nobody knows is closed. */
const held = new Map<string, (() => Promise<void>) | null>()

/** An owner that is busy is one all the same, even if it does not say who it is for so long. */
const ANSWER_MS = 1000
/** Claims that are lost to others, who are gone again, before giving up. */
const MOST_TRIES = 100

const nameOf = (number: number) => `owner.${number}`

/** Makes the directory if need be and owns it until the function that is returned is called. Rejects with `StoreLocked`. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  let place = ''
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    place = await realpath(directory)
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusable(directory, error)
  }
  if (held.has(place)) throw locked(directory, `process ${process.pid}`)
  held.set(place, null)
  try {
    const release = await new Claim(directory, place).make()
    const unlock = async () => {
      await release()
      held.delete(place)
    }
    held.set(place, unlock)
    return unlock
  } catch (error) {
    held.delete(place)
    throw error instanceof StoreLocked ? error : unusable(directory, error)
  }
}

class Claim {
  private readonly directory: string
  private readonly place: string
  /** Names of sockets may have some hundred bytes only; through its handle, every directory has a short one. */
  private short = ''

  constructor(directory: string, place: string) {
    this.directory = directory
    this.place = place
  }

  async make(): Promise<() => Promise<void>> {
    const handle = await open(this.place, constants.O_RDONLY)
    const name = `claim-${randomBytes(8).toString('hex')}`
    let server: Server | null = null
    try {
      this.short = await shortPath(this.place, handle)
      server = createServer((socket) => {
        socket.on('error', () => undefined)
        socket.end(String(process.pid), () => socket.destroy())
      })
      server.unref()
      server.listen({ path: join(this.short, name), exclusive: true })
      await once(server, 'listening')
      server.on('error', () => undefined)
      await this.win(name)
      await this.clear()
    } catch (error) {
      await close(server, handle)
      throw error
    }
    return () => close(server, handle)
  }

  /** Links the socket `name` to the next number, unless there is a living owner. */
  private async win(name: string): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const last = Math.max(0, ...(await this.numbers()))
      if (last > 0) await this.assertDead(nameOf(last))
      try {
        await link(join(this.place, name), join(this.place, nameOf(last + 1)))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        continue
      }
      if (Math.max(...(await this.numbers())) === last + 1) {
        await rm(join(this.place, name), { force: true })
        return
      }
      await rm(join(this.place, nameOf(last + 1)), { force: true })
    }
    throw locked(this.directory, 'others')
  }

  private async numbers(): Promise<number[]> {
    const found = (await readdir(this.place)).map((name) => /^owner\.(\d{1,15})$/.exec(name)?.[1])
    return found.filter((digits) => digits !== undefined).map(Number)
  }

  private async assertDead(name: string): Promise<void> {
    const owner = await ownerAt(join(this.short, name))
    if (owner !== null) throw locked(this.directory, owner)
  }

  /** Removes what those before have left. Failing to is no harm. */
  private async clear(): Promise<void> {
    const numbers = await this.numbers()
    const mine = Math.max(...numbers)
    const left = numbers.filter((number) => number < mine).map(nameOf)
    for (const name of await readdir(this.place)) {
      if (/^claim-[0-9a-f]{16}$/.test(name) && (await ownerAt(join(this.short, name))) === null) left.push(name)
    }
    for (const name of left) await rm(join(this.place, name), { force: true, recursive: true }).catch(() => undefined)
  }
}

/** Who listens at `path`, in words; null where nobody does. */
async function ownerAt(path: string): Promise<string | null> {
  const socket = connect(path)
  let said = ''
  socket.on('data', (bytes) => {
    said += bytes.toString('latin1')
  })
  socket.setTimeout(ANSWER_MS, () => socket.destroy())
  return new Promise((resolve) => {
    // Refused, or not a socket at all. Whatever else may be wrong, someone may be there.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      const isDead = code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTSOCK'
      resolve(isDead ? null : 'another process')
    })
    socket.on('close', () => resolve(/^\d+$/.test(said) ? `process ${said}` : 'another process'))
  })
}

async function shortPath(place: string, handle: FileHandle): Promise<string> {
  const path = `/proc/self/fd/${handle.fd}`
  return access(path).then(
    () => path,
    () => place,
  )
}

/** Its file stays, and leads nowhere. */
async function close(server: Server | null, handle: FileHandle): Promise<void> {
  if (server?.listening) {
    const closed = once(server, 'close')
    server.close()
    await closed
  }
  await handle.close()
}

function unusable(directory: string, error: unknown): StoreFailed {
  if (error instanceof StoreFailed) return error
  const { code = 'an unknown error', syscall = 'use' } = error as NodeJS.ErrnoException
  return new StoreFailed(`The data directory ${directory} cannot be used: ${code} at ${syscall}`, code)
}

const locked = (directory: string, owner: string) =>
  new StoreLocked(`The data directory ${directory} is in use by ${owner}; one process owns a data directory`)
