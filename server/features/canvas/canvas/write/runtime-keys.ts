import { RUNTIME_KEYS } from '../../../../../contract/canvas/block-fields.ts'
import type { BlockFields } from '../records.ts'

type Metadata = BlockFields['metadata']

const keys = new Set<string>(RUNTIME_KEYS)
const filter = (metadata: Metadata, isIncluded: (key: string) => boolean): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => isIncluded(key)))

/** Strips run state from an agent block. */
export const withoutRuntime = <B extends Pick<BlockFields, 'type' | 'metadata'>>(block: B): B =>
  block.type === 'agent' ? { ...block, metadata: filter(block.metadata, (key) => !keys.has(key)) } : block

/**
 * A caller can't set or remove run state, and a restore doesn't bring back an earlier run's. A block that becomes or
 * stops being an agent block has none.
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

/** Keeps what members have written since the read. */
export const runtimeOnly = (
  row: BlockFields,
  { metadata = {} }: Partial<BlockFields>,
): Partial<BlockFields> => ({
  metadata: { ...withoutRuntime(row).metadata, ...filter(metadata, (key) => keys.has(key)) },
})
