import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
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

/** Somebody of the organization who does not belong to the workspace yet. */
export function AddMember({ workspaceId, members }: AddMemberProps) {
  const [userId, setUserId] = useState('')
  const [role, setRole] = useState<WorkspaceRole>('editor')
  const queries = useQueryClient()
  const allMembers = useInfiniteQuery(membersQuery)
  const inside = new Set(members.map((member) => member.id))
  const others =
    allMembers.data?.pages.flatMap((page) => page.items).filter(({ id }) => !inside.has(id)) ?? []
  const add = useMutation({
    mutationFn: () => api.workspaces.addMember({ id: workspaceId, userId, role }),
    onSuccess: () => {
      setUserId('')
      void queries.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    },
  })
  if (allMembers.data && others.length === 0) {
    return <p className="text-12 text-neutral-11">Everybody in the organization belongs to it.</p>
  }
  const error = add.error && !isDeclinedStepUp(add.error) ? explainShortly(add.error) : undefined
  return (
    <form
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (userId && !add.isPending) add.mutate()
      }}
    >
      <FormFailure>{error}</FormFailure>
      <div className="grid grid-cols-3 gap-12">
        <div className="col-span-2">
          <Select label="Add somebody" value={userId} onChange={(event) => setUserId(event.target.value)}>
            <option value="">Choose a member</option>
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
