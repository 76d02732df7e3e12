import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { membersQuery } from '../organization/organization-queries.ts'
import { Section } from '../section.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { ROLE_LABELS } from './role-labels.ts'
import { TransferDialog } from './transfer-dialog.tsx'

/** Ownership transfer and leaving. */
export function YourMembership() {
  const { role, organization, user } = useSession()
  const [open, setOpen] = useState<'leave' | 'transfer'>()
  const members = useInfiniteQuery(membersQuery).data?.pages.flatMap((page) => page.items) ?? []
  const others = members.filter((member) => member.id !== user.id)
  return (
    <>
      <Section title="Your membership" lead={`You are ${ROLE_LABELS[role].article} of ${organization.name}.`}>
        <div className="flex flex-wrap gap-8">
          {role === 'owner' && others.length > 0 && (
            <Button onClick={() => setOpen('transfer')}>Transfer ownership</Button>
          )}
          <Button onClick={() => setOpen('leave')}>Leave organization</Button>
        </div>
      </Section>
      {open === 'leave' && <LeaveDialog onClose={() => setOpen(undefined)} />}
      {open === 'transfer' && <TransferDialog others={others} onClose={() => setOpen(undefined)} />}
    </>
  )
}
