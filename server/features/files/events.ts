import type { EventType } from '../../../contract/webhooks/event-types.ts'
import type { PublicContext } from '../../context.ts'
import { publishIn } from '../../events/publish.ts'
import type { FileRow } from './records.ts'

type FileEvent = Extract<EventType, `file.${string}`>
type Told = Pick<FileRow, 'orgId' | 'id' | 'source'> & Partial<Pick<FileRow, 'projectId' | 'createdBy'>>

/** Says on the transaction of the change what happened to a file; of what is in a folder, only the folder is named. */
export const publishFileEvent = (
  { sql, now, caller }: Pick<PublicContext, 'sql' | 'now' | 'caller'>,
  type: FileEvent,
  { orgId, id, source, projectId = null, createdBy }: Told,
): Promise<void> => {
  const by = caller?.userId ?? createdBy ?? null
  return publishIn(sql, orgId, now(), { type, data: { fileId: id, source, projectId, by } })
}
