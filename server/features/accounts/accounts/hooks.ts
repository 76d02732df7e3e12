import type { PublicContext } from '../../../context.ts'
import { defineHook } from '../../../hooks.ts'

type Inside = Pick<PublicContext, 'sql' | 'now'>

/** Runs in the transaction that creates an organization. */
export const organizationCreated =
  defineHook<(inside: Inside, organization: { orgId: string }) => Promise<void>>('organizationCreated')

/** Runs in the transaction that replaces a password or email address, to end what others were granted by it. */
export const signInReplaced =
  defineHook<(inside: Inside, user: { userId: string }) => Promise<void>>('signInReplaced')
