import type { machinePayments } from '../../../contract/billing/machine-payments.ts'
import type { mandates } from '../../../contract/billing/mandates.ts'
import type { RequestOf } from '../../../contract/endpoint.ts'
import { randomHex } from '../../security/random.ts'
import { CUSTOMER } from '../fakes/stripe.ts'
import { bearer, type TestApp } from '../test-app.ts'

export type Payer = Awaited<ReturnType<typeof createPayer>>
type PaymentRequest = Partial<RequestOf<typeof machinePayments.create>>
type MandateRequest = Partial<RequestOf<typeof mandates.create>>

export async function createPayer(app: TestApp) {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner', name: 'Ada' })
  const client = await app.withSession(owner)
  const key = await app.key(owner, ['billing:machine:charge'])
  const byKey = app.as(bearer(key))
  return {
    ...{ org, owner, client, key, byKey, headers: bearer(key) },
    pay: (request: PaymentRequest = {}) =>
      byKey.machinePayments.create({
        ...{ amount: '10.00', currency: 'usd', reason: 'Data for the report', idempotencyKey: randomHex(8) },
        ...request,
      }),
    /** Default: for the key, 10 per payment and 50 per day. */
    mandate: (request: MandateRequest = {}) =>
      client.mandates.create({
        ...{ holder: 'key', holderId: key.id, currency: 'usd', perPayment: '10', perDay: '50' },
        ...request,
      }),
    connectStripe: (paymentMethodId = 'pm_card_visa') =>
      client.paymentProvider.put({
        ...{ kind: 'stripe', apiKey: 'rk_test_51Pgc1k2eZvKYlo2C', customerId: CUSTOMER, paymentMethodId },
      }),
  }
}
