import { z } from 'zod'
import { job } from '../jobs/job.ts'

/** Changes to how a user signs in, and to their API keys and connected apps. The user gets an email about each, in case another person made the change. */
export const NOTIFIED_ACTIONS = [
  'password.changed',
  'email.change-requested',
  'email.changed',
  'totp.enabled',
  'totp.removed',
  'recovery-codes.renewed',
  'passkey.added',
  'passkey.removed',
  'identity.linked',
  'identity.unlinked',
  'api-key.created',
  'app.connected',
] as const

export type NotifiedAction = (typeof NOTIFIED_ACTIONS)[number]

export const isNotified = (action: string): action is NotifiedAction =>
  (NOTIFIED_ACTIONS as readonly string[]).includes(action)

const SignInNotice = z.object({
  /** The id of the audit entry. */
  id: z.uuid(),
  userId: z.uuid(),
  action: z.enum(NOTIFIED_ACTIONS),
  /** The IP address that the change came from. */
  address: z.string(),
  at: z.string(),
  /** The recipient, if not the email address of the account at the time of sending. */
  to: z.string().optional(),
})

export type SignInNotice = z.output<typeof SignInNotice>

/** Declared beside the audit log, which enqueues it; the accounts feature has the handler. */
export const signInMethodsChanged = job('accounts.notice', SignInNotice, { lane: 'mail' })
