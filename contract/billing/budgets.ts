import { z } from 'zod'
import { Budget as RunBudget } from '../agents/agent-fields.ts'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp } from '../fields.ts'
import { BUDGET_ACTIONS, BUDGET_PERIODS, BUDGET_SCOPES } from './budget-options.ts'

export const BUDGET_AREA = 'Managing budgets'

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

export const budgetFields = {
  period: oneOf(BUDGET_PERIODS).describe('Days and months begin at midnight UTC; `run` limits each run'),
  amount: RunBudget.shape.amount,
  currency: RunBudget.shape.currency,
  onReach: oneOf(BUDGET_ACTIONS).describe(
    '`pause`: runs wait until the budget is raised or the next period begins; `stop`: runs fail with `budget_reached`; `notify`: runs continue',
  ),
}

export const Budget = z.object({
  scope: z.enum(BUDGET_SCOPES),
  id: Id.describe('Id of the organization, project, agent, user or API key that it limits'),
  name: z.string().nullable().describe('Name of the limited record; null if you cannot see it'),
  period: z.enum(BUDGET_PERIODS),
  amount: z.string().meta({ examples: ['50.000000'] }),
  currency: z.literal('USD'),
  onReach: z.enum(BUDGET_ACTIONS),
  spent: z
    .string()
    .nullable()
    .describe('Cost in this period; null for `run`, where each run is counted separately'),
  reserved: z.string().nullable().describe('Maximum cost of the calls in progress'),
  left: z.string().nullable().describe('`amount` minus `spent` and `reserved`, at least 0'),
  state: z
    .enum(['ok', 'warning', 'reached'])
    .describe('`warning` from 80% of the amount; `reached` when it is spent or a call was refused'),
  periodStart: Timestamp.nullable(),
  periodEnd: Timestamp.nullable(),
  updatedBy: Id.nullable(),
  updatedAt: Timestamp,
})

export const budgets = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/budgets',
    summary: 'List budgets',
    description:
      'Includes spent and remaining amounts. Members see budgets for the organization, its agents, the projects they can see, themselves and their keys; admins see all.',
    access: member(),
    output: z.object({
      items: z.array(Budget),
      waitingRuns: z.int().describe('Number of runs you can see that are waiting for a budget'),
    }),
    tool: 'read',
  }),
  put: endpoint({
    method: 'PUT',
    path: '/api/v1/budgets/:scope/:id',
    summary: 'Set or remove a budget',
    description:
      'A scope has at most one budget per period; `amount: null` removes it. Runs waiting for a budget continue as soon as it allows their next call. Model calls in progress count when they end.',
    access: steppedUp(BUDGET_AREA, { role: 'admin' }),
    params: z.object({ scope: oneOf(BUDGET_SCOPES), id: Id }),
    body: z.object({
      ...budgetFields,
      amount: budgetFields.amount.nullable().describe('Null removes the budget'),
      onReach: budgetFields.onReach.default('pause'),
    }),
    output: Budget.extend({ amount: z.string().nullable(), updatedAt: Timestamp.nullable() }),
    failures: ['CONFLICT'],
  }),
}
