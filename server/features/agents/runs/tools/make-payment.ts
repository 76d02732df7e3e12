import { z } from 'zod'
import { machinePayments } from '../../../../../contract/billing/machine-payments.ts'
import { dictionary } from '../../../../../contract/dictionary.ts'
import { callEndpoint } from '../../../../tools/call-endpoint.ts'
import { isCovered } from '../../../billing/machine-payments/machine-payments.ts'
import type { RunTool } from '../state/run-tool.ts'

const { amount, currency, reason, payee, method, mandateId } = machinePayments.create.body.shape

const input = z.strictObject({ amount, currency, reason, payee, method, mandateId })

const NOTES: Record<string, string> = dictionary({
  requires_approval:
    'Nothing is paid yet: an owner or admin has to approve it under Approvals. Do not repeat it.',
  recorded: 'No money moved: the payment is recorded only, because no provider is configured for the method.',
  processing: 'The provider is still processing the payment. Do not repeat it.',
  unknown:
    'The payment may or may not have been made; the server is checking with the provider. Do not repeat it.',
})

/** Payments outside the run's mandates require approval. */
export const makePayment: RunTool<z.output<typeof input>> = {
  name: 'make_payment',
  description:
    'Pay for something the task needs, within the limits set for you. Amounts are decimal strings such as "12.50". Never split a payment to stay below a limit.',
  input,
  effect: 'idempotent',
  risk: 'spend',
  isCovered: (sql, run, { payee: given, ...charge }, now) =>
    isCovered(sql, run, { ...charge, payee: given ? { url: null, account: null, ...given } : null }, now),
  summarize: ({ amount: sum, currency: code, payee: to, reason: why }) =>
    `Pay ${sum} ${code}${to ? ` to ${[to.name, to.account ?? to.url].filter(Boolean).join(', ')}` : ''}: ${why}`,
  async run(call, given) {
    const body = { ...given, idempotencyKey: call.idempotencyKey, runId: call.run.id }
    const payment = await callEndpoint(call, machinePayments.create, { body })
    const { id, status, failure, providerReference } = payment
    const note = NOTES[status]
    return {
      id,
      status,
      amount: payment.amount,
      currency: payment.currency,
      ...(providerReference && { providerReference }),
      ...(failure && { failure }),
      ...(note && { note }),
    }
  },
}
