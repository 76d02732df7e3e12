/** User-facing timeouts. The e2e tests extend them: on a loaded machine a test is slower than a user. */
export const TIMEOUTS = { toastMs: 7000, keySequenceMs: 1200 }
