import type { JobContext } from '../../../context.ts'
import type { Words } from '../../../mail/words.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { listRecipients } from './queries.ts'

interface Notification {
  /** Each recipient is notified once per id. */
  id: string
  ownerId: string
  connectionId: string
  mail: (words: Words) => { subject: string; text: string }
}

/** Falls back to the organization's owners if the member has left. */
export async function notifyOwner(
  ctx: JobContext<'mail' | 'vault'>,
  orgId: string,
  { id, ownerId, connectionId, mail }: Notification,
): Promise<void> {
  const path = `/integrations/${connectionId}`
  await notify(
    ctx,
    orgId,
    await listRecipients(ctx.sql, orgId, ownerId),
    { kind: 'schedule', key: id, path },
    (words) => {
      const { t } = words
      const { subject, text } = mail(words)
      return { subject, text: `${text}\n\n${t`Open the connection: ${ctx.mail.linkTo(path)}`}` }
    },
  )
}
