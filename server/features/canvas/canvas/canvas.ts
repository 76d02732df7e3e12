import type { Pool } from '../../../database/database.ts'
import type { Feature } from '../../../feature.ts'
import type { Streams } from '../../../streams/streams.ts'
import { deleteCanvas } from './empty-queries.ts'
import { createProjectChannel } from './live/project-channel.ts'
import { liveRoutes } from './live/routes.ts'
import { canvasRoutes } from './routes.ts'

export { listCanvasChanges } from './history/run-changes.ts'
export { type ItemPosition, listChangedProjects } from './history/run-queries.ts'
export { takeSnapshot } from './history/snapshots.ts'
export { applyCanvasUndo, type CanvasUndo, planCanvasUndo } from './history/undo-run.ts'
export { type Shape, shapesOf } from './previews/shapes.ts'
export type { BlockFields, BlockRow, EdgeRow } from './records.ts'
export { titleOfBlock, titleOfEdge } from './titles.ts'
export type { CanvasWrite } from './write/canvas-write.ts'
export { copyCanvas } from './write/copy.ts'
export { markOutside } from './write/outside.ts'
export { listBlocksById, listInputs, readCanvas } from './write/read-queries.ts'
export { withoutRuntime } from './write/runtime-keys.ts'
export { changeCanvas, writeCanvas } from './write/write.ts'

export function canvas({ pool, streams }: { pool: Pool; streams: Streams }): Feature {
  const channel = createProjectChannel(streams, pool)
  return {
    routes: [...canvasRoutes, ...liveRoutes(channel)],
    emptyProject: ({ sql }, { orgId, id }, limit) => deleteCanvas(sql, orgId, id, limit),
    close: channel.close,
  }
}
