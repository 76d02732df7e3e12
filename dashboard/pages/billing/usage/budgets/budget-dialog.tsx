import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  BUDGET_ACTIONS,
  BUDGET_PERIODS,
  BUDGET_SCOPES,
  type BudgetAction,
  type BudgetPeriod,
  type BudgetScope,
} from '../../../../../contract/billing/budget-options.ts'
import { MODELS_PER_CHANGE_MAX } from '../../../../../contract/models/model-options.ts'
import { t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import { modelListQuery } from '../../../../api/models.ts'
import { organizationApi } from '../../../../api/organizations.ts'
import { queryClient } from '../../../../api/query-client.ts'
import { useSession } from '../../../../api/session.ts'
import { type Budget, budgetsQuery, refreshBudgets } from '../../../../api/usage.ts'
import { editableAmount, parseAmount } from '../../../../components/amounts.ts'
import { ACTION_LABELS, PERIOD_LABELS, SCOPE_LABELS } from '../../../../components/budget-labels.ts'
import { Button } from '../../../../components/button.tsx'
import { Dialog } from '../../../../components/dialogs/dialog.tsx'
import { FormDialog } from '../../../../components/dialogs/form-dialog.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { TextField } from '../../../../components/forms/field.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { withNames } from '../../../../components/name.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { toast } from '../../../../components/toast.tsx'
import { useSubjects } from './use-subjects.ts'

interface BudgetKey {
  scope: BudgetScope
  id: string
  period: BudgetPeriod
}

/** `param` is `new`, or a budget's scope, id and period. */
export function BudgetDialog({ param }: { param: string }) {
  const { organization } = useSession()
  const budgets = useQuery(budgetsQuery)
  const navigate = useNavigate()
  const close = () =>
    void navigate({
      to: '/settings/organization/usage',
      search: ({ budget: _budget, ...rest }) => rest,
      replace: true,
    })
  const key = keyOf(param)
  const existing = budgets.data?.items.find(
    ({ scope, id, period }) => key?.scope === scope && key.id === id && key.period === period,
  )
  if (budgets.isPending)
    return (
      <Dialog title="Budget" onClose={close}>
        <SkeletonRows rows={3} />
      </Dialog>
    )
  const start = key ?? { scope: 'org' as const, id: organization.id, period: 'month' as const }
  return <BudgetForm start={start} existing={existing} onClose={close} />
}

interface BudgetFormProps {
  start: BudgetKey
  existing: Budget | undefined
  onClose: () => void
}

function BudgetForm({ start, existing, onClose }: BudgetFormProps) {
  const { organization } = useSession()
  const [key, setKey] = useState<BudgetKey>(start)
  const [amount, setAmount] = useState(existing ? editableAmount(existing.amount) : '')
  const [onReach, setOnReach] = useState<BudgetAction>(existing?.onReach ?? 'pause')
  const subjects = useSubjects(key.scope, key.id, existing?.name ?? null)
  const finish = (message: string) => {
    void refreshBudgets()
    toast(message)
    onClose()
  }
  const save = useMutation({
    mutationFn: () => api.budgets.put({ ...key, amount: parseAmount(amount), onReach }),
    onSuccess: () => finish(t`Budget saved`),
  })
  const remove = useMutation({
    mutationFn: () => api.budgets.put({ ...key, amount: null }),
    onSuccess: () => finish(t`Budget removed`),
  })
  const chooseScope = (scope: BudgetScope) =>
    setKey({ ...key, scope, id: scope === 'org' ? organization.id : '' })
  const amountError = fieldMessage(save.error, 'amount')
  return (
    <FormDialog
      title={existing ? withNames`Budget for ${existing.name ?? t`a private project`}` : t`New budget`}
      action={existing ? t`Save budget` : t`Set budget`}
      failure={amountError ? undefined : failureMessage(save.error ?? remove.error)}
      busy={save.isPending || remove.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      {!existing && (
        <Select
          label="Applies to"
          value={key.scope}
          onChange={(event) => chooseScope(event.target.value as BudgetScope)}
        >
          {BUDGET_SCOPES.map((scope) => (
            <option key={scope} value={scope}>
              {SCOPE_LABELS[scope]}
            </option>
          ))}
        </Select>
      )}
      {!existing && key.scope !== 'org' && (
        <Select
          label={SCOPE_LABELS[key.scope]}
          required
          value={key.id}
          hint={key.scope === 'key' ? t`Only your own API keys are listed.` : undefined}
          onChange={(event) => setKey({ ...key, id: event.target.value })}
        >
          <option value="">Choose…</option>
          {subjects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {!existing && (
        <Select
          label="Period"
          value={key.period}
          hint="Days and months start at midnight UTC."
          onChange={(event) => setKey({ ...key, period: event.target.value as BudgetPeriod })}
        >
          {BUDGET_PERIODS.map((period) => (
            <option key={period} value={period}>
              {PERIOD_LABELS[period]}
            </option>
          ))}
        </Select>
      )}
      <TextField
        label="Amount (US dollars)"
        inputMode="decimal"
        autoComplete="off"
        required
        placeholder={t`50.00`}
        value={amount}
        error={amountError}
        onChange={(event) => setAmount(event.target.value)}
      />
      <Select
        label="When reached"
        value={onReach}
        hint={ACTION_LABELS[onReach].meaning}
        onChange={(event) => setOnReach(event.target.value as BudgetAction)}
      >
        {BUDGET_ACTIONS.map((action) => (
          <option key={action} value={action}>
            {ACTION_LABELS[action].label}
          </option>
        ))}
      </Select>
      {onReach !== 'notify' && <UnpricedModels />}
      {existing && (
        <Button look="quiet" size="small" className="self-start" onClick={() => remove.mutate()}>
          Remove budget
        </Button>
      )}
    </FormDialog>
  )
}

function keyOf(param: string): BudgetKey | null {
  const [scope, id, period] = param.split('.')
  const knownScope = BUDGET_SCOPES.find((candidate) => candidate === scope)
  const knownPeriod = BUDGET_PERIODS.find((candidate) => candidate === period)
  return knownScope && knownPeriod && id ? { scope: knownScope, id, period: knownPeriod } : null
}

const NAMED_MAX = 4

/** A budget refuses these models because their price is unknown. Offers two ways to change that. */
function UnpricedModels() {
  const models = useQuery(modelListQuery)
  const unpriced = models.data?.items.filter(({ pricing }) => pricing === null).map(({ id }) => id) ?? []
  const countAsFree = useMutation({
    mutationFn: () =>
      organizationApi.modelSettings.put({
        models: unpriced.slice(0, MODELS_PER_CHANGE_MAX),
        pricing: { input: 0, output: 0, cacheRead: null },
        contextWindow: null,
      }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: modelListQuery.queryKey })
      toast(t`These models now count as free`)
    },
  })
  if (unpriced.length === 0) return null
  const rest = unpriced.length - NAMED_MAX
  return (
    <div className="flex flex-col gap-8 rounded-panel border border-warning-line bg-warning-wash p-12 text-13">
      <p className="wrap-anywhere">
        Budgets that pause or stop block models without a price:{' '}
        <span className="font-mono text-12">{unpriced.slice(0, NAMED_MAX).join(', ')}</span>
        {rest > 0 && t` and ${rest} more`}
      </p>
      <FormFailure>{failureMessage(countAsFree.error)}</FormFailure>
      <div className="flex flex-wrap items-center gap-8">
        <Button size="small" busy={countAsFree.isPending} onClick={() => countAsFree.mutate()}>
          Count as free
        </Button>
        <Link to="/settings/organization/models" className="underline">
          Set prices
        </Link>
      </div>
    </div>
  )
}
