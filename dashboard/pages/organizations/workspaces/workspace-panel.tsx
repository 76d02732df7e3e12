import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { type Workspace, workspacesQuery } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Rename } from '../../../components/dialogs/rename.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { useSwitchWorkspace } from '../../../frame/switch-workspace.ts'
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
        <p className="px-16 py-24 text-13 text-neutral-11">Workspace not found, or you don’t have access.</p>
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

/** There's always exactly one default, so it can be changed but not cleared. */
function DefaultWorkspace({ workspace }: { workspace: Workspace }) {
  const queries = useQueryClient()
  const setDefault = useMutation({
    mutationFn: (workspaceId: string) => api.workspaces.chooseDefault({ workspaceId }),
    onError: (error) => toast(shortMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  })
  if (workspace.isDefault) {
    return (
      <p className="text-13 text-neutral-11">This is your default workspace for sign-ins and API keys.</p>
    )
  }
  const setThis = () => {
    const before = queries.getQueryData(workspacesQuery.queryKey)?.items.find(({ isDefault }) => isDefault)
    const undo = before && { label: t`Undo`, run: () => setDefault.mutate(before.id) }
    setDefault.mutate(workspace.id, {
      onSuccess: () => toast(withNames`${workspace.name} is now your default workspace`, undo),
    })
  }
  return (
    <Button className="self-start" busy={setDefault.isPending} onClick={setThis}>
      Set as default
    </Button>
  )
}

interface DeleteWorkspaceProps {
  workspace: Workspace
  onClose: () => void
  onDeleted: () => void
}

function DeleteWorkspace({ workspace, onClose, onDeleted }: DeleteWorkspaceProps) {
  const { id, name, memberCount } = workspace
  return (
    <ConfirmDialog
      title="Delete workspace"
      phrase={name}
      action="Delete workspace"
      mutate={() => api.workspaces.remove({ id })}
      onSuccess={onDeleted}
      invalidates={[workspacesQuery.queryKey, sessionQuery.queryKey]}
      success={withNames`Deleted ${name}`}
      onClose={onClose}
    >
      <p>
        <Name>{name}</Name> and everything in it will be deleted for{' '}
        {memberCount === 1 ? t`its 1 member` : t`all ${memberCount} members`}. Members stay in the
        organization.
      </p>
      <p>This can’t be undone.</p>
    </ConfirmDialog>
  )
}
