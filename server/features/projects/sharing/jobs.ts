import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { mailJoinLink } from './join-mail.ts'

export const sendJoinLink = job(
  'sharing.join-link',
  z.object({ id: z.uuid(), orgId: z.uuid(), inviteId: z.uuid(), name: z.string(), email: z.string() }),
  { lane: 'sign-in' },
)

export const sharingJobs = [onJob(sendJoinLink, mailJoinLink)]
