import type { PaymentMethod } from '../../../../contract/billing/payment-options.ts'
import type { paymentProvider } from '../../../../contract/billing/payment-provider.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { badField, notFound } from '../../../errors.ts'
import type { Vault } from '../../../security/vault.ts'
import type { Charge } from './records.ts'
import { toStripeAmount } from './stripe/charge.ts'
import { type Adapter, checkPaymentMethod } from './stripe/request.ts'

export async function getProvider(ctx: Context) {
  const row = await findProvider(ctx.sql, ctx.caller.orgId)
  return { provider: row && present(row) }
}

/** Otherwise the first payment would reveal a bad key. */
export const putProvider =
  (stripeUrl: string) =>
  async (ctx: Context<'outbound' | 'vault'>, input: InputOf<typeof paymentProvider.put>) => {
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

/** Returns null if no money can move. */
export async function findAdapter(
  { sql, vault }: Pick<Context<'vault'>, 'sql' | 'vault'>,
  stripeUrl: string,
  orgId: string,
  method: PaymentMethod | undefined,
): Promise<Adapter | null> {
  if (method !== undefined && method !== 'stripe') return null
  const row = await findProvider(sql, orgId)
  const apiKey = row && openKey(vault, orgId, row.keySealed)
  if (!row || !apiKey) return null
  return { url: stripeUrl, apiKey, customerId: row.customerId, paymentMethodId: row.paymentMethodId }
}

export function checkCharge({
  amount,
  currency,
  payee,
}: Pick<Charge, 'amount' | 'currency' | 'payee'>): void {
  if (toStripeAmount(amount, currency) === null)
    throw badField('body.amount', `has more decimals than Stripe charges in ${currency}`)
  if (payee?.account && !/^acct_[A-Za-z0-9]{1,100}$/.test(payee.account))
    throw badField('body.payee.account', 'must be a Stripe account, acct_…, for the method stripe')
}

const sealKey = (vault: Vault, orgId: string, key: string): string => vault.seal(locationOf(orgId), key)

/** Returns null if sealed with another server secret: it must be entered again. */
const openKey = (vault: Vault, orgId: string, sealed: string): string | null =>
  vault.tryOpen(locationOf(orgId), sealed)

const locationOf = (orgId: string) => `payment_providers.key:${orgId}`

interface ProviderRow {
  keySealed: string
  lastFour: string
  isLive: boolean
  customerId: string
  paymentMethodId: string
  updatedBy: string
  updatedAt: string
}

export async function findProvider(sql: Sql, orgId: string): Promise<ProviderRow | null> {
  const [row] = await sql<ProviderRow[]>`
    select key_sealed as "keySealed", key_last_four as "lastFour", is_live as "isLive", customer_id as "customerId",
      payment_method_id as "paymentMethodId", updated_by as "updatedBy", updated_at as "updatedAt"
    from payment_providers where org_id = ${orgId}`
  return row ?? null
}

const upsertProvider = (sql: Sql, orgId: string, row: Omit<ProviderRow, 'updatedAt'> & { now: Date }) => sql`
  insert into payment_providers (org_id, kind, key_sealed, key_last_four, is_live, customer_id, payment_method_id,
    updated_by, updated_at)
  values (${orgId}, 'stripe', ${row.keySealed}, ${row.lastFour}, ${row.isLive}, ${row.customerId},
    ${row.paymentMethodId}, ${row.updatedBy}, ${row.now})
  on conflict (org_id) do update set key_sealed = excluded.key_sealed, key_last_four = excluded.key_last_four,
    is_live = excluded.is_live, customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
    updated_by = excluded.updated_by, updated_at = excluded.updated_at`

const deleteProvider = (sql: Sql, orgId: string) => sql`
  delete from payment_providers where org_id = ${orgId} returning org_id`
