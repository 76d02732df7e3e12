import type { Context } from '../../../context.ts'
import type { Adapter } from './provider/adapter.ts'
import type { PaymentRow } from './records.ts'
import { settle } from './settle.ts'
import { chargeStripe } from './stripe/charge.ts'

/** Sends a payment that was stored as `processing`, once. Its caller gets the result, if the provider answers. */
export async function charge(
  ctx: Pick<Context, 'sql' | 'outbound' | 'now'>,
  adapter: Adapter,
  row: PaymentRow,
): Promise<void> {
  const answer = await chargeStripe(ctx.outbound, adapter, row)
  await settle(ctx, row, answer, 'charge')
}
