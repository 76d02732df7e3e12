import type { Caller } from '../../context.ts'

/** The fields of a caller that do not identify it. */
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
