import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { EXPORT_DAYS, EXPORTS_MAX } from '../../../../contract/organizations/lifecycle-options.ts'
import { t } from '../../../../contract/text.ts'
import {
  downloadExport,
  exportsQuery,
  isExportInProgress,
  type OrganizationExport,
  organizationApi,
} from '../../../api/organizations.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { withNames } from '../../../components/name.tsx'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { formatAmount } from '../quotas/quota-bar.tsx'

/** For operators, or with `null` for the current organization's owners. */
export function ExportsSection({ organizationId }: { organizationId: string | null }) {
  const query = exportsQuery(organizationId)
  const list = useQuery(query)
  const queries = useQueryClient()
  const items = list.data?.items ?? []
  const create = useMutation({
    mutationFn: () =>
      organizationId === null
        ? organizationApi.organizationExports.create()
        : organizationApi.organizationExports.createOf({ id: organizationId }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: query.queryKey })
      toast(t`Export started`)
    },
    onError: toastFailure,
  })
  return (
    <Section
      title="Export"
      lead={t`Everything stored for the organization as a ZIP archive: tables as JSON Lines, plus files. Secrets are left out. You can download the latest ${EXPORTS_MAX} exports for ${EXPORT_DAYS} days.`}
    >
      {list.isPending && <SkeletonRows rows={1} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {items.length > 0 && (
        <Rows label="Exports">
          {items.map((item) => (
            <ExportRow key={item.id} item={item} organizationId={organizationId} />
          ))}
        </Rows>
      )}
      <div>
        <Button
          busy={create.isPending}
          disabled={!list.data || items.some(isExportInProgress)}
          onClick={() => create.mutate()}
        >
          Export organization
        </Button>
      </div>
    </Section>
  )
}

function ExportRow({ item, organizationId }: { item: OrganizationExport; organizationId: string | null }) {
  const { stepUp } = useSession()
  const { label, meaning } = STATUSES[item.status]
  return (
    <Row
      title={
        <>
          <Status meaning={meaning}>{label}</Status>
          <span className="text-neutral-11">
            <Time at={item.requestedAt} />
          </span>
        </>
      }
      note={<Note item={item} />}
    >
      {item.status === 'ready' && (
        <Button
          onClick={() =>
            void downloadExport(organizationId, item.id, [...stepUp.methods]).catch(toastFailure)
          }
        >
          Download
        </Button>
      )}
    </Row>
  )
}

function Note({
  item: { status, progress, bytes, expiresAt, requestedBy, error },
}: {
  item: OrganizationExport
}) {
  if (status === 'failed') return error
  if (status === 'ready')
    return (
      <>
        {formatAmount(bytes ?? 0, 'bytes')}, expires {expiresAt && <Time at={expiresAt} isExpected />}
      </>
    )
  if (status !== 'running') return requestedBy && withNames`Requested by ${requestedBy.name}`
  const total = progress.tablesTotal + progress.filesTotal
  return (
    <span className="flex flex-col gap-4">
      <progress
        aria-label="Export progress"
        className="bar block h-4 w-full overflow-hidden rounded-round"
        value={progress.tables + progress.files}
        max={Math.max(total, 1)}
      />
      {formatAmount(progress.rows, 'items')} rows, {formatAmount(progress.files, 'items')} of{' '}
      {formatAmount(progress.filesTotal, 'items')} files, {formatAmount(progress.bytes, 'bytes')}
    </span>
  )
}

const STATUSES: Record<OrganizationExport['status'], { label: string; meaning: Meaning }> = {
  queued: { label: t`Queued`, meaning: 'neutral' },
  running: { label: t`In progress`, meaning: 'accent' },
  ready: { label: t`Ready`, meaning: 'good' },
  failed: { label: t`Failed`, meaning: 'bad' },
  expired: { label: t`Expired`, meaning: 'neutral' },
}
