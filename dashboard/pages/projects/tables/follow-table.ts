import { useEffect } from 'react'
import type { LiveEvents } from '../../../../contract/canvas/live.ts'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { type RowPage, rowsKey, type Table, tableQuery, tableViewsQuery } from '../../../api/tables.ts'
import { follow } from '../../../live/follow.ts'

type Event = { [N in keyof LiveEvents]: { name: N; data: LiveEvents[N] } }[keyof LiveEvents]

/** Shows everybody's changes. A row that was changed elsewhere is replaced; new and deleted ones reload what is shown. */
export function useFollowTable(table: Table): void {
  const { id, projectId } = table
  useEffect(() => {
    let isReading = false
    let isBehind = false
    async function catchUp(): Promise<void> {
      if (isReading) {
        isBehind = true
        return
      }
      isReading = true
      try {
        do {
          isBehind = false
          await readChanges(id)
        } while (isBehind)
      } catch {
        // The next event or reconnection reads again.
      } finally {
        isReading = false
      }
    }
    const following = follow<Event>({
      open: (signal) =>
        fetch(`/api/v1/projects/${projectId}/live`, { headers: { accept: 'text/event-stream' }, signal }),
      onEvent: (event) => {
        if (event.name === 'ready' || (event.name === 'table' && event.data.tableId === id)) void catchUp()
        if (event.name === 'table' && event.data.tableId === id)
          void queryClient.invalidateQueries({ queryKey: tableViewsQuery(id).queryKey })
      },
      onConnection: () => {},
    })
    window.addEventListener('online', following.retryNow)
    window.addEventListener('offline', following.disconnect)
    return () => {
      following.stop()
      window.removeEventListener('online', following.retryNow)
      window.removeEventListener('offline', following.disconnect)
    }
  }, [id, projectId])
}

export async function readChanges(id: string): Promise<void> {
  const known = queryClient.getQueryData(tableQuery(id).queryKey)
  if (!known) return
  const { table, rows, deletedIds, reset } = await api.tables.changed({ id, since: known.seq })
  queryClient.setQueryData(tableQuery(id).queryKey, table)
  if (table.seq === known.seq) return
  const isSameSet = table.rowCount === known.rowCount && deletedIds.length === 0 && !reset
  const changed = new Map(rows.map((row) => [row.id, row]))
  queryClient.setQueriesData<RowPage>(
    { queryKey: rowsKey(id) },
    (page) => page && { ...page, items: page.items.map((row) => changed.get(row.id) ?? row) },
  )
  const isSorted = queryClient
    .getQueryCache()
    .findAll({ queryKey: rowsKey(id), type: 'active' })
    .some(({ queryKey }) => Object.keys(queryKey[3] as object).length > 0)
  if (isSameSet && !isSorted) return
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: rowsKey(id) }),
    queryClient.invalidateQueries({ queryKey: ['tables', 'count', id] }),
  ])
}
