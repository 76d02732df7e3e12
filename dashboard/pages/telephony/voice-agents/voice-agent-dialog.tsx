import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { VOICE_PROVIDERS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { connectionsQuery } from '../../../api/connections.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { accountName, connectionName } from '../../../components/connectors/connection-labels.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { PROVIDERS } from '../call-labels.ts'
import { type NewVoiceAgent, refreshTelephony, telephonyApi } from '../telephony-queries.ts'

interface VoiceAgentDialogProps {
  onCreated: (created: NewVoiceAgent) => void
  onClose: () => void
}

const FIELDS = ['providerAgentId', 'agentId', 'projectId', 'connectionId', 'webhookSecret']

export function VoiceAgentDialog({ onCreated, onClose }: VoiceAgentDialogProps) {
  const [draft, setDraft] = useState({
    provider: 'elevenlabs' as (typeof VOICE_PROVIDERS)[number],
    providerAgentId: '',
    agentId: '',
    projectId: '',
    connectionId: '',
    webhookSecret: '',
  })
  const change = (next: Partial<typeof draft>) => setDraft({ ...draft, ...next })
  const { provider } = draft
  const agents = useQuery(agentChoicesQuery).data?.items ?? []
  const projects = (useQuery(newestProjectsQuery).data?.items ?? []).filter(({ canEdit }) => canEdit)
  const accounts = (useQuery(connectionsQuery).data?.items ?? []).filter(
    ({ connectorSlug, status }) => connectorSlug === provider && status === 'active',
  )
  const save = useMutation({
    mutationFn: () =>
      telephonyApi.voiceAgents.create({
        provider,
        providerAgentId: provider === 'elevenlabs' ? draft.providerAgentId.trim() : undefined,
        agentId: draft.agentId || (agents[0]?.id ?? ''),
        projectId: draft.projectId || (projects[0]?.id ?? ''),
        connectionId: draft.connectionId || undefined,
        webhookSecret: draft.webhookSecret.trim() || undefined,
      }),
    onSuccess: async (created) => {
      await refreshTelephony()
      onCreated(created)
    },
  })
  const errorOf = (field: string) => fieldMessage(save.error, field)
  const name = PROVIDERS[provider]
  return (
    <FormDialog
      size="normal"
      title="Add voice agent"
      lead="Let an OpenAI or ElevenLabs voice take calls for an agent. It acts with your permissions."
      action="Add"
      failure={FIELDS.some(errorOf) ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <Select
        label="Provider"
        value={provider}
        onChange={({ target }) => change({ provider: target.value as typeof provider, connectionId: '' })}
      >
        {VOICE_PROVIDERS.toReversed().map((each) => (
          <option key={each} value={each}>
            {PROVIDERS[each]}
          </option>
        ))}
      </Select>
      {provider === 'elevenlabs' && (
        <TextField
          label="ElevenLabs agent ID"
          required
          placeholder="agent_…"
          autoComplete="off"
          spellCheck={false}
          value={draft.providerAgentId}
          error={errorOf('providerAgentId')}
          onChange={(event) => change({ providerAgentId: event.target.value })}
        />
      )}
      <Select
        label="Atrium agent"
        required
        value={draft.agentId || agents[0]?.id}
        hint="Does the work that callers ask for."
        error={errorOf('agentId')}
        onChange={(event) => change({ agentId: event.target.value })}
      >
        {agents.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.name}
          </option>
        ))}
      </Select>
      <Select
        label="Project"
        required
        value={draft.projectId || projects[0]?.id}
        error={errorOf('projectId')}
        onChange={(event) => change({ projectId: event.target.value })}
      >
        {projects.map((project) => (
          <option key={project.id} value={project.id}>
            {project.name}
          </option>
        ))}
      </Select>
      <Select
        label="Account"
        value={draft.connectionId}
        error={errorOf('connectionId')}
        onChange={(event) => change({ connectionId: event.target.value })}
      >
        <option value="">This server’s account</option>
        {accounts.map((account) => (
          <option key={account.id} value={account.id}>
            {[connectionName(account), accountName(account)].filter(Boolean).join(' · ')}
          </option>
        ))}
      </Select>
      <PasswordField
        label="Webhook secret (optional)"
        hint={t`${name} shows it when you create the webhook. Leave empty to use this server’s secret.`}
        autoComplete="off"
        value={draft.webhookSecret}
        error={errorOf('webhookSecret')}
        onChange={(event) => change({ webhookSecret: event.target.value })}
      />
    </FormDialog>
  )
}
