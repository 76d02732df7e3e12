import type { InputOf } from '../../../contract/endpoint.ts'
import type { webhooks } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { notFound, raise } from '../../errors.ts'
import { sha256 } from '../../security/digest.ts'
import { findReceiver } from './receive-queries.ts'
import { secretsOf } from './secrets.ts'
import { verify } from './verify.ts'

/** What receiving this would find, without receiving it. */
export async function checkPayload(ctx: Context, input: InputOf<typeof webhooks.verify>) {
  const { webhookId, secret, payload } = input
  const secrets = webhookId === undefined ? [secret!] : await secretsOfWebhook(ctx, webhookId)
  const headers = Object.fromEntries(
    Object.entries(input.headers).map(([name, value]) => [name.trim().toLowerCase(), value]),
  )
  const known = secrets.map((text) => ({ text, hash: sha256(text) }))
  return verify(headers, Buffer.from(payload), known, ctx.now())
}

async function secretsOfWebhook(ctx: Context, id: string): Promise<string[]> {
  const receiver = await findReceiver(ctx.sql, id)
  if (receiver?.orgId !== ctx.caller.orgId) throw notFound('Webhook')
  return secretsOf(ctx.vault, receiver ?? raise(notFound('Webhook')), ctx.now())
}
