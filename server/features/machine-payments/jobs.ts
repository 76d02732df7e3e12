import { z } from 'zod'
import { job } from '../../jobs/job.ts'

/** Requests the unknown results of payments from their providers, and ends approvals that have expired. */
export const reconcileJob = job('payments.reconcile', z.object({}))

/** A payment waits for a person: admins are notified. */
export const approvalRequested = job('payments.approval-requested', z.object({ orgId: z.uuid() }))
