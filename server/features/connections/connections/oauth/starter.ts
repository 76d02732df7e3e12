import type { Caller } from '../../../../context.ts'
import type { ConnectionFlow } from './flow.ts'

/** Whether the caller started the flow: in the same session, as the same person, in the same organization. */
export const isStarter = (caller: Caller, { sessionId, userId, orgId }: ConnectionFlow) =>
  caller.via === 'session' &&
  caller.credentialId === sessionId &&
  caller.userId === userId &&
  caller.orgId === orgId
