import type { Caller } from '../../context.ts'

/** A caller without identity: tests set its ids. */
export const CALLER_DEFAULTS: Caller = {
  via: 'session',
  credentialId: '',
  userId: '',
  orgId: '',
  workspaceId: null,
  role: 'member',
  operator: false,
  scopes: 'all',
  stepUpUntil: null,
  stepUpMethods: [],
}
