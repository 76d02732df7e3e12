import { t } from '../text.ts'
import { keyMcpAccess, SCOPE_ABILITIES, SCOPE_NAMES, type Scope, scopeGrants } from './scopes.ts'

/** The API returns a key's calls for this many days. */
export const KEY_USAGE_DAYS = 14
/** The owner is notified this long before the key expires. */
export const KEY_EXPIRY_NOTICE_DAYS = 7
/** An expired key stays in its owner's list this long. */
export const KEY_EXPIRED_LISTED_DAYS = 30

interface KeyAbilities {
  can: string[]
  cannot: string[]
}

/** `terminal` includes other scopes; MCP scopes have their own sentences. */
const LISTED_SCOPES = SCOPE_NAMES.filter((scope) => scope !== 'terminal' && !scope.startsWith('mcp:'))

/** Sentences without a subject, derived from the scopes as the server enforces them. */
export function keyAbilities(key: { scopes: readonly string[]; readOnly: boolean }): KeyAbilities {
  const { readOnly, scopes } = key
  const isGranted = (scope: Scope) => scopeGrants(scopes, scope) && (!readOnly || scope.endsWith(':read'))
  const sentences = (granted: boolean) =>
    LISTED_SCOPES.filter((scope) => isGranted(scope) === granted).map((scope) =>
      sentence(SCOPE_ABILITIES[scope]),
    )
  const usesAllTools = keyMcpAccess(key) === 'write'
  return {
    can: [
      readOnly
        ? t`Read everything you can read in this organization, with the exceptions below.`
        : t`Read, change and delete everything you can in this organization, with the exceptions below.`,
      ...sentences(true),
      sentence(SCOPE_ABILITIES[usesAllTools ? 'mcp:write' : 'mcp:read']),
    ],
    cannot: [
      ...(readOnly ? [t`Change or delete anything, except revoke itself.`] : []),
      ...sentences(false).filter((text) => !readOnly || READ_SENTENCES.includes(text)),
      ...(usesAllTools || readOnly ? [] : [t`Use MCP tools that change data.`]),
      t`Do anything that needs a browser, such as creating API keys, sharing projects or managing webhooks.`,
    ],
  }
}

const sentence = (ability: string) => `${ability.charAt(0).toUpperCase()}${ability.slice(1)}.`

/** For a read-only key, only missing read abilities are listed. */
const READ_SENTENCES = LISTED_SCOPES.filter((scope) => scope.endsWith(':read')).map((scope) =>
  sentence(SCOPE_ABILITIES[scope]),
)
