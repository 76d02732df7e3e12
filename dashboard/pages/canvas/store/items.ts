import { BLOCK_FIELDS, RUNTIME_KEYS } from '../../../../contract/canvas/block-fields.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'

export type Canvas = OutputOf<Contract['canvas']['list']>
export type Block = Canvas['items'][number]
export type Edge = Canvas['edges'][number]
export type BlockType = Block['type']
type HistoryEntry = OutputOf<Contract['canvas']['history']>['items'][number]
/** Only the history says whether a change can be restored. */
export type Change = Omit<HistoryEntry, 'restorable'> & Partial<Pick<HistoryEntry, 'restorable'>>
export type WriteResult = OutputOf<Contract['canvas']['change']>

export type BlockFields = Pick<Block, (typeof BLOCK_FIELDS)[number]>
export type NewBlock = { id: string } & BlockFields
export type BlockPatch = { id: string } & Partial<BlockFields>
export type EdgePatch = Pick<Edge, 'id'> & Partial<Pick<Edge, 'label' | 'condition' | 'style'>>

export interface Items {
  blocks: ReadonlyMap<string, Block>
  edges: ReadonlyMap<string, Edge>
}

export const unsavedBlock = (fields: NewBlock, projectId: string): Block => ({
  ...fields,
  metadata: fields.type === 'agent' ? withoutRuntime(fields.metadata) : fields.metadata,
  projectId,
  version: 0,
  createdBy: null,
  runId: null,
  createdAt: '',
  updatedAt: '',
})

/** Copied blocks haven't run. Restored ones haven't until the server shows their last run. */
const withoutRuntime = (metadata: Block['metadata']) =>
  Object.fromEntries(
    Object.entries(metadata).filter(([key]) => !(RUNTIME_KEYS as readonly string[]).includes(key)),
  )

export const toNewBlock = (block: Block): NewBlock => {
  const fields = Object.fromEntries(BLOCK_FIELDS.map((name) => [name, block[name]]))
  return { id: block.id, ...(fields as BlockFields) }
}
