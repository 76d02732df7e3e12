import type { PublicContext } from '../../../context.ts'
import type { Receiver } from '../../../inbound/receiver.ts'
import { createReceiverCache } from '../../../inbound/receiver-cache.ts'
import type { Secret } from '../../../signatures/secret.ts'
import { WEBHOOK_SCHEMES } from '../../../signatures/signature-schemes.ts'
import { hashedSecretsOf, isGracePeriod } from '../secrets.ts'
import { findReceiver, listReceiversOf, type ReceiverRow } from './receive-queries.ts'

export type WebhookReceivers = ReturnType<typeof createWebhookReceivers>

export function createWebhookReceivers() {
  const cache = createReceiverCache(async (ctx, id) => {
    const row = await findReceiver(ctx.sql, id)
    return row && receiverOf(ctx, row)
  })
  return {
    find: (ctx: PublicContext, id: string, options: { fresh: boolean }) => cache.find(ctx, id, options),
    /** Every receiver for events of this source, in all organizations. */
    listOf: async (ctx: PublicContext, source: string): Promise<Receiver[]> =>
      (await listReceiversOf(ctx.sql, source)).map((row) => receiverOf(ctx, row)),
  }
}

function receiverOf({ vault }: PublicContext, row: ReceiverRow): Receiver {
  const { orgId, id, source, version } = row
  let opened: readonly Secret[] | undefined
  return {
    orgId,
    id,
    source,
    version,
    isDisabled: row.status === 'disabled',
    schemes: WEBHOOK_SCHEMES,
    // Decrypting the secrets for each request would cost more than verifying it.
    secrets(now) {
      opened ??= hashedSecretsOf(vault, row, now)
      return isGracePeriod(row, now) ? opened : opened.slice(0, 1)
    },
  }
}
