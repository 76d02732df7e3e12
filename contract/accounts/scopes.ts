/** The scopes of API keys. The dashboard and the documentation show the descriptions. */
export const SCOPES = {
  'models:read': 'List the language models of this server',
  'files:read': 'List, read and download files',
  'files:write': 'Upload, change and delete files; includes files:read',
  'connections:read': 'List connections to external services',
  'connections:write': 'Start and revoke connections; includes connections:read',
  'api-keys:read': 'List your API keys',
  'api-keys:write': 'Rename your API keys; includes api-keys:read',
  'mcp:read': 'Use the tools of the MCP server that read',
  'mcp:write': 'Use all tools of the MCP server; includes mcp:read',
  terminal: 'Everything the command line does; includes all scopes except billing',
  'billing:machine:charge': 'Make, list and refund machine payments; owners and admins only',
} as const

export type Scope = keyof typeof SCOPES

export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]]

/**
 * The scopes that an endpoint or the MCP server requires, and `terminal`, which includes them. The others are reserved:
 * keys may have them, but they are not offered.
 */
export const OFFERED_SCOPES: readonly Scope[] = [
  'models:read',
  'files:read',
  'files:write',
  'connections:read',
  'connections:write',
  'api-keys:read',
  'api-keys:write',
  'mcp:read',
  'mcp:write',
  'terminal',
  'billing:machine:charge',
]

/** Those that grant something to a read-only key. */
export const OFFERED_READ_SCOPES: readonly Scope[] = [
  'models:read',
  'files:read',
  'api-keys:read',
  'mcp:read',
  'terminal',
]

/** A write scope includes the read scope; `terminal` includes all scopes except billing. */
export function scopeGrants(held: readonly string[], required: Scope): boolean {
  if (held.includes(required)) return true
  if (required !== 'billing:machine:charge' && held.includes('terminal')) return true
  return required.endsWith(':read') && held.includes(required.replace(/:read$/, ':write'))
}

/**
 * The scopes that a key has in the runs that it starts. A scope of MCP includes what tools need, files and models: a client
 * that may use tools may also ask an agent to. Without one, a key has the scopes that it has everywhere.
 */
export function scopesInRuns(held: readonly string[]): readonly string[] {
  if (scopeGrants(held, 'mcp:write')) return [...held, 'models:read', 'files:write']
  if (scopeGrants(held, 'mcp:read')) return [...held, 'models:read', 'files:read']
  return held
}
