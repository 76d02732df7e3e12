import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { AddMemberForm } from '../../../components/forms/add-member-form.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { membersQuery } from '../organization/organization-queries.ts'
import { WORKSPACE_ROLES, type WorkspaceMember, type WorkspaceRole } from './workspaces-queries.ts'

interface AddMemberProps {
  workspaceId: string
  members: WorkspaceMember[]
}

/** Adds a member of the organization to the workspace. */
export function AddMember({ workspaceId, members }: AddMemberProps) {
  const [role, setRole] = useState<WorkspaceRole>('editor')
  const queries = useQueryClient()
  const allMembers = useInfiniteQuery(membersQuery)
  const memberIds = new Set(members.map((member) => member.id))
  const others =
    allMembers.data?.pages.flatMap((page) => page.items).filter(({ id }) => !memberIds.has(id)) ?? []
  const add = useMutation({
    mutationFn: (userId: string) => api.workspaces.addMember({ id: workspaceId, userId, role }),
    onSuccess: () => queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  })
  if (allMembers.data && others.length === 0) {
    return <p className="text-12 text-neutral-11">All members of the organization are in this workspace.</p>
  }

  return (
    <AddMemberForm
      label="Add member"
      action="Add to workspace"
      members={others}
      failure={failureMessage(add.error)}
      busy={add.isPending}
      onAdd={add.mutate}
    >
      <Select label="Role" value={role} onChange={(event) => setRole(event.target.value as WorkspaceRole)}>
        {WORKSPACE_ROLES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </AddMemberForm>
  )
}
