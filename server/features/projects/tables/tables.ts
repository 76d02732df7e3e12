import { z } from 'zod'
import { tables as endpoints } from '../../../../contract/projects/tables.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { aggregate } from './aggregate.ts'
import { removeSelected, updateSelected } from './bulk.ts'
import { emptyProjectTables, sweepTables } from './cleanup.ts'
import { convertColumn } from './convert.ts'
import { listChanges, listRowChanges } from './history.ts'
import { listLinkTargets } from './links.ts'
import { getRow, listChanged, listRows } from './list-rows.ts'
import { createTable, getTable, listTables, removeTable, undeleteTable, updateTable } from './manage.ts'
import { exportRows } from './transfer/export.ts'
import { importRows, prepareImport } from './transfer/import.ts'
import { undoChange } from './undo.ts'
import { upsertRows } from './upsert.ts'
import { createView, listViews, removeView, updateView } from './views.ts'

export { copyLinks, copyTables } from './copy.ts'
export { createFilledTable, type GivenTable } from './manage.ts'
export {
  type ManifestTable,
  type ProjectTables,
  presentForManifest,
  readManifestRows,
  readProjectTables,
  toManifestIds,
} from './manifest/portable-tables.ts'
export { restoreTables, type TableOutcome } from './manifest/restore-tables.ts'
export {
  readRowItem,
  requireResultColumns,
  selectRowItems,
  writeRowItem,
} from './row-items.ts'
export {
  applyTableUndo,
  listTableChanges,
  listTableProjects,
  planTableUndo,
  type TableUndo,
} from './undo-runs.ts'

const sweepJob = job('tables.sweep', z.object({}), { lane: 'bulk' })

/** Tables of projects: typed columns, rows, views and their history. */
export const tables: Feature = {
  routes: [
    handle(endpoints.list, listTables),
    handle(endpoints.create, createTable),
    handle(endpoints.get, getTable),
    handle(endpoints.update, updateTable),
    handle(endpoints.convert, convertColumn),
    handle(endpoints.targets, listLinkTargets),
    handle(endpoints.remove, removeTable),
    handle(endpoints.undelete, undeleteTable),
    handle(endpoints.rows, listRows),
    handle(endpoints.row, getRow),
    handle(endpoints.changed, listChanged),
    handle(endpoints.upsert, upsertRows),
    handle(endpoints.updateRows, updateSelected),
    handle(endpoints.removeRows, removeSelected),
    handle(endpoints.aggregate, aggregate),
    handle(endpoints.views, listViews),
    handle(endpoints.createView, createView),
    handle(endpoints.updateView, updateView),
    handle(endpoints.removeView, removeView),
    handle(endpoints.changes, listChanges),
    handle(endpoints.rowChanges, listRowChanges),
    handle(endpoints.undo, undoChange),
    handle(endpoints.import, importRows, prepareImport),
    handle(endpoints.export, exportRows),
  ],
  jobs: [onJob(sweepJob, sweepTables)],
  schedules: [{ job: sweepJob, cron: '53 3 * * *' }],
  fills: [fill(emptyProject, emptyProjectTables)],
}
