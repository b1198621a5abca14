/**
 * What went wrong with the database, in the words of the interface. Only codes are repeated (SQLSTATE, or the system's): texts of the
 * server name users, databases and values.
 */

import { StoreError, StoreFull, StoreUnavailable } from '../store/store.ts'

/** The connection is gone, or was given up: what was under way on it may have happened, or may still. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  readonly code: string | undefined

  constructor(reason: string, code?: string) {
    super(reason)
    this.code = code
  }
}

/** The server has refused a statement, and works on: nothing of the statement has happened. */
export class StatementRefused extends Error {
  override readonly name = 'StatementRefused'
  readonly code: string

  constructor(code: string) {
    super(`The database refused: ${code}`)
    this.code = code
  }
}

const DISK_FULL = '53100'
/** Serialization failure, deadlock. */
const TRANSIENT = new Set(['40001', '40P01'])
/** Read-only transactions: this server is not the primary any more; and servers that start, stop or are too busy. */
const CONNECT_ELSEWHERE = new Set(['25006', '57P01', '57P02', '57P03', '53300', '53200'])

/** Trying the same again may go well, and nothing was written. */
export function isTransient(error: unknown): boolean {
  return error instanceof StatementRefused && TRANSIENT.has(error.code)
}

/** Whether a connection on which this came is of no use any more. */
export function spoilsConnection(error: unknown): boolean {
  return error instanceof StatementRefused && CONNECT_ELSEWHERE.has(error.code)
}

/** For calls of which nothing was written, nor will be. */
export function unavailable(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  if (error instanceof StatementRefused && error.code === DISK_FULL) {
    return new StoreFull('There is no room left for the database', error.code)
  }
  if (error instanceof StatementRefused) return new StoreUnavailable(error.message, error.code)
  if (error instanceof ConnectionLost) {
    return new StoreUnavailable(`The database cannot be reached: ${error.message}`, error.code)
  }
  throw error
}

/** What an error of the client, or of the system, says without telling anything. */
export function reasonOf(error: unknown): { reason: string; code?: string } {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && /^\w+$/.test(code)) return { reason: code, code }
  if (message === 'timeout expired') return { reason: 'no answer in time' }
  if (typeof message === 'string' && /SSL|TLS|certificate|altnames/i.test(message)) return { reason: 'TLS failed' }
  return { reason: 'the connection was closed' }
}
