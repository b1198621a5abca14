/** What a store has to tell those who run it. Nothing in it is secret: no address, no name, no text of the server's. */

/** What a connection is for. */
export type ConnectionRole = 'append' | 'read' | 'listen'

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
