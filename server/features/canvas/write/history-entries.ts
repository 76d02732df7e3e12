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

/** A change as it is stored in the history. */
export interface HistoryEntry extends NewChange {
  bytes: number
}

export const sizeEntries = (changes: readonly NewChange[]): HistoryEntry[] =>
  changes.map((change) => ({
    ...change,
    bytes: ENTRY_BYTES + bytesOf(change.before) + bytesOf(change.after),
  }))

const bytesOf = (values: object | undefined) =>
  values === undefined ? 0 : Buffer.byteLength(JSON.stringify(values))
