import type { InputOf } from '../../../contract/endpoint.ts'
import type { webhooks } from '../../../contract/webhooks/webhooks.ts'
import type { Context } from '../../context.ts'
import { notFound, raise } from '../../errors.ts'
import { sha256 } from '../../security/digest.ts'
import { type Secret, verify } from '../../signatures/verify.ts'
import { findReceiverOf } from './receive/receive-queries.ts'
import { knownSecretsOf } from './secrets.ts'

/** What receiving this would find, without receiving it. */
export async function checkPayload(ctx: Context, input: InputOf<typeof webhooks.verify>) {
  const { webhookId, secret, payload } = input
  const secrets =
    webhookId === undefined
      ? [{ text: secret!, hash: sha256(secret!) }]
      : await secretsOfWebhook(ctx, webhookId)
  const headers = Object.fromEntries(
    Object.entries(input.headers).map(([name, value]) => [name.trim().toLowerCase(), value]),
  )
  const { valid, scheme, reason, timestampSkewSeconds } = verify(
    headers,
    Buffer.from(payload),
    secrets,
    ctx.now(),
  )
  return { valid, scheme, reason, timestampSkewSeconds }
}

async function secretsOfWebhook({ sql, caller, vault, now }: Context, id: string): Promise<Secret[]> {
  const receiver = (await findReceiverOf(sql, caller.orgId, id)) ?? raise(notFound('Webhook'))
  return knownSecretsOf(vault, receiver, now())
}
