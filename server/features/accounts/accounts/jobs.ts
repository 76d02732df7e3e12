import { z } from 'zod'
import { LANGUAGE_CODES } from '../../../../contract/languages.ts'
import { signInMethodsChanged } from '../../../audit/sign-in-notices.ts'
import type { Config } from '../../../config/config.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import {
  mailEmailChange,
  mailMagicLink,
  mailNotice,
  mailPasswordReset,
  mailSignUp,
  mailVerification,
} from './email/mails.ts'

/** The request's id makes the mail idempotent: one mail, however often the job runs. */
const LinkRequest = z.object({
  id: z.uuid(),
  email: z.string(),
  /** Of the page that requested the mail, for recipients whose language is unknown. */
  language: z.enum(LANGUAGE_CODES).nullish(),
})

export const sendMagicLink = job('accounts.magic-link', LinkRequest.extend({ next: z.string().nullable() }), {
  lane: 'sign-in',
})
export const sendPasswordReset = job('accounts.password-reset', LinkRequest, { lane: 'sign-in' })
export const sendSignUpLink = job(
  'accounts.sign-up',
  LinkRequest.extend({ name: z.string(), organizationName: z.string() }),
  { lane: 'sign-in' },
)
export const sendVerification = job(
  'accounts.email-verification',
  z.object({ id: z.uuid(), userId: z.uuid() }),
  { lane: 'sign-in' },
)
export const sendEmailChangeLink = job('accounts.email-change', LinkRequest.extend({ userId: z.uuid() }), {
  lane: 'sign-in',
})

export const accountJobs = (signup: Config['signup']) => [
  onJob(sendMagicLink, mailMagicLink(signup)),
  onJob(sendPasswordReset, mailPasswordReset(signup)),
  onJob(sendSignUpLink, mailSignUp),
  onJob(sendVerification, mailVerification),
  onJob(sendEmailChangeLink, mailEmailChange),
  onJob(signInMethodsChanged, mailNotice),
]
