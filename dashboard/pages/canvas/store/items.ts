import { BLOCK_FIELDS } from '../../../../contract/canvas/block-fields.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'

export type Canvas = OutputOf<Contract['canvas']['list']>
export type Block = Canvas['items'][number]
export type Edge = Canvas['edges'][number]
export type BlockType = Block['type']
export type Change = OutputOf<Contract['canvas']['history']>['items'][number]
/** The server's response to a write. */
export type WriteResult = OutputOf<Contract['canvas']['change']>

export type BlockFields = Pick<Block, (typeof BLOCK_FIELDS)[number]>
export type NewBlock = { id: string } & BlockFields
export type BlockPatch = { id: string } & Partial<BlockFields>
export type EdgePatch = Pick<Edge, 'id' | 'label'>

export interface Items {
  blocks: ReadonlyMap<string, Block>
  edges: ReadonlyMap<string, Edge>
}

/** A block before the server has confirmed it. */
export const unsaved = (fields: NewBlock, projectId: string): Block => ({
  ...fields,
  projectId,
  version: 0,
  createdBy: null,
  runId: null,
  createdAt: '',
  updatedAt: '',
})

export const fieldsOf = (block: Block): NewBlock => {
  const fields = Object.fromEntries(BLOCK_FIELDS.map((name) => [name, block[name]]))
  return { id: block.id, ...(fields as BlockFields) }
}
