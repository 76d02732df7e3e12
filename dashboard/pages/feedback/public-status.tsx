import { type Meaning, Status } from '../../components/status.tsx'
import type { Submission } from './feedback-queries.ts'

type PublicStatusName = Submission['publicStatus']

const WORDS: Record<PublicStatusName, { word: string; meaning: Meaning }> = {
  received: { word: 'Received', meaning: 'neutral' },
  under_review: { word: 'Under review', meaning: 'warning' },
  planned: { word: 'Planned', meaning: 'info' },
  in_progress: { word: 'In progress', meaning: 'accent' },
  done: { word: 'Done', meaning: 'good' },
  declined: { word: 'Declined', meaning: 'bad' },
}

/** What the submitter is told of the handling. */
export function PublicStatus({ status }: { status: PublicStatusName }) {
  const { word, meaning } = WORDS[status]
  return <Status meaning={meaning}>{word}</Status>
}
