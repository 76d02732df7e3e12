import { toolLabel } from '../../../../../contract/agents/tool-label.ts'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Words } from '../../../../mail/words.ts'
import { notify } from '../../../comments/notifications/notifications.ts'
import { listRecipients } from '../../conversations/conversations.ts'
import { approvalNoticeKey, listOpenApprovals } from '../../runs/runs.ts'

const TITLE_LENGTH = 60

/** The mail names tools but contains no model text, which may be untrusted. */
export async function notifyOfApprovals(
  ctx: JobContext<'mail' | 'vault'>,
  { orgId, runId, minute }: { orgId: string; runId: string; minute: number },
): Promise<void> {
  const run = await findMailedRun(ctx.sql, orgId, runId)
  const open = run ? await listOpenApprovals(ctx.sql, { orgId, id: runId }) : []
  if (!run || open.length === 0) return
  const { sessionId, audienceId, projectId } = run
  const key = approvalNoticeKey(runId, minute)
  const people = await listRecipients(ctx.sql, orgId, sessionId, audienceId)
  await notify(
    ctx,
    orgId,
    people.filter(({ access }) => access === 'edit'),
    { kind: 'approval', key, path: pathOf(open), projectId },
    (words) => approvalMail(words, run, open, ctx.mail.linkTo(pathOf(open))),
  )
}

type OpenApproval = Awaited<ReturnType<typeof listOpenApprovals>>[number]

function approvalMail(words: Words, run: MailedRun, open: readonly OpenApproval[], url: string) {
  const { t, textWithNames } = words
  const { agent } = run
  const title = shownTitle(words, run)
  const lines = open.map(({ kind, tool, risk }) => {
    if (kind === 'input') return `- ${t`Answer a question`}`
    const shownRisk = risks(words)[risk]
    return `- ${toolLabel(tool)}${shownRisk ? ` (${shownRisk})` : ''}`
  })
  return {
    subject: textWithNames`${agent} needs your approval in “${title}”`,
    text: [
      open.length === 1
        ? textWithNames`${agent} asks for an approval in “${title}”:`
        : textWithNames`${agent} asks for ${open.length} approvals in “${title}”:`,
      lines.join('\n'),
      t`Decide: ${url}`,
      t`Undecided approvals are denied after 24 hours.`,
    ].join('\n\n'),
  }
}

/** `none` isn't shown. */
const risks = ({ t }: Words): Record<string, string> => ({
  send: t`send`,
  spend: t`spend`,
  delete: t`delete`,
  share: t`share`,
  execute: t`execute`,
})

const pathOf = (open: readonly { id: string }[]) =>
  open.length === 1 ? `/approvals/${open[0]!.id}` : '/approvals'

/** Skips the participant who canceled the run. */
export async function notifyOfEnd(
  ctx: JobContext<'mail' | 'vault'>,
  { orgId, runId }: { orgId: string; runId: string },
) {
  const run = await findMailedRun(ctx.sql, orgId, runId)
  if (!run?.end) return
  const path = run.isHidden ? `/runs/${runId}` : `/chat/${run.sessionId}`
  const { end } = run
  const people = await listRecipients(ctx.sql, orgId, run.sessionId)
  const key = `run-${runId}-ended`
  await notify(
    ctx,
    orgId,
    people.filter(({ userId }) => userId !== end.canceledBy),
    { kind: 'run', key, path, projectId: run.projectId },
    (words) => {
      const { t } = words
      const subject = ends(words, run)[end.status]
      return {
        subject,
        text:
          `${subject}. ${duration(words, end.minutes)}`.trim() +
          `\n\n${t`Open it: ${ctx.mail.linkTo(path)}`}`,
      }
    },
  )
}

function ends(words: Words, run: MailedRun): Record<RunEnd['status'], string> {
  const { textWithNames } = words
  const title = shownTitle(words, run)
  return {
    succeeded: textWithNames`${run.agent}’s run in “${title}” has finished`,
    failed: textWithNames`${run.agent}’s run in “${title}” has failed`,
    canceled: textWithNames`${run.agent}’s run in “${title}” was canceled`,
  }
}

function duration({ t }: Words, minutes: number): string {
  if (minutes === 0) return ''
  return minutes === 1 ? t`It took 1 minute.` : t`It took ${minutes} minutes.`
}

function shownTitle({ t }: Words, { title }: MailedRun): string {
  const line = (title ?? t`a session`).replace(/\s+/g, ' ')
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).toWellFormed()}…` : line
}

interface MailedRun {
  sessionId: string
  projectId: string
  /** The root run's session: its participants decide the approvals. */
  audienceId: string
  /** Workflow and child run sessions, which lists omit. */
  isHidden: boolean
  title: string | null
  agent: string
  /** Null while the run is active. */
  end: RunEnd | null
}

interface RunEnd {
  status: 'succeeded' | 'failed' | 'canceled'
  minutes: number
  canceledBy: string | null
}

async function findMailedRun(sql: Sql, orgId: string, runId: string) {
  const [row] = await sql<MailedRun[]>`
    select s.id as "sessionId", r.project_id as "projectId", s.parent_run_id is not null as "isHidden", s.title, (
      select x.session_id from runs x where x.org_id = r.org_id and x.id = run_root(r.org_id, r.id)) as "audienceId",
       a.name as agent, case when r.finished_at is not null then json_build_object(
      'status', r.status, 'minutes', floor(extract(epoch from r.finished_at - r.started_at) / 60)::int,
      'canceledBy', r.canceled_by) end as "end"
    from runs r
    join agent_sessions s on s.org_id = r.org_id and s.id = r.session_id and s.deleted_at is null
    join agents a on a.org_id = r.org_id and a.id = r.agent_id
    where r.org_id = ${orgId} and r.id = ${runId}`
  return row ?? null
}
