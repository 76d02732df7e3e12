import { organizationApi } from '../../../api/organizations.ts'
import { useSession } from '../../../api/session.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { type Member, organizationQuery } from '../organization/organization-queries.ts'

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { organization } = useSession()
  return (
    <ConfirmDialog
      title={withNames`Remove ${member.name}`}
      phrase={member.email}
      action="Remove member"
      mutate={() => organizationApi.organization.removeMember({ userId: member.id })}
      // The key of the member list starts with the key of the organization.
      invalidates={[organizationQuery.queryKey, ['workspaces']]}
      success={withNames`Removed ${member.name}`}
      onClose={onClose}
    >
      <p>
        <Name>{member.name}</Name> loses access to <Name>{organization.name}</Name> immediately: their
        sessions and API keys are revoked, and they are removed from every workspace. Their content stays.
      </p>
      <p>To restore access, invite them again.</p>
    </ConfirmDialog>
  )
}
