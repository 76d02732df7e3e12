import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { failureMessage, isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { useSession } from '../../../api/session.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { PersonFace } from '../../../components/faces.tsx'
import { Failure } from '../../../components/failure.tsx'
import { AddMemberForm } from '../../../components/forms/add-member-form.tsx'
import { InlineSelect, Select } from '../../../components/forms/select.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { Row, Rows } from '../../../components/section.tsx'
import { toast } from '../../../components/toast.tsx'
import { membersQuery } from '../organization/organization-queries.ts'

type WorkspaceMember = OutputOf<Contract['workspaces']['members']>['items'][number]
type WorkspaceRole = WorkspaceMember['role']

const PAGE_SIZE = 100

const workspaceMembersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['workspaces', id, 'members'],
    queryFn: ({ pageParam, signal }) =>
      api.workspaces.members({ id, cursor: pageParam, limit: PAGE_SIZE }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

const WORKSPACE_ROLES: { value: WorkspaceRole; label: string }[] = [
  { value: 'viewer', label: t`Viewer` },
  { value: 'editor', label: t`Editor` },
  { value: 'admin', label: t`Admin` },
]

export function WorkspaceMembers({ workspaceId }: { workspaceId: string }) {
  const { role } = useSession()
  const list = useInfiniteQuery(workspaceMembersQuery(workspaceId))
  const members = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => list.refetch()} />
  if (!list.data) return null
  return (
    <div className="flex flex-col gap-16">
      {members.length === 0 ? (
        <p className="text-13 text-neutral-11">No members yet. Owners and admins always have access.</p>
      ) : (
        <Rows label="Workspace members">
          {members.map((member) => (
            <MemberRow
              key={member.id}
              workspaceId={workspaceId}
              member={member}
              isEditable={role !== 'member'}
            />
          ))}
        </Rows>
      )}
      {list.hasNextPage && (
        <Button
          size="small"
          className="self-start"
          busy={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          Load more
        </Button>
      )}
      {role !== 'member' && <AddMember workspaceId={workspaceId} members={members} />}
    </div>
  )
}

interface MemberRowProps {
  workspaceId: string
  member: WorkspaceMember
  isEditable: boolean
}

function MemberRow({ workspaceId, member, isEditable }: MemberRowProps) {
  const change = useMemberMutation((role: WorkspaceRole) =>
    api.workspaces.addMember({ id: workspaceId, userId: member.id, role }),
  )
  const remove = useMemberMutation(() => api.workspaces.removeMember({ id: workspaceId, userId: member.id }))
  const addBack = () => change.mutate(member.role)
  return (
    <Row
      icon={<PersonFace person={member} size={32} />}
      title={
        <span className="truncate font-medium">
          <Name>{member.name}</Name>
        </span>
      }
      note={<span className="block truncate">{member.email}</span>}
    >
      {isEditable ? (
        <>
          <InlineSelect
            small
            label={textWithNames`${member.name}’s workspace role`}
            value={change.isPending ? change.variables : member.role}
            disabled={change.isPending}
            options={WORKSPACE_ROLES}
            onChoose={(role) => change.mutate(role)}
          />
          <Button
            size="small"
            look="quiet"
            aria-label={textWithNames`Remove ${member.name} from workspace`}
            busy={remove.isPending}
            onClick={() =>
              remove.mutate(undefined, {
                onSuccess: () => toast(withNames`Removed ${member.name}`, { label: t`Undo`, run: addBack }),
              })
            }
          >
            Remove
          </Button>
        </>
      ) : (
        <span className="text-13 text-neutral-11">
          {WORKSPACE_ROLES.find(({ value }) => value === member.role)?.label}
        </span>
      )}
    </Row>
  )
}

function useMemberMutation<Values, Result>(mutationFn: (values: Values) => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onError: (error) => {
      if (!isDeclinedStepUp(error)) toast(shortMessage(error))
    },
    // The member lists' keys start with this key.
    onSettled: () => queries.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  })
}

interface AddMemberProps {
  workspaceId: string
  members: WorkspaceMember[]
}

function AddMember({ workspaceId, members }: AddMemberProps) {
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
    return <p className="text-12 text-neutral-11">All organization members are already in this workspace.</p>
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
