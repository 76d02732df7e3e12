import type { JobContext } from '../../context.ts'
import { queueMail } from '../../mail/mail.ts'
import { isNotificationAllowed } from '../../mail/mail-limits.ts'
import { listNotified } from './setup/endpoint-queries.ts'

interface Notification {
  /** What happened and when: each recipient gets one mail with this id. */
  id: string
  ownerId: string
  connectionId: string
  subject: string
  text: string
}

/** Mails the owner of an endpoint, or the owners of the organization if that member has left. */
export async function notifyOwner(
  ctx: JobContext,
  orgId: string,
  { id, ownerId, connectionId, subject, text }: Notification,
): Promise<void> {
  const link = `Open the connection: ${ctx.mail.linkTo(`/connections/${connectionId}`)}`
  for (const { userId, email } of await listNotified(ctx.sql, orgId, ownerId)) {
    const mail = { id: `${id}-to-${userId}`, to: email, subject, text: `${text}\n\n${link}` }
    if (await isNotificationAllowed(ctx, email)) await queueMail(ctx.sql, orgId, mail, ctx.now())
  }
}
