import type { PublicContext } from '../../../context.ts'
import { findLastAnswer } from '../../agents/conversations/conversations.ts'
import { type EndedTask, lockEndedTasks, updateReported } from './task-queries.ts'

export interface Result {
  runId: string
  text: string
  bySms: boolean
}

const TEXT_MAX = 1000

/**
 * Returns the results that were not reported to the caller yet, and marks them as reported. `select` chooses the
 * results that can be reported now.
 */
export async function takeResults(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  callId: string,
  select: (task: EndedTask) => boolean = () => true,
): Promise<Result[]> {
  const tasks = (await lockEndedTasks(sql, orgId, callId)).filter(select)
  const results: Result[] = []
  for (const { runId, status, bySms, hasMember } of tasks) {
    const answer = status === 'succeeded' && !hasMember ? await findLastAnswer(sql, orgId, runId) : null
    const text = answer?.trim().slice(0, TEXT_MAX) || (hasMember ? TAKEN_OVER : FAILED)
    results.push({ runId, bySms, text })
  }
  if (tasks.length > 0)
    await updateReported(
      sql,
      orgId,
      callId,
      tasks.map(({ runId }) => runId),
      now(),
    )
  return results
}

const TAKEN_OVER = 'A colleague is taking care of this.'
const FAILED = 'I am sorry, this could not be done.'
