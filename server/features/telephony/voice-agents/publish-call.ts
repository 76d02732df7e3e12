import type { CallStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../context.ts'
import { publishIn } from '../../../events/publish.ts'
import type { CallRow } from '../calls/call-queries.ts'

/** Reports a change of a call on its transaction. Without the numbers of people: every member can read the event log. */
export const publishCall = (
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  type: 'call.started' | 'call.updated' | 'call.ended',
  { id, direction, projectId, numberId, agentId }: CallRow,
  status: CallStatus,
): Promise<void> =>
  publishIn(sql, orgId, now(), {
    type,
    data: { callId: id, direction, projectId, numberId, agentId, status },
  })
