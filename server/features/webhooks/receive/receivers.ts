import type { PublicContext } from '../../../context.ts'
import { createReceiverCache, type Receiver } from '../../../inbound/receiver.ts'
import type { Secret } from '../../../signatures/scheme.ts'
import { acceptedSchemes } from '../../../signatures/signature-schemes.ts'
import { hashedSecretsOf, isGracePeriod } from '../secrets.ts'
import { listReceiversOfAccount, listReceiversOfOtherAccounts } from './linear-queries.ts'
import { findReceiver, type ReceiverRow } from './receive-queries.ts'

export interface WebhookReceiver extends Receiver {
  dedupWindowSeconds: number
}

export type WebhookReceivers = ReturnType<typeof createWebhookReceivers>

export function createWebhookReceivers() {
  const cache = createReceiverCache(async (ctx, id) => {
    const row = await findReceiver(ctx.sql, id)
    return row && receiverOf(ctx, row)
  })
  return {
    find: (ctx: PublicContext, id: string, options: { fresh: boolean }) => cache.find(ctx, id, options),
    /** Receivers with the source `linear` of any organization, by the account at Linear. */
    listOfAccount: async (ctx: PublicContext, account: string): Promise<WebhookReceiver[]> =>
      (await listReceiversOfAccount(ctx.sql, account)).map((row) => receiverOf(ctx, row)),
    listOfOtherAccounts: async (ctx: PublicContext, account: string | null): Promise<WebhookReceiver[]> =>
      (await listReceiversOfOtherAccounts(ctx.sql, account)).map((row) => receiverOf(ctx, row)),
  }
}

function receiverOf({ vault }: PublicContext, row: ReceiverRow): WebhookReceiver {
  const { orgId, id, source, version, dedupWindowSeconds } = row
  let opened: readonly Secret[] | undefined
  return {
    orgId,
    id,
    source,
    version,
    dedupWindowSeconds,
    isDisabled: row.status === 'disabled',
    schemes: acceptedSchemes(row.scheme),
    // Decrypting the secrets for each request would cost more than verifying it.
    secrets(now) {
      opened ??= hashedSecretsOf(vault, row, now)
      return isGracePeriod(row, now) ? opened : opened.slice(0, 1)
    },
  }
}
