import { t } from '../text.ts'

/** The scopes of API keys, with the abilities that each gives to a key. */
export const SCOPE_ABILITIES = {
  'models:read': t`list the language models of this server`,
  'files:read': t`list, read and download files`,
  'files:write': t`upload, change and delete files`,
  'connections:read': t`list connections to external services`,
  'connections:write': t`start and revoke connections`,
  'api-keys:read': t`list your API keys`,
  'api-keys:write': t`rename your API keys`,
  'agents:write': t`create, change and archive agents`,
  'mcp:read': t`use the tools of the MCP server that read`,
  'mcp:write': t`use all tools of the MCP server`,
  terminal: t`do everything that the command line does`,
  'billing:machine:charge': t`make, list and refund machine payments`,
} as const

export type Scope = keyof typeof SCOPE_ABILITIES

export const SCOPE_NAMES = Object.keys(SCOPE_ABILITIES) as [Scope, ...Scope[]]

const NOTES: Partial<Record<Scope, string>> = {
  'agents:write': t`any key can read agents`,
  terminal: t`includes all scopes except billing`,
  'billing:machine:charge': t`owners and admins only`,
}

/** The descriptions that the dashboard and the documentation show. */
export const SCOPES = Object.fromEntries(
  SCOPE_NAMES.map((scope) => {
    const ability = SCOPE_ABILITIES[scope]
    const read = scope.replace(/:write$/, ':read')
    const isIncluded = read !== scope && Object.hasOwn(SCOPE_ABILITIES, read)
    const note = isIncluded ? t`includes ${read}` : NOTES[scope]
    return [scope, `${ability.charAt(0).toUpperCase()}${ability.slice(1)}${note ? `; ${note}` : ''}`]
  }),
) as Record<Scope, string>

/**
 * The scopes that a user can select for a key: those that an endpoint or the MCP server requires, and `terminal`, which
 * includes them.
 */
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

/** The offered scopes that grant something to a read-only key. */
export const OFFERED_READ_SCOPES: readonly Scope[] = OFFERED_SCOPES.filter(
  (scope) => scope.endsWith(':read') || scope === 'terminal',
)

/** A write scope includes the read scope; `terminal` includes all scopes except billing. */
export function scopeGrants(heldScopes: readonly string[], required: Scope): boolean {
  if (heldScopes.includes(required)) return true
  if (required !== 'billing:machine:charge' && heldScopes.includes('terminal')) return true
  return required.endsWith(':read') && heldScopes.includes(required.replace(/:read$/, ':write'))
}

/** Which tools of the MCP server a key may use. Without a scope of MCP, it has the permissions of its user. */
export function mcpAccessOf({
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
 * The scopes that a key has in the runs that it starts. A scope of MCP includes the scopes of files and models, which
 * tools need: a client that may use tools may also ask an agent to use them. Other keys have the same scopes in runs.
 */
export function scopesInRuns(heldScopes: readonly string[]): readonly string[] {
  if (scopeGrants(heldScopes, 'mcp:write')) return [...heldScopes, 'models:read', 'files:write']
  if (scopeGrants(heldScopes, 'mcp:read')) return [...heldScopes, 'models:read', 'files:read']
  return heldScopes
}
