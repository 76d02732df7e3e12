import { z } from 'zod'
import { job, onJob } from '../../jobs/job.ts'
import {
  mailEmailChange,
  mailMagicLink,
  mailPasswordReset,
  mailSignUp,
  mailVerification,
} from './email/email-links.ts'
import { isNoticed, mailNotice, type NoticedAction } from './email/notices.ts'

/** The id is that of the request, so that it is answered with one mail however often the job runs. */
const asked = z.object({ id: z.uuid(), email: z.string() })

export const magicLinkAsked = job('accounts.magic-link', asked.extend({ next: z.string().nullable() }))
export const passwordResetAsked = job('accounts.password-reset', asked)
export const signUpAsked = job(
  'accounts.sign-up',
  asked.extend({ name: z.string(), organizationName: z.string() }),
)
export const verificationAsked = job(
  'accounts.email-verification',
  z.object({ id: z.uuid(), userId: z.uuid() }),
)

export const emailChangeAsked = job('accounts.email-change', asked.extend({ userId: z.uuid() }))

export const waysInChanged = job(
  'accounts.notice',
  z.object({
    id: z.uuid(),
    userId: z.uuid(),
    action: z.string().refine(isNoticed) as unknown as z.ZodType<NoticedAction>,
    address: z.string(),
    at: z.string(),
    to: z.string().optional(),
  }),
)

export const accountJobs = [
  onJob(magicLinkAsked, mailMagicLink),
  onJob(passwordResetAsked, mailPasswordReset),
  onJob(signUpAsked, mailSignUp),
  onJob(verificationAsked, mailVerification),
  onJob(emailChangeAsked, mailEmailChange),
  onJob(waysInChanged, mailNotice),
]
