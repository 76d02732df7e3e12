import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { toolLabel } from '../../../../contract/agents/tool-label.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type ApprovalGrant, grantsQuery } from '../../../api/approvals.ts'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { ApprovalTabs } from './approval-tabs.tsx'

export function GrantsPage() {
  const grants = useQuery(grantsQuery)
  const items = grants.data?.items ?? []
  return (
    <Page title="Approvals" tabs={<ApprovalTabs />}>
      {grants.isPending && <SkeletonRows />}
      {grants.error && !grants.data && <Failure error={grants.error} onRetry={() => grants.refetch()} />}
      {grants.data && items.length === 0 && (
        <Empty
          icon={ShieldCheck}
          title="No tools are always allowed"
          action={
            <Link to="/approvals" className={buttonClass('plain')}>
              Go to approvals
            </Link>
          }
        >
          Choose “Always” when you approve a call, and the tool won’t need approval until a member revokes it
          here.
        </Empty>
      )}
      {items.length > 0 && (
        <Table label="Always allowed" columns={COLUMNS} rows={items} rowKey={({ id }) => id} />
      )}
    </Page>
  )
}

const COLUMNS: Column<ApprovalGrant>[] = [
  {
    header: t`Tool`,
    wide: true,
    cell: ({ tool, agentId, agentName, sessionId }) => (
      <span className="block min-w-0">
        <code className="block truncate font-mono text-13">{tool}</code>
        <span className="block truncate text-12 text-neutral-11">
          {sessionId ? t`One conversation with ` : t`Every conversation with `}
          <Link to="/agents/$id" params={{ id: agentId }} className="underline hover:text-neutral-12">
            <Name>{agentName}</Name>
          </Link>
        </span>
      </span>
    ),
  },
  {
    header: t`Allowed by`,
    visibleFrom: 'medium',
    cell: ({ grantedByName }) => (
      <span className="whitespace-nowrap text-neutral-11">
        <Name>{grantedByName}</Name>
      </span>
    ),
  },
  timeColumn(t`Since`, ({ grantedAt }) => grantedAt, { visibleFrom: 'medium' }),
  { header: t`Actions`, headerHidden: true, right: true, cell: (grant) => <Revoke grant={grant} /> },
]

function Revoke({ grant: { id, tool } }: { grant: ApprovalGrant }) {
  const revoke = useMutation({
    mutationFn: () => api.approvals.revokeGrant({ id }),
    onSuccess: async () => {
      toast(t`Revoked: ${toolLabel(tool)} needs approval again`)
      await queryClient.invalidateQueries({ queryKey: grantsQuery.queryKey })
    },
    onError: toastFailure,
  })
  return (
    <Button
      size="small"
      aria-label={textWithNames`Revoke ${tool}`}
      busy={revoke.isPending}
      onClick={() => revoke.mutate()}
    >
      Revoke
    </Button>
  )
}
