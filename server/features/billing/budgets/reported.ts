import { z } from 'zod'
import {
  BUDGET_ACTIONS,
  BUDGET_PERIODS,
  BUDGET_SCOPES,
  type BudgetPeriod,
} from '../../../../contract/billing/budget-options.ts'
import { isolateName } from '../../../../contract/text-with-names.ts'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import { job } from '../../../jobs/job.ts'
import type { Words } from '../../../mail/words.ts'
import { notify } from '../../comments/notifications/notifications.ts'

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
    /** When it was reported. Reports from before an upgrade lack them, and get the budget's current ones. */
    amount: z.string().optional(),
    spent: z.string().optional(),
    onReach: z.enum(BUDGET_ACTIONS).optional(),
  }),
)

type BudgetReport = z.output<(typeof budgetReported)['payload']>

export const announceReported = (ctx: JobContext<'mail' | 'vault'>, report: BudgetReport): Promise<void> =>
  ctx.transaction(async (inside) => {
    const { orgId, percentage, scope, scopeId, period, periodStart } = report
    const budget = await findReported(inside.sql, orgId, report)
    if (!budget) return
    const { amount, spent, onReach } = budget
    await publishIn(inside.sql, orgId, ctx.now(), {
      type: percentage === 100 ? 'billing.budget.reached' : 'billing.budget.warning',
      data: { scope, scopeId, period, periodStart, percentage, amount, spent, currency: 'USD', onReach },
    })
    await notifyAdmins(inside, report, budget)
  })

async function notifyAdmins(
  ctx: JobContext<'mail' | 'vault'>,
  report: BudgetReport,
  budget: ReportedBudget,
): Promise<void> {
  const { orgId, percentage, scope, scopeId, period, periodStart } = report
  const id = `budget-${scope}-${scopeId}-${period}-${periodStart}-${budget.amount}-${percentage}`
  await notify(
    ctx,
    orgId,
    await listAdmins(ctx.sql, orgId),
    { kind: 'budget', key: id, path: '/settings/organization/usage', role: 'admin' },
    (words) => budgetMail(words, report, budget, ctx.mail.linkTo('/settings/organization/usage')),
  )
}

function budgetMail(
  words: Words,
  { percentage, scope, period }: BudgetReport,
  budget: ReportedBudget,
  url: string,
) {
  const { t, dollars } = words
  const name = budgetName(words, scope, budget.name)
  const time = periods(words)[period]
  const subject =
    percentage === 100
      ? t`The budget of ${name} ${time} is reached`
      : t`${percentage}% of the budget of ${name} ${time} is spent`
  const text = [
    t`${subject}: ${dollars(budget.spent)} of ${dollars(budget.amount)}.`,
    percentage === 100 ? consequences(words)[budget.onReach] : null,
    t`See and change budgets: ${url}`,
  ]
  return { subject, text: text.filter(Boolean).join('\n\n') }
}

function budgetName({ t, textWithNames }: Words, scope: BudgetReport['scope'], name: string | null): string {
  if (name !== null) return scope === 'agent' ? textWithNames`the agent ${name}` : isolateName(name)
  const unnamed: Record<typeof scope, string> = {
    org: t`the organization`,
    project: t`a project`,
    agent: t`an agent`,
    key: t`an API key`,
    user: t`a member`,
  }
  return unnamed[scope]
}

const periods = ({ t }: Words): Record<BudgetPeriod, string> => ({
  run: t`per run`,
  day: t`for this day`,
  month: t`for this month`,
  total: t`in total`,
})

const consequences = ({ t }: Words) => ({
  pause: t`Runs wait until the budget is raised or its next period begins.`,
  stop: t`Runs that need more fail.`,
  notify: t`Runs continue.`,
})

interface ReportedBudget {
  name: string | null
  amount: string
  spent: string
  onReach: keyof ReturnType<typeof consequences>
}

/** Mails omit project names, which may be private. */
async function findReported(sql: Sql, orgId: string, report: BudgetReport) {
  const { scope, scopeId, period, periodStart, amount, spent, onReach } = report
  const [row] = await sql<ReportedBudget[]>`
    select b.amount, b.on_reach as "onReach", t.amount as spent, case b.scope
        when 'org' then (select name from organizations where id = t.scope_id)
        when 'agent' then (select name from agents a where a.org_id = t.org_id and a.id = t.scope_id)
        when 'user' then (select name from users where id = t.scope_id) end as name
    from spend t cross join lateral budgets_of(t.org_id, t.scope_id, t.scope_id, t.scope_id, t.scope_id) b
    where t.org_id = ${orgId} and t.scope = ${scope} and t.scope_id = ${scopeId} and t.period = ${period}
      and t.period_start = ${periodStart} and b.scope = t.scope and b.period = t.period`
  if (row === undefined) return null
  return {
    name: row.name,
    amount: amount ?? row.amount,
    spent: spent ?? row.spent,
    onReach: onReach ?? row.onReach,
  }
}

const listAdmins = (sql: Sql, orgId: string) => sql<{ userId: string; email: string }[]>`
  select u.id as "userId", u.email from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and m.role in ('owner', 'admin')`
