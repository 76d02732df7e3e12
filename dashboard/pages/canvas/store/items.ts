import { BLOCK_FIELDS } from '../../../../contract/canvas/block-fields.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'

export type Canvas = OutputOf<Contract['canvas']['list']>
export type Block = Canvas['items'][number]
export type Edge = Canvas['edges'][number]
export type BlockType = Block['type']
export type Change = OutputOf<Contract['canvas']['history']>['items'][number]
/** What the server says of a write: how things are now. */
export type Answer = OutputOf<Contract['canvas']['change']>

export type BlockFields = Pick<Block, (typeof BLOCK_FIELDS)[number]>
export type NewBlock = { id: string } & BlockFields
export type BlockPatch = { id: string } & Partial<BlockFields>
export type EdgePatch = Pick<Edge, 'id' | 'label'>

/** Where things are and what they are called; what has no id on the canvas is not there. */
export interface Items {
  blocks: ReadonlyMap<string, Block>
  edges: ReadonlyMap<string, Edge>
}

/** A block as it is before the server has said anything about it. */
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
