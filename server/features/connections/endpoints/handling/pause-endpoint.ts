import {
  ENDPOINT_PAUSES,
  type EndpointPause,
} from '../../../../../contract/connections/connector-endpoint-options.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { JobContext } from '../../../../context.ts'
import { notifyOwner } from '../notify-owner.ts'
import { updatePaused } from '../setup/endpoint-queries.ts'

interface Pause {
  reason: EndpointPause
  ownerId: string
  connectionId: string
  name: string
}

/** Pauses an endpoint whose owner has lost the rights that it needs, and notifies the people who can decide about it. */
export async function pauseEndpoint(
  ctx: JobContext,
  orgId: string,
  id: string,
  { reason, ownerId, connectionId, name }: Pause,
): Promise<void> {
  const now = ctx.now()
  await updatePaused(ctx.sql, orgId, id, reason, now)
  await recordAudit(ctx, {
    action: 'connector-endpoint.paused',
    by: { orgId, userId: ownerId, via: 'system' },
    target: id,
    details: { name, reason },
  })
  await notifyOwner(ctx, orgId, {
    id: `connector-endpoint-${id}-paused-${now.getTime()}`,
    ownerId,
    connectionId,
    subject: textWithNames`The endpoint “${name.replace(/\s+/g, ' ')}” is paused`,
    text: `${ENDPOINT_PAUSES[reason]} Its events are stored and wait until a member resumes it.`,
  })
}
