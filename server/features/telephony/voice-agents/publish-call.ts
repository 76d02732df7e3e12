import type { CallStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { PublicContext } from '../../../context.ts'
import { publishIn } from '../../../events/publish.ts'
import type { CallRow } from '../calls/call-queries.ts'

/** Reports a change of a call on its transaction. */
export const publishCall = (
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  type: 'call.started' | 'call.updated' | 'call.ended',
  { id, projectId, direction, provider }: CallRow,
  status: CallStatus,
): Promise<void> =>
  publishIn(sql, orgId, now(), { type, data: { callId: id, projectId, direction, provider, status } })
