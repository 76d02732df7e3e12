export { SESSION_CHANNEL } from './announce.ts'
export { emptySessions } from './empty-queries.ts'
export { updateInterrupted } from './interrupted-queries.ts'
export { openKeyedSession, releaseKey } from './keyed-queries.ts'
export { listSessions } from './list-queries.ts'
export {
  findLastAnswer,
  findLowestTrust,
  hasQueued,
  hasToolMessage,
  insertMessage,
  joinQueued,
  listFirstTexts,
  listForContext,
  listMessages,
  listNewestUserMessage,
  listRange,
  listRecent,
  type MessagePart,
  type MessageRow,
  messageColumns,
  queuedExists,
  updateUnread,
} from './message-queries.ts'
export {
  countParticipants,
  deleteParticipant,
  findViewer,
  insertParticipant,
  listRecipients,
} from './participant-queries.ts'
export { presentMessage, presentSession } from './present.ts'
export {
  assignRun,
  copyMessages,
  deleteSession,
  findSession,
  insertSession,
  lockSession,
  releaseSession,
  replaceProvisionalTitle,
  requireOpen,
  type SessionRow,
  sessionLock,
  takeRunNumber,
  updateSession,
} from './session-queries.ts'
export { currentSummaries, insertSummary, listSummaries, summariesExist } from './summary-queries.ts'
