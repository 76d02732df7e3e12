import { z } from 'zod'
import { toDisplayName } from '../../../../../contract/display-name.ts'
import type { UsableConnection } from '../../../connections/connections/connections.ts'

/** A connection under the name by which a model chooses it. */
export interface Account {
  id: string
  name: string
}

const NAME_CHARACTERS = 60

/**
 * The accounts of a connector by distinct names. The first is the default: one that works, of the person if possible.
 */
export function accountsOf(connections: readonly UsableConnection[]): Account[] {
  const sorted = connections.toSorted((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active'))
  const taken = new Set<string>()
  return sorted.map(({ id, label, accountName, isShared }) => {
    const displayName = toDisplayName(label ?? accountName ?? '', NAME_CHARACTERS) || 'account'
    const base = isShared ? `${displayName} (shared)` : displayName
    let name = base
    for (let number = 2; taken.has(name); number++) name = `${base} ${number}`
    taken.add(name)
    return { id, name }
  })
}

const hintOf = ([first]: readonly Account[]) => `The account to use. Default: ${first!.name}`

/** Optional, because a model that has only one account sends none. */
export const accountField = (accounts: readonly Account[]) => {
  const names = accounts.map(({ name }) => name)
  return z.enum(names as [string, ...string[]], { error: `must be one of ${names.join(', ')}` }).optional()
}

/** The schema of a tool with the choice of an account. */
export const withAccountProperty = (schema: { properties?: object }, accounts: readonly Account[]) => ({
  ...schema,
  properties: {
    ...schema.properties,
    account: { type: 'string', enum: accounts.map(({ name }) => name), description: hintOf(accounts) },
  },
})
