import { ApiFailure } from '../../../../../client/client.ts'
import { t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { isOffline } from '../../../../api/explain.ts'
import type { TableColumn } from '../../../../api/tables.ts'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import { randomId } from '../../../../state/random-id.ts'
import { createStore } from '../../../../state/store.ts'
import { readChanges } from '../follow-table.ts'

export interface CellChange {
  /** Null for a new row. */
  rowId: string | null
  /** New rows with the same number are one row. */
  newRow?: number
  column: TableColumn
  value: unknown
  /** Until the server answers, if it shows another form than it takes. */
  shown?: unknown
}

/** By column. */
export type PendingCells = ReadonlyMap<string, { value: unknown; job: Job }>

interface Job {
  /** A repeated run continues where the last one was interrupted. */
  run: () => Promise<unknown>
  done: (isSaved: boolean) => void
}

const ROWS_PER_CALL = 1000
const UNDO_STEPS_MAX = 100
const RETRY_MS = 4000

/**
 * Changes are shown at once, saved in their order, and taken back if the server refuses them. Without a connection they
 * wait for it, also while the user is on other pages.
 */
function createRowWriter(tableId: string) {
  const pending = createStore<ReadonlyMap<string, PendingCells>>(new Map())
  /** How many changes wait for a connection. */
  const waiting = createStore(0)
  const jobs: Job[] = []
  // Each step is one action, which may take several calls.
  const undoable: number[][] = []
  const redoable: number[][] = []

  function enqueue(run: () => Promise<unknown>, changes: readonly CellChange[] = []): Promise<boolean> {
    return new Promise((done) => {
      const job = { run, done }
      show(changes, job)
      jobs.push(job)
      if (waiting.get() > 0) waiting.set(jobs.length)
      if (jobs.length === 1) void work()
    })
  }

  async function work(): Promise<void> {
    window.addEventListener('beforeunload', warn)
    for (let job = jobs[0]; job; job = jobs[0]) {
      const isSaved = await attempt(job)
      await readChanges(tableId).catch(() => {})
      hide(job)
      jobs.shift()
      job.done(isSaved)
    }
    window.removeEventListener('beforeunload', warn)
  }

  async function attempt(job: Job): Promise<boolean> {
    for (;;) {
      try {
        await job.run()
        waiting.set(0)
        return true
      } catch (error) {
        const delayMs = retryDelayMs(error)
        if (delayMs === null) {
          waiting.set(0)
          toastFailure(error)
          return false
        }
        waiting.set(jobs.length)
        await online(delayMs)
      }
    }
  }

  function show(changes: readonly CellChange[], job: Job): void {
    const rows = new Map(pending.get())
    for (const { rowId, column, value, shown = value } of changes) {
      if (rowId === null) continue
      const cells = new Map(rows.get(rowId))
      const isNumber = column.type === 'number' && typeof shown === 'string'
      rows.set(rowId, cells.set(column.id, { value: isNumber ? Number(shown) : shown, job }))
    }
    if (changes.length > 0) pending.set(rows)
  }

  function hide(job: Job): void {
    const rows = new Map<string, PendingCells>()
    for (const [rowId, cells] of pending.get()) {
      const others = [...cells].filter(([, cell]) => cell.job !== job)
      if (others.length === cells.size) rows.set(rowId, cells)
      else if (others.length > 0) rows.set(rowId, new Map(others))
    }
    pending.set(rows)
  }

  function remember(seqs: number[]): void {
    if (seqs.length === 0) return
    undoable.push(seqs)
    if (undoable.length > UNDO_STEPS_MAX) undoable.shift()
    redoable.length = 0
  }

  function step(from: number[][], to: number[][], nothing: string): Promise<boolean> {
    let seqs: number[] | undefined
    const undone: number[] = []
    const undo = (force: boolean) =>
      enqueue(async () => {
        seqs ??= from.pop()?.toReversed()
        if (!seqs) {
          toast(nothing)
          return
        }
        try {
          for (; seqs.length > 0; seqs.shift())
            undone.push((await api.tables.undo({ id: tableId, seq: seqs[0]!, force })).seq)
          to.push(undone)
        } catch (error) {
          if (!isEditedSince(error)) throw error
          toast(t`Others have changed the same since`, {
            label: t`Undo anyway`,
            run: () => void undo(true),
          })
        }
      })
    return undo(false)
  }

  return {
    pending,
    waiting,
    setCells(changes: readonly CellChange[]): Promise<boolean> {
      const rows = [...Map.groupBy(changes, ({ rowId, newRow }) => rowId ?? `new ${newRow ?? 0}`).values()]
      const batches = batchesOf(rows.map(toRow))
      const seqs: number[] = []
      return enqueue(async () => {
        for (; batches.length > 0; batches.shift()) {
          const [{ body, idempotencyKey }] = batches as [Batch]
          const result = await api.tables.upsert({ id: tableId, rows: body }, { idempotencyKey })
          // An unchanged table answers with somebody's last change.
          if (result.created + result.updated > 0) seqs.push(result.seq)
        }
        remember(seqs)
      }, changes)
    },
    /** Returns its id, once it's saved. */
    async addRow(values: Record<string, unknown> = {}): Promise<string | null> {
      const idempotencyKey = randomId()
      let id: string | null = null
      await enqueue(async () => {
        const result = await api.tables.upsert({ id: tableId, rows: [{ values }] }, { idempotencyKey })
        id = result.rows[0]!.id
        remember([result.seq])
      })
      return id
    },
    removeRows(ids: readonly string[]): Promise<boolean> {
      const left = [...ids]
      const seqs: number[] = []
      return enqueue(async () => {
        for (; left.length > 0; left.splice(0, ROWS_PER_CALL)) {
          const removed = await api.tables.removeRows({ id: tableId, ids: left.slice(0, ROWS_PER_CALL) })
          if (removed.deleted > 0) seqs.push(removed.seq)
        }
        remember(seqs)
      })
    },
    undo: () => step(undoable, redoable, t`Nothing to undo`),
    redo: () => step(redoable, undoable, t`Nothing to redo`),
  }
}

export type RowWriter = ReturnType<typeof createRowWriter>

const writers = new Map<string, RowWriter>()

/** One for each table, so that undo and unsaved changes outlive its page. */
export function rowWriter(tableId: string): RowWriter {
  const writer = writers.get(tableId) ?? createRowWriter(tableId)
  writers.set(tableId, writer)
  return writer
}

interface Batch {
  body: { id?: string; values: Record<string, unknown> }[]
  /** A lost answer creates no second row. */
  idempotencyKey: string
}

const toRow = (cells: readonly CellChange[]) => ({
  ...(cells[0]!.rowId !== null && { id: cells[0]!.rowId }),
  values: Object.fromEntries(cells.map(({ column, value }) => [column.id, value])),
})

const batchesOf = (rows: Batch['body']): Batch[] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_CALL) }, (_, n) => ({
    body: rows.slice(n * ROWS_PER_CALL, (n + 1) * ROWS_PER_CALL),
    idempotencyKey: randomId(),
  }))

/** Undoing it would lose their values. */
export const isEditedSince = (error: unknown): boolean =>
  error instanceof ApiFailure && error.reason === 'edited_since'

/** Null for what another attempt wouldn't change. */
function retryDelayMs(error: unknown): number | null {
  if (isOffline(error)) return RETRY_MS
  const isBusy =
    error instanceof ApiFailure && (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE')
  return isBusy ? (error.retryAfterSeconds ?? 0) * 1000 || RETRY_MS : null
}

function online(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, delayMs)
    window.addEventListener('online', go)
  })
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()
