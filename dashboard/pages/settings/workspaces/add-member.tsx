import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { membersQuery } from '../organization/organization-queries.ts'
import { WORKSPACE_ROLES, type WorkspaceMember, type WorkspaceRole } from './workspaces-queries.ts'

interface AddMemberProps {
  workspaceId: string
  members: WorkspaceMember[]
}

/** Adds a member of the organization to the workspace. */
export function AddMember({ workspaceId, members }: AddMemberProps) {
  const [userId, setUserId] = useState('')
  const [role, setRole] = useState<WorkspaceRole>('editor')
  const queries = useQueryClient()
  const allMembers = useInfiniteQuery(membersQuery)
  const memberIds = new Set(members.map((member) => member.id))
  const others =
    allMembers.data?.pages.flatMap((page) => page.items).filter(({ id }) => !memberIds.has(id)) ?? []
  const add = useMutation({
    mutationFn: () => api.workspaces.addMember({ id: workspaceId, userId, role }),
    onSuccess: () => {
      setUserId('')
      void queries.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    },
  })
  if (allMembers.data && others.length === 0) {
    return <p className="text-12 text-neutral-11">All members of the organization are in this workspace.</p>
  }

  return (
    <form
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (userId && !add.isPending) add.mutate()
      }}
    >
      <FormFailure>{failureMessage(add.error)}</FormFailure>
      <div className="grid grid-cols-3 gap-12">
        <div className="col-span-2">
          <Select label="Add member" value={userId} onChange={(event) => setUserId(event.target.value)}>
            <option value="">Select a member</option>
            {others.map((member) => (
              <option key={member.id} value={member.id}>
                {member.name}
              </option>
            ))}
          </Select>
        </div>
        <Select label="Role" value={role} onChange={(event) => setRole(event.target.value as WorkspaceRole)}>
          {WORKSPACE_ROLES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <Button type="submit" className="self-start" busy={add.isPending} disabled={!userId}>
        Add to workspace
      </Button>
    </form>
  )
}
