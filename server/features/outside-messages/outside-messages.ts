export { type ActingMember, actingMember, callerOf } from './acting-member.ts'
export { deliverMessage, type OutsideMessage, type StartedWork } from './deliver-message.ts'
export { type EndedRun, findEndedRun } from './ended-run.ts'
