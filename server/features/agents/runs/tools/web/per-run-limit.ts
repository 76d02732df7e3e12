import { ApiError } from '../../../../../errors.ts'
import type { RunToolCall } from '../../state/run-tool.ts'

/** Counts calls that an approval held back, but none that was denied. */
export async function requireWithin(
  { sql, orgId, run, step, ordinal }: RunToolCall,
  tool: 'web_search' | 'web_fetch',
  limit: number,
): Promise<void> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from run_calls
    where org_id = ${orgId} and run_id = ${run.id} and tool = ${tool} and state <> 'denied'
      and (step, ordinal) < (${step}, ${ordinal})`
  if (row!.count < limit) return
  const what = tool === 'web_search' ? 'searches' : 'web pages'
  throw new ApiError(
    'CONFLICT',
    `This run has used its ${limit} ${what}: work with what you have found. The operator sets the limit`,
  )
}
