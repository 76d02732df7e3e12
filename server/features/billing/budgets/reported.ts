import { z } from 'zod'
import { BUDGET_PERIODS, BUDGET_SCOPES } from '../../../../contract/billing/budget-options.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import { job } from '../../../jobs/job.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { PERIODS } from './limits.ts'

/** Lets waiting runs continue. */
export const budgetsChanged = job('budgets.changed', z.object({ orgId: z.uuid() }))

/** Notifies admins. */
export const budgetReported = job(
  'budgets.reported',
  z.object({
    orgId: z.uuid(),
    scope: z.enum(BUDGET_SCOPES),
    scopeId: z.uuid(),
    period: z.enum(BUDGET_PERIODS),
    periodStart: z.string(),
    percentage: z.int(),
  }),
)

type BudgetReport = z.output<(typeof budgetReported)['payload']>

const CONSEQUENCES = {
  pause: 'Runs wait until the budget is raised or its next period begins.',
  stop: 'Runs that need more fail.',
  notify: 'Runs continue.',
}

export const announceReported = (ctx: JobContext<'mail' | 'vault'>, report: BudgetReport): Promise<void> =>
  ctx.transaction(async (inside) => {
    const { orgId, percentage, ...key } = report
    const budget = await findReported(inside.sql, orgId, report)
    if (!budget) return
    const { amount, spent, onReach } = budget
    await publishIn(inside.sql, orgId, ctx.now(), {
      type: percentage === 100 ? 'billing.budget.reached' : 'billing.budget.warning',
      data: { ...key, percentage, amount, spent, currency: 'USD', onReach },
    })
    await notifyAdmins(inside, report, budget)
  })

async function notifyAdmins(
  ctx: JobContext<'mail' | 'vault'>,
  report: BudgetReport,
  budget: ReportedBudget,
): Promise<void> {
  const { orgId, percentage, scope, scopeId, period, periodStart } = report
  const name = textWithNames`budget of ${budget.name ?? UNNAMED[scope]} ${PERIODS[period]}`
  const subject = percentage === 100 ? `The ${name} is reached` : `${percentage}% of the ${name} is spent`
  const text = [
    `${subject}: ${dollars(budget.spent)} of ${dollars(budget.amount)}.`,
    percentage === 100 ? CONSEQUENCES[budget.onReach] : null,
    `See and change budgets: ${ctx.mail.linkTo('/usage')}`,
  ]
  const id = `budget-${scope}-${scopeId}-${period}-${periodStart}-${budget.amount}-${percentage}`
  await notify(
    ctx,
    orgId,
    await listAdmins(ctx.sql, orgId),
    { kind: 'budget', key: id, title: subject, path: '/usage', role: 'admin' },
    { id, subject, text: text.filter(Boolean).join('\n\n') },
  )
}

/** Records whose name a mail may not contain. */
const UNNAMED = {
  org: 'the organization',
  project: 'a project',
  agent: 'an agent',
  user: 'a member',
  key: 'an API key',
}

const dollars = (amount: string) => `$${Number(amount).toFixed(2)}`

interface ReportedBudget {
  name: string | null
  amount: string
  spent: string
  onReach: keyof typeof CONSEQUENCES
}

/** Mails omit project names, which may be private. */
async function findReported(sql: Sql, orgId: string, { scope, scopeId, period, periodStart }: BudgetReport) {
  const [row] = await sql<ReportedBudget[]>`
    select b.amount, b.on_reach as "onReach", t.amount as spent, case b.scope
        when 'org' then (select name from organizations where id = t.scope_id)
        when 'agent' then (select 'the agent ' || name from agents a where a.org_id = t.org_id and a.id = t.scope_id)
        when 'user' then (select name from users where id = t.scope_id) end as name
    from spend t cross join lateral budgets_of(t.org_id, t.scope_id, t.scope_id, t.scope_id, t.scope_id) b
    where t.org_id = ${orgId} and t.scope = ${scope} and t.scope_id = ${scopeId} and t.period = ${period}
      and t.period_start = ${periodStart} and b.scope = t.scope and b.period = t.period`
  return row
}

const listAdmins = (sql: Sql, orgId: string) => sql<{ userId: string; email: string }[]>`
  select u.id as "userId", u.email from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and m.role in ('owner', 'admin')`
