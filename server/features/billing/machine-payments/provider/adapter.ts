import type { PaymentMethod } from '../../../../../contract/billing/payment-options.ts'
import type { Context } from '../../../../context.ts'
import { badField } from '../../../../errors.ts'
import type { Charge } from '../mandates/coverage.ts'
import { toStripeAmount } from '../stripe/amount.ts'
import { openKey } from './provider-key.ts'
import { findProvider } from './provider-queries.ts'

/** The account that pays, with its key. */
export interface Adapter {
  url: string
  apiKey: string
  customerId: string
  paymentMethodId: string
}

/** The adapter for a method, by default the configured one; null if no money can move. */
export async function adapterOf(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
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

/** Refuses payments that Stripe cannot make, before a payment exists. */
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
