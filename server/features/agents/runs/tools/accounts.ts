import { z } from 'zod'
import { toDisplayName } from '../../../../../contract/display-name.ts'
import type { UsableConnection } from '../../../connections/connections/connections.ts'

export interface Account {
  id: string
  name: string
}

const NAME_CHARACTERS = 60

/** Names are distinct. The first is the default: active, and the user's own if possible. */
export function nameAccounts(connections: readonly UsableConnection[]): Account[] {
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

/** A model with only one account sends none. */
export const accountField = (accounts: readonly Account[]) => {
  const names = accounts.map(({ name }) => name)
  return z.enum(names as [string, ...string[]], { error: `must be one of ${names.join(', ')}` }).optional()
}

export const withAccountProperty = (schema: { properties?: object }, accounts: readonly Account[]) => ({
  ...schema,
  properties: {
    ...schema.properties,
    account: { type: 'string', enum: accounts.map(({ name }) => name), description: hintOf(accounts) },
  },
})
