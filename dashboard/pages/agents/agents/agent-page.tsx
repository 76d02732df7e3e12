import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Copy, Ellipsis, History, MessageCircle } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type Agent, agentQuery, versionsQuery } from '../../../api/agents.ts'
import { fieldLabel } from '../../../api/explain.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name } from '../../../components/name.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { DetailPage } from '../../../frame/detail-page.tsx'
import { Page } from '../../../frame/page.tsx'
import { useMediaQuery } from '../../../state/media-query.ts'
import { TalkButton } from '../../telephony/browser-call/talk-button.tsx'
import { AgentNotes, setArchived } from './agent-notes.tsx'
import { AgentForm, SaveButtons } from './editor/agent-form.tsx'
import { toEditorTab } from './editor/editor-tabs.tsx'
import { useAgentEditor } from './editor/use-agent-editor.ts'
import { TryOutPanel } from './try-out-panel.tsx'
import { VersionRow, VersionsPanel } from './versions-panel.tsx'

const route = getRouteApi('/app/agents/$id')

export function AgentPage() {
  const { id } = route.useParams()
  const agent = useQuery(agentQuery(id))
  if (agent.data) return <LoadedAgentPage key={id} agent={agent.data} />
  return (
    <Page title="Agent" breadcrumb={<Breadcrumb to="/agents">Agents</Breadcrumb>}>
      {agent.isPending && <SkeletonRows rows={5} />}
      {agent.error && (
        <RecordFailure
          error={agent.error}
          onRetry={() => agent.refetch()}
          title="Agent not found"
          to="/agents"
          action="All agents"
        />
      )}
    </Page>
  )
}

/** Fits the settings and a conversation side by side. */
const WIDE = '(width >= 1400px)'

function LoadedAgentPage({ agent }: { agent: Agent }) {
  const { panel: chosenPanel, tab } = route.useSearch()
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
    <DetailPage
      breadcrumb={
        <>
          <Breadcrumb to="/agents">Agents</Breadcrumb>
          <span aria-hidden className="min-w-0 truncate px-4 font-medium text-13 max-lg:sr-only">
            <Name>{agent.name}</Name>
          </span>
        </>
      }
      action={
        <div className="flex items-center gap-8">
          {canEditAny === true && agent.archivedAt === null && <TalkButton look="quiet" agent={agent} />}
          {panel !== 'try' && (
            <Button look="quiet" onClick={() => toggle('try')}>
              <MessageCircle aria-hidden className="icon" />
              <span className="max-sm:sr-only">Try it</span>
            </Button>
          )}
          <Button look="quiet" aria-pressed={panel === 'versions'} onClick={() => toggle('versions')}>
            <History aria-hidden className="icon" />
            {t`Version ${agent.version}`}
          </Button>
          <AgentMenu agent={agent} canEdit={canEdit === true} />
          {editor.isChanged && !isReadOnly && (
            <span className="flex gap-8 max-sm:hidden">
              <SaveButtons agent={agent} isPending={editor.save.isPending} onDiscard={editor.discard} />
            </span>
          )}
        </div>
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
      <AgentForm
        {...editor}
        agent={agent}
        tab={toEditorTab(tab)}
        onDiscard={editor.discard}
        disabled={isReadOnly}
      />
      {editor.conflict && <ConflictDialog {...editor.conflict} />}
    </DetailPage>
  )
}

function AgentMenu({ agent, canEdit }: { agent: Agent; canEdit: boolean }) {
  const { id, name, archivedAt } = agent
  const trigger = (
    <Button look="quiet" size="icon" aria-label={textWithNames`Actions for ${name}`}>
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuAction icon={Copy} label="Copy agent ID" onSelect={() => void copyWithToast(id, t`agent ID`)} />
      {canEdit && archivedAt && (
        <MenuAction icon={ArchiveRestore} label="Unarchive" onSelect={() => void setArchived(agent, false)} />
      )}
      {canEdit && !archivedAt && (
        <MenuAction icon={Archive} label="Archive" onSelect={() => void setArchived(agent, true)} />
      )}
    </Menu>
  )
}

interface ConflictDialogProps {
  id: string
  since: number
  fields: string[]
  onReload: () => void
  onOverwrite: () => void
  onClose: () => void
}

function ConflictDialog({ id, since, fields, onReload, onOverwrite, onClose }: ConflictDialogProps) {
  const versions = useInfiniteQuery({ ...versionsQuery(id), staleTime: 0 })
  const newerVersions = versions.data?.pages[0]?.items.filter(({ version }) => version > since) ?? []
  return (
    <Dialog title="This agent changed while you were editing" onClose={onClose}>
      <div className="flex flex-col gap-12">
        <p className="text-neutral-11">
          Overwriting saves your {fields.map((field) => fieldLabel(field).toLowerCase()).join(', ')} and
          leaves other settings as they are now. You’ll find both in Versions.
        </p>
        <ul aria-label="Changes by others" className="border-neutral-6 border-t">
          {newerVersions.map((version) => (
            <li key={version.version} className="border-neutral-6 border-b py-8">
              <VersionRow version={version} />
            </li>
          ))}
        </ul>
        <DialogFooter>
          <Button look="quiet" onClick={onReload}>
            Discard my changes
          </Button>
          <Button look="primary" data-autofocus onClick={onOverwrite}>
            Overwrite
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
