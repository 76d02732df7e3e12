import { z } from 'zod'
import { job } from '../../jobs/job.ts'

/** Asks providers for the results of payments that are not known, and ends approvals that have expired. */
export const reconcileJob = job('payments.reconcile', z.object({}))

/** A payment waits for a person: admins are notified. */
export const approvalRequested = job('payments.approval-requested', z.object({ orgId: z.uuid() }))
