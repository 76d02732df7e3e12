import { useQuery } from '@tanstack/react-query'
import type { BudgetScope } from '../../../../contract/billing/budget-options.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { type Budget, budgetsQuery, type Usage, type UsageItem } from '../../../api/usage.ts'
import { formatCost, formatPercent, formatTokens } from '../../../components/amounts.ts'
import { OTHER_COLOR } from '../../../components/charts/chart.tsx'
import { Bars } from '../../../components/charts/sparkline.tsx'
import { formatDay } from '../../../components/dates.ts'
import { AgentFace, PersonFace, ProjectFace } from '../../../components/faces.tsx'
import { Name } from '../../../components/name.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { describeTokens } from './describe-tokens.ts'
import { everyDay } from './spend.ts'
import { colorGroups, nameOfGroup } from './usage-groups.ts'
import { GROUPS, type SpendGroup } from './usage-search.ts'

const SCOPES: Partial<Record<SpendGroup, BudgetScope>> = {
  agent: 'agent',
  project: 'project',
  user: 'user',
  key: 'key',
}

export function SpendTable({ usage, by }: { usage: Usage; by: SpendGroup }) {
  const budgets = useQuery(budgetsQuery).data?.items ?? []
  const colors = colorGroups(usage)
  const days = everyDay(usage.from, usage.to)
  const { label } = GROUPS.find(({ value }) => value === by)!
  const budgetOf = (item: UsageItem) =>
    budgets.find(({ scope, id, period }) => scope === SCOPES[by] && id === item.key && period !== 'run')
  const columns: Column<UsageItem>[] = [
    { header: label, wide: true, cell: (item) => <Named by={by} item={item} /> },
    {
      header: t`Last ${days.length} days`,
      visibleFrom: 'wide',
      cell: (item) => <Days usage={usage} days={days} item={item} name={nameOfGroup(by, item)} />,
    },
    {
      header: t`Entries`,
      right: true,
      visibleFrom: 'medium',
      cell: ({ calls }) => calls.toLocaleString(LOCALE),
    },
    {
      header: t`Tokens`,
      right: true,
      visibleFrom: 'wide',
      cell: (item) => (
        <span title={describeTokens(item)}>{formatTokens(item.inputTokens + item.outputTokens)}</span>
      ),
    },
    {
      header: t`Share`,
      visibleFrom: 'medium',
      cell: (item) => <Share item={item} usage={usage} color={colors.get(item.key) ?? OTHER_COLOR} />,
    },
    { header: t`Spent`, right: true, cell: (item) => <span className="font-medium">{costOf(item)}</span> },
    ...(SCOPES[by]
      ? [
          {
            header: t`Budget`,
            right: true,
            visibleFrom: 'medium' as const,
            cell: (item: UsageItem) => <BudgetState budget={budgetOf(item)} />,
          },
        ]
      : []),
  ]
  return (
    <div className="[&_tr>*:first-child]:bg-[length:100%_1px] [&_tr>*:first-child]:pl-0 [&_tr>*:last-child]:bg-[length:100%_1px] [&_tr>*:last-child]:pr-0">
      <Table
        label={t`Usage by ${label}`}
        columns={columns}
        rows={usage.items}
        rowKey={({ key }) => key ?? 'none'}
      />
    </div>
  )
}

/** A dash if no price is known, since unpriced entries aren't free. */
const costOf = ({ cost, calls, unpricedCalls }: UsageItem) =>
  calls === unpricedCalls ? '–' : formatCost(cost)

function Named({ by, item }: { by: SpendGroup; item: UsageItem }) {
  const name = nameOfGroup(by, item)
  const projects = useQuery({ ...newestProjectsQuery, enabled: by === 'project' }).data?.items
  const face = { id: item.key ?? '', name }
  return (
    <span className="flex min-w-0 items-center gap-12">
      {item.key !== null && by === 'agent' && <AgentFace agent={face} />}
      {item.key !== null && by === 'user' && <PersonFace person={face} />}
      {item.key !== null && by === 'project' && (
        <ProjectFace
          project={{ ...face, emoji: projects?.find(({ id }) => id === item.key)?.emoji ?? null }}
        />
      )}
      <span className="truncate font-medium">
        <Name>{name}</Name>
      </span>
    </span>
  )
}

interface DaysProps {
  usage: Usage
  days: readonly string[]
  item: UsageItem
  name: string
}

/** The server has daily figures for the first seven rows. */
function Days({ usage, days, item, name }: DaysProps) {
  const byDay = new Map(
    usage.days.map(({ day, groups }) => [
      day,
      Number(groups.find(({ key }) => key === item.key)?.cost.amount ?? 0),
    ]),
  )
  const values = days.map((day) => byDay.get(day) ?? 0)
  if (!values.some((value) => value > 0)) return null
  return (
    <Bars
      values={values}
      height={20}
      className="w-[96px]"
      label={t`${name}: cost per day`}
      titleOf={(value, index) => `${formatDay(days[index]!)}: ${formatCost({ amount: String(value) })}`}
    />
  )
}

interface ShareProps {
  item: UsageItem
  usage: Usage
  color: string
}

function Share({ item, usage, color }: ShareProps) {
  const total = Number(usage.total.cost.amount)
  const share = total > 0 ? Number(item.cost.amount) / total : 0
  const largest = total > 0 ? Number(usage.items[0]!.cost.amount) / total : 1
  return (
    <span className="flex items-center gap-12">
      <span aria-hidden className="flex h-4 w-[120px]">
        <span
          className={`min-w-2 rounded-round ${color}`}
          style={{ width: `${Math.max(0, largest > 0 ? (share / largest) * 100 : 0)}%` }}
        />
      </span>
      <span className="w-32 shrink-0 text-right text-neutral-11">{formatPercent(share)}</span>
    </span>
  )
}

function BudgetState({ budget }: { budget: Budget | undefined }) {
  if (!budget || budget.spent === null) return <span className="text-neutral-11">None</span>
  const used = formatPercent(Number(budget.spent) / Number(budget.amount))
  if (budget.state === 'ok') return <span className="text-neutral-11">{used}</span>
  const isReached = budget.state === 'reached'
  const tone = isReached ? 'bg-bad-wash text-bad-text' : 'bg-warning-wash text-warning-text'
  return (
    <span className={`rounded-control px-8 py-2 font-medium text-12 ${tone}`}>
      {isReached ? (budget.onReach === 'notify' ? t`Reached` : t`Stopped`) : t`${used} used`}
    </span>
  )
}
