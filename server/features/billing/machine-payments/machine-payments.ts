import { machinePayments as contract } from '../../../../contract/billing/machine-payments.ts'
import { mandates } from '../../../../contract/billing/mandates.ts'
import { paymentProvider } from '../../../../contract/billing/payment-provider.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { createPayment } from './create.ts'
import { decidePayment } from './decide.ts'
import { createMandate, listMandates, revokeMandate } from './mandates/mandates.ts'
import { approvalRequested, notifyAdmins, reconcileJob } from './notify.ts'
import { getProvider, putProvider, removeProvider } from './provider.ts'
import { getMachinePayment, listMachinePayments } from './read.ts'
import { reconcile } from './reconcile.ts'
import { refundPayment } from './refund.ts'

export { isCovered } from './mandates/coverage.ts'
export { hasMandate } from './mandates/mandate-queries.ts'
export { countWaiting, waitingPaymentCount } from './payment-queries.ts'

/** Payments by agents and programs, within mandates that members set. */
export const machinePayments = ({ stripeUrl }: { stripeUrl: string }): Feature => ({
  routes: [
    handle(contract.create, createPayment(stripeUrl)),
    handle(contract.list, listMachinePayments),
    handle(contract.get, getMachinePayment),
    handle(contract.refund, refundPayment(stripeUrl)),
    handle(contract.decide, decidePayment(stripeUrl)),
    handle(mandates.list, listMandates),
    handle(mandates.create, createMandate),
    handle(mandates.revoke, revokeMandate),
    handle(paymentProvider.get, getProvider),
    handle(paymentProvider.put, putProvider(stripeUrl)),
    handle(paymentProvider.remove, removeProvider),
  ],
  jobs: [onJob(reconcileJob, reconcile(stripeUrl)), onJob(approvalRequested, notifyAdmins)],
  schedules: [{ job: reconcileJob, cron: '* * * * *' }],
})
