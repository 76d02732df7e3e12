import type { PublicContext } from '../../../context.ts'
import { type callEvent, publishCall as publishEvent } from '../calls/call-events.ts'

/** Reports a change of a call on its transaction. */
export const publishCall = (
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  ...event: Parameters<typeof callEvent>
): Promise<void> => publishEvent(sql, orgId, now(), ...event)
