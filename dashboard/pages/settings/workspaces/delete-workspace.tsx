import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { sessionQuery } from '../../../api/session.ts'
import { type Workspace, workspacesQuery } from '../../../api/workspaces.ts'
import { ConfirmTyped } from '../../../components/dialogs/confirm-typed.tsx'
import { toast } from '../../../components/toast.tsx'

interface DeleteWorkspaceProps {
  workspace: Workspace
  onClose: () => void
  onDeleted: () => void
}

export function DeleteWorkspace({ workspace, onClose, onDeleted }: DeleteWorkspaceProps) {
  const queries = useQueryClient()
  return (
    <ConfirmTyped
      title="Delete this workspace"
      word={workspace.name}
      action="Delete workspace"
      onConfirm={async () => {
        await api.workspaces.remove({ id: workspace.id })
        onDeleted()
        void queries.invalidateQueries({ queryKey: workspacesQuery.queryKey })
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
        toast(`Deleted ${workspace.name}`)
      }}
      onClose={onClose}
    >
      <p>
        {workspace.name} and everything in it is gone for{' '}
        {workspace.memberCount === 1 ? 'its one member' : `all of its ${workspace.memberCount} members`}. The
        people themselves stay in the organization.
      </p>
      <p>This cannot be undone.</p>
    </ConfirmTyped>
  )
}
