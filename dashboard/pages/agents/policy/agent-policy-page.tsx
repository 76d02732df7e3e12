import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AGENT_RISK_NAMES, AGENT_RISKS } from '../../../../contract/agents/agent-options.ts'
import {
  BUDGET_ACTIONS,
  BUDGET_PERIODS,
  type BudgetAction,
  type BudgetPeriod,
} from '../../../../contract/billing/budget-options.ts'
import { DEFAULT_BUDGET_SCOPES, EVENT_DAYS } from '../../../../contract/organizations/settings-options.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { modelListQuery } from '../../../api/models.ts'
import { type OrgSettings, organizationApi, orgSettingsQuery } from '../../../api/organizations.ts'
import { useSession } from '../../../api/session.ts'
import { ACTION_LABELS, PERIOD_LABELS, SCOPE_LABELS } from '../../../components/budget-labels.ts'
import { Button } from '../../../components/button.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { modelLabel } from '../../../components/models/model-label.ts'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { ModelRules } from './model-rules.tsx'
import { type BudgetDraft, type PolicyDraft, ROLES, toPolicyDraft, toSettingsChange } from './policy-draft.ts'

const ROLE_LABELS = { owner: t`Owners`, admin: t`Admins`, member: t`Members` }

export function AgentPolicyPage() {
  const settings = useQuery(orgSettingsQuery)
  return (
    <Page title="Agent policy">
      {settings.isPending && <SkeletonRows />}
      {settings.error && !settings.data && (
        <Failure error={settings.error} onRetry={() => settings.refetch()} />
      )}
      {settings.data && <PolicyForm key={settings.data.updatedAt} settings={settings.data} />}
    </Page>
  )
}

function PolicyForm({ settings }: { settings: OrgSettings }) {
  const { role } = useSession()
  const queryClient = useQueryClient()
  const models = useQuery(modelListQuery)
  const [draft, setDraft] = useState<PolicyDraft>(() => toPolicyDraft(settings))
  const update = (change: Partial<PolicyDraft>) => setDraft({ ...draft, ...change })
  const canEdit = role !== 'member'
  const save = useMutation({
    mutationFn: () => organizationApi.orgSettings.update(toSettingsChange(draft)),
    onSuccess: (saved) => {
      queryClient.setQueryData(orgSettingsQuery.queryKey, saved)
      toast(t`Agent policy saved`)
    },
  })
  const modelIds = models.data?.items.map(({ id }) => id) ?? []
  const options =
    draft.defaultModel && !modelIds.includes(draft.defaultModel)
      ? [draft.defaultModel, ...modelIds]
      : modelIds
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate()
      }}
    >
      {!canEdit && (
        <p className="border-neutral-6 border-b bg-inset px-16 py-8 text-13 md:px-24">
          You can view this policy. Only admins can change it.
        </p>
      )}
      <fieldset disabled={!canEdit} className="contents">
        <Section
          title="Models"
          lead="Agents without their own model use the default. Rules limit which models a role can use in agents and runs."
        >
          <Select
            label="Default model"
            value={draft.defaultModel}
            onChange={(event) => update({ defaultModel: event.target.value })}
          >
            <option value="">First available model</option>
            {options.map((id) => (
              <option key={id} value={id}>
                {modelLabel(
                  models.data?.items.find((model) => model.id === id),
                  id,
                  models.data?.providers ?? [],
                )}
              </option>
            ))}
          </Select>
          {ROLES.map((each) => (
            <ModelRules
              key={each}
              label={t`Models ${labelInSentence(ROLE_LABELS[each])} can use`}
              rules={draft.models[each]}
              disabled={!canEdit}
              onChange={(rules) => update({ models: { ...draft.models, [each]: rules } })}
            />
          ))}
        </Section>
        <Section
          title="Approvals"
          lead="The minimum rule for each risk. Agents can be stricter, but can’t allow what’s denied here."
        >
          {AGENT_RISK_NAMES.map((risk) => (
            <Select
              key={risk}
              label={AGENT_RISKS[risk].label}
              hint={AGENT_RISKS[risk].description}
              value={draft.approvals[risk]}
              onChange={(event) =>
                update({
                  approvals: { ...draft.approvals, [risk]: event.target.value as '' | 'ask' | 'deny' },
                })
              }
            >
              <option value="">Use the agent’s rule</option>
              <option value="ask">Always ask</option>
              <option value="deny">Deny</option>
            </Select>
          ))}
        </Section>
        <DefaultBudgets budgets={draft.budgets} onChange={(budgets) => update({ budgets })} />
        <Section
          title="Retention"
          lead="Messages, steps and costs are kept. Events are the text and tool calls a run streams as it works."
        >
          <TextField
            label="Keep run events (days)"
            type="number"
            required
            min={EVENT_DAYS.min}
            max={EVENT_DAYS.max}
            value={draft.runEventDays}
            onChange={(event) => update({ runEventDays: event.target.value })}
          />
        </Section>
        {canEdit && (
          <div className="flex flex-col items-start gap-8 px-16 py-24 md:px-24">
            <FormFailure>{failureMessage(save.error)}</FormFailure>
            <Button look="primary" type="submit" busy={save.isPending}>
              Save changes
            </Button>
          </div>
        )}
      </fieldset>
    </form>
  )
}

interface DefaultBudgetsProps {
  budgets: PolicyDraft['budgets']
  onChange: (budgets: PolicyDraft['budgets']) => void
}

function DefaultBudgets({ budgets, onChange }: DefaultBudgetsProps) {
  return (
    <Section
      title="Default budgets"
      lead="Applies to every project, agent, member or API key without its own budget for the period. Set individual budgets under Usage."
    >
      {DEFAULT_BUDGET_SCOPES.map((scope) => {
        const draft = budgets[scope]
        const change = (next: Partial<BudgetDraft>) =>
          onChange({ ...budgets, [scope]: { ...draft, ...next } })
        const kind = labelInSentence(SCOPE_LABELS[scope])
        return (
          <div key={scope} className="grid gap-8 @form:grid-cols-3">
            <TextField
              label={t`Per ${kind} (US dollars)`}
              inputMode="decimal"
              autoComplete="off"
              placeholder="No budget"
              value={draft.amount}
              onChange={(event) => change({ amount: event.target.value })}
            />
            <Select
              label="Period"
              aria-label={t`Budget period per ${kind}`}
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
              label="When reached"
              aria-label={t`When the budget per ${kind} is reached`}
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
