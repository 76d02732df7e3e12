import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type Session, useSession } from '../../../api/session.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { timeColumn } from '../../../components/table/time-column.tsx'
import { Page } from '../../../frame/page.tsx'
import { MailStatus, useCanMail } from '../mail-status.tsx'
import { type Member, membersQuery } from '../organization/organization-queries.ts'
import { SettingsTabs } from '../settings-tabs.tsx'
import { Invites } from './invites.tsx'
import { RemoveMember } from './remove-member.tsx'
import { ResetPassword } from './reset-password.tsx'
import { RoleCell } from './role-cell.tsx'
import { YourMembership } from './your-membership.tsx'

export function MembersPage() {
  const session = useSession()
  const [filter, setFilter] = useState('')
  const [removing, setRemoving] = useState<Member>()
  const [resetting, setResetting] = useState<Member>()
  const canMail = useCanMail() ?? true
  const list = useInfiniteQuery(membersQuery)
  const members = list.data?.pages.flatMap((page) => page.items) ?? []
  const query = filter.trim().toLowerCase()
  const found = members.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(query))
  const isAdmin = session.role !== 'member'
  return (
    <Page
      title="Members"
      count={list.data && !list.hasNextPage ? members.length : undefined}
      filter={
        members.length > 1
          ? { value: filter, onChange: setFilter, label: 'Filter by name or email' }
          : undefined
      }
      action={
        isAdmin && (
          <Link to="/settings/members/invite" className={buttonClass('primary')}>
            Invite
          </Link>
        )
      }
      tabs={<SettingsTabs />}
    >
      {isAdmin && <MailStatus />}
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && (
        <>
          <Table
            label="Members"
            columns={columns(session, setRemoving, canMail ? undefined : setResetting)}
            rows={found}
            rowKey={(member) => member.id}
            stamp={(member) => member.role}
          />
          <LoadMore list={list} shown={found.length} loaded={members.length} />
          {isAdmin && <Invites />}
          <YourMembership members={members} />
        </>
      )}
      {removing && <RemoveMember member={removing} onClose={() => setRemoving(undefined)} />}
      {resetting && <ResetPassword member={resetting} onClose={() => setResetting(undefined)} />}
      <Outlet />
    </Page>
  )
}

const columns = (
  session: Session,
  onRemove: (member: Member) => void,
  onReset: ((member: Member) => void) | undefined,
): Column<Member>[] => [
  {
    header: 'Name',
    wide: true,
    cell: (member) => (
      <span className="block">
        <span className="flex items-center gap-8">
          <span className="truncate font-medium">
            <Name>{member.name}</Name>
          </span>
          {member.id === session.user.id && <Badge>You</Badge>}
          {!member.emailVerified && (
            <span title="This person has not proved that the email address is theirs">
              <Badge>Unverified email</Badge>
            </span>
          )}
        </span>
        <span className="block truncate text-12 text-neutral-11">{member.email}</span>
      </span>
    ),
  },
  { header: 'Role', cell: (member) => <RoleCell member={member} /> },
  timeColumn('Last active', (member) => member.lastSeenAt, { from: 'roomy' }),
  timeColumn('Joined', (member) => member.joinedAt, { from: 'wide' }),
  ...(session.role === 'member'
    ? []
    : [
        {
          header: 'Actions',
          headerHidden: true,
          right: true,
          cell: (member: Member) =>
            canManage(session, member) && (
              <span className="flex justify-end gap-4">
                {onReset && (
                  <Button
                    size="small"
                    look="quiet"
                    aria-label={textWithNames`Reset the password of ${member.name}`}
                    onClick={() => onReset(member)}
                  >
                    Reset password
                  </Button>
                )}
                <Button
                  size="small"
                  look="quiet"
                  aria-label={textWithNames`Remove ${member.name}`}
                  onClick={() => onRemove(member)}
                >
                  Remove
                </Button>
              </span>
            ),
        },
      ]),
]

/** Only owners manage owners; members leave instead of removing themselves. */
const canManage = ({ role, user }: Session, member: Member) =>
  member.id !== user.id && (role === 'owner' || member.role !== 'owner')
