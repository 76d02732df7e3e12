import { z } from 'zod'
import type { JobContext } from '../context.ts'
import type { Sql } from '../database/database.ts'
import { addJob, job } from '../jobs/job.ts'
import { type JobHandler, onJob } from '../jobs/job-handler.ts'

export interface Mail {
  /** Derived from subject and recipient: a mail with the same id is never sent twice. */
  id: string
  to: string
  subject: string
  text: string
}

/** Sends a mail. A failure throws, and the job is retried. */
export type Mailer = (mail: Mail) => Promise<void>

const sendMail = job('mail.send', z.object({ id: z.string() }), { lane: 'mail' })

/** Enqueues a mail. Inside a transaction, it is sent if and only if the transaction commits. */
export async function queueMail(sql: Sql, mail: Mail, now: Date): Promise<void> {
  await sql`
    with queued as (
      insert into mails (id, recipient, subject, body, created_at)
      values (${mail.id}, ${mail.to}, ${mail.subject}, ${mail.text}, ${now})
      on conflict (id) do nothing returning id
    )
    select ${addJob(sql, sendMail, { id: mail.id })} from queued`
}

export const mailJobs = (mailer: Mailer): JobHandler[] => [
  onJob(sendMail, (ctx, { id }) => deliverMail(ctx, mailer, id)),
]

async function deliverMail(ctx: JobContext, mailer: Mailer, id: string): Promise<void> {
  const [mail] = await ctx.sql<Mail[]>`
    select id, recipient as to, subject, body as text from mails where id = ${id} and sent_at is null`
  if (!mail) return
  await mailer(mail)
  await ctx.sql`update mails set sent_at = ${ctx.now()}, body = null where id = ${id}`
}
