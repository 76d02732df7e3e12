import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { failureMessage } from '../../../api/explain.ts'
import { FormDialog, useSaveRecord } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { type RoutingRule, refreshTelephony, telephonyApi } from '../telephony-queries.ts'
import { ActionFields } from './action-fields.tsx'
import { MatchFields } from './match-fields.tsx'
import { type RuleDraft, toDraft, toRoutingRule } from './rule-draft.ts'

/** The server requires step-up. */
export function RuleDialog({ rule, onClose }: { rule?: RoutingRule; onClose: () => void }) {
  const [draft, setDraft] = useState(() => toDraft(rule))
  const change = (next: Partial<RuleDraft>) => setDraft((previous) => ({ ...previous, ...next }))
  const agents = useQuery(agentChoicesQuery).data?.items ?? []
  const save = useSaveRecord({
    isNew: !rule,
    refresh: refreshTelephony,
    onClose,
    save: () => {
      const settings = toRoutingRule(draft, agents[0]?.id ?? '')
      return rule
        ? telephonyApi.routing.update({ id: rule.id, ...settings })
        : telephonyApi.routing.create(settings)
    },
  })
  const errorOf = (path: string) => errorWithin(save.error, `body.${path}`)
  const hasFieldError = errorOf('name') ?? errorOf('match') ?? errorOf('action') ?? errorOf('fallback')
  return (
    <FormDialog
      size="normal"
      title={rule ? t`Edit rule` : t`New rule`}
      action={rule ? t`Save changes` : t`Create rule`}
      failure={hasFieldError ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        limit={TELEPHONY_LIMITS.ruleName}
        placeholder="Support during office hours"
        autoComplete="off"
        data-autofocus
        value={draft.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <MatchFields draft={draft} change={change} errorOf={(path) => errorOf(`match.${path}`)} />
      <ActionFields
        title="Then"
        draft={draft.action}
        agents={agents}
        errorOf={(path) => errorOf(`action.${path}`)}
        change={(next) => change({ action: { ...draft.action, ...next } })}
      />
      <ActionFields
        title="If that fails"
        draft={draft.fallback}
        agents={agents}
        errorOf={(path) => errorOf(`fallback.${path}`)}
        change={(next) => change({ fallback: { ...draft.fallback, ...next } })}
      />
      <p className="text-12 text-neutral-11">
        {rule
          ? t`Once you save, agents started by this rule act with your permissions.`
          : t`Agents started by this rule act with your permissions, in projects you can edit.`}
      </p>
    </FormDialog>
  )
}

/** Matches the field or a part of it, such as one of several numbers. */
function errorWithin(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiFailure) || !Array.isArray(error.details)) return undefined
  return error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))?.message
}
