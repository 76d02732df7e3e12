import type { BlockFields } from '../records.ts'
import type { BlockPlan } from './plan.ts'

type Texts = Pick<BlockFields, 'title' | 'content' | 'metadata'>

/** The bytes of text that a canvas gains; negative if it shrinks. */
export function growthOf({ created, updated, deleted }: BlockPlan): number {
  const added = created.map(bytesOf)
  const changed = updated.map(({ row, change }) => bytesOf({ ...row, ...change }) - bytesOf(row))
  const removed = deleted.map((row) => -bytesOf(row))
  return [...added, ...changed, ...removed].reduce((sum, bytes) => sum + bytes, 0)
}

/** Only these fields can be long. */
const bytesOf = ({ title, content, metadata }: Texts): number =>
  Buffer.byteLength(title ?? '') +
  Buffer.byteLength(content ?? '') +
  Buffer.byteLength(JSON.stringify(metadata))
