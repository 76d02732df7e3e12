import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { ConfirmTyped } from '../../../components/dialogs/confirm-typed.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Member, membersQuery } from '../organization/organization-queries.ts'

export function TransferDialog({ others, onClose }: { others: Member[]; onClose: () => void }) {
  const { organization } = useSession()
  const [userId, setUserId] = useState(others[0]!.id)
  const queries = useQueryClient()
  const newOwner = others.find((member) => member.id === userId) ?? others[0]!
  return (
    <ConfirmTyped
      title="Transfer ownership"
      word={organization.name}
      action="Transfer ownership"
      onConfirm={async () => {
        await api.organization.transfer({ userId: newOwner.id })
        void queries.invalidateQueries({ queryKey: membersQuery.queryKey })
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
        toast(`${newOwner.name} owns ${organization.name} now`)
      }}
      onClose={onClose}
    >
      <p>
        {newOwner.name} becomes an owner of {organization.name}, and you an admin. Only an owner can make you
        one again.
      </p>
      <div className="text-neutral-12">
        <Select label="New owner" value={newOwner.id} onChange={(event) => setUserId(event.target.value)}>
          {others.map((member) => (
            <option key={member.id} value={member.id}>
              {member.name} ({member.email})
            </option>
          ))}
        </Select>
      </div>
    </ConfirmTyped>
  )
}
