import type { PublicContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import type { Secret } from '../../../signatures/scheme.ts'
import { openAccount } from '../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { CalledNumberRow } from './called-number.ts'

const ENTRIES_MAX = 1000

/** Opened once per credential version. */
export function createAuthTokens(options: TelephonyOptions) {
  const entries = new Map<string, { version: string; secrets: readonly Secret[] }>()

  return {
    /** Empty if the credentials can't be used, so nothing is verified. */
    async find(
      ctx: PublicContext<'outbound' | 'vault'>,
      number: CalledNumberRow,
      { fresh }: { fresh: boolean },
    ): Promise<readonly Secret[]> {
      const { id, accountVersion: version } = number
      if (version === null) return []
      const cached = fresh ? undefined : entries.get(id)
      if (cached?.version === version) return cached.secrets
      const token = await openToken(options, ctx, number)
      const secrets = token === null ? [] : [{ text: token, hash: sha256(token) }]
      entries.delete(id)
      if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value!)
      entries.set(id, { version, secrets })
      return secrets
    },
  }
}

async function openToken(
  options: TelephonyOptions,
  ctx: PublicContext<'outbound' | 'vault'>,
  { orgId, connectionId, accountId }: CalledNumberRow,
): Promise<string | null> {
  try {
    const account = await openAccount(options, ctx, orgId, connectionId)
    return account.accountId === accountId ? account.secret : null
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
