import type { machinePayments } from '../../../../contract/billing/machine-payments.ts'
import { canonicalJson } from '../../../../contract/canonical-json.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { conflict } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { charge } from './charge.ts'
import { openPayment } from './open.ts'
import { findByKey, findPayment } from './payment-queries.ts'
import { adapterOf } from './provider/adapter.ts'
import { presentPayment } from './records.ts'

/** A repeated key returns the payment as it is now, and never charges. */
export const createPayment =
  (stripeUrl: string) => async (ctx: Context, input: InputOf<typeof machinePayments.create>) => {
    const { orgId } = ctx.caller
    const opened = await ctx.transaction(async (inside) => {
      const requestHash = sha256(canonicalJson(input))
      const existing = await findByKey(inside.sql, orgId, input.idempotencyKey)
      if (existing && !existing.requestHash.equals(requestHash))
        throw conflict('body.idempotencyKey was already used for a payment with another body')
      if (existing) return { existing }
      const adapter = await adapterOf(inside, stripeUrl, orgId, input.method)
      return { adapter, row: await openPayment(inside, input, requestHash, adapter) }
    })
    if (opened.existing) return reply(presentPayment(opened.existing), { status: 200 })
    const { row, adapter } = opened
    if (row.status === 'processing') await charge(ctx, adapter!, row)
    return presentPayment((await findPayment(ctx.sql, orgId, row.id))!)
  }
