/** A reason not to start that a person can act on: `start.ts` prints the message alone, without a stack. */
export class StartupError extends Error {}
