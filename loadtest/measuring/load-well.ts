import autocannon, { type Options, type Result } from 'autocannon'

/** Sends JSON until the time is over. Throws when an answer is missing or bad. */
export async function loadWell(options: Options): Promise<Result> {
  const result = await autocannon({ headers: { 'content-type': 'application/json' }, ...options })
  const { non2xx, errors } = result
  if (non2xx > 0 || errors > 0) throw new Error(`${options.url}: ${non2xx} bad answers, ${errors} errors`)
  return result
}
