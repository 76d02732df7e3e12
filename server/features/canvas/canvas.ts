import type { Logger } from 'pino'
import type { Pool } from '../../database/database.ts'
import type { Feature } from '../../feature.ts'
import { createHub } from './live/hub.ts'
import { liveRoutes } from './live/routes.ts'
import { canvasRoutes } from './routes.ts'

export { takeSnapshot } from './history/snapshots.ts'
export type { BlockFields, BlockRow, EdgeRow } from './records.ts'
export type { CanvasWrite } from './write/canvas-write.ts'
export { readCanvas } from './write/read-queries.ts'
export { writeCanvas } from './write/write.ts'

export function canvas({ pool, log, now }: { pool: Pool; log: Logger; now: () => Date }): Feature {
  const hub = createHub(pool, log, { now })
  return { routes: [...canvasRoutes, ...liveRoutes(hub)], streams: hub }
}
