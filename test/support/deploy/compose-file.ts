/** What a compose file describes, with variables filled in as Compose does. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../document-requests.ts'

export interface ComposeService {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly networks?: readonly string[]
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly restart: string
  readonly stop_grace_period?: string
  readonly stop_signal?: string
  readonly deploy?: { readonly replicas: number }
}

export interface ComposeFile {
  readonly services: Readonly<Record<'database' | 'migrate' | 'tangent' | 'balancer', ComposeService>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
  readonly volumes: Readonly<Record<string, object>>
}

/** `env`: what the shell, or the file `.env`, says. */
export function composeFile(env: Readonly<Record<string, string>> = {}, path = 'deploy/compose.yaml'): ComposeFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const filled = text.replace(/\$\$|\$\{(\w+):-([^}]*)\}/g, (whole, name: string, byDefault: string) =>
    whole === '$$' ? '$' : env[name] || byDefault,
  )
  return parse(filled, { merge: true })
}
