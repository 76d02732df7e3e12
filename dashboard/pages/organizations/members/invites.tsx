import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { organizationApi } from '../../../api/organizations.ts'
import { Button } from '../../../components/button.tsx'
import { copyText } from '../../../components/copy.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { LoadMore } from '../../../components/table/scroll-end.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Invite, invitesQuery } from '../organization/organization-queries.ts'
import { ROLE_LABELS } from '../organization/role-labels.ts'

export function Invites() {
  const list = useInfiniteQuery(invitesQuery)
  const invites = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => list.refetch()} />
  if (invites.length === 0) return null
  return (
    <section aria-labelledby="pending-invitations" className="pt-24">
      <h2 id="pending-invitations" className="flex items-baseline gap-8 px-16 pb-4 font-strong md:px-24">
        Pending invitations
        <span className="font-regular text-13 text-neutral-11 tabular-nums">{invites.length}</span>
      </h2>
      <Table label="Pending invitations" columns={COLUMNS} rows={invites} rowKey={(invite) => invite.id} />
      <LoadMore list={list} shown={invites.length} loaded={invites.length} />
    </section>
  )
}

const COLUMNS: Column<Invite>[] = [
  {
    header: t`Email`,
    wide: true,
    cell: (invite) => (
      <span className="block">
        <span className="block truncate font-medium">{invite.email}</span>
        <span className="block truncate text-12 text-neutral-11">
          Invited by <Name>{invite.invitedBy.name}</Name>
        </span>
      </span>
    ),
  },
  { header: t`Role`, cell: (invite) => ROLE_LABELS[invite.role].label },
  timeColumn(t`Sent`, (invite) => invite.createdAt, { visibleFrom: 'wide' }),
  timeColumn(t`Expires`, (invite) => invite.expiresAt, { visibleFrom: 'medium' }),
  { header: t`Actions`, headerHidden: true, right: true, cell: (invite) => <RevokeInvite invite={invite} /> },
]

function RevokeInvite({ invite }: { invite: Invite }) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: invitesQuery.queryKey })
  const inviteAgain = async () => {
    try {
      const { url } = await organizationApi.organization.invite({ email: invite.email, role: invite.role })
      void refresh()
      if (url) toast(t`Invitation link created`, { label: t`Copy link`, run: () => void copyText(url) })
    } catch (error) {
      if (!isDeclinedStepUp(error)) toast(shortMessage(error))
    }
  }
  const revoke = useMutation({
    mutationFn: () => organizationApi.organization.revokeInvite({ id: invite.id }),
    onSuccess: () =>
      toast(withNames`Revoked the invitation to ${invite.email}`, {
        label: t`Invite again`,
        run: inviteAgain,
      }),
    onError: (error) => {
      if (!isDeclinedStepUp(error)) toast(shortMessage(error))
    },
    onSettled: refresh,
  })
  return (
    <Button
      size="small"
      look="quiet"
      aria-label={textWithNames`Revoke the invitation to ${invite.email}`}
      busy={revoke.isPending}
      onClick={() => revoke.mutate()}
    >
      Revoke
    </Button>
  )
}
