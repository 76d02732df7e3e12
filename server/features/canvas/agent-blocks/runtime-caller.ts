import type { Caller } from '../../../context.ts'

interface RunRef {
  id: string
  createdBy: string
}

/** In the history, the state of a run is a change by the person who started it. */
export const runtimeCaller = (orgId: string, { id, createdBy }: RunRef): Caller => ({
  via: 'run',
  credentialId: id,
  userId: createdBy,
  orgId,
  workspaceId: null,
  role: 'member',
  operator: false,
  scopes: [],
  stepUpUntil: null,
  stepUpMethods: [],
})
