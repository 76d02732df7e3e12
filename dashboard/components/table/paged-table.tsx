import type { ComponentProps, ReactNode } from 'react'
import { Failure } from '../failure.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { LoadMore } from './scroll-end.tsx'
import { Table } from './table.tsx'

type PagedTableProps<T> = ComponentProps<typeof Table<T>> & {
  list: ComponentProps<typeof LoadMore>['list'] & { data: unknown; error: unknown; refetch: () => unknown }
  /** Before filtering. */
  loaded: number
  total?: number
  empty: ReactNode
}

export function PagedTable<T>({ list, loaded, total, empty, ...table }: PagedTableProps<T>) {
  if (!list.data) {
    return list.error ? <Failure error={list.error} onRetry={() => list.refetch()} /> : <SkeletonRows />
  }
  if (loaded === 0) return empty
  return (
    <>
      <Table {...table} />
      <LoadMore list={list} shown={table.rows.length} loaded={loaded} total={total} />
    </>
  )
}
