export { listSessions } from './list-queries.ts'
export {
  foldQueued,
  hasQueued,
  hasToolMessage,
  insertMessage,
  listForContext,
  listMessages,
  listRange,
  type MessagePart,
  type MessageRow,
} from './message-queries.ts'
export { presentMessage, presentSession } from './present.ts'
export {
  assignRun,
  copyMessages,
  deleteSession,
  findSession,
  insertSession,
  lockSession,
  releaseSession,
  requireOpen,
  type SessionRow,
  updateSession,
} from './session-queries.ts'
