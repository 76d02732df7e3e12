import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { ConfirmTyped } from '../../../components/dialogs/confirm-typed.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Member, organizationQuery } from '../organization/organization-queries.ts'

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { organization } = useSession()
  const queries = useQueryClient()
  return (
    <ConfirmTyped
      title={`Remove ${member.name}`}
      word={member.email}
      action="Remove member"
      onConfirm={async () => {
        await api.organization.removeMember({ userId: member.id })
        // The member list lies below this key.
        void queries.invalidateQueries({ queryKey: organizationQuery.queryKey })
        void queries.invalidateQueries({ queryKey: ['workspaces'] })
        toast(`Removed ${member.name}`)
      }}
      onClose={onClose}
    >
      <p>
        {member.name} loses {organization.name} at once: their sessions and API keys here end, and they leave
        every workspace. What they made stays.
      </p>
      <p>To let them back in, invite them again.</p>
    </ConfirmTyped>
  )
}
