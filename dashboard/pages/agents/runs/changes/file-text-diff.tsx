import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../../../../client/client.ts'
import { shortMessage } from '../../../../api/explain.ts'
import { changedTextQuery, type RunChange } from '../../../../api/runs.ts'
import { Diff } from '../../../../components/diff/diff.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'

/** The text of a file before and after the run, as far as the server has it. */
export function FileTextDiff({ runId, change }: { runId: string; change: RunChange }) {
  const before = useQuery({
    ...changedTextQuery(runId, change.id, 'before'),
    enabled: change.before !== null,
  })
  const after = useQuery({ ...changedTextQuery(runId, change.id, 'after'), enabled: change.after !== null })
  const error = [before.error, after.error].find((each) => each && !isGone(each))
  if (error) return <p className="text-13 text-neutral-11">The text cannot be shown: {shortMessage(error)}</p>
  if (before.isLoading || after.isLoading) return <SkeletonRows rows={2} />
  const isCut = [before.data, after.data].some((text) => text && text.nextOffset !== null)
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-12 text-neutral-11">Text</h3>
      <Diff before={before.data?.text ?? ''} after={after.data?.text ?? ''} />
      {isCut && <p className="text-12 text-neutral-11">Compares the first 64 KB.</p>}
      {[before.error, after.error].some(Boolean) && (
        <p className="text-12 text-neutral-11">The server no longer has one of the two texts.</p>
      )}
    </div>
  )
}

const isGone = (error: Error) => error instanceof ApiFailure && error.code === 'NOT_FOUND'
