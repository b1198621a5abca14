/**
 * Errors of the database, in the words of the store's interface, and the events that a store reports to operators. Both repeat codes
 * only (SQLSTATE, or the system's): texts of the server name users, databases and values.
 */

import { StoreError, StoreFull, StoreUnavailable } from '../store/store.ts'

/** Why a connection was given up on which nothing came. */
export const SILENCE = 'no answer in time'

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
    super(meaningOf(code) ?? `The database refused: ${code}`)
    this.code = code
  }
}

/** A statement that is refused until another session releases a lock. */
export class LockRefused extends StatementRefused {}

const LOCK_NOT_AVAILABLE = '55P03'

/** `code`: SQLSTATE. */
export function refusal(code: string): StatementRefused {
  return code === LOCK_NOT_AVAILABLE ? new LockRefused(code) : new StatementRefused(code)
}

/** SQLSTATE, or the system's name, in words. The code stands behind them, to search for. */
const MEANINGS: Readonly<Record<string, string>> = {
  '08P01': 'the server or a pooler before it broke off the connection',
  '25006': 'it is read-only',
  '28000': 'it does not let this user in from here (pg_hba.conf, or TLS that it requires)',
  '28P01': 'the password is wrong',
  '3D000': 'there is no database of that name',
  '3F000': 'the schema is not there',
  '40001': 'others were in the way again and again',
  '40P01': 'others were in the way again and again',
  '42501': 'the user may not do that: grant it the rights that docs/scaling.md names',
  '42P01': 'a table is not there: run the migration',
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'it has too many connections',
  '55P03': 'another session holds a lock on what this needs',
  '57014': 'it has cancelled the statement',
  '57P01': 'it is shutting down',
  '57P02': 'it has crashed and starts anew',
  '57P03': 'it is starting or shutting down',
  '57P05': 'it has closed an idle connection',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by an authority that is trusted (DATABASE_CA_FILE)',
  EAI_AGAIN: 'its name cannot be looked up just now',
  ECONNREFUSED: 'nobody listens at its address',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
  ENOENT: 'its socket is not there',
  ENOTFOUND: 'its host name is not known',
  EPIPE: 'the connection was closed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  ETIMEDOUT: SILENCE,
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by an authority that is trusted (DATABASE_CA_FILE)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by an authority that is trusted (DATABASE_CA_FILE)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by an authority that is trusted (DATABASE_CA_FILE)',
}

function meaningOf(code: string): string | null {
  const meaning = MEANINGS[code]
  return meaning === undefined ? null : `The database refused: ${meaning} (${code})`
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
    const { code, message } = error
    // it was reached, and says no
    const isRefusal = code !== undefined && /^[0-9][0-9A-Z]{4}$/.test(code)
    return new StoreUnavailable(`The database ${isRefusal ? 'refused' : 'cannot be reached'}: ${message}`, code)
  }
  throw error
}

/** The reason in an error of the client or the system, without names or values. */
export function reasonOf(error: unknown): { reason: string; code?: string } {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && /^\w+$/.test(code)) {
    const meaning = MEANINGS[code]
    return { reason: meaning === undefined ? code : `${meaning} (${code})`, code }
  }
  if (message === 'timeout expired') return { reason: SILENCE }
  if (typeof message === 'string' && /SSL|TLS|certificate|altnames/i.test(message)) return { reason: 'TLS failed' }
  return { reason: 'the connection was closed' }
}

/** Purpose of a connection. */
type ConnectionRole = 'append' | 'read' | 'listen'

export type StoreEvent =
  | { readonly event: 'database-lost'; readonly connection: ConnectionRole; readonly reason: string }
  | { readonly event: 'database-back'; readonly connection: ConnectionRole; readonly awayMs: number }
  /** It answers, but is not one to write to: why. Asked again and again. */
  | { readonly event: 'database-unfit'; readonly reason: string }
  /** So many calls were under way, and nobody knows whether they were written. */
  | { readonly event: 'outcome-unknown'; readonly calls: number; readonly reason: string }
  | { readonly event: 'following-by-notification' }
  | { readonly event: 'following-by-poll'; readonly reason: string }

export type OnEvent = (event: StoreEvent) => void
