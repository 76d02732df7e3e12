import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** Requests the unknown results of payments from their providers, and ends approvals that have expired. */
export const reconcileJob = job('payments.reconcile', z.object({}))

/** Notifies admins of payments that wait for approval. */
export const approvalRequested = job('payments.approval-requested', z.object({ orgId: z.uuid() }))
