/** Agent conversations: messages, summaries and participants. Has no endpoints. */

export { SESSION_CHANNEL } from './announce.ts'
export { listSessions } from './list-queries.ts'
export {
  type Citation,
  currentSummaries,
  deleteRating,
  findLastAnswer,
  findLowestTrust,
  findMessage,
  hasQueued,
  hasToolMessage,
  insertMessage,
  insertSummary,
  joinQueued,
  listFileParts,
  listFirstTexts,
  listForContext,
  listMessages,
  listNewestUserMessage,
  listRange,
  listRecent,
  listSummaries,
  type MessagePart,
  type MessageRow,
  messageColumns,
  queuedExists,
  summariesExist,
  updateUnread,
  upsertRating,
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
  emptySessions,
  findSession,
  insertSession,
  lockSession,
  openKeyedSession,
  releaseKey,
  releaseSession,
  replaceProvisionalTitle,
  requireOpen,
  type SessionRow,
  sessionLock,
  takeRunNumber,
  updateInterrupted,
  updateSession,
} from './session-queries.ts'
