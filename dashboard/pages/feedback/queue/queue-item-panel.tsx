import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { SubmissionDetails } from '../feedback/submission-details.tsx'
import { Thread } from '../feedback/thread.tsx'
import { type InspectedItem, inspectQuery } from './queue-queries.ts'
import { QUEUE_STATUS } from './queue-status.ts'
import { StatusForm } from './status-form.tsx'

const route = getRouteApi('/app/operate/feedback/$id')

export function QueueItemPanel() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const inspected = useQuery(inspectQuery(id))
  const close = async () => {
    await navigate({ to: '/operate/feedback', search: (current) => current })
    focusRow(id)
  }
  return (
    <Panel
      title="Submission"
      subtitle={inspected.data && <Time at={inspected.data.createdAt} />}
      onClose={close}
    >
      {inspected.isPending && <SkeletonRows rows={4} />}
      {inspected.error && !inspected.data && (
        <Failure error={inspected.error} onRetry={() => inspected.refetch()} />
      )}
      {inspected.data && <QueueItem key={id} item={inspected.data} />}
    </Panel>
  )
}

function QueueItem({ item }: { item: InspectedItem }) {
  return (
    <>
      <PanelSection>
        <p className="mb-12 break-words text-13 text-neutral-11">
          <span className="font-medium text-neutral-12">
            <Name>{item.submitter.name}</Name>
          </span>{' '}
          <a href={`mailto:${item.submitter.email}`} className="underline-offset-4 hover:underline">
            {item.submitter.email}
          </a>
          {' · '}
          <Name>{item.organization.name}</Name>
        </p>
        <p className="whitespace-pre-wrap break-words">{item.message}</p>
      </PanelSection>
      <PanelSection title="Status">
        <StatusForm key={item.status} item={item} />
      </PanelSection>
      <SubmissionDetails item={item} />
      <PanelSection title="Comments">
        <Thread feedbackId={item.id} />
      </PanelSection>
      {item.changes.length > 0 && (
        <PanelSection title="History">
          <History changes={item.changes} />
        </PanelSection>
      )}
    </>
  )
}

function History({ changes }: Pick<InspectedItem, 'changes'>) {
  return (
    <ol className="flex flex-col gap-12 text-13">
      {changes.map((change) => (
        <li key={change.id} className="flex flex-col gap-4">
          <p className="flex items-baseline gap-8">
            <span className="min-w-0 flex-1 break-words">
              <span className="font-medium">
                <Name>{change.operator.name}</Name>
              </span>{' '}
              <span className="text-neutral-11">
                {t`changed the status from ${QUEUE_STATUS[change.fromStatus].label} to ${QUEUE_STATUS[change.toStatus].label}`}
              </span>
              {change.taskId && change.toStatus === 'linked' && (
                <code className="ml-8 font-mono text-12 text-neutral-11">{change.taskId}</code>
              )}
            </span>
            <span className="text-12 text-neutral-11">
              <Time at={change.createdAt} />
            </span>
          </p>
          {change.note && (
            <p className="border-neutral-6 border-l-2 break-words pl-8 text-neutral-11">{change.note}</p>
          )}
        </li>
      ))}
    </ol>
  )
}
