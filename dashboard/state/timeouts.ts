/**
 * How long people are given before something goes by itself, in milliseconds. The journeys stretch it: on a busy machine
 * a test is slower than a person.
 */
export const TIMEOUTS = { toastMs: 7000, keySequenceMs: 1200 }
