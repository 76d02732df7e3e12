/** A reason not to start that the operator can fix: `start.ts` prints the message without a stack trace. */
export class StartupError extends Error {}
