import { live } from '../../../../../contract/canvas/live.ts'
import { handle } from '../../../../endpoint/route.ts'
import type { ProjectChannel } from './project-channel.ts'
import { reportPresence } from './report-presence.ts'
import { followCanvas } from './stream.ts'

export const liveRoutes = (channel: ProjectChannel) => [
  handle(live.stream, (ctx, input) => followCanvas(channel, ctx, input)),
  handle(live.presence, (ctx, input) => reportPresence(channel, ctx, input)),
]
