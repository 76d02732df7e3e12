import type { EventType } from '../../../../contract/webhooks/event-types.ts'
import type { PublicContext } from '../../../context.ts'
import { notify } from '../../../database/transaction.ts'
import { publishIn } from '../../../events/publish.ts'
import { SEARCH_CHANNEL } from '../../search/search.ts'
import type { FileRow } from './records.ts'

type FileEvent = Extract<EventType, `file.${string}`>
type EventFile = Pick<FileRow, 'orgId' | 'id' | 'source'> & Partial<Pick<FileRow, 'projectId' | 'createdBy'>>

export const TEXTS_CHANNEL = 'atrium_texts'

/** Call it in the change's transaction. A folder change publishes one event. */
export const publishFileEvent = (
  { sql, now, caller }: Pick<PublicContext, 'sql' | 'now' | 'caller'>,
  type: FileEvent,
  { orgId, id, source, projectId = null, createdBy }: EventFile,
): Promise<void> => {
  const by = caller?.userId ?? createdBy ?? null
  if (source === 'upload') notify(sql, TEXTS_CHANNEL)
  if (type === 'file.moved') notify(sql, SEARCH_CHANNEL)
  return publishIn(sql, orgId, now(), { type, data: { fileId: id, source, projectId, by } })
}
