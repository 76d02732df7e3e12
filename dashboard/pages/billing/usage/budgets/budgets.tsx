import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Building2, KeyRound, Plus } from 'lucide-react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { useSession } from '../../../../api/session.ts'
import { type Budget, budgetsQuery } from '../../../../api/usage.ts'
import { formatCost } from '../../../../components/amounts.ts'
import {
  ACTION_LABELS,
  budgetParam,
  PERIOD_LABELS,
  SCOPE_LABELS,
} from '../../../../components/budget-labels.ts'
import { buttonClass } from '../../../../components/button.tsx'
import { AgentFace, PersonFace, ProjectFace } from '../../../../components/faces.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { Name } from '../../../../components/name.tsx'
import { labelInSentence } from '../../../../state/label-in-sentence.ts'

export function Budgets() {
  const { role } = useSession()
  const budgets = useQuery(budgetsQuery)
  const canEdit = role !== 'member'
  return (
    <section aria-labelledby="budgets" className="min-w-0 rounded-panel bg-card p-16 shadow-card">
      <div className="flex items-center justify-between gap-16 pb-4">
        <h2 id="budgets" className="font-strong">
          Budgets
        </h2>
        {canEdit && (
          <Link
            to="/settings/organization/usage"
            search={(previous) => ({ ...previous, budget: 'new' })}
            aria-label="New budget"
            title="New budget"
            className={buttonClass('quiet', 'icon')}
          >
            <Plus aria-hidden className="icon" />
          </Link>
        )}
      </div>
      {budgets.error && !budgets.data && <Failure error={budgets.error} onRetry={() => budgets.refetch()} />}
      {budgets.data?.items.length === 0 && (
        <p className="text-13 text-neutral-11">
          {canEdit
            ? t`No budgets yet, so agents can spend without limit. Set a budget for the organization, a project, agent, member or API key.`
            : t`No budgets yet, so agents can spend without limit. An admin can set one for the organization, a project, agent, member or API key.`}
        </p>
      )}
      <ul aria-label="Budgets" className="flex flex-col">
        {budgets.data?.items.map((budget) => (
          <BudgetRow key={budgetParam(budget)} budget={budget} canEdit={canEdit} />
        ))}
      </ul>
      {budgets.data && budgets.data.waitingRuns > 0 && (
        <p role="status" className="border-neutral-6 border-t pt-12 text-12 text-neutral-11">
          {budgets.data.waitingRuns === 1
            ? t`1 run is waiting for a budget.`
            : t`${budgets.data.waitingRuns} runs are waiting for a budget.`}{' '}
          <Link to="/runs" search={{ state: 'waiting' }} className="text-selection-text hover:underline">
            Show
          </Link>
        </p>
      )}
    </section>
  )
}

const BARS: Record<Budget['state'], string> = {
  ok: 'bg-neutral-9',
  warning: 'bg-warning-mark',
  reached: 'bg-bad-mark',
}

const TEXTS: Record<Budget['state'], string> = {
  ok: 'text-neutral-11',
  warning: 'text-warning-text',
  reached: 'text-bad-text',
}

function BudgetRow({ budget, canEdit }: { budget: Budget; canEdit: boolean }) {
  const { scope, name, period, amount, spent, reserved, onReach, state } = budget
  const label = `${SCOPE_LABELS[scope]} ${PERIOD_LABELS[period]}`
  const shownName = name ?? t`Private project`
  const isReserving = reserved !== null && Number(reserved) > 0
  // Most budgets pause runs once a month's amount is spent, so only others say what they do.
  const isPlain = state !== 'reached' && period === 'month' && onReach === 'pause' && !isReserving
  const share = spent === null ? 0 : Math.min(1, Number(spent) / Number(amount))
  return (
    <li className="relative -mx-8 flex flex-col gap-8 rounded-control border-neutral-6 border-b px-8 py-12 last:border-b-0 has-[a]:hover:bg-hover">
      <div className="flex items-center gap-8 text-13">
        <Face budget={budget} />
        <span
          className="min-w-0 flex-1 truncate font-medium"
          title={`${label}, ${ACTION_LABELS[onReach].label}`}
        >
          {canEdit ? (
            <Link
              to="/settings/organization/usage"
              search={(previous) => ({ ...previous, budget: budgetParam(budget) })}
              aria-label={textWithNames`Edit budget for ${name ?? t`a private project`} ${PERIOD_LABELS[period]}`}
              className="row-link outline-none"
            >
              <Name>{shownName}</Name>
            </Link>
          ) : (
            <Name>{shownName}</Name>
          )}
        </span>
        <span className={`shrink-0 whitespace-nowrap tabular-nums ${TEXTS[state]}`}>
          {spent === null
            ? formatBudget(amount, amount)
            : t`${formatBudget(spent, amount)} of ${formatBudget(amount, amount)}`}
        </span>
      </div>
      {spent !== null && (
        // biome-ignore lint/a11y/useSemanticElements: browsers draw their own <meter>, with their own colors.
        <span
          role="meter"
          aria-label={textWithNames`${shownName}, ${label}`}
          aria-valuemin={0}
          aria-valuemax={Number(amount)}
          aria-valuenow={Math.min(Number(spent), Number(amount))}
          className="h-4 overflow-hidden rounded-round bg-neutral-5"
        >
          <span
            className={`block h-full rounded-round ${BARS[state]}`}
            style={{ width: `${share * 100}%` }}
          />
        </span>
      )}
      {!isPlain && (
        <span className="truncate text-12 text-neutral-11">
          {state === 'reached' && <span className="text-bad-text">{t`Reached`} · </span>}
          {PERIOD_LABELS[period]} · {labelInSentence(ACTION_LABELS[onReach].label)}
          {isReserving && ` · ${t`${formatCost({ amount: reserved })} reserved`}`}
        </span>
      )}
    </li>
  )
}

/** Cents only matter in a small budget. */
function formatBudget(value: string, amount: string): string {
  return Number(amount) < WHOLE_DOLLARS_MIN ? formatCost({ amount: value }) : whole.format(Number(value))
}

const WHOLE_DOLLARS_MIN = 10
const whole = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

function Face({ budget: { scope, id, name } }: { budget: Budget }) {
  const record = { id, name: name ?? '?' }
  if (scope === 'agent') return <AgentFace agent={record} size={20} />
  if (scope === 'user') return <PersonFace person={record} size={20} />
  if (scope === 'project') return <ProjectFace project={{ ...record, emoji: null }} size={20} />
  const Icon = scope === 'key' ? KeyRound : Building2
  return (
    <span className="inline-flex size-24 shrink-0 items-center justify-center rounded-square bg-neutral-4 text-neutral-11">
      <Icon aria-hidden className="icon" />
    </span>
  )
}
