export type GrantAccess = 'read' | 'write'

/** Unknown scopes are ignored, as RFC 6749 allows; the response names the granted ones. */
export const requestedAccess = (scope: string | undefined): GrantAccess =>
  scope?.split(' ').includes('mcp:write') ? 'write' : 'read'

/** Writing includes reading. */
export const scopeOf = (access: GrantAccess): string =>
  access === 'write' ? 'mcp:read mcp:write' : 'mcp:read'
