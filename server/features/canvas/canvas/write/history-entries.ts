import { inSlices } from '../../../../concurrency/slices.ts'

/** Ids, times and index entries. */
export const ENTRY_BYTES = 100

export interface NewChange {
  seq: number
  entity: 'block' | 'edge'
  itemId: string
  action: 'created' | 'updated' | 'moved' | 'deleted'
  before?: object
  after?: object
}

/** Both are null for a guest. */
export interface Author {
  userId: string | null
  runId: string | null
}

export interface HistoryEntry extends NewChange, Author {
  bytes: number
}

export async function buildHistoryEntries(
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
