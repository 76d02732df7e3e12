import { toolLabel } from '../../../../../contract/agents/tool-label.ts'
import { isolateName } from '../../../../../contract/text-with-names.ts'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { notify } from '../../../comments/notifications/notifications.ts'
import { listRecipients } from '../../conversations/conversations.ts'
import { listOpenApprovals } from '../../runs/runs.ts'

const TITLE_LENGTH = 60

/** The mail names tools but contains no model text, which may be untrusted. */
export async function notifyOfApprovals(
  ctx: JobContext<'mail' | 'vault'>,
  { orgId, runId, minute }: { orgId: string; runId: string; minute: number },
): Promise<void> {
  const run = await findMailedRun(ctx.sql, orgId, runId)
  const open = run ? await listOpenApprovals(ctx.sql, { orgId, id: runId }) : []
  if (!run || open.length === 0) return
  const lines = open.map(({ kind, tool, risk }) =>
    kind === 'input' ? '- Answer a question' : `- ${toolLabel(tool)}${risk === 'none' ? '' : ` (${risk})`}`,
  )
  const text = [
    `${isolateName(run.agent)} asks for ${open.length === 1 ? 'an approval' : `${open.length} approvals`} in ${quoteTitle(run)}:`,
    lines.join('\n'),
    `Decide: ${ctx.mail.linkTo(pathOf(open))}`,
    'Undecided approvals are denied after 24 hours.',
  ].join('\n\n')
  const { sessionId, audienceId, projectId } = run
  const key = `approvals-${runId}-${minute}`
  const title = `${isolateName(run.agent)} needs your approval in ${quoteTitle(run)}`
  const people = await listRecipients(ctx.sql, orgId, sessionId, audienceId)
  await notify(
    ctx,
    orgId,
    people.filter(({ access }) => access === 'edit'),
    { kind: 'approval', key, title, path: pathOf(open), projectId },
    { id: key, subject: title, text },
  )
}

const pathOf = (open: { id: string }[]) => (open.length === 1 ? `/approvals/${open[0]!.id}` : '/approvals')

const ENDS = { succeeded: 'has finished', failed: 'has failed', canceled: 'was canceled' }

/** Skips the participant who canceled the run. */
export async function notifyOfEnd(
  ctx: JobContext<'mail' | 'vault'>,
  { orgId, runId }: { orgId: string; runId: string },
) {
  const run = await findMailedRun(ctx.sql, orgId, runId)
  if (!run?.end) return
  const end = `${isolateName(run.agent)}’s run in ${quoteTitle(run)} ${ENDS[run.end.status]}`
  const path = run.isHidden ? `/runs/${runId}` : `/chat/${run.sessionId}`
  const { minutes, canceledBy } = run.end
  const after = minutes === 0 ? '' : ` after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const people = await listRecipients(ctx.sql, orgId, run.sessionId)
  const key = `run-${runId}-ended`
  await notify(
    ctx,
    orgId,
    people.filter(({ userId }) => userId !== canceledBy),
    { kind: 'run', key, title: end, path, projectId: run.projectId },
    { id: key, subject: end, text: `${end}${after}.\n\nOpen it: ${ctx.mail.linkTo(path)}` },
  )
}

function quoteTitle({ title }: MailedRun): string {
  const line = (title ?? 'a session').replace(/\s+/g, ' ')
  return `“${isolateName(line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH).toWellFormed()}…` : line)}”`
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
  end: { status: 'succeeded' | 'failed' | 'canceled'; minutes: number; canceledBy: string | null } | null
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
