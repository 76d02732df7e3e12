import { RUNTIME_KEYS } from '../../../../../contract/canvas/block-fields.ts'
import type { BlockFields } from '../records.ts'

type Metadata = BlockFields['metadata']

const keys = new Set<string>(RUNTIME_KEYS)
const filter = (metadata: Metadata, isIncluded: (key: string) => boolean): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => isIncluded(key)))

/** A block as a person wrote it: an agent block without the state of its runs. */
export const withoutRuntime = <B extends Pick<BlockFields, 'type' | 'metadata'>>(block: B): B =>
  block.type === 'agent' ? { ...block, metadata: filter(block.metadata, (key) => !keys.has(key)) } : block

/**
 * The requested change with the state of the runs as it is: a caller can neither set nor remove it, and a restore does
 * not bring back the state of an earlier run. A block that becomes or ceases to be an agent block has none.
 */
export function keepRuntime(row: BlockFields, requested: Partial<BlockFields>): Partial<BlockFields> {
  const type = requested.type ?? row.type
  const isAffected = requested.metadata !== undefined || type !== row.type
  if (!isAffected || (type !== 'agent' && row.type !== 'agent')) return requested
  const { metadata } = withoutRuntime({ type: 'agent', metadata: requested.metadata ?? row.metadata })
  const staysAgentBlock = type === 'agent' && row.type === 'agent'
  return {
    ...requested,
    metadata: staysAgentBlock ? { ...metadata, ...filter(row.metadata, (key) => keys.has(key)) } : metadata,
  }
}

/** The state of a run, and the fields that people have written since it was read. */
export const runtimeOnly = (
  row: BlockFields,
  { metadata = {} }: Partial<BlockFields>,
): Partial<BlockFields> => ({
  metadata: { ...withoutRuntime(row).metadata, ...filter(metadata, (key) => keys.has(key)) },
})
