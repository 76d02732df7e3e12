import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { useSession } from '../../../api/session.ts'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Member, membersQuery } from '../organization/organization-queries.ts'
import { ROLE_LABELS } from '../organization/role-labels.ts'

/** The role of a member, as a select for users who may change it; the toast offers undo. */
export function RoleCell({ member }: { member: Member }) {
  const session = useSession()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (role: Role) => organizationApi.organization.changeRole({ userId: member.id, role }),
    onSuccess: (changed) => {
      const before = member.role
      toast(withNames`${member.name} is now ${ROLE_LABELS[changed.role].article}`, {
        label: 'Undo',
        run: () => change.mutate(before),
      })
    },
    onError: (error) => {
      if (!isDeclinedStepUp(error)) toast(shortMessage(error))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: membersQuery.queryKey }),
  })
  const roles = assignableRoles(session.role)
  const isFixed = member.id === session.user.id || !roles.includes(member.role)
  if (isFixed) return <span className="whitespace-nowrap">{ROLE_LABELS[member.role].label}</span>
  return (
    <InlineSelect
      small
      label={textWithNames`Role of ${member.name}`}
      value={change.isPending ? change.variables : member.role}
      disabled={change.isPending}
      options={roles.map((role) => ({ value: role, label: ROLE_LABELS[role].label }))}
      onChoose={(role) => change.mutate(role)}
    />
  )
}

function assignableRoles(role: Role): Role[] {
  if (role === 'owner') return ['owner', 'admin', 'member']
  return role === 'admin' ? ['admin', 'member'] : []
}
