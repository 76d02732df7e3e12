import type { Sql } from '../../../database/database.ts'
import { announceSession } from './announce.ts'
import type { MessagePart } from './message-queries.ts'

interface Answer {
  sessionId: string
  id: string
  content: MessagePart[]
}

/**
 * Replaces the text of an answer by the part that its listener heard before interrupting it, so that the model does not
 * treat the rest as spoken. Tool calls of the answer stay.
 */
export async function updateInterrupted(
  sql: Sql,
  orgId: string,
  { runId, step }: { runId: string; step: number },
  heard: string,
): Promise<void> {
  const answers = await sql<Answer[]>`
    select session_id as "sessionId", id, content from messages
    where org_id = ${orgId} and run_id = ${runId} and step = ${step} and role = 'assistant' for update`
  for (const { sessionId, id, content } of answers) {
    const text = `${heard}${heard && '… '}[The listener interrupted here and did not hear the rest.]`
    const others = content.filter(({ type }) => type !== 'text' && type !== 'reasoning')
    await sql`
      update messages set content = ${sql.json([{ type: 'text', text }, ...others] as never)},
        body = ${heard && `${heard}…`}
      where org_id = ${orgId} and session_id = ${sessionId} and id = ${id}`
    announceSession(sql, orgId, sessionId)
  }
}
