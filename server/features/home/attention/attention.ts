import { STEP_UP_RISKS } from '../../../../contract/agents/approvals.ts'
import type { NotificationKind } from '../../../../contract/comments/notification-options.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { home } from '../../../../contract/home/home.ts'
import {
  ATTENTION_KINDS,
  type AttentionKind,
  DISMISSIBLE_KINDS,
  HOME_LIMITS,
} from '../../../../contract/home/home-options.ts'
import type { Context } from '../../../context.ts'
import { mayApprove } from '../../agents/runs/runs.ts'
import { listCloseBudgets } from '../../billing/budgets/budgets.ts'
import { listUnread } from '../../comments/notifications/notifications.ts'
import { findDefinition } from '../../connections/connectors/connectors.ts'
import { listDismissed } from '../queries.ts'
import * as queries from './queries.ts'

const DAY_MS = 86_400_000
/** Other kinds are about records that have their own entries. */
const OWN_ENTRY: readonly NotificationKind[] = ['mention', 'reply', 'schedule', 'invitation']

export async function readAttention(ctx: Context) {
  const isAdmin = ctx.caller.role !== 'member'
  const [inbox, ...lists] = await Promise.all([
    listUnread(ctx, OWN_ENTRY, HOME_LIMITS.attention + 1),
    readApprovals(ctx),
    readFailedRuns(ctx),
    readConnections(ctx),
    readBudgets(ctx),
    isAdmin ? readPayments(ctx) : [],
    isAdmin ? readWebhooks(ctx) : [],
  ])
  const byKind = Map.groupBy([...inbox.items.map(fromNotification), ...lists.flat()], ({ kind }) => kind)
  const entriesOf = (kind: AttentionKind) => byKind.get(kind) ?? []
  return {
    attention: ATTENTION_KINDS.flatMap((kind) => entriesOf(kind).slice(0, HOME_LIMITS.attention)),
    more: ATTENTION_KINDS.filter((kind) => entriesOf(kind).length > HOME_LIMITS.attention),
    unreadCount: inbox.unreadCount,
  }
}

const daysAgo = ({ now }: Context, days: number) => new Date(now().getTime() - days * DAY_MS)

type Unread = Awaited<ReturnType<typeof listUnread>>['items'][number]

const fromNotification = ({ id, title, excerpt, path, createdAt, ...project }: Unread): Entry =>
  entry({
    ...{ key: `notification:${id}`, kind: 'notification', title, detail: excerpt, path, at: createdAt },
    project: toProjectRef(project),
  })

const readApprovals = async ({ sql, caller }: Context): Promise<Entry[]> =>
  (await queries.listDecidable(sql, caller)).map((row) => {
    const { id, kind, summary, risk, agentName, at, startedBy, starterRole } = row
    const approval = {
      canApprove: mayApprove({ startedBy, starterRole }, caller),
      risk,
      requiresStepUp: STEP_UP_RISKS.some((other) => other === risk),
    }
    return entry({
      ...{ key: `approval:${id}`, kind: kind === 'input' ? 'question' : 'approval', title: summary, at },
      ...{ detail: agentName, project: toProjectRef(row), path: `/approvals/${id}`, agent: toAgentRef(row) },
      ...(kind === 'approval' && { approval }),
    })
  })

const toAgentRef = ({ agentId, agentName }: { agentId: string; agentName: string | null }) => ({
  id: agentId,
  name: agentName ?? '',
})

const readFailedRuns = async (ctx: Context): Promise<Entry[]> =>
  (await queries.listFailedRuns(ctx.sql, ctx.caller, daysAgo(ctx, HOME_LIMITS.failureDays))).map(
    ({ id, title, error, at, ...row }) =>
      entry({
        ...{ key: `run:${id}`, kind: 'run', title: title || row.agentName || 'Run', detail: error, at },
        ...{ project: toProjectRef(row), path: `/runs/${id}`, agent: toAgentRef(row) },
      }),
  )

async function readConnections({ sql, caller, now }: Context): Promise<Entry[]> {
  const soon = new Date(now().getTime() + HOME_LIMITS.expiryDays * DAY_MS)
  const rows = await queries.listBrokenConnections(sql, caller, soon)
  return Promise.all(
    rows.map(async ({ id, slug, label, status, reason, expiresAt, at }) => {
      const name = (await findDefinition(sql, caller.orgId, slug))?.name ?? slug
      const detail =
        status === 'active'
          ? `It expires on ${expiresAt?.slice(0, 10)}: authorize it again`
          : (reason ?? (status === 'expired' ? 'It has to be authorized again' : 'It does not work'))
      const title = label ? `${name}: ${label}` : name
      return entry({
        key: `connection:${id}`,
        kind: 'connection',
        title,
        detail,
        path: `/integrations/${id}`,
        at,
      })
    }),
  )
}

async function readBudgets(ctx: Context): Promise<Entry[]> {
  const close = await listCloseBudgets(ctx)
  return close.map(({ scope, id, name, period, amount, spent, state, updatedAt }) => {
    const share = Math.floor((Number(spent) / Number(amount)) * 100)
    const title = scope === 'org' ? 'The organization' : (name ?? 'A private project')
    return entry({
      ...{ key: `budget:${scope}:${id}:${period}`, kind: 'budget', title, at: updatedAt! },
      detail: `${share}% of ${PERIODS[period]} is spent${state === 'reached' ? '' : `, $${Number(spent).toFixed(2)} of $${Number(amount).toFixed(2)}`}`,
      path: '/settings/organization/usage',
    })
  })
}

const PERIODS = {
  run: 'the run budget',
  day: 'today’s budget',
  month: 'this month’s budget',
  total: 'the budget',
}

const readPayments = async ({ sql, caller }: Context): Promise<Entry[]> =>
  (await queries.listWaitingPayments(sql, caller)).map(({ id, amount, currency, reason, at, ...project }) =>
    entry({
      ...{ key: `payment:${id}`, kind: 'payment', title: `${currency} ${Number(amount).toFixed(2)}`, at },
      ...{ detail: reason, project: toProjectRef(project), path: '/approvals' },
    }),
  )

async function readWebhooks(ctx: Context): Promise<Entry[]> {
  const since = daysAgo(ctx, HOME_LIMITS.failureDays)
  const rows = await queries.listWebhookProblems(ctx.sql, ctx.caller, since)
  const entries = rows.map((row) =>
    entry({
      // The time makes a later failure appear again.
      ...{ key: `webhook:${row.id}:${Date.parse(row.at)}`, kind: 'webhook', title: row.name, at: row.at },
      ...{ detail: describeWebhook(row), path: webhookPath(row) },
    }),
  )
  const { orgId, userId } = ctx.caller
  const keys = entries.map(({ key }) => key)
  const dismissed = await listDismissed(ctx.sql, orgId, userId, keys)
  return entries.filter(({ key }) => !dismissed.has(key))
}

function describeWebhook({ state, count, reason }: queries.WebhookProblem): string {
  if (state === 'disabled') return reason ?? 'The server disabled it'
  if (state === 'failing') return 'Its endpoint fails'
  const deliveries =
    count > 20 ? 'More than 20 deliveries' : `${count} ${count === 1 ? 'delivery' : 'deliveries'}`
  return state === 'held' ? `Paused: ${deliveries} held` : `${deliveries} failed`
}

const webhookPath = ({ id, state }: queries.WebhookProblem) =>
  state === 'failed' || state === 'held' ? `/webhooks/${id}/deliveries?state=${state}` : `/webhooks/${id}`

export type Entry = OutputOf<typeof home.read>['attention'][number]

export const toProjectRef = ({ projectId, projectName }: queries.ProjectName): Entry['project'] =>
  projectId === null || projectName === null ? null : { id: projectId, name: projectName }

type Optional = 'detail' | 'project' | 'agent' | 'approval'

export const entry = (
  fields: Omit<Entry, 'dismissible' | Optional> & Partial<Pick<Entry, Optional>>,
): Entry => ({
  detail: null,
  project: null,
  agent: null,
  approval: null,
  ...fields,
  dismissible: DISMISSIBLE_KINDS.includes(fields.kind),
})
