import { unauthorized } from '../../../../errors.ts'

/** The same error for every invalid link: unknown, used, expired or revoked. */
export const linkExpired = () =>
  unauthorized('This link has been used or has expired: request a new one', { reason: 'link_spent' })
