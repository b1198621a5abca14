/** Kept shapes as rows: the head of each, and its bytes in parts, which are sent and read one by one so that no message is long. */

import { randomUUID } from 'node:crypto'
import type { Connection } from './connection.ts'
import { copyRows, literal } from './log-and-snapshots.ts'
import { type ReadPool, SWEEP_TIMEOUT_MS } from './read-pool.ts'

interface ShapeRow {
  readonly id: string
  readonly dimension: string
  /** Of all parts. */
  readonly bytes: number
  readonly head: string
}

interface FoundShape {
  readonly dimension: string
  readonly head: string
  /** Names its parts. */
  readonly content: string
}

const IS_THERE = "select to_regclass('tangent.shape') is not null"
const ADD_PART = 'insert into tangent.shape_part (content, n, bytes) values ($1, $2, $3::bytea)'
const ADD = `insert into tangent.shape (id, dimension, content, bytes, head) values ($1, $2, $3, $4, $5)
  on conflict (id) do nothing returning id`
const USED = 'update tangent.shape set used_at = now() where id = $1 returning id'
const FIND = 'select dimension, head, content from tangent.shape where id = $1'
const PAGE = 'select head from tangent.shape where dimension = $1 and id > $2 order by id limit $3'
const REMOVE = 'delete from tangent.shape where id = $1 and dimension = $2 returning id'
// Rows that somebody else has locked are on their way out, or have just been used.
const MAKE_ROOM = `delete from tangent.shape where id in (
  select id from tangent.shape where id in (
    select id from (
      select id, sum(bytes) over latest as total, row_number() over latest as place
      from tangent.shape window latest as (order by used_at desc, id rows unbounded preceding)
    ) s where (total > $2 or place > $3) and id <> $1
  ) for update skip locked
) returning id`

export class ShapeRows {
  private readonly pool: ReadPool

  constructor(pool: ReadPool) {
    this.pool = pool
  }

  /** Whether the schema has these tables: that of the release before has not. */
  async areThere(): Promise<boolean> {
    const [[areThere]] = await this.pool.query(IS_THERE)
    return areThere === true
  }

  /** Returns whether the shape is new. */
  add(row: ShapeRow, parts: () => Iterable<Uint8Array>): Promise<boolean> {
    return this.pool.use(async (connection) => {
      await connection.run('begin', SWEEP_TIMEOUT_MS)
      try {
        const isNew = await addWhole(connection, row, parts())
        await connection.run(isNew ? 'commit' : 'rollback', SWEEP_TIMEOUT_MS)
        return isNew
      } catch (error) {
        if (!connection.isLost) await connection.run('rollback', SWEEP_TIMEOUT_MS)
        throw error
      }
    })
  }

  /** Deletes what was used longest ago beyond so many bytes and so many shapes, whatever the size of this one; the ids of what has gone. */
  async makeRoom(id: string, mostBytes: number, mostCount: number): Promise<string[]> {
    const gone = await this.pool.query(MAKE_ROOM, [id, mostBytes, mostCount], SWEEP_TIMEOUT_MS)
    return gone.map(([row]) => row as string)
  }

  async find(id: string): Promise<FoundShape | null> {
    const [row] = await this.pool.query(FIND, [id])
    if (row === undefined) return null
    const [dimension, head, content] = row as [string, string, string]
    return { dimension, head, content }
  }

  /** A part, in memory of its own; null where it was deleted. */
  async part(content: string, n: number): Promise<Uint8Array | null> {
    const select = `select n, bytes from tangent.shape_part where content = '${content}' and n = ${literal(n)}`
    const [row] = await copyRows(this.pool, select)
    return row === undefined ? null : row[1]
  }

  /** Heads of shapes behind the cursor, by id. */
  async page(dimension: string, cursor: string, count: number): Promise<string[]> {
    return (await this.pool.query(PAGE, [dimension, cursor, count])).map(([head]) => head as string)
  }

  /** Notes that the shape is used now. Returns whether it is there. */
  async use(id: string): Promise<boolean> {
    return (await this.pool.query(USED, [id])).length > 0
  }

  /** Returns whether it was there. */
  async remove(id: string, dimension: string): Promise<boolean> {
    return (await this.pool.query(REMOVE, [id, dimension], SWEEP_TIMEOUT_MS)).length > 0
  }
}

async function addWhole(connection: Connection, row: ShapeRow, parts: Iterable<Uint8Array>): Promise<boolean> {
  const query = (text: string, values: readonly unknown[]) => connection.query({ text, values }, SWEEP_TIMEOUT_MS)
  const { id, dimension, bytes, head } = row
  if ((await query(USED, [id])).length > 0) return false
  const content = randomUUID()
  let n = 0
  for (const part of parts) await query(ADD_PART, [content, n++, part])
  return (await query(ADD, [id, dimension, content, bytes, head])).length > 0
}
