import type { BlockFields } from '../records.ts'
import type { BlockPlan } from './plan.ts'

type Texts = Pick<BlockFields, 'title' | 'content' | 'metadata'>

/** By how many bytes a canvas grows with this; less than 0 if it shrinks. */
export function growthOf({ created, updated, deleted }: BlockPlan): number {
  const added = created.map(bytesOf)
  const changed = updated.map(({ row, change }) => bytesOf({ ...row, ...change }) - bytesOf(row))
  const gone = deleted.map((row) => -bytesOf(row))
  return [...added, ...changed, ...gone].reduce((sum, bytes) => sum + bytes, 0)
}

/** What people write on a block, which is all that can be long. */
const bytesOf = ({ title, content, metadata }: Texts): number =>
  Buffer.byteLength(title ?? '') +
  Buffer.byteLength(content ?? '') +
  Buffer.byteLength(JSON.stringify(metadata))
