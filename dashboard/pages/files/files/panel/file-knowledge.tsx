import { counted } from '../../../../../contract/counted.ts'
import { t } from '../../../../../contract/text.ts'
import type { FileDetails } from '../files-queries.ts'

type Knowledge = NonNullable<FileDetails['knowledge']>

/** What agents find in a file. */
export function FileKnowledge({ knowledge }: { knowledge: Knowledge }) {
  const { state, problem, passages, pages, truncated } = knowledge
  if (state === 'failed')
    return <span className="text-warning-text">{problem ? PROBLEMS[problem] : t`Not readable`}</span>
  if (state !== 'ready') return STATES[state]
  return (
    <>
      {counted(passages, 'passage', 'passages')}
      {pages !== null && <> · {counted(pages, 'page', 'pages')}</>}
      {truncated && t`, only the beginning`}
    </>
  )
}

const STATES: Record<Exclude<Knowledge['state'], 'ready' | 'failed'>, string> = {
  waiting: t`Waiting`,
  indexing: t`Indexing`,
  unsupported: t`No text`,
}

const PROBLEMS: Record<NonNullable<Knowledge['problem']>, string> = {
  broken: t`Damaged, or not of its type`,
  encrypted: t`Password-protected`,
  too_complex: t`Too complex to read`,
  timed_out: t`Reading took too long`,
  too_large: t`Larger than 25 MB`,
  limit: t`The organization has too many passages`,
}
