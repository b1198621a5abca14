// A client of Tangent: paths, requests and answers have the types of the OpenAPI document.

import createClient, { type Client, type ClientOptions, mergeHeaders } from 'openapi-fetch'
import type { components, paths } from './types.js'

export type { components, operations, paths } from './types.js'
/** Requests, answers and their parts by name: `Schemas['Body2d']`. */
export type Schemas = components['schemas']
export type Tangent = Client<paths>

/** `baseUrl`: of the service; http://127.0.0.1:3000 when absent. */
export interface TangentOptions extends ClientOptions {
  /** Where the service wants one. */
  readonly token?: string
}

/** A client with `GET`, `POST`, `PUT`, `PATCH` and `DELETE`: each takes a path, and gives `data` or, of a problem, `error`. */
export function createTangent({ token, headers, ...options }: TangentOptions = {}): Tangent {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return createClient<paths>({
    baseUrl: 'http://127.0.0.1:3000',
    ...options,
    headers: mergeHeaders(authorization, headers),
  })
}
