import { z } from 'zod'
import { FEEDBACK_STATUS, type FeedbackStatus } from '../../../contract/feedback.ts'
import { job } from '../../jobs/job.ts'
import { onJob } from '../../jobs/job-handler.ts'
import { notifyComment, notifyOperators, notifyStatus } from './notify.ts'

const status = z.enum(Object.keys(FEEDBACK_STATUS) as [FeedbackStatus])

export const announceSubmission = job('feedback.announce', z.object({ orgId: z.uuid(), id: z.uuid() }))
export const announceComment = job(
  'feedback.announce-comment',
  z.object({ orgId: z.uuid(), feedbackId: z.uuid(), id: z.uuid() }),
)
export const announceStatus = job(
  'feedback.announce-status',
  z.object({ orgId: z.uuid(), feedbackId: z.uuid(), changeId: z.uuid(), status }),
)

export const feedbackJobs = [
  onJob(announceSubmission, notifyOperators),
  onJob(announceComment, notifyComment),
  onJob(announceStatus, notifyStatus),
]
