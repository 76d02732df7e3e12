import { live } from '../../../contract/live.ts'
import type { Hub } from '../../live/hub.ts'
import { handle } from '../../route.ts'
import { sayPresence } from './presence.ts'
import { followCanvas } from './stream.ts'

export const liveRoutes = (hub: Hub) => [
  handle(live.stream, (ctx, input) => followCanvas(hub, ctx, input)),
  handle(live.presence, (ctx, input) => sayPresence(hub, ctx, input)),
]
