import { type Meaning, Status } from '../../../components/status.tsx'
import type { Submission } from './feedback-queries.ts'

type PublicStatusName = Submission['publicStatus']

const LABELS: Record<PublicStatusName, { label: string; meaning: Meaning }> = {
  received: { label: 'Received', meaning: 'neutral' },
  under_review: { label: 'Under review', meaning: 'warning' },
  planned: { label: 'Planned', meaning: 'info' },
  in_progress: { label: 'In progress', meaning: 'accent' },
  done: { label: 'Done', meaning: 'good' },
  declined: { label: 'Declined', meaning: 'bad' },
}

/** The status that the submitter sees. */
export function PublicStatus({ status }: { status: PublicStatusName }) {
  const { label, meaning } = LABELS[status]
  return <Status meaning={meaning}>{label}</Status>
}
