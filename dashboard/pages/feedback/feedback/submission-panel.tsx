import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { type Submission, submissionQuery } from './feedback-queries.ts'
import { MessageEditor } from './message-editor.tsx'
import { PublicStatus } from './public-status.tsx'
import { SubmissionDetails } from './submission-details.tsx'
import { Thread } from './thread.tsx'

const route = getRouteApi('/app/feedback/$id')

export function SubmissionPanel() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const submission = useQuery(submissionQuery(id))
  const close = async () => {
    await navigate({ to: '/feedback' })
    focusRow(id)
  }
  return (
    <Panel
      title="Submission"
      subtitle={submission.data && <Subtitle item={submission.data} />}
      onClose={close}
    >
      {submission.isPending && <SkeletonRows rows={3} />}
      {submission.error && !submission.data && (
        <Failure error={submission.error} onRetry={() => submission.refetch()} />
      )}
      {submission.data && (
        <div key={id}>
          <PanelSection>
            <MessageEditor item={submission.data} />
          </PanelSection>
          <SubmissionDetails item={submission.data} />
          <PanelSection title="Comments">
            <Thread feedbackId={id} />
          </PanelSection>
        </div>
      )}
    </Panel>
  )
}

function Subtitle({ item }: { item: Submission }) {
  return (
    <span className="flex items-center gap-12">
      <PublicStatus status={item.publicStatus} />
      <Time at={item.createdAt} />
    </span>
  )
}
