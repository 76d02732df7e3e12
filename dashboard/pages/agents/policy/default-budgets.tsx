import {
  BUDGET_ACTIONS,
  BUDGET_PERIODS,
  type BudgetAction,
  type BudgetPeriod,
} from '../../../../contract/billing/budget-options.ts'
import { DEFAULT_BUDGET_SCOPES } from '../../../../contract/organizations/settings-options.ts'
import { ACTION_LABELS, PERIOD_LABELS, SCOPE_LABELS } from '../../../components/budget-labels.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Section } from '../../../components/section.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import type { BudgetDraft, PolicyDraft } from './policy-draft.ts'

interface DefaultBudgetsProps {
  budgets: PolicyDraft['budgets']
  onChange: (budgets: PolicyDraft['budgets']) => void
}

/** Budgets for projects, agents, people and API keys without their own budget. */
export function DefaultBudgets({ budgets, onChange }: DefaultBudgetsProps) {
  return (
    <Section
      title="Default budgets"
      lead="For every project, agent, person or API key that has no budget of its own for the period. Set individual budgets on the usage page."
    >
      {DEFAULT_BUDGET_SCOPES.map((scope) => {
        const draft = budgets[scope]
        const change = (next: Partial<BudgetDraft>) =>
          onChange({ ...budgets, [scope]: { ...draft, ...next } })
        const kind = labelInSentence(SCOPE_LABELS[scope])
        return (
          <div key={scope} className="grid gap-8 @form:grid-cols-3">
            <TextField
              label={`Each ${kind}, in US dollars`}
              inputMode="decimal"
              autoComplete="off"
              placeholder="No budget"
              value={draft.amount}
              onChange={(event) => change({ amount: event.target.value })}
            />
            <Select
              label="Period"
              aria-label={`Period of the budget of each ${kind}`}
              value={draft.period}
              onChange={(event) => change({ period: event.target.value as BudgetPeriod })}
            >
              {BUDGET_PERIODS.map((period) => (
                <option key={period} value={period}>
                  {PERIOD_LABELS[period]}
                </option>
              ))}
            </Select>
            <Select
              label="When it is reached"
              aria-label={`When the budget of each ${kind} is reached`}
              value={draft.onReach}
              onChange={(event) => change({ onReach: event.target.value as BudgetAction })}
            >
              {BUDGET_ACTIONS.map((action) => (
                <option key={action} value={action}>
                  {ACTION_LABELS[action].label}
                </option>
              ))}
            </Select>
          </div>
        )
      })}
    </Section>
  )
}
