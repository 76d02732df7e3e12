import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { Ellipsis, KeyRound, UserMinus, Users } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type Session, useSession } from '../../../api/session.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { PersonFace } from '../../../components/faces.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name } from '../../../components/name.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { LoadMore } from '../../../components/table/scroll-end.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { MailStatus, useCanMail } from '../../accounts/sign-in/mail-status.tsx'
import { type Member, memberSearchQuery, organizationQuery } from '../organization/organization-queries.ts'
import { ROLE_LABELS } from '../organization/role-labels.ts'
import { Invites } from './invites.tsx'
import { RemoveMember, ResetPassword, RoleCell } from './member-actions.tsx'
import { YourMembership } from './your-membership.tsx'

const route = getRouteApi('/app/settings/organization/members')

export function MembersPage() {
  const session = useSession()
  const { q } = route.useSearch()
  const { typed, setTyped } = useSearchInput(q ?? '')
  const [removing, setRemoving] = useState<Member>()
  const [resetting, setResetting] = useState<Member>()
  const canMail = useCanMail() ?? true
  const search = q?.trim() ?? ''
  const list = useInfiniteQuery({ ...memberSearchQuery(search), placeholderData: keepPreviousData })
  const members = list.data?.pages.flatMap((page) => page.items) ?? []
  const total = useQuery(organizationQuery).data?.memberCount
  const isAdmin = session.role !== 'member'
  return (
    <Page
      title="Members"
      count={total}
      filter={{ value: typed, onChange: setTyped, label: t`Search by name or email` }}
      action={
        isAdmin && (
          <Link to="/settings/organization/members/invite" className={buttonClass('primary')}>
            Invite
          </Link>
        )
      }
    >
      {isAdmin && <MailStatus />}
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && (
        <>
          {members.length > 0 && (
            <Table
              label="Members"
              columns={columns(session, setRemoving, canMail ? undefined : setResetting)}
              rows={members}
              rowKey={(member) => member.id}
              version={(member) => member.role}
            />
          )}
          {members.length === 0 && !list.hasNextPage && (
            <Empty icon={Users} title="No members match">
              Search covers member names and email addresses.
            </Empty>
          )}
          <LoadMore list={list} shown={members.length} loaded={members.length} />
          {isAdmin && <Invites />}
          <RoleReference />
          <YourMembership />
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
    header: t`Name`,
    wide: true,
    cell: (member) => (
      <span className="flex min-w-0 items-center gap-12">
        <PersonFace person={member} size={32} />
        <span className="block min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-8">
            <span className="max-w-full truncate font-medium">
              <Name>{member.name}</Name>
            </span>
            {member.id === session.user.id && <Badge>You</Badge>}
            {!member.emailVerified && (
              <span title="This member hasn’t verified their email address">
                <Badge>Unverified email</Badge>
              </span>
            )}
          </span>
          <span className="block truncate text-12 text-neutral-11">{member.email}</span>
          <span className="block text-12 text-neutral-11 @medium:hidden">
            {member.lastSeenAt ? (
              <>
                Active <Time at={member.lastSeenAt} />
              </>
            ) : (
              t`Not active yet`
            )}
          </span>
        </span>
      </span>
    ),
  },
  { header: t`Role`, cell: (member) => <RoleCell member={member} /> },
  timeColumn(t`Last active`, (member) => member.lastSeenAt, { visibleFrom: 'medium' }),
  timeColumn(t`Joined`, (member) => member.joinedAt, { visibleFrom: 'wide' }),
  ...(session.role === 'member'
    ? []
    : [
        {
          header: t`Actions`,
          headerHidden: true,
          right: true,
          cell: (member: Member) =>
            canManage(session, member) && (
              <MemberActions member={member} onRemove={onRemove} onReset={onReset} />
            ),
        },
      ]),
]

interface MemberActionsProps {
  member: Member
  onRemove: (member: Member) => void
  onReset: ((member: Member) => void) | undefined
}

/** Beside the name, two buttons leave a phone too little room. */
const MemberActions = ({ member, onRemove, onReset }: MemberActionsProps) => (
  <>
    <span className="hidden justify-end gap-4 @medium:flex">
      {onReset && (
        <Button
          size="small"
          look="quiet"
          aria-label={textWithNames`Reset password for ${member.name}`}
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
    <span className="relative @medium:hidden">
      <Menu
        trigger={
          <Button look="quiet" size="small-icon" aria-label={textWithNames`Actions for ${member.name}`}>
            <Ellipsis aria-hidden className="icon" />
          </Button>
        }
      >
        {onReset && <MenuAction icon={KeyRound} label={t`Reset password`} onSelect={() => onReset(member)} />}
        <MenuAction icon={UserMinus} label={t`Remove`} onSelect={() => onRemove(member)} />
      </Menu>
    </span>
  </>
)

/** Only owners manage owners. Members leave instead of removing themselves. */
const canManage = ({ role, user }: Session, member: Member) =>
  member.id !== user.id && (role === 'owner' || member.role !== 'owner')

/** `npm run roles` writes the complete table into SECURITY.md. */
const PERMISSIONS: Record<Role, string> = {
  owner: t`Everything an admin can do, plus adding and removing owners and transferring ownership.`,
  admin: t`Sees every workspace. Manages members, workspaces, models, connectors, webhooks, budgets and the agent policy. Reads the audit log.`,
  member: t`Sees the workspaces they’re added to, as editor or viewer. Creates their own projects, agents and API keys.`,
}

function RoleReference() {
  return (
    <Section
      title="Roles"
      lead="Roles apply to the whole organization. Workspaces decide who can access which projects."
    >
      <dl className="flex flex-col text-13">
        {(Object.keys(PERMISSIONS) as Role[]).map((role) => (
          <div
            key={role}
            className="flex flex-col gap-x-16 border-neutral-6 border-b py-8 last:border-b-0 sm:flex-row"
          >
            <dt className="w-when shrink-0 font-medium">{ROLE_LABELS[role].label}</dt>
            <dd className="text-neutral-11">{PERMISSIONS[role]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
