import { sessions } from '../../../../contract/agents/sessions.ts'
import { handle, handleAndFollow } from '../../../endpoint/route.ts'
import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import type { Models } from '../../../language-models/models.ts'
import type { Streams } from '../../../streams/streams.ts'
import { emptySessions, findSession, presentSession } from '../conversations/conversations.ts'
import {
  approvalsRequested,
  longRunEnded,
  type RunChannel,
  readChoices,
  type WithChoices,
} from '../runs/runs.ts'
import { branch } from './branch.ts'
import { remove, update } from './change.ts'
import { createSession } from './create.ts'
import { exportSession } from './export.ts'
import { list, readMessages } from './list.ts'
import { followAnswer } from './live/open-session.ts'
import { createSessionChannel, reportTyping } from './live/session-channel.ts'
import { notifyOfApprovals, notifyOfEnd } from './participants/notify.ts'
import { addParticipant, removeParticipant } from './participants/participants.ts'
import { rate, unrate } from './rate.ts'
import { sendMessage } from './send.ts'

export { readOutsideFiles } from './attachments.ts'
export { deriveTitle } from './change.ts'
export { createSession } from './create.ts'

interface ChatOptions {
  models: Models
  streams: Streams
  runChannel: RunChannel
}

/** Chat with agents: send messages, follow and rate replies, branch, search and export conversations. */
export const chat = ({ models, streams, runChannel }: ChatOptions): Feature => {
  const channel = createSessionChannel(streams)
  const prepare = readChoices(models)
  return {
    jobs: [onJob(approvalsRequested, notifyOfApprovals), onJob(longRunEnded, notifyOfEnd)],
    fills: [fill(emptyProject, (ctx, { orgId, id }) => emptySessions(ctx.sql, orgId, id, ctx.now()))],
    routes: [
      handle(
        sessions.create,
        (ctx, { choices, ...input }: WithChoices<typeof sessions.create>) =>
          createSession(choices, ctx, input),
        prepare,
      ),
      handle(sessions.list, list),
      handle(sessions.update, update),
      handle(sessions.remove, remove),
      handle(
        sessions.branch,
        (ctx, { choices, ...input }: WithChoices<typeof sessions.branch>) => branch(choices, ctx, input),
        prepare,
      ),
      handle(sessions.export, exportSession),
      handle(sessions.get, async (ctx, { id }) => presentSession(await findSession(ctx, id))),
      handle(sessions.messages, readMessages),
      handleAndFollow(
        sessions.send,
        (ctx, { choices, ...input }: WithChoices<typeof sessions.send>) => sendMessage(choices, ctx, input),
        prepare,
        (ctx, input, sent) => followAnswer(runChannel, ctx, input, sent),
      ),
      handle(sessions.rate, rate),
      handle(sessions.unrate, unrate),
      handle(sessions.live, (ctx, input) => channel.follow(ctx, input)),
      handle(sessions.typing, reportTyping),
      handle(sessions.addParticipant, addParticipant),
      handle(sessions.removeParticipant, removeParticipant),
    ],
  }
}
