import { live } from '../../../../contract/canvas/live.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Hub } from './hub.ts'
import { sayPresence } from './report-presence.ts'
import { followCanvas } from './stream.ts'

export const liveRoutes = (hub: Hub) => [
  handle(live.stream, (ctx, input) => followCanvas(hub, ctx, input)),
  handle(live.presence, (ctx, input) => sayPresence(hub, ctx, input)),
]
