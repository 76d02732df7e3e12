import { sessions } from '../../../contract/agents/sessions.ts'
import { handle } from '../../endpoint/route.ts'
import type { Feature } from '../../feature.ts'
import type { Models } from '../../models/models.ts'
import type { Streams } from '../../streams/streams.ts'
import { findSession, presentSession } from '../sessions/sessions.ts'
import { branch } from './branch.ts'
import { remove, update } from './change.ts'
import { createSession } from './create.ts'
import { exportSession } from './export.ts'
import { list } from './list.ts'
import { createSessionChannel } from './live/session-channel.ts'
import { reportTyping } from './live/typing.ts'
import { readMessages } from './messages.ts'
import { sendMessage } from './send.ts'

export { runnableAgent } from './default-model.ts'
export { titleOf } from './send.ts'

/** Conversations of people with agents. */
export const chat = ({ models, streams }: { models: Models; streams: Streams }): Feature => {
  const channel = createSessionChannel(streams)
  return {
    routes: [
      handle(sessions.create, (ctx, input) => createSession(models, ctx, input)),
      handle(sessions.list, list),
      handle(sessions.update, update),
      handle(sessions.remove, remove),
      handle(sessions.branch, (ctx, input) => branch(models, ctx, input)),
      handle(sessions.export, exportSession),
      handle(sessions.get, async (ctx, { id }) => presentSession(await findSession(ctx, id))),
      handle(sessions.messages, readMessages),
      handle(sessions.send, (ctx, input) => sendMessage(models, ctx, input)),
      handle(sessions.live, (ctx, input) => channel.follow(ctx, input)),
      handle(sessions.typing, reportTyping),
    ],
  }
}
