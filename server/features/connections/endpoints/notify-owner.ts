import type { JobContext } from '../../../context.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { listRecipients } from './queries.ts'

interface Notification {
  /** The reason and its time: each recipient is notified once of this id. */
  id: string
  ownerId: string
  connectionId: string
  subject: string
  text: string
}

/** Notifies the owner of an endpoint, or the owners of the organization if that member has left. */
export async function notifyOwner(
  ctx: JobContext<'mail' | 'vault'>,
  orgId: string,
  { id, ownerId, connectionId, subject, text }: Notification,
): Promise<void> {
  const path = `/connections/${connectionId}`
  await notify(
    ctx,
    orgId,
    await listRecipients(ctx.sql, orgId, ownerId),
    { kind: 'schedule', key: id, title: subject, path },
    { id, subject, text: `${text}\n\nOpen the connection: ${ctx.mail.linkTo(path)}` },
  )
}
