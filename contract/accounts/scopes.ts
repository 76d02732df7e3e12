/** The scopes of API keys. The dashboard and the documentation show the descriptions. */
export const SCOPES = {
  'models:read': 'List the language models of this server',
  'agents:read': 'List and read agents and their versions',
  'agents:write': 'Create, change and archive agents; includes agents:read',
  'files:read': 'List, read and download files',
  'files:write': 'Upload, change and delete files; includes files:read',
  'connections:read': 'List connections to external services',
  'connections:write': 'Start and revoke connections; includes connections:read',
  'api-keys:read': 'List your API keys',
  'api-keys:write': 'Rename your API keys; includes api-keys:read',
  terminal: 'Everything the command line does; includes all scopes except billing',
  'billing:machine:charge': 'Create machine payments; owners and admins only',
} as const

export type Scope = keyof typeof SCOPES

export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]]

/**
 * The scopes that an endpoint requires, and `terminal`, which includes them. The others are reserved: keys may have them,
 * but they are not offered.
 */
export const OFFERED_SCOPES: readonly Scope[] = [
  'models:read',
  'agents:read',
  'agents:write',
  'files:read',
  'files:write',
  'api-keys:read',
  'api-keys:write',
  'terminal',
]

/** Those that grant something to a read-only key. */
export const OFFERED_READ_SCOPES: readonly Scope[] = [
  'models:read',
  'agents:read',
  'files:read',
  'api-keys:read',
  'terminal',
]

/** A write scope includes the read scope; `terminal` includes all scopes except billing. */
export function scopeGrants(held: readonly string[], required: Scope): boolean {
  if (held.includes(required)) return true
  if (required !== 'billing:machine:charge' && held.includes('terminal')) return true
  return required.endsWith(':read') && held.includes(required.replace(/:read$/, ':write'))
}
