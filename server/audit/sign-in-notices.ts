import { z } from 'zod'
import { job } from '../jobs/job.ts'

/** Each is emailed to the user, in case someone else made the change. */
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
  /** The audit entry's id. */
  id: z.uuid(),
  userId: z.uuid(),
  action: z.enum(NOTIFIED_ACTIONS),
  /** IP address the change came from. */
  address: z.string(),
  at: z.string(),
  /** Recipient, if not the account's email address at sending time. */
  to: z.string().optional(),
})

export type SignInNotice = z.output<typeof SignInNotice>

/** Declared beside the audit log, which enqueues it. The accounts feature has the handler. */
export const signInMethodsChanged = job('accounts.notice', SignInNotice, { lane: 'mail' })
