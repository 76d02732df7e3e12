/** How long a repeated event is recognized: the maximum of `dedupWindowSeconds`. */
export const DEDUP_SECONDS_MAX = 604_800
export const DEDUP_SECONDS_DEFAULT = 600
/** The number of repetition times that an event keeps. */
export const REPETITION_TIMES_MAX = 100
