/** The maximum for `dedupWindowSeconds`: how long a repeated event is recognized. */
export const DEDUP_SECONDS_MAX = 604_800
export const DEDUP_SECONDS_DEFAULT = 600
export const REPETITION_TIMES_MAX = 100
