import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { FlaskConical, History } from 'lucide-react'
import { type Agent, agentQuery } from '../../../api/agents.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { useMediaQuery } from '../../../state/media-query.ts'
import { AgentMenu } from './agent-menu.tsx'
import { AgentNotes } from './agent-notes.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { AgentForm } from './editor/agent-form.tsx'
import { useAgentEditor } from './editor/use-agent-editor.ts'
import { TryOutPanel } from './try-out/try-out-panel.tsx'
import { VersionsPanel } from './versions/versions-panel.tsx'

const route = getRouteApi('/app/agents/$id')

/** The settings of one agent, with a conversation to try it out or its versions beside them. */
export function AgentPage() {
  const { id } = route.useParams()
  const agent = useQuery(agentQuery(id))
  if (agent.data) return <LoadedAgentPage key={id} agent={agent.data} />
  return (
    <Page title="Agent" breadcrumb={<Breadcrumb to="/agents">Agents</Breadcrumb>}>
      {agent.isPending && <SkeletonRows rows={5} />}
      {agent.error && <Failure error={agent.error} onRetry={() => agent.refetch()} />}
    </Page>
  )
}

/** Wide enough for the settings and a conversation beside each other. */
const WIDE = '(width >= 1400px)'

function LoadedAgentPage({ agent }: { agent: Agent }) {
  const { panel: chosenPanel } = route.useSearch()
  const isWide = useMediaQuery(WIDE)
  const canEditAny = useCanEditAgents()
  const canEdit = canEditAny && agent.canEdit
  const editor = useAgentEditor(agent)
  const navigate = useNavigate()
  const panel = chosenPanel ?? (isWide && agent.archivedAt === null && canEditAny === true ? 'try' : 'none')
  const show = (name: 'versions' | 'try' | 'none') =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, panel: name }), ignoreBlocker: true })
  const toggle = (name: 'versions' | 'try') => show(panel === name ? 'none' : name)
  const isReadOnly = agent.archivedAt !== null || canEdit !== true
  return (
    <Page
      title={[agent.emoji, agent.name].filter(Boolean).join(' ')}
      breadcrumb={<Breadcrumb to="/agents">Agents</Breadcrumb>}
      action={
        <span className="flex items-center gap-8">
          <Button aria-pressed={panel === 'try'} onClick={() => toggle('try')}>
            <FlaskConical aria-hidden className="icon" />
            <span className="max-sm:sr-only">Try out</span>
          </Button>
          <Button aria-pressed={panel === 'versions'} onClick={() => toggle('versions')}>
            <History aria-hidden className="icon sm:hidden" />
            <span className="max-sm:sr-only">Versions</span>
            <span className="text-neutral-11 tabular-nums">{agent.version}</span>
          </Button>
          <AgentMenu agent={agent} canEdit={canEdit === true} />
        </span>
      }
      panel={
        panel === 'versions' ? (
          <VersionsPanel agent={agent} canEdit={canEdit === true} onClose={() => show('none')} />
        ) : (
          panel === 'try' && (
            <TryOutPanel
              agent={agent}
              editor={editor}
              takesFocus={chosenPanel === 'try'}
              onClose={() => show('none')}
            />
          )
        )
      }
    >
      <AgentNotes agent={agent} canEditAny={canEditAny} />
      <AgentForm {...editor} onDiscard={editor.discard} warnings={agent.warnings} disabled={isReadOnly} />
      {editor.conflict && <ConflictDialog {...editor.conflict} />}
    </Page>
  )
}
