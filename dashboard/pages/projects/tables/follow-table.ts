import { useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useSession } from '../../../api/session.ts'
import {
  type RowPage,
  rowQuery,
  rowsKey,
  type Table,
  tableQuery,
  tableViewsQuery,
} from '../../../api/tables.ts'
import { follow } from '../../../live/follow.ts'
import { createPresence, createPresenceSender, type LiveEvent } from '../../../live/presence.ts'
import { randomId } from '../../../state/random-id.ts'

/**
 * Shows everybody's changes, and who is at which row. A row that was changed elsewhere is replaced; new and deleted ones
 * reload what is shown. Returns the others, and a function that tells them the user's row.
 */
export function useFollowTable({ id, projectId }: Table) {
  const { user } = useSession()
  const [here] = useState(() => {
    const client = randomId()
    return {
      client,
      presence: createPresence({ client, userId: user.id, tableId: id }),
      sender: createPresenceSender(({ selection }) =>
        api.live.presence({ projectId, client, tableId: id, selection }),
      ),
    }
  })
  useEffect(() => {
    const { client, presence, sender } = here
    const following = follow<LiveEvent>({
      open: (signal) =>
        fetch(`/api/v1/projects/${projectId}/live?client=${client}`, {
          headers: { accept: 'text/event-stream' },
          signal,
        }),
      onEvent: (event) => {
        presence.apply(event)
        if (event.name === 'ready') sender.resend()
        if (event.name !== 'ready' && !(event.name === 'table' && event.data.tableId === id)) return
        // The next event or reconnection reads again.
        void readChanges(id).catch(() => {})
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
  }, [id, projectId, here])
  // oxlint-disable-next-line typescript/unbound-method -- it uses no this.
  return { others: here.presence.all.use(), tellRow: here.sender.select }
}

const readers = new Map<string, { isBehind: boolean; done: Promise<void> }>()

/** Returns when all changes before the call are shown. Calls meanwhile share one more request. */
export function readChanges(id: string): Promise<void> {
  const current = readers.get(id)
  if (current) {
    current.isBehind = true
    return current.done
  }
  const reader = { isBehind: false, done: Promise.resolve() }
  readers.set(id, reader)
  reader.done = (async () => {
    try {
      do {
        reader.isBehind = false
        await readOnce(id)
      } while (reader.isBehind)
    } finally {
      readers.delete(id)
    }
  })()
  return reader.done
}

async function readOnce(id: string): Promise<void> {
  const { queryKey } = tableQuery(id)
  const known = queryClient.getQueryData(queryKey)
  if (!known) return
  const { table, rows, deletedIds, reset } = await api.tables.changed({ id, since: known.seq })
  queryClient.setQueryData(queryKey, table)
  if (table.seq === known.seq) return
  const isSameSet = table.rowCount === known.rowCount && deletedIds.length === 0 && !reset
  const changed = new Map(rows.map((row) => [row.id, row]))
  for (const row of rows) {
    const single = rowQuery(id, row.id).queryKey
    if (queryClient.getQueryData(single)) queryClient.setQueryData(single, row)
  }
  queryClient.setQueriesData<RowPage>(
    { queryKey: rowsKey(id) },
    (page) => page && { ...page, items: page.items.map((row) => changed.get(row.id) ?? row) },
  )
  const isArranged = queryClient
    .getQueryCache()
    .findAll({ queryKey: rowsKey(id), type: 'active' })
    .some(({ queryKey: [, , , selection] }) => Object.keys(selection as object).length > 0)
  if (isSameSet && !isArranged) return
  const parts = ['rows', 'count', 'groups', ...(isSameSet ? [] : ['row'])]
  await Promise.all(parts.map((part) => queryClient.invalidateQueries({ queryKey: ['tables', part, id] })))
}
