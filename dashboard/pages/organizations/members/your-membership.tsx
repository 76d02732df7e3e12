import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { publicApi } from '../../../api/client.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { clearUserQueries } from '../../../api/query-client.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { Section } from '../../../components/section.tsx'
import { toast } from '../../../components/toast.tsx'
import { refetchAfterSwitch } from '../../../frame/switch-workspace.ts'
import { type Member, membersQuery } from '../organization/organization-queries.ts'
import { ROLE_LABELS } from '../organization/role-labels.ts'

export function YourMembership() {
  const { role, organization, user } = useSession()
  const [dialog, setDialog] = useState<'leave' | 'transfer'>()
  const members = useInfiniteQuery(membersQuery).data?.pages.flatMap((page) => page.items) ?? []
  const otherMembers = members.filter((member) => member.id !== user.id)
  return (
    <>
      <Section title="Your membership" lead={t`You’re ${ROLE_LABELS[role].article} of ${organization.name}.`}>
        <div className="flex flex-wrap gap-8">
          {role === 'owner' && otherMembers.length > 0 && (
            <Button onClick={() => setDialog('transfer')}>Transfer ownership</Button>
          )}
          <Button onClick={() => setDialog('leave')}>Leave organization</Button>
        </div>
      </Section>
      {dialog === 'leave' && <LeaveDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'transfer' && (
        <TransferDialog candidates={otherMembers} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

function TransferDialog({ candidates, onClose }: { candidates: Member[]; onClose: () => void }) {
  const { organization } = useSession()
  const [userId, setUserId] = useState(candidates[0]!.id)

  const newOwner = candidates.find((member) => member.id === userId) ?? candidates[0]!
  return (
    <ConfirmDialog
      title="Transfer ownership"
      phrase={organization.name}
      action="Transfer ownership"
      mutate={() => organizationApi.organization.transfer({ userId: newOwner.id })}
      invalidates={[membersQuery.queryKey, sessionQuery.queryKey]}
      success={withNames`${newOwner.name} is now an owner of ${organization.name}`}
      onClose={onClose}
    >
      <p>
        <Name>{newOwner.name}</Name> becomes an owner of <Name>{organization.name}</Name> and you become an
        admin. Only an owner can change this back.
      </p>
      <div className="text-neutral-12">
        <Select label="New owner" value={newOwner.id} onChange={(event) => setUserId(event.target.value)}>
          {candidates.map((member) => (
            <option key={member.id} value={member.id}>
              {member.name} ({member.email})
            </option>
          ))}
        </Select>
      </div>
    </ConfirmDialog>
  )
}

function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { organization, organizations } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const isOnlyOrganization = organizations.length < 2
  return (
    <ConfirmDialog
      title={withNames`Leave ${organization.name}`}
      phrase={organization.name}
      action="Leave organization"
      mutate={() => organizationApi.organization.leave()}
      onSuccess={async () => {
        toast(withNames`You left ${organization.name}`)
        // The server selects the next organization. Without one, there's no session.
        const session = await publicApi.accounts.session().catch(() => null)
        if (session) queries.setQueryData(sessionQuery.queryKey, session)
        await navigate({ to: session ? '/' : '/sign-in' })
        if (session) await refetchAfterSwitch(queries)
        else clearUserQueries()
      }}
      onClose={onClose}
    >
      <p>
        You’ll lose access to all its workspaces, and your API keys here will be revoked. Your content stays
        with the organization. To rejoin, you’ll need a new invitation.
      </p>
      {isOnlyOrganization && <p>This is your only organization, so you’ll be signed out.</p>}
    </ConfirmDialog>
  )
}
