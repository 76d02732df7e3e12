import { canvas as endpoints } from '../../../../contract/canvas/canvas.ts'
import { live } from '../../../../contract/canvas/live.ts'
import { projectPreviews } from '../../../../contract/projects/previews.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import type { Pool } from '../../../database/database.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import type { Streams } from '../../../streams/streams.ts'
import { change, connect, create, disconnect, move, readFile, remove, update } from './edit.ts'
import { readHistory } from './history/history.ts'
import { pruneHistory } from './history/prune.ts'
import { readAt, restoreSnapshot, rewind } from './history/revert.ts'
import * as snapshots from './history/snapshots.ts'
import { list, outline } from './list.ts'
import { createProjectChannel } from './live/project-channel.ts'
import { followCanvas, reportPresence } from './live/stream.ts'
import { readNavigator } from './navigator.ts'
import { readPreviews } from './previews/previews.ts'
import { deleteCanvas } from './write/queries.ts'

export { listCanvasChanges } from './history/run-changes.ts'
export { type ItemPosition, listChangedProjects } from './history/run-queries.ts'
export { takeSnapshot } from './history/snapshots.ts'
export { applyCanvasUndo, type CanvasUndo, planCanvasUndo } from './history/undo-run.ts'
export { type Shape, toPreviewShapes } from './previews/shapes.ts'
export { type BlockFields, type BlockRow, type EdgeRow, pickBlockFields } from './records.ts'
export { withTableIds } from './table-ids.ts'
export { titleOfBlock, titleOfEdge } from './titles.ts'
export type { CanvasWrite } from './write/canvas-write.ts'
export { copyCanvas, markOutside } from './write/copy.ts'
export { listBlocksById, listInputs, readCanvas } from './write/queries.ts'
export { withoutRuntime } from './write/runtime-keys.ts'
export { checkCondition } from './write/workflow-fields.ts'
export { changeCanvas, writeCanvas } from './write/write.ts'

/** Blocks and edges, their history, snapshots and live changes. */
export function canvas({ pool, streams }: { pool: Pool; streams: Streams }): Feature {
  const channel = createProjectChannel(streams, pool)
  return {
    routes: [
      handle(endpoints.list, list),
      handle(endpoints.outline, outline),
      handle(endpoints.create, create),
      handle(endpoints.move, move),
      handle(endpoints.update, update),
      handle(endpoints.remove, remove),
      handle(endpoints.file, readFile),
      handle(endpoints.connect, connect),
      handle(endpoints.disconnect, disconnect),
      handle(endpoints.change, change),
      handle(endpoints.history, readHistory),
      handle(endpoints.at, readAt),
      handle(endpoints.rewind, rewind),
      handle(endpoints.prune, pruneHistory),
      handle(endpoints.snapshots, snapshots.list),
      handle(endpoints.snapshot, snapshots.take),
      handle(endpoints.restoreSnapshot, restoreSnapshot),
      handle(projects.navigator, readNavigator),
      handle(projectPreviews.list, readPreviews),
      handle(live.stream, (ctx, input) => followCanvas(channel, ctx, input)),
      handle(live.presence, (ctx, input) => reportPresence(channel, ctx, input)),
    ],
    fills: [fill(emptyProject, ({ sql }, { orgId, id }, limit) => deleteCanvas(sql, orgId, id, limit))],
    close: channel.close,
  }
}
