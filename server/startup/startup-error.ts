/** A failure that the operator can fix: `explain.ts` prints the message without a stack trace. */
export class StartupError extends Error {}
