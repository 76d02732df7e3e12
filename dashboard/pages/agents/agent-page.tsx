import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Agent, agentQuery } from '../../api/agents.ts'
import { useCanEditAgents } from '../../api/workspaces.ts'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Page } from '../../frame/page.tsx'
import { AgentBreadcrumb } from './agent-breadcrumb.tsx'
import { AgentEditor } from './agent-editor.tsx'
import { AgentMenu } from './agent-menu.tsx'
import { setArchived } from './archive.ts'
import { VersionsPanel } from './versions/versions-panel.tsx'

const route = getRouteApi('/app/agents/$id')

/** The settings of one agent, with its versions in a panel beside them. */
export function AgentPage() {
  const { id } = route.useParams()
  const { panel } = route.useSearch()
  const navigate = useNavigate()
  const agent = useQuery(agentQuery(id))
  const canEdit = useCanEditAgents()
  const { data } = agent
  const show = (name?: 'versions') =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, panel: name }), ignoreBlocker: true })
  return (
    <Page
      title={data ? `${data.emoji ?? ''} ${data.name}`.trim() : 'Agent'}
      breadcrumb={<AgentBreadcrumb />}
      action={
        data && (
          <span className="flex items-center gap-8">
            <Button onClick={() => show(panel === 'versions' ? undefined : 'versions')}>
              Versions
              <span className="text-neutral-11 tabular-nums">{data.version}</span>
            </Button>
            <AgentMenu agent={data} canEdit={canEdit === true} />
          </span>
        )
      }
      panel={
        data &&
        panel === 'versions' && (
          <VersionsPanel agent={data} canEdit={canEdit === true} onClose={() => show()} />
        )
      }
    >
      {agent.isPending && <SkeletonRows rows={5} />}
      {agent.error && !data && <Failure error={agent.error} onRetry={() => agent.refetch()} />}
      {canEdit === false && (
        <Note>You can view this agent. Members who can edit in a workspace can change it.</Note>
      )}
      {data?.archivedAt && <ArchivedNote agent={data} canEdit={canEdit === true} />}
      {data && <AgentEditor key={id} agent={data} canEdit={canEdit === true} />}
    </Page>
  )
}

function ArchivedNote({ agent, canEdit }: { agent: Agent; canEdit: boolean }) {
  return (
    <Note warning>
      <span>This agent is archived: it starts no runs and cannot be changed.</span>
      {canEdit && (
        <Button size="small" onClick={() => void setArchived(agent, false)}>
          Unarchive
        </Button>
      )}
    </Note>
  )
}

function Note({ warning, children }: { warning?: boolean; children: ReactNode }) {
  const tone = warning ? 'border-warning-line bg-warning-wash' : 'border-neutral-6 bg-neutral-2'
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-8 border-b px-16 py-8 text-13 md:px-24 ${tone}`}
    >
      {children}
    </div>
  )
}
