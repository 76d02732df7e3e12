import {
  ENDPOINT_PAUSES,
  type EndpointPause,
} from '../../../../contract/connections/connector-endpoint-options.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { JobContext } from '../../../context.ts'
import { queueMail } from '../../../mail/mail.ts'
import { isNotificationAllowed } from '../../../mail/mail-limits.ts'
import { listNotified, updatePaused } from '../setup/endpoint-queries.ts'

/** Pauses an endpoint whose owner has lost the rights that it needs, and notifies the people who can decide about it. */
export async function pauseEndpoint(
  ctx: JobContext,
  orgId: string,
  id: string,
  { reason, ownerId, name }: { reason: EndpointPause; ownerId: string; name: string },
): Promise<void> {
  const { sql } = ctx
  const now = ctx.now()
  await updatePaused(sql, orgId, id, reason, now)
  await recordAudit(ctx, {
    action: 'connector-endpoint.paused',
    by: { orgId, userId: ownerId, via: 'system' },
    target: id,
    details: { name, reason },
  })
  const line = name.replace(/\s+/g, ' ')
  for (const { userId, email } of await listNotified(sql, orgId, ownerId))
    if (await isNotificationAllowed(ctx, email))
      await queueMail(
        sql,
        orgId,
        {
          id: `connector-endpoint-${id}-paused-${now.getTime()}-to-${userId}`,
          to: email,
          subject: textWithNames`The endpoint “${line}” is paused`,
          text: `${ENDPOINT_PAUSES[reason]} Its events are stored and wait until a member resumes it.\n\nOpen the connections: ${ctx.mail.linkTo('/connections')}`,
        },
        now,
      )
}
