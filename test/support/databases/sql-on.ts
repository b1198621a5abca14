/** Statements to a database beside what is tested. */

import pg from 'pg'

/** What statements give, on a connection of their own. */
export async function sqlOn<Row = Record<string, unknown>>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
