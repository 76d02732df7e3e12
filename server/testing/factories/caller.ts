import type { Caller } from '../../context.ts'

/** Tests set the ids. */
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
