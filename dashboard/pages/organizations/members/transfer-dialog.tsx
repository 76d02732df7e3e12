import { useState } from 'react'
import { organizationApi } from '../../../api/organizations.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { type Member, membersQuery } from '../organization/organization-queries.ts'

export function TransferDialog({ candidates, onClose }: { candidates: Member[]; onClose: () => void }) {
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
