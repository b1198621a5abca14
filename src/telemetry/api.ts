// The API of OpenTelemetry as the SDK finds it. Other packages may have brought another version of it, which does not see what the SDK
// has registered where it is the newer one.

import { createRequire } from 'node:module'
import type * as Api from '@opentelemetry/api'

const requireForSdk = createRequire(import.meta.resolve('@opentelemetry/sdk-node'))

export const api = requireForSdk('@opentelemetry/api') as typeof Api
