import { Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { Empty } from '../empty.tsx'
import { Failure } from '../failure.tsx'
import { NoRowsMatch } from '../no-matches.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { ScrollEnd } from './scroll-end.tsx'

export function useTrash<T extends { id: string; name: string }>(pages: { items: T[] }[] | undefined) {
  const [filter, setFilter] = useState('')
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages])
  const matches = useMemo(
    () => items.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase())),
    [items, filter],
  )
  return {
    items,
    matches,
    filter: items.length > 0 ? { value: filter, onChange: setFilter, label: t`Filter by name` } : undefined,
  }
}

/** For trash shortcuts. */
export const focusedRecord = <T extends { id: string }>(items: T[]): T | undefined => {
  const id = document.activeElement?.closest<HTMLElement>('[data-row-link]')?.dataset.rowLink
  return items.find((item) => item.id === id)
}

interface TrashListProps {
  list: ComponentProps<typeof ScrollEnd>['list'] & {
    data: unknown
    error: Error | null
    isPending: boolean
    refetch: () => unknown
  }
  items: readonly unknown[]
  matches: readonly unknown[]
  home: ReactNode
  explanation: string
  noMatches: string
  children: ReactNode
}

export function TrashList({ list, items, matches, home, explanation, noMatches, children }: TrashListProps) {
  return (
    <>
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {Boolean(list.data) && items.length === 0 && (
        <Empty icon={Trash2} title="Trash is empty" action={home}>
          {explanation}
        </Empty>
      )}
      {items.length > 0 && (
        <>
          {children}
          {matches.length === 0 && <NoRowsMatch>{noMatches}</NoRowsMatch>}
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
    </>
  )
}
