import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { type Workspace, workspacesQuery } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { Rename } from '../../../components/dialogs/rename.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { useSwitchWorkspace } from '../../../frame/switch-workspace.ts'
import { DefaultWorkspace } from './default-workspace.tsx'
import { DeleteWorkspace } from './delete-workspace.tsx'
import { WorkspaceMembers } from './workspace-members.tsx'

const route = getRouteApi('/app/settings/organization/workspaces/$id')

export function WorkspacePanel() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const workspaces = useQuery(workspacesQuery)
  const workspace = workspaces.data?.items.find((item) => item.id === id)
  const close = async () => {
    await navigate({ to: '/settings/organization/workspaces' })
    focusRow(id)
  }
  return (
    <Panel
      title="Workspace"
      subtitle={
        workspace && (
          <>
            Created <Time at={workspace.createdAt} />
          </>
        )
      }
      onClose={close}
    >
      {workspaces.isPending && <SkeletonRows rows={3} />}
      {workspaces.error && !workspaces.data && (
        <Failure error={workspaces.error} onRetry={() => workspaces.refetch()} />
      )}
      {workspaces.data && !workspace && (
        <p className="px-16 py-24 text-13 text-neutral-11">
          Workspace not found, or you don’t have access to it.
        </p>
      )}
      {workspace && <Details key={id} workspace={workspace} onDeleted={close} />}
    </Panel>
  )
}

function Details({ workspace, onDeleted }: { workspace: Workspace; onDeleted: () => void }) {
  const { role, organization, workspace: current } = useSession()
  const [isDeleting, setDeleting] = useState(false)
  const queries = useQueryClient()
  const switchWorkspace = useSwitchWorkspace()
  const isAdmin = role !== 'member'
  const rename = async (name: string) => {
    await api.workspaces.rename({ id: workspace.id, name })
    await queries.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    if (workspace.id === current?.id) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <>
      <PanelSection>
        <div className="flex flex-col gap-12">
          <div className="text-16">
            {isAdmin ? (
              <Rename name={workspace.name} maxLength={120} onRename={rename} />
            ) : (
              <span className="font-medium">
                <Name>{workspace.name}</Name>
              </span>
            )}
          </div>
          <p className="flex items-center gap-8 text-13 text-neutral-11">
            Workspace ID <CopyId id={workspace.id} what="workspace ID" />
          </p>
          {workspace.id === current?.id ? (
            <p className="text-13 text-neutral-11">This is your current workspace.</p>
          ) : (
            <Button
              className="self-start"
              onClick={() =>
                switchWorkspace({
                  organizationId: organization.id,
                  workspaceId: workspace.id,
                  name: workspace.name,
                })
              }
            >
              Switch to this workspace
            </Button>
          )}
          <DefaultWorkspace workspace={workspace} />
        </div>
      </PanelSection>
      <PanelSection title="Members">
        <WorkspaceMembers workspaceId={workspace.id} />
      </PanelSection>
      {isAdmin && (
        <PanelSection>
          <Button onClick={() => setDeleting(true)}>Delete workspace</Button>
        </PanelSection>
      )}
      {isDeleting && (
        <DeleteWorkspace workspace={workspace} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
    </>
  )
}
