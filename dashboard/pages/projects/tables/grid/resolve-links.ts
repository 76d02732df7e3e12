import { counted } from '../../../../../contract/counted.ts'
import { t } from '../../../../../contract/text.ts'
import { queryClient } from '../../../../api/query-client.ts'
import { linkTargetsQuery } from '../../../../api/tables.ts'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import type { CellChange } from './row-writer.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Each is a request. */
const TITLES_MAX = 100

/** Titles that were pasted into link columns become links. What isn't found is left out, with a message. */
export async function resolveLinks(
  tableId: string,
  changes: readonly CellChange[],
): Promise<readonly CellChange[]> {
  const isTitle = ({ column, value }: CellChange) =>
    column.type === 'link' && typeof value === 'string' && !UUID.test(value)
  const keyOf = ({ column, value }: CellChange) => `${column.id} ${(value as string).toLowerCase()}`
  const wanted = new Map(changes.filter(isTitle).map((change) => [keyOf(change), change]))
  if (wanted.size > TITLES_MAX) {
    toast(t`That’s too many different links at once: paste fewer`)
    return []
  }
  const found = new Map<string, { id: string; title: string | null }>()
  try {
    for (const [key, { column, value }] of wanted) {
      const title = (value as string).trim()
      const targets = await queryClient.fetchQuery(linkTargetsQuery(tableId, column.id, title))
      const target = targets.find((each) => each.title?.toLowerCase() === title.toLowerCase())
      if (target) found.set(key, target)
    }
  } catch (error) {
    toastFailure(error)
    return []
  }
  const missing = wanted.size - found.size
  if (missing > 0) toast(t`${counted(missing, 'title', 'titles')} not found`)
  return changes.flatMap((change) => {
    if (!isTitle(change)) return change
    const target = found.get(keyOf(change))
    return target ? { ...change, value: target.id, shown: { ...target, missing: false } } : []
  })
}
