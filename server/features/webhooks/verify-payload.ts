import type { InputOf } from '../../../contract/endpoint.ts'
import type { webhooks } from '../../../contract/webhooks/webhooks.ts'
import type { Context } from '../../context.ts'
import { requireRole } from '../../endpoint/permit.ts'
import { notFound, raise } from '../../errors.ts'
import { sha256 } from '../../security/digest.ts'
import { acceptedSchemes } from '../../signatures/signature-schemes.ts'
import { verify } from '../../signatures/verify.ts'
import { findOrgReceiver } from './receive/receivers.ts'
import { buildReceiveUrl } from './records.ts'
import { openHashedSecrets } from './secrets.ts'

export async function verifyPayload(ctx: Context<'vault'>, input: InputOf<typeof webhooks.verify>) {
  const { webhookId, secret, payload } = input
  const { schemes, secrets } =
    webhookId === undefined
      ? { schemes: acceptedSchemes('auto'), secrets: [{ text: secret!, hash: sha256(secret!) }] }
      : await findSchemesAndSecrets(ctx, webhookId)
  const headers = Object.fromEntries(
    Object.entries(input.headers).map(([name, value]) => [name.trim().toLowerCase(), value]),
  )
  const request = { url: buildReceiveUrl(ctx.origin, webhookId ?? ''), headers, body: Buffer.from(payload) }
  const { valid, scheme, reason, timestampSkewSeconds } = verify(schemes, request, secrets, ctx.now())
  return { valid, scheme: scheme?.name ?? null, reason, timestampSkewSeconds }
}

async function findSchemesAndSecrets({ sql, caller, vault, now }: Context<'vault'>, id: string) {
  requireRole('admin', caller)
  const receiver = (await findOrgReceiver(sql, caller.orgId, id)) ?? raise(notFound('Webhook'))
  return { schemes: acceptedSchemes(receiver.scheme), secrets: openHashedSecrets(vault, receiver, now()) }
}
