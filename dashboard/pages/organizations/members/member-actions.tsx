import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { failureMessage, isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { useSession } from '../../../api/session.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { SecretDialog } from '../../../components/dialogs/secret-dialog.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Member, membersQuery, organizationQuery } from '../organization/organization-queries.ts'
import { ROLE_LABELS } from '../organization/role-labels.ts'

export function RoleCell({ member }: { member: Member }) {
  const session = useSession()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (role: Role) => organizationApi.organization.changeRole({ userId: member.id, role }),
    onSuccess: (changed) => {
      const before = member.role
      toast(withNames`${member.name} is now ${ROLE_LABELS[changed.role].article}`, {
        label: t`Undo`,
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
      label={textWithNames`${member.name}’s role`}
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

/** Creates a link for setting a new password, for servers that can't send email. */
export function ResetPassword({ member, onClose }: { member: Member; onClose: () => void }) {
  const create = useMutation({
    mutationFn: () => organizationApi.organization.resetPassword({ userId: member.id }),
  })
  if (create.data) {
    return (
      <SecretDialog
        title="Send this link"
        what="reset link"
        value={create.data.url}
        about={
          <>
            Send this link to <Name>{member.name}</Name> over a private channel. It works once, expires in 24
            hours and won’t be shown again. Anyone who opens it can sign in to this account.
          </>
        }
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      size="normal"
      title="Reset password"
      action="Create reset link"
      lead={
        <>
          This server can’t send email, so you’ll get a link that lets <Name>{member.name}</Name> set a new
          password. Their sessions then end. The audit log records it.
        </>
      }
      failure={failureMessage(create.error)}
      busy={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    />
  )
}

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { organization } = useSession()
  return (
    <ConfirmDialog
      title={withNames`Remove ${member.name}`}
      phrase={member.email}
      action="Remove member"
      mutate={() => organizationApi.organization.removeMember({ userId: member.id })}
      // The member list's key starts with the organization's key.
      invalidates={[organizationQuery.queryKey, ['workspaces']]}
      success={withNames`Removed ${member.name}`}
      onClose={onClose}
    >
      <p>
        <Name>{member.name}</Name> loses access to <Name>{organization.name}</Name> immediately: their
        sessions and API keys are revoked, and they’re removed from every workspace. Their content stays.
      </p>
      <p>To restore access, invite them again.</p>
    </ConfirmDialog>
  )
}
