import type { JobContext } from '../../../context.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { listRecipients } from './queries.ts'

interface Notification {
  /** Each recipient is notified once per id. */
  id: string
  ownerId: string
  connectionId: string
  subject: string
  text: string
}

/** Falls back to the organization's owners if the member has left. */
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
