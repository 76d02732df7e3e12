import { t } from '../text.ts'
import { mcpAccessOf, SCOPE_ABILITIES, SCOPE_NAMES, type Scope, scopeGrants } from './scopes.ts'

/** The number of days for which the API returns the calls of a key. */
export const KEY_USAGE_DAYS = 14
/** The owner of a key is notified this long before it expires. */
export const KEY_EXPIRY_NOTICE_DAYS = 7
/** An expired key stays in the list of its owner this long. */
export const KEY_EXPIRED_LISTED_DAYS = 30

interface KeyAbilities {
  can: string[]
  cannot: string[]
}

/** All scopes but `terminal`, which includes other scopes, and the scopes of MCP, which have their own sentences. */
const LISTED_SCOPES = SCOPE_NAMES.filter((scope) => scope !== 'terminal' && !scope.startsWith('mcp:'))

/** The abilities of a key, as sentences without their subject. Derived from the scopes, as the server enforces them. */
export function keyAbilities(key: { scopes: readonly string[]; readOnly: boolean }): KeyAbilities {
  const { readOnly, scopes } = key
  const isGranted = (scope: Scope) => scopeGrants(scopes, scope) && (!readOnly || scope.endsWith(':read'))
  const sentences = (granted: boolean) =>
    LISTED_SCOPES.filter((scope) => isGranted(scope) === granted).map((scope) =>
      sentence(SCOPE_ABILITIES[scope]),
    )
  const usesAllTools = mcpAccessOf(key) === 'write'
  return {
    can: [
      readOnly
        ? t`Read what you can read in this organization, with the exceptions listed.`
        : t`Read, change and delete what you can in this organization, with the exceptions listed.`,
      ...sentences(true),
      sentence(SCOPE_ABILITIES[usesAllTools ? 'mcp:write' : 'mcp:read']),
    ],
    cannot: [
      ...(readOnly ? [t`Change or delete anything, except revoke itself.`] : []),
      ...sentences(false).filter((text) => !readOnly || READ_SENTENCES.includes(text)),
      ...(usesAllTools || readOnly ? [] : [t`Use the tools of the MCP server that change data.`]),
      t`Perform actions that require a browser, such as creating API keys, sharing projects and managing webhooks.`,
    ],
  }
}

const sentence = (ability: string) => `${ability.charAt(0).toUpperCase()}${ability.slice(1)}.`

/** For a read-only key, only missing abilities to read are listed. */
const READ_SENTENCES = LISTED_SCOPES.filter((scope) => scope.endsWith(':read')).map((scope) =>
  sentence(SCOPE_ABILITIES[scope]),
)
