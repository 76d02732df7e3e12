import { ChevronRight } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { Code } from '../../../components/code.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import type { Submission } from './feedback-queries.ts'

export function SubmissionDetails({ item }: { item: Submission }) {
  const attachedCount = Object.keys(item.metadata).length
  return (
    <details className="group border-neutral-6 border-b">
      <summary className="flex items-center gap-8 px-16 py-12 text-13 text-neutral-11 hover:text-neutral-12">
        <ChevronRight aria-hidden className="icon transition-transform group-open:rotate-90" />
        Details
        <span className="ml-auto text-12">
          {attachedCount ? t`${attachedCount} attached` : t`Nothing attached`}
        </span>
      </summary>
      <div className="flex flex-col gap-12 px-16 pb-16">
        <p className="flex items-center gap-8 text-13 text-neutral-11">
          Submission ID <CopyId id={item.id} what="submission ID" />
        </p>
        {item.taskId && (
          <p className="flex items-center gap-8 text-13 text-neutral-11">
            Task <code className="font-mono text-12 text-neutral-12">{item.taskId}</code>
          </p>
        )}
        {attachedCount > 0 && <Code what="attached metadata">{JSON.stringify(item.metadata, null, 2)}</Code>}
      </div>
    </details>
  )
}

type PublicStatusName = Submission['publicStatus']

const LABELS: Record<PublicStatusName, { label: string; meaning: Meaning }> = {
  received: { label: t`Received`, meaning: 'neutral' },
  under_review: { label: t`Under review`, meaning: 'warning' },
  planned: { label: t`Planned`, meaning: 'info' },
  in_progress: { label: t`In progress`, meaning: 'accent' },
  done: { label: t`Done`, meaning: 'good' },
  declined: { label: t`Declined`, meaning: 'bad' },
}

export function PublicStatus({ status }: { status: PublicStatusName }) {
  const { label, meaning } = LABELS[status]
  return <Status meaning={meaning}>{label}</Status>
}
