import type { CallStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Sql } from '../../../database/database.ts'
import { type EventInput, publishIn } from '../../../events/publish.ts'
import type { CallRow } from './call-queries.ts'

type PublishedCall = Pick<CallRow, 'id' | 'direction' | 'projectId' | 'numberId' | 'agentId'>

/** Without the numbers of people: every member of the organization can read the event log. */
export const callEvent = (
  type: 'call.started' | 'call.updated' | 'call.ended',
  { id, direction, projectId, numberId, agentId }: PublishedCall,
  status: CallStatus,
): EventInput => ({ type, data: { callId: id, direction, projectId, numberId, agentId, status } })

export const publishCall = (
  sql: Sql,
  orgId: string,
  now: Date,
  ...event: Parameters<typeof callEvent>
): Promise<void> => publishIn(sql, orgId, now, callEvent(...event))
