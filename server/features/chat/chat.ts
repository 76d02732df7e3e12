import { sessions } from '../../../contract/agents/sessions.ts'
import { handle, handleAndFollow } from '../../endpoint/route.ts'
import type { Feature } from '../../feature.ts'
import { onJob } from '../../jobs/job-handler.ts'
import type { Models } from '../../models/models.ts'
import type { Streams } from '../../streams/streams.ts'
import { approvalsRequested, longRunEnded, type RunChannel } from '../runs/runs.ts'
import { emptySessions, findSession, presentSession } from '../sessions/sessions.ts'
import { branch } from './branch.ts'
import { remove, update } from './change.ts'
import { createSession } from './create.ts'
import { exportSession } from './export.ts'
import { list } from './list.ts'
import { followAnswer } from './live/follow-answer.ts'
import { createSessionChannel } from './live/session-channel.ts'
import { reportTyping } from './live/typing.ts'
import { readMessages } from './messages.ts'
import { notifyOfApprovals, notifyOfEnd } from './participants/notify.ts'
import { addParticipant, removeParticipant } from './participants/participants.ts'
import { sendMessage } from './send.ts'

export { createSession } from './create.ts'
export { titleOf } from './title.ts'

interface ChatOptions {
  models: Models
  streams: Streams
  runChannel: RunChannel
}

/** Conversations of people with agents. */
export const chat = ({ models, streams, runChannel }: ChatOptions): Feature => {
  const channel = createSessionChannel(streams)
  return {
    jobs: [onJob(approvalsRequested, notifyOfApprovals), onJob(longRunEnded, notifyOfEnd)],
    emptyProject: (ctx, { orgId, id }) => emptySessions(ctx.sql, orgId, id, ctx.now()),
    routes: [
      handle(sessions.create, (ctx, input) => createSession(models, ctx, input)),
      handle(sessions.list, list),
      handle(sessions.update, update),
      handle(sessions.remove, remove),
      handle(sessions.branch, (ctx, input) => branch(models, ctx, input)),
      handle(sessions.export, exportSession),
      handle(sessions.get, async (ctx, { id }) => presentSession(await findSession(ctx, id))),
      handle(sessions.messages, readMessages),
      handleAndFollow(
        sessions.send,
        (ctx, input) => sendMessage(models, ctx, input),
        (ctx, input, sent) => followAnswer(runChannel, ctx, input, sent),
      ),
      handle(sessions.live, (ctx, input) => channel.follow(ctx, input)),
      handle(sessions.typing, reportTyping),
      handle(sessions.addParticipant, addParticipant),
      handle(sessions.removeParticipant, removeParticipant),
    ],
  }
}
