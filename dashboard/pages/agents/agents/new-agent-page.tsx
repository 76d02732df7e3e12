import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isAgentTemplate } from '../../../../contract/agents/agent-templates.ts'
import { cacheAgent } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { DetailPage } from '../../../frame/detail-page.tsx'
import { Page } from '../../../frame/page.tsx'
import { createRequestKey } from '../../../state/random-id.ts'
import { NewAgentNote } from './agent-notes.tsx'
import { AgentForm, SaveButtons } from './editor/agent-form.tsx'
import { NEW_DRAFT, templateDraft, toSettings } from './editor/draft.ts'
import { toEditorTab } from './editor/editor-tabs.tsx'
import { useDraft } from './editor/use-agent-editor.ts'
import { BlankCard, TemplateCards } from './templates/template-cards.tsx'
import { TemplatePanel } from './templates/template-panel.tsx'

const route = getRouteApi('/app/agents/new')

export function NewAgentPage() {
  const { from } = route.useSearch()
  return from === undefined ? <StartingPoints /> : <NewAgentEditor key={from} from={from} />
}

function StartingPoints() {
  const { template } = route.useSearch()
  const navigate = useNavigate()
  const canEdit = useCanEditAgents()
  const shown = isAgentTemplate(template) ? template : undefined
  return (
    <Page
      title="New agent"
      breadcrumb={<Breadcrumb to="/agents">Agents</Breadcrumb>}
      panel={
        shown && (
          <TemplatePanel
            key={shown}
            template={shown}
            canCreate={canEdit === true}
            onClose={() => void navigate({ to: '/agents/new', search: {} })}
          />
        )
      }
    >
      {canEdit === false && <NewAgentNote />}
      <div className="flex max-w-sheet flex-col gap-24 px-16 py-24 md:px-24">
        <div className="flex flex-col gap-4">
          <h2 className="font-strong text-20 tracking-heading">What should it do for you?</h2>
          <p className="text-neutral-11">
            Choose a starting point. You can change everything before it runs.
          </p>
        </div>
        <TemplateCards />
        <BlankCard />
      </div>
    </Page>
  )
}

function NewAgentEditor({ from }: { from: string }) {
  const { tab } = route.useSearch()
  const navigate = useNavigate()
  const canEdit = useCanEditAgents()
  const template = isAgentTemplate(from) ? from : undefined
  const { draft, update, isChanged } = useDraft(template ? templateDraft(template) : NEW_DRAFT, 0)
  const [requestKey] = useState(createRequestKey)
  const create = useMutation({
    mutationFn: () => {
      const settings = toSettings(draft)
      return api.agents.create(settings, { idempotencyKey: requestKey.of(settings) })
    },
    onSuccess: async (agent) => {
      void cacheAgent(agent)
      toast(withNames`Created ${agent.name}`)
      const search = template ? { panel: 'try', template } : {}
      await navigate({ to: '/agents/$id', params: { id: agent.id }, search, ignoreBlocker: true })
    },
  })
  const cancel = () => void navigate({ to: '/agents/new', search: { template } })
  return (
    <DetailPage
      breadcrumb={<Breadcrumb to="/agents">Agents</Breadcrumb>}
      action={
        canEdit && (
          <span className="flex gap-8 max-sm:hidden">
            <SaveButtons agent={undefined} isPending={create.isPending} onDiscard={cancel} />
          </span>
        )
      }
    >
      {canEdit === false && <NewAgentNote />}
      <AgentForm
        draft={draft}
        update={update}
        tab={toEditorTab(tab)}
        isChanged={isChanged}
        save={{ ...create, run: () => create.mutate() }}
        onDiscard={cancel}
        disabled={canEdit === false}
      />
    </DetailPage>
  )
}
