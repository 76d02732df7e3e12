import { inSlices } from '../../../../concurrency/slices.ts'

/** The size of an entry without its values: ids, times and the index entries. */
export const ENTRY_BYTES = 100

/** A change of one block or edge. */
export interface NewChange {
  seq: number
  entity: 'block' | 'edge'
  itemId: string
  action: 'created' | 'updated' | 'moved' | 'deleted'
  before?: object
  after?: object
}

/** Who made a change: both are null for a guest. */
export interface Author {
  userId: string | null
  runId: string | null
}

/** A change as it is stored in the history. */
export interface HistoryEntry extends NewChange, Author {
  bytes: number
}

export async function entriesOf(
  changes: readonly NewChange[],
  { userId, runId }: Author,
): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  await inSlices(changes, (change) => {
    const bytes = ENTRY_BYTES + bytesOf(change.before) + bytesOf(change.after)
    entries.push({ ...change, userId, runId, bytes })
  })
  return entries
}

const bytesOf = (values: object | undefined) =>
  values === undefined ? 0 : Buffer.byteLength(JSON.stringify(values))
