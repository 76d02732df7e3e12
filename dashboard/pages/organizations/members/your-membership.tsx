import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Section } from '../../../components/section.tsx'
import { membersQuery } from '../organization/organization-queries.ts'
import { ROLE_LABELS } from '../organization/role-labels.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'

/** Ownership transfer and leaving. */
export function YourMembership() {
  const { role, organization, user } = useSession()
  const [dialog, setDialog] = useState<'leave' | 'transfer'>()
  const members = useInfiniteQuery(membersQuery).data?.pages.flatMap((page) => page.items) ?? []
  const otherMembers = members.filter((member) => member.id !== user.id)
  return (
    <>
      <Section title="Your membership" lead={`You are ${ROLE_LABELS[role].article} of ${organization.name}.`}>
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
