import type { paymentProvider } from '../../../../../contract/billing/payment-provider.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { badField, notFound } from '../../../../errors.ts'
import { checkPaymentMethod } from '../stripe/check.ts'
import { sealKey } from './provider-key.ts'
import { deleteProvider, findProvider, type ProviderRow, upsertProvider } from './provider-queries.ts'

export async function getProvider(ctx: Context) {
  const row = await findProvider(ctx.sql, ctx.caller.orgId)
  return { provider: row && present(row) }
}

/** Checks the key with Stripe before it is stored: otherwise the first payment would be the first to fail. */
export const putProvider =
  (stripeUrl: string) => async (ctx: Context, input: InputOf<typeof paymentProvider.put>) => {
    const { orgId, userId } = ctx.caller
    const { apiKey, customerId, paymentMethodId } = input
    const account = { url: stripeUrl, apiKey, customerId, paymentMethodId }
    const problem = await checkPaymentMethod(ctx.outbound, account)
    if (problem) throw badField(`body.${problem.field}`, problem.message)
    return ctx.transaction(async (inside) => {
      const isLive = /^.._live_/.test(apiKey)
      await upsertProvider(inside.sql, orgId, {
        ...{ keySealed: sealKey(ctx.vault, orgId, apiKey), lastFour: apiKey.slice(-4), isLive },
        ...{ customerId, paymentMethodId, updatedBy: userId, now: ctx.now() },
      })
      const details = { kind: 'stripe', mode: isLive ? 'live' : 'test', customerId, paymentMethodId }
      await recordAudit(inside, { action: 'payment-provider.set', by: ctx.caller, target: orgId, details })
      return { provider: present((await findProvider(inside.sql, orgId))!) }
    })
  }

export const removeProvider = (ctx: Context) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const [removed] = await deleteProvider(inside.sql, orgId)
    if (!removed) throw notFound('Payment provider')
    await recordAudit(inside, { action: 'payment-provider.removed', by: ctx.caller, target: orgId })
    return { deleted: true as const }
  })

const present = ({ keySealed: _sealed, isLive, ...row }: ProviderRow) => ({
  kind: 'stripe' as const,
  mode: isLive ? ('live' as const) : ('test' as const),
  ...row,
})
