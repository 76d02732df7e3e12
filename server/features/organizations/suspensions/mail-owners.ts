import type { PublicContext } from '../../../context.ts'
import { queueMail } from '../../../mail/mail.ts'
import { listOwners } from './queries.ts'

const RECIPIENTS_MAX = 100

export interface OwnersMail {
  /** Identifies the occasion. */
  id: string
  subject: string
  text: string
}

/** Sends mail to the owners as mail of the server: mail of the organization waits during a suspension. */
export async function mailOwners(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  mail: OwnersMail,
): Promise<void> {
  for (const { id, email } of await listOwners(sql, orgId, RECIPIENTS_MAX))
    await queueMail(sql, null, { ...mail, id: `${mail.id}-to-${id}`, to: email }, now())
}
