import { api } from '../../../api/client.ts'
import { sessionQuery } from '../../../api/session.ts'
import { type Workspace, workspacesQuery } from '../../../api/workspaces.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Name, withNames } from '../../../components/name.tsx'

interface DeleteWorkspaceProps {
  workspace: Workspace
  onClose: () => void
  onDeleted: () => void
}

export function DeleteWorkspace({ workspace, onClose, onDeleted }: DeleteWorkspaceProps) {
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
        {memberCount === 1 ? 'its 1 member' : `all ${memberCount} members`}. Members stay in the organization.
      </p>
      <p>This can’t be undone.</p>
    </ConfirmDialog>
  )
}
