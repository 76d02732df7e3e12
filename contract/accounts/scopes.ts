import { t } from '../text.ts'

export const SCOPE_ABILITIES = {
  'models:read': t`list this server’s language models`,
  'files:read': t`list, read and download files`,
  'files:write': t`upload, change and delete files`,
  'connections:read': t`list connections to external services`,
  'connections:write': t`start and revoke connections`,
  'api-keys:read': t`list your API keys`,
  'api-keys:write': t`rename your API keys`,
  'agents:write': t`create, change and archive agents`,
  'mcp:read': t`use MCP tools that only read`,
  'mcp:write': t`use all MCP tools`,
  terminal: t`do everything the command line can`,
  'billing:machine:charge': t`make, list and refund machine payments`,
} as const

export type Scope = keyof typeof SCOPE_ABILITIES

export const SCOPE_NAMES = Object.keys(SCOPE_ABILITIES) as [Scope, ...Scope[]]

const NOTES: Partial<Record<Scope, string>> = {
  'agents:write': t`any key can read agents`,
  terminal: t`includes all scopes except billing`,
  'billing:machine:charge': t`owners and admins only`,
}

export const SCOPES = Object.fromEntries(
  SCOPE_NAMES.map((scope) => {
    const ability = SCOPE_ABILITIES[scope]
    const read = scope.replace(/:write$/, ':read')
    const isIncluded = read !== scope && Object.hasOwn(SCOPE_ABILITIES, read)
    const note = isIncluded ? t`includes ${read}` : NOTES[scope]
    return [scope, `${ability.charAt(0).toUpperCase()}${ability.slice(1)}${note ? `; ${note}` : ''}`]
  }),
) as Record<Scope, string>

/** Those an endpoint or the MCP server requires, and `terminal`, which includes them. */
export const OFFERED_SCOPES: readonly Scope[] = [
  'models:read',
  'files:read',
  'files:write',
  'connections:read',
  'connections:write',
  'api-keys:read',
  'api-keys:write',
  'agents:write',
  'mcp:read',
  'mcp:write',
  'terminal',
  'billing:machine:charge',
]

export const OFFERED_READ_SCOPES: readonly Scope[] = OFFERED_SCOPES.filter(
  (scope) => scope.endsWith(':read') || scope === 'terminal',
)

/** A write scope includes the read scope; `terminal` includes all except billing. */
export function scopeGrants(heldScopes: readonly string[], required: Scope): boolean {
  if (heldScopes.includes(required)) return true
  if (required !== 'billing:machine:charge' && heldScopes.includes('terminal')) return true
  return required.endsWith(':read') && heldScopes.includes(required.replace(/:read$/, ':write'))
}

/** Without an MCP scope, a key has its user's permissions. */
export function keyMcpAccess({
  scopes,
  readOnly,
}: {
  scopes: readonly string[]
  readOnly?: boolean | undefined
}) {
  if (readOnly) return 'read'
  if (scopeGrants(scopes, 'mcp:write')) return 'write'
  return scopeGrants(scopes, 'mcp:read') ? 'read' : 'write'
}

/**
 * An MCP scope adds the file and model scopes that tools need: a client that may use tools may also ask an agent to use
 * them.
 */
export function scopesInRuns(heldScopes: readonly string[]): readonly string[] {
  if (scopeGrants(heldScopes, 'mcp:write')) return [...heldScopes, 'models:read', 'files:write']
  if (scopeGrants(heldScopes, 'mcp:read')) return [...heldScopes, 'models:read', 'files:read']
  return heldScopes
}
