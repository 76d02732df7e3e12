import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { cacheAgent } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { createRequestKey } from '../../../state/random-id.ts'
import { NewAgentNote } from './agent-notes.tsx'
import { AgentForm } from './editor/agent-form.tsx'
import { NEW_DRAFT, toSettings } from './editor/draft.ts'
import { useDraft } from './editor/use-agent-editor.ts'

export function NewAgentPage() {
  const navigate = useNavigate()
  const canEdit = useCanEditAgents()
  const { draft, update, isChanged } = useDraft(NEW_DRAFT, 0)
  const [requestKey] = useState(createRequestKey)
  const create = useMutation({
    mutationFn: () => {
      const settings = toSettings(draft)
      return api.agents.create(settings, { idempotencyKey: requestKey.of(settings) })
    },
    onSuccess: async (agent) => {
      void cacheAgent(agent)
      toast(withNames`Created ${agent.name}`)
      await navigate({ to: '/agents/$id', params: { id: agent.id }, ignoreBlocker: true })
    },
  })
  return (
    <Page title="New agent" breadcrumb={<Breadcrumb to="/agents">Agents</Breadcrumb>}>
      {canEdit === false && <NewAgentNote />}
      <AgentForm
        draft={draft}
        update={update}
        isChanged={isChanged}
        save={{ ...create, run: () => create.mutate() }}
        onDiscard={() => void navigate({ to: '/agents' })}
        isNew
        disabled={canEdit === false}
      />
    </Page>
  )
}
