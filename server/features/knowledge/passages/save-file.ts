import type { ExtractedText } from '../../../../markdown/text-blocks.ts'
import type { Sql } from '../../../database/database.ts'
import { lockSource, markUnreadable, replacePassages } from './store.ts'

export interface IndexedFile {
  id: string
  projectId: string | null
  name: string
  /** Number of the content. */
  version: number
}

export type FileOutcome = { text: ExtractedText } | { failed: string } | { unsupported: true }

/** Call it in a transaction, with what else depends on the file's text. */
export async function saveFilePassages(
  sql: Sql,
  orgId: string,
  { id: itemId, projectId, name, version }: IndexedFile,
  outcome: FileOutcome,
) {
  const spaceId = projectId ?? orgId
  const id = await lockSource(sql, orgId, { type: 'file', itemId, scopeId: orgId }, spaceId)
  if ('text' in outcome)
    await replacePassages(sql, orgId, id, { spaceId, version, title: name, text: outcome.text })
  else if ('failed' in outcome)
    await markUnreadable(sql, orgId, id, { state: 'failed', reason: outcome.failed, version })
  else await markUnreadable(sql, orgId, id, { state: 'unsupported', reason: null, version })
}
