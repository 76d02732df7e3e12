import { z } from 'zod'
import type { JobContext } from '../context.ts'
import type { Sql } from '../database/database.ts'
import { addJob, job } from '../jobs/job.ts'
import { type JobHandler, onJob } from '../jobs/job-handler.ts'

export interface Mail {
  /**
   * Derived from subject and recipient: a mail with the same id is queued once. If the process is killed while the mail
   * server answers, it may arrive twice, with the same Message-ID.
   */
  id: string
  to: string
  subject: string
  text: string
  /** One-click unsubscribe (RFC 8058). Absent for essential mail, such as sign-in links. */
  unsubscribeUrl?: string | null
}

/** Throws on failure, so the job is retried. */
export type Mailer = (mail: Mail) => Promise<void>

const SentMail = z.object({ id: z.string() })
const sendMail = job('mail.send', SentMail, { lane: 'mail' })
const sendSignInMail = job('mail.send-sign-in', SentMail, { lane: 'sign-in' })

/** Older mails no longer count as pending, since dead mail stays unsent. */
const PENDING_MINUTES = 60

/**
 * Sent only if the transaction commits. Organizations take turns: one's n-th pending mail goes out before any other's
 * mail n + 1.
 */
export async function queueMail(sql: Sql, orgId: string | null, mail: Mail, now: Date): Promise<void> {
  const since = new Date(now.getTime() - PENDING_MINUTES * 60_000)
  const pending = sql`select turn from mails where sent_at is null and created_at > ${since}`
  await sql`
    with queued as (
      insert into mails (id, recipient, subject, body, unsubscribe_url, created_at, org_id, turn)
      select ${mail.id}, ${mail.to}, ${mail.subject}, ${mail.text}, ${mail.unsubscribeUrl ?? null}, ${now}, ${orgId}, 1 + greatest(0,
        (${pending} and org_id is not distinct from ${orgId} and turn is not null order by turn desc limit 1),
        (${pending} and turn is not null order by turn limit 1) - 1)
      on conflict (id) do nothing returning turn
    )
    select ${addJob(sql, sendMail, { id: mail.id }, { orgId: orgId ?? undefined, priority: sql`queued.turn::int` })} from queued`
}

/** Has its own workers, so no other mail delays a sign-in. */
export async function queueSignInMail(sql: Sql, mail: Mail, now: Date): Promise<void> {
  await sql`
    with queued as (
      insert into mails (id, recipient, subject, body, created_at)
      values (${mail.id}, ${mail.to}, ${mail.subject}, ${mail.text}, ${now})
      on conflict (id) do nothing returning id
    )
    select ${addJob(sql, sendSignInMail, { id: mail.id })} from queued`
}

export const mailJobs = (mailer: Mailer): JobHandler[] => [
  onJob(sendMail, (ctx, { id }) => deliverMail(ctx, mailer, id)),
  onJob(sendSignInMail, (ctx, { id }) => deliverMail(ctx, mailer, id)),
]

async function deliverMail(ctx: JobContext, mailer: Mailer, id: string): Promise<void> {
  const [mail] = await ctx.sql<Mail[]>`
    select id, recipient as to, subject, body as text, unsubscribe_url as "unsubscribeUrl" from mails where id = ${id} and sent_at is null`
  if (!mail) return
  await mailer(mail)
  await ctx.sql`update mails set sent_at = ${ctx.now()}, body = null, unsubscribe_url = null where id = ${id}`
}
