import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { t } from '../../../../../contract/text.ts'
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
import { Failure } from '../../../../components/failure.tsx'
import { Name } from '../../../../components/name.tsx'
import { Status } from '../../../../components/status.tsx'
import { labelInSentence } from '../../../../state/label-in-sentence.ts'

export function Budgets() {
  const { role } = useSession()
  const budgets = useQuery(budgetsQuery)
  const canEdit = role !== 'member'
  return (
    <section aria-labelledby="budgets" className="border-neutral-6 border-t px-16 py-24 md:px-24">
      <div className="flex items-center justify-between gap-16 pb-8">
        <h2 id="budgets" className="font-strong">
          Budgets
        </h2>
        {canEdit && (
          <Link
            to="/settings/organization/usage"
            search={(previous) => ({ ...previous, budget: 'new' })}
            className={buttonClass('plain', 'small')}
          >
            <Plus aria-hidden className="icon" />
            New budget
          </Link>
        )}
      </div>
      {budgets.error && !budgets.data && <Failure error={budgets.error} onRetry={() => budgets.refetch()} />}
      {budgets.data && budgets.data.waitingRuns > 0 && (
        <p role="status" className="mb-8 border border-warning-line bg-warning-wash px-12 py-8 text-13">
          {budgets.data.waitingRuns === 1
            ? t`1 run is waiting for a budget.`
            : t`${budgets.data.waitingRuns} runs are waiting for a budget.`}{' '}
          <Link to="/runs" search={{ state: 'waiting' }} className="underline">
            Show
          </Link>
        </p>
      )}
      {budgets.data?.items.length === 0 && (
        <p className="max-w-reading text-13 text-neutral-11">
          {canEdit
            ? t`No budgets yet, so agents can spend without limit. Set a budget for the organization, a project, agent, member or API key.`
            : t`No budgets yet, so agents can spend without limit. An admin can set one for the organization, a project, agent, member or API key.`}
        </p>
      )}
      <ul aria-label="Budgets" className="flex max-w-extra-wide flex-col">
        {budgets.data?.items.map((budget) => (
          <BudgetRow key={budgetParam(budget)} budget={budget} canEdit={canEdit} />
        ))}
      </ul>
    </section>
  )
}

function BudgetRow({ budget, canEdit }: { budget: Budget; canEdit: boolean }) {
  const { scope, name, period, amount, spent, reserved, onReach, state } = budget
  const label = `${SCOPE_LABELS[scope]} ${PERIOD_LABELS[period]}`
  return (
    <li className="flex flex-wrap items-center gap-x-16 gap-y-4 border-neutral-6 border-b py-12">
      <div className="flex min-w-0 flex-1 basis-filter flex-col gap-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-16">
          <span className="min-w-0 truncate text-13">
            <Name>{name ?? t`Private project`}</Name>{' '}
            <span className="text-neutral-11">
              · {label} · {labelInSentence(ACTION_LABELS[onReach].label)}
            </span>
          </span>
          <span className="flex items-center gap-8 text-13 text-neutral-11 tabular-nums">
            {state === 'reached' && <Status meaning="bad">Reached</Status>}
            {state === 'warning' && <Status meaning="warning">Almost reached</Status>}
            {spent === null
              ? formatCost({ amount })
              : t`${formatCost({ amount: spent })} of ${formatCost({ amount })}`}
          </span>
        </div>
        {spent !== null && (
          <progress
            aria-label={textWithNames`${name ?? t`Private project`}, ${label}`}
            className="h-4 w-full appearance-none overflow-hidden rounded-4 bg-neutral-4 [&::-moz-progress-bar]:bg-neutral-9 [&::-webkit-progress-bar]:bg-neutral-4 [&::-webkit-progress-value]:bg-neutral-9"
            value={Math.min(Number(spent), Number(amount))}
            max={Number(amount)}
          />
        )}
        {reserved !== null && Number(reserved) > 0 && (
          <p className="text-12 text-neutral-11">
            {formatCost({ amount: reserved })} reserved for model calls in progress.
          </p>
        )}
      </div>
      {canEdit && (
        <Link
          to="/settings/organization/usage"
          search={(previous) => ({ ...previous, budget: budgetParam(budget) })}
          aria-label={textWithNames`Edit budget for ${name ?? t`a private project`} ${PERIOD_LABELS[period]}`}
          className={buttonClass('quiet', 'small')}
        >
          Edit
        </Link>
      )}
    </li>
  )
}
