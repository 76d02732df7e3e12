import { toolLabel } from '../../../../contract/agents/tool-label.ts'
import { isolated } from '../../../../contract/text-with-names.ts'
import type { JobContext } from '../../../context.ts'
import { type Mail, queueMail } from '../../../mail/mail.ts'
import { isNotificationAllowed } from '../../../mail/mail-limits.ts'
import { listOpenApprovals } from '../../runs/runs.ts'
import { listRecipients } from '../../sessions/sessions.ts'
import { findMailedRun, type MailedRun } from './mail-queries.ts'

const TITLE_LENGTH = 60

/**
 * Mails the open approvals of a run to the people who can decide them. The mail names tools and contains no text of the
 * model, which may come from outside.
 */
export async function mailApprovals(
  ctx: JobContext,
  { orgId, runId, minute }: { orgId: string; runId: string; minute: number },
): Promise<void> {
  const run = await findMailedRun(ctx.sql, orgId, runId)
  const open = run ? await listOpenApprovals(ctx.sql, { orgId, id: runId }) : []
  if (!run || open.length === 0) return
  const lines = open.map(({ kind, tool, risk }) =>
    kind === 'input' ? '- Answer a question' : `- ${toolLabel(tool)}${risk === 'none' ? '' : ` (${risk})`}`,
  )
  const text = [
    `${isolated(run.agent)} asks for ${open.length === 1 ? 'an approval' : `${open.length} approvals`} in ${quoted(run)}:`,
    lines.join('\n'),
    `Decide: ${ctx.mail.linkTo(open.length === 1 ? `/approvals/${open[0]!.id}` : '/approvals')}`,
    'Approvals without a decision are denied after 24 hours.',
  ].join('\n\n')
  const { sessionId, audienceId } = run
  for (const { userId, email, access } of await listRecipients(ctx.sql, orgId, sessionId, audienceId)) {
    if (access !== 'edit') continue
    await mail(ctx, orgId, {
      id: `approvals-${runId}-${minute}-to-${userId}`,
      to: email,
      subject: `${isolated(run.agent)} needs your approval in ${quoted(run)}`,
      text,
    })
  }
}

const ENDS = { succeeded: 'has finished', failed: 'has failed', canceled: 'was canceled' }

/** Mails the end of a long run to the people of its session, except to the person who canceled it. */
export async function mailEnd(ctx: JobContext, { orgId, runId }: { orgId: string; runId: string }) {
  const run = await findMailedRun(ctx.sql, orgId, runId)
  if (!run?.end) return
  const end = `The run of ${isolated(run.agent)} in ${quoted(run)} ${ENDS[run.end.status]}`
  const url = ctx.mail.linkTo(run.isHidden ? `/runs/${runId}` : `/chat/${run.sessionId}`)
  for (const { userId, email } of await listRecipients(ctx.sql, orgId, run.sessionId)) {
    if (userId === run.end.canceledBy) continue
    await mail(ctx, orgId, {
      id: `run-${runId}-ended-to-${userId}`,
      to: email,
      subject: end,
      text: `${end} after ${run.end.minutes} minutes.\n\nOpen it: ${url}`,
    })
  }
}

function quoted({ title }: MailedRun): string {
  const line = (title ?? 'a session').replace(/\s+/g, ' ')
  return `“${isolated(line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).toWellFormed()}…` : line)}”`
}

async function mail(ctx: JobContext, orgId: string, message: Mail): Promise<void> {
  if (await isNotificationAllowed(ctx, message.to)) await queueMail(ctx.sql, orgId, message, ctx.now())
}
