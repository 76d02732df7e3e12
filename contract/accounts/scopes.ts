/** What an API key may open, and in one sentence what that is; the dashboard shows the sentence when minting. */
export const SCOPES = {
  'models:read': 'List the language models this server offers',
  'files:read': 'List, read and download files',
  'files:write': 'Upload, change and delete files; includes files:read',
  'connections:read': 'List connections to outside services',
  'connections:write': 'Start and revoke connections; includes connections:read',
  'api-keys:read': 'List your API keys',
  'api-keys:write': 'Rename your API keys; includes api-keys:read',
  terminal: 'Sign in the command line: everything above',
  'billing:machine:charge': 'Create machine payments; owners and admins only',
} as const

export type Scope = keyof typeof SCOPES

export const SCOPE_NAMES = Object.keys(SCOPES) as [Scope, ...Scope[]]

/** A write scope includes its read, and `terminal` includes all but billing. */
export function scopeGrants(held: readonly string[], required: Scope): boolean {
  if (held.includes(required)) return true
  if (required !== 'billing:machine:charge' && held.includes('terminal')) return true
  return required.endsWith(':read') && held.includes(required.replace(/:read$/, ':write'))
}
