import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { timeColumn } from '../../../components/table/time-column.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Invite, invitesQuery } from '../organization/organization-queries.ts'
import { ROLE_LABELS } from './role-labels.ts'

/** Who was asked and has not come yet. */
export function Invites() {
  const list = useInfiniteQuery(invitesQuery)
  const invites = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => list.refetch()} />
  if (invites.length === 0) return null
  return (
    <section aria-labelledby="open-invitations" className="pt-24">
      <h2 id="open-invitations" className="flex items-baseline gap-8 px-16 pb-4 font-strong md:px-24">
        Open invitations
        <span className="font-regular text-13 text-neutral-11 tabular-nums">{invites.length}</span>
      </h2>
      <Table label="Open invitations" columns={COLUMNS} rows={invites} rowKey={(invite) => invite.id} />
      <LoadMore list={list} shown={invites.length} loaded={invites.length} />
    </section>
  )
}

const COLUMNS: Column<Invite>[] = [
  {
    header: 'Email',
    wide: true,
    cell: (invite) => (
      <span className="block">
        <span className="block truncate font-medium">{invite.email}</span>
        <span className="block truncate text-12 text-neutral-11">invited by {invite.invitedBy.name}</span>
      </span>
    ),
  },
  { header: 'Role', cell: (invite) => ROLE_LABELS[invite.role].word },
  timeColumn('Sent', (invite) => invite.createdAt, { from: 'wide' }),
  timeColumn('Expires', (invite) => invite.expiresAt, { from: 'roomy' }),
  { header: 'Actions', headerHidden: true, right: true, cell: (invite) => <Withdraw invite={invite} /> },
]

function Withdraw({ invite }: { invite: Invite }) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: invitesQuery.queryKey })
  const inviteAgain = async () => {
    try {
      await api.organization.invite({ email: invite.email, role: invite.role })
      void refresh()
    } catch (error) {
      if (!isDeclinedStepUp(error)) toast(explainShortly(error))
    }
  }
  const withdraw = useMutation({
    mutationFn: () => api.organization.revokeInvite({ id: invite.id }),
    onSuccess: () =>
      toast(`Withdrew the invitation of ${invite.email}`, { label: 'Invite again', run: inviteAgain }),
    onError: (error) => {
      if (!isDeclinedStepUp(error)) toast(explainShortly(error))
    },
    onSettled: refresh,
  })
  return (
    <Button
      size="small"
      look="quiet"
      aria-label={`Withdraw the invitation of ${invite.email}`}
      busy={withdraw.isPending}
      onClick={() => withdraw.mutate()}
    >
      Withdraw
    </Button>
  )
}
