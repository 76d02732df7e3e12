import { isolateName } from '../../../../contract/text-with-names.ts'
import type { JobContext } from '../../../context.ts'
import { queueMail } from '../../../mail/mail.ts'
import { speak, type Words } from '../../../mail/words.ts'
import { notificationTitle } from './inbox.ts'
import { isTranslated, settingsFooter } from './notify.ts'
import { listNotifications } from './queries.ts'
import { type DueDigest, findRecipient, lockDueDigest, nextDigest, updateDigested } from './settings.ts'
import { unsubscribePath } from './unsubscribe-token.ts'

const LINES_MAX = 50

/** Without mail, digests stay due and later include what is still unread. */
export async function sendDigests(ctx: JobContext<'mail' | 'vault'>): Promise<void> {
  if (!ctx.mail.canSend) return
  for (let hasMore = true; hasMore; ) hasMore = await ctx.transaction(sendNext)
}

/** Holds the settings lock: after a crash the digest is due again, and no two processes send the same one. */
async function sendNext(ctx: JobContext<'mail' | 'vault'>): Promise<boolean> {
  const now = ctx.now()
  const due = await lockDueDigest(ctx.sql, now)
  if (!due) return false
  await send(ctx, due, now)
  await updateDigested(ctx.sql, due.orgId, due.userId, nextDigest(due.timeZone, now))
  return true
}

async function send(
  ctx: JobContext<'mail' | 'vault'>,
  { orgId, userId, timeZone }: DueDigest,
  now: Date,
): Promise<void> {
  const recipient = await findRecipient(ctx.sql, orgId, userId)
  if (!recipient) return
  const { email, language, role, organization } = recipient
  const filter = { unread: true, isDigestDue: true }
  const page = { before: null, limit: LINES_MAX + 1 }
  const rows = await listNotifications(ctx.sql, { orgId, userId, role }, filter, page)
  if (rows.length === 0) return
  const lines = rows.slice(0, LINES_MAX).map((row) => {
    const title = (isTranslated(language) ? row.digestTitle : null) ?? notificationTitle(row)
    return `- ${isolateName(title.replace(/\s+/g, ' '))}\n  ${ctx.mail.linkTo(row.path)}`
  })
  const words = speak(language)
  const { t } = words
  const subject = subjectFor(words, rows.length, organization)
  await queueMail(
    ctx.sql,
    orgId,
    {
      id: `digest-${orgId}-${userId}-${localDate(timeZone, now)}`,
      to: email,
      subject,
      text: [
        `${subject}:`,
        lines.join('\n'),
        t`Open your inbox: ${ctx.mail.linkTo('/inbox')}`,
        settingsFooter(ctx, words),
      ].join('\n\n'),
      unsubscribeUrl: ctx.mail.linkTo(unsubscribePath(ctx.vault, { orgId, userId, mailKind: 'digest' })),
    },
    now,
  )
}

function subjectFor({ textWithNames }: Words, count: number, organization: string): string {
  if (count > LINES_MAX) return textWithNames`More than ${LINES_MAX} unread notifications in ${organization}`
  return count === 1
    ? textWithNames`1 unread notification in ${organization}`
    : textWithNames`${count} unread notifications in ${organization}`
}

/** One digest per day, even if settings change. */
const localDate = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now)
