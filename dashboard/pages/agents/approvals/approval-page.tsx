import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { toolLabel } from '../../../../contract/agents/tool-label.ts'
import { t } from '../../../../contract/text.ts'
import { type Approval, approvalQuery } from '../../../api/approvals.ts'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { ApprovalCard } from './approval-card.tsx'
import { approvalKeys } from './approval-keys.ts'
import { DecidedApproval } from './decided-approval.tsx'

const route = getRouteApi('/app/approvals/$approvalId')

export function ApprovalPage() {
  const { approvalId } = route.useParams()
  const { data, error, isPending, refetch } = useQuery(approvalQuery(approvalId))
  const [decidedId, setDecidedId] = useState<string>()
  usePageKeys(data?.decision === null ? approvalKeys(data) : [])
  return (
    <Page
      title={data ? titleOf(data) : t`Approval`}
      breadcrumb={<Breadcrumb to="/approvals">Approvals</Breadcrumb>}
    >
      {isPending && <SkeletonRows rows={3} />}
      {error && !data && (
        <RecordFailure
          error={error}
          onRetry={() => refetch()}
          title="Approval not found"
          to="/approvals"
          action="All approvals"
        />
      )}
      {data?.decision === null && (
        <div className="max-w-column px-16 py-16 md:px-24">
          <ApprovalCard approval={data} isCurrent onDecided={() => setDecidedId(data.id)} />
        </div>
      )}
      {data && data.decision !== null && (
        <DecidedApproval approval={data} takesFocus={decidedId === data.id} />
      )}
    </Page>
  )
}

const titleOf = ({ kind, tool, input }: Approval) => (kind === 'input' ? t`Question` : toolLabel(tool, input))
